// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <optional>

#include "common/counter_random.hpp"
#include "common/greedy_passes.hpp"
#include "common/one_forward_one_backward.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Automatic scheduling of cut backward passes under a limit of micro-batches in flight (Qi, Wan,
/// Huang, Lin: Zero Bubble Pipeline Parallelism, arXiv 2401.10241, section 3): the pipeline is
/// played through, B before F before W, W in gaps, by a grid of policies, then with changes of
/// single stages' (option changes: 300 of them); the order with the shortest steady period is the
/// answer, of equal ones that with the shortest step. Stages and transfers may differ. Policies are
/// ours; the paper's lie among them.
///
///   bubble   max(0, 2p - 1 - L) F of each stage, with equal stages, F = B = W, free transfers, a
///            limit of L >= p micro-batches and m >= 2p: (p - 1) F as ZB-H1 at L = p, none from L =
///            2p - 1 on, as ZB-H2. Less no schedule has: only L forwards come before a gradient
///   memory   no stage keeps more micro-batches than it has room for, nor, where nothing is said of
///            that, more than min(m, 2p) (option max_in_flight: another number)
class ZeroBubble : public Schedule {
 public:
  explicit ZeroBubble(const Options& options)
      : max_in_flight_(options.get<std::int64_t>("max_in_flight", 0)),
        num_changes_(options.get<std::int64_t>("changes", 300)) {
    if (max_in_flight_ < 0) throw Error("max_in_flight is a number of micro-batches, 0: what fits");
    if (num_changes_ < 0) throw Error("changes is a number of attempts, 0: none");
  }

  Placement placement(int num_meshes) override { return common::one_chunk_per_mesh(num_meshes); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    const common::PassGraph graph(problem);
    const common::Room room = room_of(problem);
    Best best(graph, room);
    for (const Policies& policies : same_for_all(problem)) best.attempt(policies);
    common::CounterRandom random(1);
    for (std::int64_t i = 0; i < num_changes_ && !best.is_least(); ++i)
      best.attempt(changed(best.policies, random));
    return actions(best.lists);
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    const ChunkCost* chunk = common::equal_chunks(problem);
    const std::int64_t stages = problem.num_meshes, most = micro_batches_for(problem, 0);
    if (chunk == nullptr || most < stages || problem.num_micro_batches < 2 * stages ||
        chunk->backward_s != chunk->forward_s || chunk->weight_s != chunk->forward_s)
      return std::nullopt;
    return static_cast<double>(std::max<std::int64_t>(0, 2 * stages - 1 - most)) * chunk->forward_s;
  }

 private:
  using Policies = std::vector<common::GreedyPolicy>;  ///< [mesh]

  /// The quickest order so far.
  struct Best {
    Best(const common::PassGraph& graph, const common::Room& room) : graph(graph), room(room) {}

    /// What is as quick counts, too: changes may add up.
    void attempt(const Policies& tried) {
      common::PassLists played = common::GreedyPasses(graph, room, tried).play();
      const common::StepTimes taken = common::step_times(graph, played);
      if (!lists.empty() && is_shorter(times, taken)) return;
      times = taken;
      lists = std::move(played);
      policies = tried;
    }
    /// No mesh idles between its passes that has the most of them.
    bool is_least() const { return times.period_s <= graph.busiest_s() * (1 + kEqual); }

    const common::PassGraph& graph;
    const common::Room& room;
    common::StepTimes times;
    common::PassLists lists;
    Policies policies;
  };

  static constexpr double kEqual = 1e-9;
  static bool is_shorter(const common::StepTimes& a, const common::StepTimes& b) {
    if (a.period_s < b.period_s * (1 - kEqual)) return true;
    return a.period_s <= b.period_s * (1 + kEqual) && a.makespan_s < b.makespan_s * (1 - kEqual);
  }

  static double forward_bytes(const ChunkCost& chunk) {
    return chunk.forward_to_backward_bytes + chunk.forward_to_weight_bytes;
  }

  /// Whole micro-batches that a mesh may keep.
  std::int64_t micro_batches_for(const PipelineProblem& problem, std::size_t mesh) const {
    const double limit = problem.activation_limit_bytes[mesh],
                 bytes = forward_bytes(problem.chunks[mesh]);
    std::int64_t most = max_in_flight_ > 0 ? max_in_flight_ : 2 * std::int64_t{problem.num_meshes};
    if (limit > 0 && bytes > 0) {
      const auto fit = static_cast<std::int64_t>(limit / bytes * (1 + 1e-9));
      most = max_in_flight_ > 0 ? std::min(fit, max_in_flight_) : fit;
      if (fit < 1)
        throw Error("mesh " + std::to_string(mesh) +
                    " has no room for the activations of one micro-batch");
    }
    return std::min(most, problem.num_micro_batches);
  }

  /// Bytes where the problem tells them, else micro-batches.
  common::Room room_of(const PipelineProblem& problem) const {
    common::Room room;
    for (std::size_t mesh = 0; mesh < problem.chunks.size(); ++mesh) {
      const ChunkCost& chunk = problem.chunks[mesh];
      const bool is_told = problem.activation_limit_bytes[mesh] > 0 && max_in_flight_ == 0 &&
                           forward_bytes(chunk) > 0;
      const auto most = static_cast<double>(micro_batches_for(problem, mesh));
      room.limit_bytes.push_back(is_told ? problem.activation_limit_bytes[mesh] : most);
      room.forward_bytes.push_back(is_told ? forward_bytes(chunk) : 1);
      room.backward_bytes.push_back(
          is_told ? chunk.backward_to_weight_bytes - chunk.forward_to_backward_bytes : 0);
      room.weight_bytes.push_back(
          is_told ? -chunk.backward_to_weight_bytes - chunk.forward_to_weight_bytes : -1);
    }
    return room;
  }

  using Turns = common::GreedyPolicy::Turns;
  static constexpr Turns kTurns[] = {Turns::none, Turns::soft, Turns::strict};
  static constexpr double kGaps[] = {1, 0.5, 0}, kPatience[] = {0, 0.5, 1};

  /// Fs before the first B as many as fit, as eager-1F1B, and as 1F1B.
  static std::vector<Policies> same_for_all(const PipelineProblem& problem) {
    std::vector<Policies> all;
    for (const std::int32_t ahead : {0, 2, 1}) {
      for (const Turns turns : kTurns) {
        for (const double least_gap : kGaps) {
          for (const double patience : kPatience) {
            Policies& policies = all.emplace_back();
            for (std::int32_t left = problem.num_meshes; left > 0; --left)
              policies.push_back({least_gap, patience, turns,
                                  ahead == 0 ? std::numeric_limits<std::int32_t>::max()
                                             : ahead * left - (ahead - 1)});
          }
        }
      }
    }
    return all;
  }

  /// With another one for some mesh.
  static Policies changed(Policies policies, common::CounterRandom& random) {
    const std::size_t stages = policies.size();
    common::GreedyPolicy& policy = policies[random.below(stages)];
    switch (random.below(4)) {
      case 0: policy.least_gap = kGaps[random.below(std::size(kGaps))]; break;
      case 1: policy.patience = kPatience[random.below(std::size(kPatience))]; break;
      case 2: policy.turns = kTurns[random.below(std::size(kTurns))]; break;
      default: policy.most_ahead = 1 + static_cast<std::int32_t>(random.below(2 * stages)); break;
    }
    return policies;
  }

  static PipelineSchedule actions(const common::PassLists& lists) {
    constexpr ActionKind kKinds[] = {ActionKind::forward, ActionKind::backward, ActionKind::weight};
    PipelineSchedule schedule;
    for (const std::vector<common::PassUse>& list : lists) {
      std::vector<Action>& order = schedule.order.emplace_back();
      for (const common::PassUse& use : list) {
        const Pass kind = common::PassGraph::kind_of(use.pass);
        order.push_back({kKinds[static_cast<std::size_t>(kind)],
                         common::PassGraph::chunk_of(use.pass), use.micro_batch});
      }
    }
    return schedule;
  }

  const std::int64_t max_in_flight_, num_changes_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/zero_bubble", rhino::ZeroBubble,
             "cut backward passes, ordered for the stages' times under their memory")
