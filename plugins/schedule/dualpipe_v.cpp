// SPDX-License-Identifier: Apache-2.0
#include "common/dual_order.hpp"
#include "common/looped_chunks.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// DualPipeV (Qi, Wan, Huang, Lin: "cut in half" of DeepSeek's DualPipe; its public code): two
/// chunks per mesh, forth and back, and pairs of a forward of one with the backward pass of the
/// other in the steady state. m is at least 2p.
///
///   bubble   (p - 1) (FB + BW - 3 W), times of a chunk, with equal chunks, F = B = W and free
///            transfers; FB, a pair, takes F + BW where its halves do not overlap
///   memory   every stage keeps 2p + 1 chunks of micro-batches, half a stage's each
class DualPipeV : public Schedule {
 public:
  explicit DualPipeV(const Options&) {}

  Placement placement(int num_meshes) override { return common::waved(num_meshes, 1); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    const std::int32_t ranks = problem.num_meshes;
    const auto all = static_cast<std::int32_t>(problem.num_micro_batches);
    if (all < 2 * ranks)
      throw Error(std::to_string(all) + " micro-batches are fewer than twice the " +
                  std::to_string(ranks) + " stages");
    PipelineSchedule schedule;
    for (const std::vector<std::int32_t>& chunks :
         common::chunks_by_mesh(problem, placement(ranks))) {
      const auto rank = static_cast<std::int32_t>(schedule.order.size());
      schedule.order.push_back(common::DualOrder({.rank = rank,
                                                  .ranks = ranks,
                                                  .num_micro_batches = all,
                                                  .chunk = {chunks[0], chunks[1]}})
                                   .make());
    }
    return schedule;
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    return common::pairs_bubble_s(problem, problem.num_meshes);
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/dualpipe_v", rhino::DualPipeV,
             "two chunks per mesh, forth and back, forward and backward in pairs")
