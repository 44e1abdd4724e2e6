// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "common/lead_draft.hpp"
#include "common/lead_policies.hpp"
#include "common/looped_chunks.hpp"
#include "common/one_forward_one_backward.hpp"
#include "common/option_values.hpp"
#include "common/order_search.hpp"
#include "common/policy_climb.hpp"
#include "common/whole_passes.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Finds a schedule for any stages, transfers and memory (ours). Backward passes cut or whole, the
/// pipeline is played through in two ways: by leads (of each mesh, how many forward passes it is
/// ahead of its backward ones, common/lead_order.hpp), and by greedy meshes that let few
/// micro-batches begin (common/lead_policies.hpp); where meshes have several chunks, by greedy ones
/// alone, with that chunk first that has least left to do or most. The best order of each is
/// changed where its critical path waits (common/order_search.hpp), and the better of both once
/// more. Shortest is what has the shortest period of steps back to back, then the shortest first
/// step.
///
///   memory   as zero_bubble: no mesh keeps more bytes than it has room for, nor, where nothing is
///            said of that, more than min(m, 2p) micro-batches
///   work     as many passes as option work says are played (40 million, 0.4 s; in drafts
///            400 000 at most)
///   options  placement: chain (one chunk per mesh), interleaved (chunks: 2 of them, round and
///            round) or v (two: there and back)
class Auto : public Schedule {
 public:
  explicit Auto(const Options& options)
      : placement_(
            common::word_option(options, "placement", "chain", {"chain", "interleaved", "v"})),
        chunks_(common::read_chunks(options)),
        work_(common::whole_option(options, "work", 40'000'000, {.least = 0})) {}

  Placement placement(int num_meshes) override {
    Placement placement = common::looped(num_meshes, placement_ == "interleaved" ? chunks_ : 1);
    for (int mesh = num_meshes; placement_ == "v" && mesh > 0; --mesh)
      placement.mesh_of_chunk.push_back(mesh - 1);
    return placement;
  }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    const std::vector<std::vector<bool>> ways = ways_to_cut(problem);
    if (problem.is_draft) {
      if (auto draft = common::LeadDraft::of(problem, ways, 0)) return *std::move(draft);
    }
    const std::int64_t work =
        (problem.is_draft ? std::min(work_, common::kDraftWork) : work_) / std::ssize(ways);
    common::StepTimes best;
    PipelineSchedule answer;
    for (const std::vector<bool>& is_whole : ways) {
      const common::PassGraph graph(problem, is_whole, 0);
      const common::TimedOrder order =
          problem.is_draft ? drafted(graph, work) : thought(graph, work);
      if (!common::is_shorter(order.times, best)) continue;
      best = order.times;
      answer = common::schedule_of(graph, order.lists);
    }
    if (answer.order.empty())
      throw Error("no order was found that fits into the room for activations");
    return answer;
  }

 private:
  static common::TimedOrder drafted(const common::PassGraph& graph, std::int64_t work) {
    common::TimedOrder start = as_1f1b(graph);
    take_shorter(led(graph, work / 5), start);
    take_shorter(limited(graph, 2 * work / 5), start);
    if (start.lists.empty()) return start;
    return common::OrderSearch(graph, std::move(start)).run(2 * work / 5, kOrders);
  }

  /// From several starts, since changes of an order stay near it.
  static common::TimedOrder thought(const common::PassGraph& graph, std::int64_t work) {
    constexpr std::int64_t kShare = 8;  // of each climb; a search takes two
    common::TimedOrder best = as_1f1b(graph);
    std::uint64_t seed = 0;
    for (common::TimedOrder start : {other(graph, work / kShare), limited(graph, work / kShare)})
      if (!start.lists.empty())
        take_shorter(
            common::OrderSearch(graph, std::move(start), ++seed).run(2 * work / kShare, kOrders),
            best);
    if (best.lists.empty()) return best;
    return common::OrderSearch(graph, std::move(best), ++seed).run(2 * work / kShare, kLastOrders);
  }
  static constexpr std::int64_t kOrders = 3000, kLastOrders = 4000;

  static common::TimedOrder led(const common::PassGraph& graph, std::int64_t work) {
    if (!common::LeadOrder::is_for(graph)) return {};
    return common::PolicyClimb<common::LeadTurns>(graph, work).run(500);
  }
  static common::TimedOrder limited(const common::PassGraph& graph, std::int64_t work,
                                    bool is_last_first = true) {
    return common::PolicyClimb<common::LeadLimits>(graph, work, is_last_first).run(300);
  }
  /// By leads, or of several chunks per mesh by those that have most left to do first.
  static common::TimedOrder other(const common::PassGraph& graph, std::int64_t work) {
    return common::LeadOrder::is_for(graph) ? led(graph, work) : limited(graph, work, false);
  }
  static void take_shorter(common::TimedOrder other, common::TimedOrder& best) {
    if (common::is_shorter(other.times, best.times)) best = std::move(other);
  }

  /// Of one chunk per mesh the order of 1F1B, each W behind its B; none where it has no room.
  static common::TimedOrder as_1f1b(const common::PassGraph& graph) {
    common::PassLists lists;
    const auto stages = static_cast<std::int32_t>(graph.num_meshes());
    for (std::int32_t stage = 0; stage < stages; ++stage) {
      if (graph.chunks(static_cast<std::size_t>(stage)) != std::vector{stage}) return {};
      common::PassList& list = lists.emplace_back();
      for (const Action& action :
           common::alternate(stage, graph.num_micro_batches(), stages - stage))
        append(graph, action, list);
      if (!common::is_order(graph, list)) return {};
    }
    const common::StepTimes times = common::StepPlayer(graph).play(lists);
    return {std::move(lists), times};
  }
  static void append(const common::PassGraph& graph, const Action& action, common::PassList& list) {
    const std::int32_t forward = common::PassGraph::of({Pass::forward, action.chunk});
    const bool is_forward = action.kind == ActionKind::forward;
    list.push_back({is_forward ? forward : forward + 1, action.micro_batch});
    if (!is_forward && graph.is_run(forward + 2)) list.push_back({forward + 2, action.micro_batch});
  }

  /// [way][chunk]: backward passes are left whole where there is no room for halves, or none for
  /// halves of as many micro-batches as there are meshes. If cutting costs time, also everywhere;
  /// in the front or the back of the pipeline alone; and, of few chunks, in all ways.
  static std::vector<std::vector<bool>> ways_to_cut(const PipelineProblem& problem) {
    const std::vector<bool> tight = common::whole_where_tight(problem, 1);
    std::vector<std::vector<bool>> ways{tight};
    const auto add = [&](const std::vector<bool>& way) {
      if (std::ranges::find(ways, way) == ways.end()) ways.push_back(way);
    };
    add(common::whole_where_tight(problem, problem.num_meshes));
    const std::size_t count = problem.chunks.size();
    if (std::ranges::none_of(problem.chunks, [](const ChunkCost& chunk) {
          constexpr double kRounding = 1e-9;
          return chunk.backward_weight_s < (chunk.backward_s + chunk.weight_s) * (1 - kRounding);
        }))
      return ways;
    add(std::vector<bool>(count, true));
    constexpr std::size_t kFew = 3;
    for (std::size_t bits = 0; count <= kFew && bits < std::size_t{1} << count; ++bits) {
      std::vector<bool> way = tight;
      for (std::size_t c = 0; c < count; ++c) way[c] = way[c] || (bits >> c) % 2 == 1;
      add(way);
    }
    for (const bool is_front : {true, false}) {
      std::vector<bool> way = tight;
      for (std::size_t c = 0; c < count; ++c) way[c] = way[c] || (c < count / 2) == is_front;
      add(way);
    }
    return ways;
  }

  const std::string placement_;
  const std::int32_t chunks_;
  const std::int64_t work_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/auto", rhino::Auto,
             "an order found for the stages' times, transfers and memory")
