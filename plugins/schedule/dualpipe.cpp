// SPDX-License-Identifier: Apache-2.0
#include "common/dual_order.hpp"
#include "common/looped_chunks.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// DualPipe (DeepSeek-V3, arXiv 2412.19437, section 3.2.1; its public code): two replicas of the
/// pipeline in opposite directions, half of the micro-batches through each, and pairs of a forward
/// of one with the backward pass of the other in the steady state. p is even, m is even and at
/// least 2p.
///
///   bubble   (p / 2 - 1) (FB + BW - 3 W) with equal stages, F = B = W and free transfers; FB, a
///            pair, takes F + BW where its halves do not overlap
///   memory   every stage keeps p + 1 micro-batches, and two stages' parameters
class DualPipe : public Schedule {
 public:
  explicit DualPipe(const Options&) {}

  Placement placement(int num_meshes) override { return common::both_ways(num_meshes); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    const std::int32_t stages = problem.num_meshes;
    const auto all = static_cast<std::int32_t>(problem.num_micro_batches);
    if (all % 2 != 0 || all < 2 * stages)
      throw Error(std::to_string(all) + " micro-batches are odd in number, or fewer than twice " +
                  "the " + std::to_string(stages) + " stages");
    PipelineSchedule schedule;
    for (const std::vector<std::int32_t>& chunks :
         common::chunks_by_mesh(problem, placement(stages))) {
      const auto mesh = static_cast<std::int32_t>(schedule.order.size());
      const bool is_first = mesh < stages / 2;  // here replica 0 begins
      common::DualRank rank{.rank = is_first ? mesh : stages - 1 - mesh,
                            .ranks = stages / 2,
                            .num_micro_batches = all / 2,
                            .chunk = {chunks[0], chunks[1]},
                            .first_of = {0, all / 2}};
      if (!is_first) {
        std::swap(rank.chunk[0], rank.chunk[1]);
        std::swap(rank.first_of[0], rank.first_of[1]);
      }
      schedule.order.push_back(common::DualOrder(rank).make());
    }
    return schedule;
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    return common::pairs_bubble_s(problem, problem.num_meshes / 2);
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/dualpipe", rhino::DualPipe,
             "two replicas in opposite directions, forward and backward in pairs")
