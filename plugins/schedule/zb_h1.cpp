// SPDX-License-Identifier: Apache-2.0
#include <tuple>

#include "common/one_forward_one_backward.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// ZB-H1 (Qi, Wan, Huang, Lin: Zero Bubble Pipeline Parallelism, arXiv 2401.10241, section 2, by
/// hand): the order of 1F1B with its backward passes cut. B's take the places of BW's, and stage i
/// of p runs W i micro-batches late, in places where 1F1B would wait.
///
///   bubble   (p - 1) (F + B - W) of each stage, with equal stages, free transfers, m >= p and W no
///            longer than F nor B; (p - 1) max(F, B) where W is longer. 1F1B: (p - 1) (F + B + W)
///   memory   every stage keeps min(m, p) micro-batches, as many as the first of 1F1B; of i of them
///            what W reads: activations and, beyond 1F1B, gradients (and what B made anew)
class ZbH1 : public Schedule {
 public:
  explicit ZbH1(const Options&) {}

  Placement placement(int num_meshes) override { return common::one_chunk_per_mesh(num_meshes); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    PipelineSchedule schedule =
        common::alternating_schedule(problem, [](std::int32_t stages_left) { return stages_left; });
    for (std::int32_t stage = 0; stage < problem.num_meshes; ++stage) {
      std::vector<Action>& order = schedule.order[static_cast<std::size_t>(stage)];
      order = cut(order, stage);
    }
    return schedule;
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    const ChunkCost* chunk = common::equal_chunks(problem);
    if (chunk == nullptr || problem.num_micro_batches < problem.num_meshes) return std::nullopt;
    const auto [forward_s, backward_s, weight_s] =
        std::tuple(chunk->forward_s, chunk->backward_s, chunk->weight_s);
    const bool is_short = weight_s <= std::min(forward_s, backward_s);
    return (problem.num_meshes - 1) *
           (is_short ? forward_s + backward_s - weight_s : std::max(forward_s, backward_s));
  }

 private:
  /// The same with each W behind the B that comes `delay` later, or at the end.
  static std::vector<Action> cut(const std::vector<Action>& whole, std::int32_t delay) {
    std::vector<Action> order;
    std::int32_t num_backwards = 0, num_weights = 0;
    const auto add_weight = [&](std::int32_t chunk) {
      order.push_back({ActionKind::weight, chunk, num_weights++});
    };
    for (Action action : whole) {
      const bool is_backward = action.kind == ActionKind::backward_weight;
      if (is_backward) action.kind = ActionKind::backward;
      order.push_back(action);
      if (is_backward && num_backwards++ >= delay) add_weight(action.chunk);
    }
    while (num_weights < num_backwards) add_weight(order.front().chunk);
    return order;
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/zb_h1", rhino::ZbH1, "1F1B with gradients of weights where it would wait")
