// SPDX-License-Identifier: Apache-2.0
#include "plan/timeline.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

struct StepRef {
  std::int32_t role = -1, step = -1;
};

std::string text(const TimelineStep& step) {
  return std::string(step.site.phase == sharding::ChunkPhase::forward ? "forward" : "backward") +
         " of chunk " + std::to_string(step.site.chunk) + ", micro-batch " +
         std::to_string(step.micro_batch);
}

class TimelineMaker {
 public:
  TimelineMaker(const AssembleInput& input, const std::vector<RoleBlocks>& roles,
                const std::vector<Handover>& handovers)
      : input_(input),
        roles_(roles),
        handovers_(handovers),
        num_micro_batches_(input.strategy.num_micro_batches),
        timelines_(roles.size()),
        readers_(handovers.size()) {
    for (std::size_t chunk = 0; chunk < input.strategy.chunks.size(); ++chunk) {
      for (auto& steps : steps_of_) steps.emplace_back(at(num_micro_batches_), -1);
    }
    role_of_.resize(input.strategy.chunks.size());
    for (std::size_t role = 0; role < roles.size(); ++role) {
      for (std::int32_t chunk : roles[role].chunks)
        role_of_[at(chunk)] = static_cast<std::int32_t>(role);
    }
  }

  std::vector<RoleTimeline> make() {
    for (const std::vector<Action>& order : input_.schedule.order) add_order(order);
    for (std::size_t role = 0; role < roles_.size(); ++role) complete(role);
    find_readers();
    find_positions();
    for (std::size_t b = 0; b < handovers_.size(); ++b) place(static_cast<std::int32_t>(b));
    for (std::size_t role = 0; role < roles_.size(); ++role) post(role);
    return std::move(timelines_);
  }

 private:
  void add_order(const std::vector<Action>& order) {
    std::int32_t role = -1;
    for (const Action& action : order) {
      switch (action.kind) {
        case ActionKind::forward:
          add(role, {sharding::ChunkPhase::forward, action.chunk}, action.micro_batch);
          break;
        case ActionKind::backward_weight:
          add(role, {sharding::ChunkPhase::backward, action.chunk}, action.micro_batch);
          break;
        case ActionKind::forward_backward:
          add(role, {sharding::ChunkPhase::forward, action.chunk}, action.micro_batch);
          add(role, {sharding::ChunkPhase::backward, action.other_chunk}, action.other_micro_batch);
          break;
        case ActionKind::backward:
        case ActionKind::weight:
          throw Error(
              "the schedule splits the backward pass of chunk " + std::to_string(action.chunk) +
              " into activation and weight gradients; chunk programs are not split that way");
      }
    }
  }

  void add(std::int32_t& role, const Site& site, std::int32_t micro_batch) {
    TimelineStep step;
    step.site = site;
    step.micro_batch = micro_batch;
    if (site.chunk < 0 || at(site.chunk) >= role_of_.size())
      throw Error("the schedule runs chunk " + std::to_string(site.chunk) + " of " +
                  std::to_string(role_of_.size()));
    if (micro_batch < 0 || micro_batch >= num_micro_batches_)
      throw Error("the schedule runs micro-batch " + std::to_string(micro_batch) + " of " +
                  std::to_string(num_micro_batches_));
    const std::int32_t own = role_of_[at(site.chunk)];
    if (role < 0) {
      if (!timelines_[at(own)].steps.empty())
        throw Error("the schedule has two orders for the mesh of chunk " +
                    std::to_string(site.chunk));
      role = own;
      timelines_[at(role)].steps.push_back(
          {{sharding::ChunkPhase::prologue, -1}, -1, true, true, 0, {}, {}});
    }
    if (own != role)
      throw Error("the schedule runs chunk " + std::to_string(site.chunk) +
                  " on another mesh than its own");
    std::int32_t& index = index_of(site, micro_batch);
    if (index >= 0) throw Error("the schedule runs " + text(step) + " twice");
    std::vector<TimelineStep>& steps = timelines_[at(role)].steps;
    index = static_cast<std::int32_t>(steps.size());
    if (site.phase == sharding::ChunkPhase::backward &&
        index_of({sharding::ChunkPhase::forward, site.chunk}, micro_batch) < 0) {
      throw Error("the schedule runs " + text(step) + " before its forward");
    }
    steps.push_back(std::move(step));
  }

  std::int32_t& index_of(const Site& site, std::int32_t micro_batch) {
    return steps_of_[site.phase == sharding::ChunkPhase::backward][at(site.chunk)][at(micro_batch)];
  }

  void complete(std::size_t role) {
    std::vector<TimelineStep>& steps = timelines_[role].steps;
    if (steps.empty()) steps.emplace_back();
    for (std::int32_t chunk : roles_[role].chunks) {
      for (const sharding::ChunkPhase phase :
           {sharding::ChunkPhase::forward, sharding::ChunkPhase::backward}) {
        for (std::int32_t m = 0; m < num_micro_batches_; ++m) {
          TimelineStep missing;
          missing.site = {phase, chunk};
          missing.micro_batch = m;
          const std::int32_t index = index_of(missing.site, m);
          if (index < 0) throw Error("the schedule lacks " + text(missing));
          steps[at(index)].first = index == first_step(missing.site);
          steps[at(index)].last = index == last_step(missing.site);
        }
      }
    }
    steps.push_back({{sharding::ChunkPhase::update, -1}, -1, true, true, 0, {}, {}});
  }
  std::int32_t first_step(const Site& site) const {
    const auto& indices = steps_of_[site.phase == sharding::ChunkPhase::backward][at(site.chunk)];
    return *std::min_element(indices.begin(), indices.end());
  }
  std::int32_t last_step(const Site& site) const {
    const auto& indices = steps_of_[site.phase == sharding::ChunkPhase::backward][at(site.chunk)];
    return *std::max_element(indices.begin(), indices.end());
  }

  /// Sites that read a handover's tensors, per handover and target role.
  void find_readers() {
    for (std::size_t b = 0; b < handovers_.size(); ++b) {
      readers_[b].resize(roles_.size());
      for (const Handover::Tensor& tensor : handovers_[b].tensors) {
        for (const Handover::Target& target : tensor.targets) {
          for (const Block* block : blocks(roles_[at(target.role)])) {
            const bool reads = std::find(block->inputs.begin(), block->inputs.end(),
                                         target.resident) != block->inputs.end();
            std::vector<Site>& sites = readers_[b][at(target.role)];
            if (reads && std::find(sites.begin(), sites.end(), block->site) == sites.end())
              sites.push_back(block->site);
          }
        }
      }
    }
  }
  static std::vector<const Block*> blocks(const RoleBlocks& role) {
    std::vector<const Block*> list{&role.prologue, &role.update};
    for (const auto* passes : {&role.forward, &role.backward}) {
      for (const Pass& pass : *passes) list.push_back(&pass.first);
    }
    return list;
  }

  /// The first step of `role` at `site` for this micro-batch (-1: any).
  std::int32_t step_at(std::size_t role, const Site& site, std::int32_t micro_batch) {
    if (site.phase == sharding::ChunkPhase::prologue) return 0;
    if (site.phase == sharding::ChunkPhase::update)
      return static_cast<std::int32_t>(timelines_[role].steps.size()) - 1;
    return micro_batch < 0 ? first_step(site) : index_of(site, micro_batch);
  }
  std::int32_t consumer(std::int32_t handover, std::int32_t role, std::int32_t micro_batch) {
    std::int32_t first = std::numeric_limits<std::int32_t>::max();
    for (const Site& site : readers_[at(handover)][at(role)])
      first = std::min(first, step_at(at(role), site, micro_batch));
    return first;
  }
  StepRef producer(std::int32_t index, std::int32_t micro_batch) {
    const Handover& handover = handovers_[at(index)];
    const bool pass = handover.site.chunk >= 0;
    const std::int32_t step = pass && micro_batch < 0
                                  ? last_step(handover.site)
                                  : step_at(at(handover.source_role), handover.site, micro_batch);
    return {handover.source_role, step};
  }

  /// Plays the actions through: every role in its own order, whoever can begin first goes first.
  void find_positions() {
    std::int32_t position = 0;
    for (RoleTimeline& timeline : timelines_) timeline.steps.front().position = position++;
    std::vector<std::size_t> next(roles_.size(), 1);
    std::vector<double> clock(roles_.size(), 0);
    end_s_.resize(roles_.size());
    for (std::size_t role = 0; role < roles_.size(); ++role)
      end_s_[role].assign(timelines_[role].steps.size(), -1);
    for (std::vector<double>& ends : end_s_) ends.front() = 0;
    std::vector<std::vector<std::vector<std::int32_t>>> inputs = handovers_read();
    while (true) {
      std::size_t best = roles_.size();
      double best_s = std::numeric_limits<double>::infinity();
      bool left = false;
      for (std::size_t role = 0; role < roles_.size(); ++role) {
        if (next[role] + 1 >= timelines_[role].steps.size()) continue;
        left = true;
        const TimelineStep& step = timelines_[role].steps[next[role]];
        const double start_s = std::max(
            clock[role],
            ready_s(inputs[step.site.phase == sharding::ChunkPhase::backward][at(step.site.chunk)],
                    step.micro_batch));
        if (start_s < best_s) {
          best = role;
          best_s = start_s;
        }
      }
      if (best == roles_.size()) {
        if (left) fail_stuck(next);
        break;
      }
      TimelineStep& step = timelines_[best].steps[next[best]];
      step.position = position++;
      clock[best] = best_s + (step.site.phase == sharding::ChunkPhase::forward ? 1 : 2);
      end_s_[best][next[best]++] = clock[best];
    }
    for (RoleTimeline& timeline : timelines_) timeline.steps.back().position = position++;
  }
  /// [forward, backward][chunk]: what the pass reads.
  std::vector<std::vector<std::vector<std::int32_t>>> handovers_read() const {
    std::vector<std::vector<std::vector<std::int32_t>>> lists(
        2, std::vector<std::vector<std::int32_t>>(role_of_.size()));
    for (std::size_t b = 0; b < handovers_.size(); ++b) {
      for (const std::vector<Site>& sites : readers_[b]) {
        for (const Site& site : sites) {
          if (site.chunk >= 0)
            lists[site.phase == sharding::ChunkPhase::backward][at(site.chunk)].push_back(
                static_cast<std::int32_t>(b));
        }
      }
    }
    return lists;
  }
  /// When all of `inputs` are made; infinity while one is not yet.
  double ready_s(const std::vector<std::int32_t>& inputs, std::int32_t micro_batch) {
    double ready = 0;
    for (std::int32_t handover : inputs) {
      const StepRef made =
          producer(handover, handovers_[at(handover)].per_micro_batch ? micro_batch : -1);
      const double end = end_s_[at(made.role)][at(made.step)];
      if (end < 0) return std::numeric_limits<double>::infinity();
      ready = std::max(ready, end);
    }
    return ready;
  }
  [[noreturn]] void fail_stuck(const std::vector<std::size_t>& next) const {
    for (std::size_t role = 0; role < roles_.size(); ++role) {
      if (next[role] + 1 >= timelines_[role].steps.size()) continue;
      throw Error("the schedule deadlocks: " + text(timelines_[role].steps[next[role]]) +
                  " waits for something that never comes to be");
    }
    throw Error("the schedule deadlocks");
  }

  /// Where the transfers of one handover are posted and waited for.
  void place(std::int32_t index) {
    const std::int32_t end =
        handovers_[at(index)].per_micro_batch ? static_cast<std::int32_t>(num_micro_batches_) : 0;
    for (std::int32_t m = end > 0 ? 0 : -1; m < end; ++m) place_use({index, m});
  }
  void place_use(const HandoverInstance& use) {
    const Handover& handover = handovers_[at(use.handover)];
    std::int32_t first_use = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t role : handover.target_roles) {
      const std::int32_t step = consumer(use.handover, role, use.micro_batch);
      first_use = std::min(first_use, timelines_[at(role)].steps[at(step)].position);
    }
    const StepRef made = producer(use.handover, use.micro_batch);
    const std::int32_t made_at = timelines_[at(made.role)].steps[at(made.step)].position;
    for (std::int32_t role : handover.target_roles)
      posts_.push_back({use, role, made.role, made_at, last_before(role, first_use)});
    release(use, made, first_use);
  }
  /// The last step of `role` before `position`; its prologue where there is none.
  std::int32_t last_before(std::int32_t role, std::int32_t position) const {
    const std::vector<TimelineStep>& steps = timelines_[at(role)].steps;
    const auto after = std::lower_bound(
        steps.begin(), steps.end(), position,
        [](const TimelineStep& step, std::int32_t limit) { return step.position < limit; });
    return std::max<std::int32_t>(0, static_cast<std::int32_t>(after - steps.begin()) - 1);
  }
  void release(const HandoverInstance& use, const StepRef& made, std::int32_t first_use) {
    std::vector<TimelineStep>& steps = timelines_[at(made.role)].steps;
    const Handover& handover = handovers_[at(use.handover)];
    const auto update = static_cast<std::int32_t>(steps.size()) - 1;
    std::int32_t step = std::max(made.step + 1, last_before(made.role, first_use + 1) + 1);
    // What is complete only after the last micro-batch stays where it is; what the update may
    // overwrite must be out before.
    const bool late = handover.site.phase == sharding::ChunkPhase::update ||
                      (handover.site.chunk >= 0 && use.micro_batch < 0);
    if (late) step = update + 1;
    else step = std::min(step, update);
    if (step <= update) steps[at(step)].releases.push_back(use);
    else timelines_[at(made.role)].at_end.push_back(use);
  }

  struct Post {
    HandoverInstance use;
    std::int32_t role = -1, source_role = -1;
    std::int32_t made_at = 0;  ///< position of the block that sends
    std::int32_t step = 0;
  };

  void post(std::size_t role) {
    std::vector<Post> own;
    for (const Post& post : posts_) {
      if (at(post.role) == role) own.push_back(post);
    }
    // In the order of sending, a receive is posted no later than those that come after it from the
    // same role. A block sends what it accumulates last of all.
    const auto sent = [](const Post& post) {
      return std::pair(post.made_at, post.use.micro_batch < 0);
    };
    std::stable_sort(own.begin(), own.end(),
                     [&](const Post& a, const Post& b) { return sent(a) < sent(b); });
    std::vector<std::int32_t> earliest(roles_.size(), std::numeric_limits<std::int32_t>::max());
    for (auto post = own.rbegin(); post != own.rend(); ++post) {
      std::int32_t& limit = earliest[at(post->source_role)];
      limit = post->step = std::min(post->step, limit);
    }
    for (const Post& post : own) timelines_[role].steps[at(post.step)].receives.push_back(post.use);
  }

  const AssembleInput& input_;
  const std::vector<RoleBlocks>& roles_;
  const std::vector<Handover>& handovers_;
  std::int64_t num_micro_batches_;
  std::vector<RoleTimeline> timelines_;
  std::vector<std::int32_t> role_of_;  ///< per chunk
  /// [forward, backward][chunk][micro-batch]: step of its role.
  std::vector<std::vector<std::int32_t>> steps_of_[2];
  std::vector<std::vector<std::vector<Site>>> readers_;  ///< [handover][role]
  std::vector<std::vector<double>> end_s_;               ///< [role][step]
  std::vector<Post> posts_;
};

}  // namespace

std::vector<RoleTimeline> make_timelines(const AssembleInput& input,
                                         const std::vector<RoleBlocks>& roles,
                                         const std::vector<Handover>& handovers) {
  return TimelineMaker(input, roles, handovers).make();
}

}  // namespace rhino::plan
