// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rhino/search.hpp"

namespace rhino::test {

/// Asks others, which are borrowed; for tests that look at what is asked, or answer otherwise.
class Forwarding : public Strategies {
 public:
  explicit Forwarding(Strategies& inner) : inner_(inner) {}

  Strategy complete(const StrategyDraft& draft) const override { return inner_.complete(draft); }
  std::vector<Chunk> chunks(std::int32_t num_meshes,
                            const std::vector<MeshAxis>& axes) const override {
    return inner_.chunks(num_meshes, axes);
  }
  Estimate estimate(const Strategy& strategy) override { return inner_.estimate(strategy); }
  std::unique_ptr<Trial> try_out(const Strategy& strategy) override {
    return inner_.try_out(strategy);
  }
  Evaluation evaluate(const Strategy& strategy) override { return inner_.evaluate(strategy); }
  void offer(const Strategy& strategy, double bound_s) override { inner_.offer(strategy, bound_s); }
  bool is_out_of_time() override { return inner_.is_out_of_time(); }
  const StrategySpace& space(const SpaceOptions& options) override { return inner_.space(options); }
  double least_s(const SpaceOptions& options) override { return inner_.least_s(options); }
  double least_device_s(const std::vector<SpaceOptions>& meshes) override {
    return inner_.least_device_s(meshes);
  }
  ChunkFlow flow(const Strategy& strategy) override { return inner_.flow(strategy); }
  void reject(const std::string& candidate, const std::string& reason) override {
    inner_.reject(candidate, reason);
  }

 private:
  Strategies& inner_;
};

}  // namespace rhino::test
