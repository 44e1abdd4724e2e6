// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

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
///   memory   no stage keeps more bytes than it has room for, nor, where nothing is said of that,
///            more than min(m, 2p) micro-batches (option max_in_flight: another number). Where
///            few micro-batches fit beside what lies between B and W, these are one pass
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
    // Cut where one micro-batch has room; or only where as many have as there are stages.
    const std::vector<bool> least = to_leave_whole(problem, 1),
                            more = to_leave_whole(problem, problem.num_meshes);
    Answer best = quickest(problem, least);
    if (more != least) {
      Answer other = quickest(problem, more);
      if (is_shorter(other.times, best.times)) best = std::move(other);
    }
    return actions(best);
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    const ChunkCost* chunk = common::equal_chunks(problem);
    if (chunk == nullptr || chunk->backward_s != chunk->forward_s ||
        chunk->weight_s != chunk->forward_s)
      return std::nullopt;
    const double limit = *std::ranges::min_element(problem.activation_limit_bytes);
    std::int64_t most = most_in_flight(problem, limit);
    if (limit > 0 && forward_bytes(*chunk) > 0)
      most = std::min(most, static_cast<std::int64_t>(limit / forward_bytes(*chunk)));
    const std::int64_t stages = problem.num_meshes;
    if (most < stages || problem.num_micro_batches < 2 * stages) return std::nullopt;
    return static_cast<double>(std::max<std::int64_t>(0, 2 * stages - 1 - most)) * chunk->forward_s;
  }

 private:
  using Policies = std::vector<common::GreedyPolicy>;  ///< [mesh]

  struct Answer {
    std::vector<bool> is_whole;  ///< [mesh]
    common::StepTimes times;
    common::PassLists lists;
  };

  Answer quickest(const PipelineProblem& asked, const std::vector<bool>& is_whole) const {
    Answer answer{.is_whole = is_whole, .times = {}, .lists = {}};
    const PipelineProblem problem = with_whole(asked, is_whole);
    const common::PassGraph graph(problem);
    const std::vector<common::Room> rooms = rooms_of(problem);
    Best best(graph, rooms);
    for (const Policies& policies : same_for_all(problem)) best.attempt(policies);
    common::CounterRandom random(1);
    for (std::int64_t i = 0; i < num_changes_ && !best.is_least(); ++i)
      best.attempt(changed(best.policies, random));
    answer.times = best.times;
    answer.lists = std::move(best.lists);
    return answer;
  }

  /// The quickest order so far.
  struct Best {
    Best(const common::PassGraph& graph, const std::vector<common::Room>& rooms)
        : graph(graph), rooms(rooms) {}

    /// What is as quick counts, too: changes may add up.
    void attempt(const Policies& tried) {
      common::PassLists played = common::GreedyPasses(graph, rooms, tried).play();
      const common::StepTimes taken = common::step_times(graph, played);
      if (!lists.empty() && is_shorter(times, taken)) return;
      times = taken;
      lists = std::move(played);
      policies = tried;
    }
    /// No mesh idles between its passes that has the most of them.
    bool is_least() const { return times.period_s <= graph.busiest_s() * (1 + kEqual); }

    const common::PassGraph& graph;
    const std::vector<common::Room>& rooms;
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

  /// Where so many micro-batches have no room beside what lies between a B and its W.
  static std::vector<bool> to_leave_whole(const PipelineProblem& problem, std::int64_t count) {
    std::vector<bool> is_whole;
    for (std::size_t mesh = 0; mesh < problem.chunks.size(); ++mesh) {
      const ChunkCost& chunk = problem.chunks[mesh];
      const double limit = problem.activation_limit_bytes[mesh], needed = forward_bytes(chunk),
                   between = chunk.backward_to_weight_bytes;
      if (limit > 0 && needed > limit) fail_for_room(mesh, limit, needed);
      is_whole.push_back(limit > 0 && between > 0 &&
                         static_cast<double>(count) * needed + between > limit);
    }
    return is_whole;
  }
  /// A backward pass that is left whole has a W that takes no time and frees nothing.
  static PipelineProblem with_whole(PipelineProblem problem, const std::vector<bool>& is_whole) {
    for (std::size_t mesh = 0; mesh < problem.chunks.size(); ++mesh) {
      ChunkCost& chunk = problem.chunks[mesh];
      if (!is_whole[mesh]) continue;
      chunk.backward_s = std::exchange(chunk.backward_weight_s, 0);
      chunk.forward_to_backward_bytes = forward_bytes(chunk);
      chunk.weight_s = chunk.backward_to_weight_bytes = chunk.forward_to_weight_bytes = 0;
    }
    for (PipelineEdge& edge : problem.edges) {
      for (ChunkPass* pass : {&edge.from, &edge.to}) {
        if (pass->pass == Pass::weight && is_whole[static_cast<std::size_t>(pass->chunk)])
          pass->pass = Pass::backward;
      }
    }
    return problem;
  }
  [[noreturn]] static void fail_for_room(std::size_t mesh, double limit, double needed) {
    char text[128];
    std::snprintf(text, sizeof text,
                  "mesh %zu has room for %.3g bytes of activations, and one micro-batch keeps %.3g",
                  mesh, limit, needed);
    throw Error(text);
  }

  std::vector<common::Room> rooms_of(const PipelineProblem& problem) const {
    std::vector<common::Room> rooms;
    for (std::size_t mesh = 0; mesh < problem.chunks.size(); ++mesh) {
      const ChunkCost& chunk = problem.chunks[mesh];
      const double limit = problem.activation_limit_bytes[mesh];
      rooms.push_back({most_in_flight(problem, limit), limit, forward_bytes(chunk),
                       chunk.backward_to_weight_bytes, chunk.forward_to_backward_bytes});
    }
    return rooms;
  }
  std::int64_t most_in_flight(const PipelineProblem& problem, double limit_bytes) const {
    const std::int64_t all = problem.num_micro_batches;
    if (max_in_flight_ > 0) return std::min(max_in_flight_, all);
    return limit_bytes > 0 ? all : std::min(2 * std::int64_t{problem.num_meshes}, all);
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

  static PipelineSchedule actions(const Answer& answer) {
    constexpr ActionKind kKinds[] = {ActionKind::forward, ActionKind::backward, ActionKind::weight};
    PipelineSchedule schedule;
    for (std::size_t mesh = 0; mesh < answer.lists.size(); ++mesh) {
      std::vector<Action>& order = schedule.order.emplace_back();
      for (const common::PassUse& use : answer.lists[mesh]) {
        const Pass pass = common::PassGraph::kind_of(use.pass);
        ActionKind kind = kKinds[static_cast<std::size_t>(pass)];
        if (answer.is_whole[mesh] && pass == Pass::weight) continue;
        if (answer.is_whole[mesh] && pass == Pass::backward) kind = ActionKind::backward_weight;
        order.push_back({kind, common::PassGraph::chunk_of(use.pass), use.micro_batch});
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
