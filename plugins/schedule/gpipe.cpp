// SPDX-License-Identifier: Apache-2.0
#include "common/one_forward_one_backward.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// GPipe: all forwards, then all backwards; every stage keeps the activations of all micro-batches.
class GPipe : public Schedule {
 public:
  explicit GPipe(const Options&) {}

  Placement placement(int num_meshes) override { return common::one_chunk_per_mesh(num_meshes); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    const auto num_micro_batches = static_cast<std::int32_t>(problem.num_micro_batches);
    return common::alternating_schedule(problem, [&](std::int32_t) { return num_micro_batches; });
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    return common::whole_bubble_s(problem);
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/gpipe", rhino::GPipe, "all forwards, then all backwards")
