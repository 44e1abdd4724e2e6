// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <string>
#include <utility>

#include "common/greedy_policies.hpp"
#include "common/looped_chunks.hpp"
#include "common/order_search.hpp"
#include "common/whole_passes.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Finds a schedule for any stages, transfers and memory (ours). The pipeline is played through by
/// greedy meshes of different policies, backward passes cut or whole; the best order is then
/// changed where its critical path waits (common/order_search.hpp). Shortest is what has the
/// shortest period of steps back to back, then the shortest first step.
///
///   memory   as zero_bubble: no mesh keeps more bytes than it has room for, nor, where nothing is
///            said of that, more than min(m, 2p) micro-batches
///   work     as many passes as option work says are played (40 million, half a second). Equal
///            problems are answered once
///   options  placement: chain (one chunk per mesh), interleaved (chunks: 2 of them, round and
///            round) or v (two: there and back)
class Auto : public Schedule {
 public:
  explicit Auto(const Options& options)
      : placement_(options.get<std::string>("placement", "chain")),
        chunks_(common::read_chunks(options)),
        work_(options.get<std::int64_t>("work", 40'000'000)) {
    if (placement_ != "chain" && placement_ != "interleaved" && placement_ != "v")
      throw Error("placement is chain, interleaved or v");
    if (work_ < 0) throw Error("work is a number of passes that are played");
  }

  Placement placement(int num_meshes) override {
    Placement placement = common::looped(num_meshes, placement_ == "interleaved" ? chunks_ : 1);
    for (int mesh = num_meshes; placement_ == "v" && mesh > 0; --mesh)
      placement.mesh_of_chunk.push_back(mesh - 1);
    return placement;
  }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    for (const auto& [known, answer] : answers_) {
      if (known == problem) return answer;
    }
    constexpr std::size_t kMostKept = 32;
    if (answers_.size() == kMostKept) answers_.pop_front();
    answers_.emplace_back(problem, found(problem));
    return answers_.back().second;
  }

 private:
  static constexpr int kChanges = 60;

  /// A graph, and the best that greedy meshes do with it.
  struct Start {
    Start(const PipelineProblem& problem, const std::vector<bool>& is_whole)
        : graph(problem, is_whole, 0) {}

    void attempt(const std::vector<common::GreedyPolicy>& tried) {
      common::PassLists played = common::GreedyPasses(graph, tried).play();
      std::int64_t num_uses = 0;
      for (const common::PassList& list : played) num_uses += std::ssize(list);
      work += kPlayed * num_uses;
      if (num_uses < all()) return;  // it ran out of room
      const common::StepTimes taken = common::StepPlayer(graph).play(played);
      if (!common::is_shorter(taken, best.times)) return;
      best = {std::move(played), taken};
      policies = tried;
    }
    std::int64_t all() const {
      std::int64_t count = 0;
      for (std::int32_t pass = 0; pass < graph.num_passes(); ++pass)
        count += graph.is_run(pass) ? graph.num_micro_batches() : 0;
      return count;
    }

    /// A greedy pass takes about as long as so many that are played by lists.
    static constexpr std::int64_t kPlayed = 12;
    common::PassGraph graph;
    common::TimedOrder best;
    std::vector<common::GreedyPolicy> policies;
    std::int64_t work = 0;
  };

  PipelineSchedule found(const PipelineProblem& problem) const {
    const std::vector<std::vector<bool>> ways = ways_to_cut(problem);
    const std::int64_t work = work_ / 2 / std::ssize(ways);
    common::StepTimes best;
    PipelineSchedule answer;
    for (const std::vector<bool>& is_whole : ways) {
      Start start(problem, is_whole);
      for (const auto& policies : common::uniform_policies(start.graph.num_meshes())) {
        if (start.work < work || start.best.lists.empty()) start.attempt(policies);
      }
      common::CounterRandom random(1);
      for (int i = 0; i < kChanges && start.work < work && !start.best.lists.empty(); ++i)
        start.attempt(common::changed(start.policies, random));
      if (start.best.lists.empty()) continue;
      const common::TimedOrder order =
          common::OrderSearch(start.graph, std::move(start.best)).run(work);
      if (!common::is_shorter(order.times, best)) continue;
      best = order.times;
      answer = common::schedule_of(start.graph, order.lists);
    }
    if (answer.order.empty())
      throw Error("no order was found that fits into the room for activations");
    return answer;
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
          return chunk.backward_weight_s < chunk.backward_s + chunk.weight_s;
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
  std::deque<std::pair<PipelineProblem, PipelineSchedule>> answers_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/auto", rhino::Auto,
             "an order found for the stages' times, transfers and memory")
