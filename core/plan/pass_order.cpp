// SPDX-License-Identifier: Apache-2.0
#include "plan/pass_order.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

std::size_t number(Pass pass) { return static_cast<std::size_t>(pass); }

std::string name_of(Pass pass) {
  constexpr const char* kNames[] = {"forward", "backward", "weight"};
  return kNames[number(pass)];
}

class OrderMaker {
 public:
  OrderMaker(const PipelineProblem& problem, const PipelineSchedule& schedule)
      : problem_(problem),
        schedule_(schedule),
        place_(kNumPasses * problem.chunks.size() * at(problem.num_micro_batches), -1),
        before_(kNumPasses * problem.chunks.size()) {}

  PassOrder make() && {
    if (schedule_.order.size() != at(problem_.num_meshes))
      throw Error("the schedule has orders for " + std::to_string(schedule_.order.size()) + " of " +
                  std::to_string(problem_.num_meshes) + " meshes");
    find_cuts();
    order_.steps.resize(schedule_.order.size());
    for (std::size_t mesh = 0; mesh < order_.steps.size(); ++mesh) {
      for (const Action& action : schedule_.order[mesh]) add(mesh, action);
    }
    check_complete();
    find_dependencies();
    play();
    return std::move(order_);
  }

 private:
  void find_cuts() {
    order_.is_cut.resize(problem_.chunks.size());
    for (const std::vector<Action>& actions : schedule_.order) {
      for (const Action& action : actions) {
        check_chunk(action.chunk);
        if (action.kind == ActionKind::forward_backward) check_chunk(action.other_chunk);
        if (action.kind == ActionKind::backward || action.kind == ActionKind::weight)
          order_.is_cut[at(action.chunk)] = true;
      }
    }
  }
  void check_chunk(std::int32_t chunk) const {
    if (chunk < 0 || at(chunk) >= problem_.chunks.size())
      throw Error("the schedule runs chunk " + std::to_string(chunk) + " of " +
                  std::to_string(problem_.chunks.size()));
  }

  void add(std::size_t mesh, const Action& action) {
    const std::int32_t chunk = action.chunk, micro_batch = action.micro_batch;
    switch (action.kind) {
      case ActionKind::forward: return add(mesh, {Pass::forward, chunk, micro_batch});
      case ActionKind::backward: return add(mesh, {Pass::backward, chunk, micro_batch});
      case ActionKind::weight: return add(mesh, {Pass::weight, chunk, micro_batch});
      case ActionKind::backward_weight: return add_whole(mesh, chunk, micro_batch);
      case ActionKind::forward_backward:
        add(mesh, {Pass::forward, chunk, micro_batch});
        pairs_.insert({mesh, order_.steps[mesh].size() - 1});
        return add_whole(mesh, action.other_chunk, action.other_micro_batch);
    }
  }
  void add_whole(std::size_t mesh, std::int32_t chunk, std::int32_t micro_batch) {
    add(mesh, {Pass::backward, chunk, micro_batch});
    if (order_.is_cut[at(chunk)]) add(mesh, {Pass::weight, chunk, micro_batch});
  }
  void add(std::size_t mesh, const PassStep& step) {
    if (step.micro_batch < 0 || step.micro_batch >= problem_.num_micro_batches)
      throw Error("the schedule runs micro-batch " + std::to_string(step.micro_batch) + " of " +
                  std::to_string(problem_.num_micro_batches));
    if (at(problem_.chunks[at(step.chunk)].mesh) != mesh)
      throw Error("the schedule runs chunk " + std::to_string(step.chunk) +
                  " on another mesh than its own");
    if (place(step) >= 0) throw Error("the schedule runs " + describe(step) + " twice");
    if (step.pass == Pass::backward) require(step, Pass::forward);
    if (step.pass == Pass::weight) require(step, Pass::backward);
    place(step) = static_cast<std::int32_t>(order_.steps[mesh].size());
    order_.steps[mesh].push_back(step);
  }
  void require(const PassStep& step, Pass earlier) {
    if (place({earlier, step.chunk, step.micro_batch}) < 0)
      throw Error("the schedule runs " + describe(step) + " before its " + name_of(earlier));
  }

  void check_complete() {
    std::vector<bool> is_used(at(problem_.num_replicas));
    for (std::int32_t m = 0; m < problem_.num_micro_batches; ++m) {
      const std::int32_t replica = replica_of(m);
      is_used[at(replica)] = true;
      for (std::int32_t chunk = replica * chunks_each(); chunk < (replica + 1) * chunks_each();
           ++chunk)
        check_complete(chunk, m);
    }
    const auto idle = std::find(is_used.begin(), is_used.end(), false);
    if (idle != is_used.end())
      throw Error("the schedule runs no micro-batch through replica " +
                  std::to_string(idle - is_used.begin()));
  }
  void check_complete(std::int32_t chunk, std::int32_t micro_batch) {
    for (const Pass pass : {Pass::forward, Pass::backward, Pass::weight}) {
      if (as_run({pass, chunk}).pass == pass && place({pass, chunk, micro_batch}) < 0)
        throw Error("the schedule lacks " + describe({pass, chunk, micro_batch}));
    }
  }
  std::int32_t chunks_each() const {
    return static_cast<std::int32_t>(problem_.chunks.size()) / problem_.num_replicas;
  }
  /// The one in whose chunks it runs; 0 where that is none.
  std::int32_t replica_of(std::int32_t micro_batch) {
    std::int32_t found = -1;
    for (std::int32_t chunk = 0; at(chunk) < problem_.chunks.size(); ++chunk) {
      const std::int32_t replica = chunk / chunks_each();
      if (place({Pass::forward, chunk, micro_batch}) < 0 || replica == found) continue;
      if (found >= 0)
        throw Error("the schedule runs micro-batch " + std::to_string(micro_batch) +
                    " through replicas " + std::to_string(found) + " and " +
                    std::to_string(replica));
      found = replica;
    }
    return std::max(found, 0);
  }

  /// A backward pass that is whole does what W would.
  ChunkPass as_run(const ChunkPass& pass) const {
    const bool is_whole = pass.pass == Pass::weight && !order_.is_cut[at(pass.chunk)];
    return is_whole ? ChunkPass{Pass::backward, pass.chunk} : pass;
  }
  void find_dependencies() {
    for (const PipelineEdge& edge : problem_.edges)
      before_[index(as_run(edge.to))].push_back(as_run(edge.from));
    for (std::int32_t chunk = 0; at(chunk) < order_.is_cut.size(); ++chunk)
      before_[index(ChunkPass{Pass::backward, chunk})].push_back({Pass::forward, chunk});
  }

  /// Every mesh does its next pass as soon as all that it waits for is done.
  void play() {
    done_.assign(order_.steps.size(), 0);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t mesh = 0; mesh < done_.size(); ++mesh) {
        for (; done_[mesh] < order_.steps[mesh].size() && may_begin(mesh); ++done_[mesh])
          moved = true;
      }
    }
    for (std::size_t mesh = 0; mesh < done_.size(); ++mesh) {
      if (done_[mesh] == order_.steps[mesh].size()) continue;
      throw Error("the schedule deadlocks: mesh " + std::to_string(mesh) +
                  " waits for ever to begin " + describe(order_.steps[mesh][done_[mesh]]));
    }
  }
  /// The halves of a pair begin together.
  bool may_begin(std::size_t mesh) const {
    const std::size_t next = done_[mesh];
    const std::vector<PassStep>& steps = order_.steps[mesh];
    return is_ready(steps[next]) && (!pairs_.contains({mesh, next}) || is_ready(steps[next + 1]));
  }
  bool is_ready(const PassStep& step) const {
    const std::vector<ChunkPass>& sources = before_[index(ChunkPass{step.pass, step.chunk})];
    return std::all_of(sources.begin(), sources.end(), [&](const ChunkPass& from) {
      const std::size_t mesh = at(problem_.chunks[at(from.chunk)].mesh);
      return at(place_[index(PassStep{from.pass, from.chunk, step.micro_batch})]) < done_[mesh];
    });
  }

  std::size_t index(const ChunkPass& pass) const {
    return number(pass.pass) * problem_.chunks.size() + at(pass.chunk);
  }
  std::size_t index(const PassStep& step) const {
    return index(ChunkPass{step.pass, step.chunk}) * at(problem_.num_micro_batches) +
           at(step.micro_batch);
  }
  std::int32_t& place(const PassStep& step) { return place_[index(step)]; }

  const PipelineProblem& problem_;
  const PipelineSchedule& schedule_;
  PassOrder order_;
  std::vector<std::int32_t> place_;  ///< per step: where in its mesh's order; -1: nowhere so far
  std::vector<std::vector<ChunkPass>> before_;           ///< per pass of a chunk: what it waits for
  std::set<std::pair<std::size_t, std::size_t>> pairs_;  ///< (mesh, step): first half of an FB
  std::vector<std::size_t> done_;                        ///< per mesh: steps
};

}  // namespace

std::string describe(const PassStep& step) {
  return name_of(step.pass) + " of chunk " + std::to_string(step.chunk) + ", micro-batch " +
         std::to_string(step.micro_batch);
}

PassOrder pass_order(const PipelineProblem& problem, const PipelineSchedule& schedule) {
  return OrderMaker(problem, schedule).make();
}

}  // namespace rhino::plan
