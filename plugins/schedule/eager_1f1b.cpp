// SPDX-License-Identifier: Apache-2.0
#include "common/one_forward_one_backward.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Eager-1F1B (AlpaComm, section 4): stage i of p runs ahead by 2 (p - i) - 1 forwards, so that a
/// transfer between stages overlaps one compute slot of both; it keeps that many micro-batches.
class Eager1F1B : public Schedule {
 public:
  explicit Eager1F1B(const Options&) {}

  Placement placement(int num_meshes) override { return common::one_chunk_per_mesh(num_meshes); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    return common::alternating_schedule(
        problem, [](std::int32_t stages_left) { return 2 * stages_left - 1; });
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    return common::whole_bubble_s(problem);
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/eager_1f1b", rhino::Eager1F1B, "1F1B with slack for transfers")
