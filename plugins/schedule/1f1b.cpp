// SPDX-License-Identifier: Apache-2.0
#include "common/one_forward_one_backward.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// 1F1B (PipeDream-flush, DAPPLE): stage i of p starts its first backward after p - i forwards and
/// keeps min(m, p - i) micro-batches.
class OneForwardOneBackward : public Schedule {
 public:
  explicit OneForwardOneBackward(const Options&) {}

  Placement placement(int num_meshes) override { return common::one_chunk_per_mesh(num_meshes); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    return common::alternating_schedule(problem,
                                        [](std::int32_t stages_left) { return stages_left; });
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    return common::whole_bubble_s(problem);
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/1f1b", rhino::OneForwardOneBackward, "one forward, one backward by turns")
