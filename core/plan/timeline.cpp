// SPDX-License-Identifier: Apache-2.0
#include "plan/timeline.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "plan/schedule_steps.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

struct StepRef {
  std::int32_t role = -1, step = -1;
};

class TimelineMaker {
 public:
  TimelineMaker(const TimelineInput& input, const std::vector<std::int32_t>& slack)
      : input_(input.input),
        roles_(input.roles),
        handovers_(input.handovers),
        times_(input.times),
        slack_(slack),
        num_micro_batches_(input_.strategy.num_micro_batches),
        steps_(input_),
        timelines_(steps_.take()),
        readers_(handovers_.size()) {}

  std::vector<RoleTimeline> make() {
    find_readers();
    find_positions();
    for_each_use([&](const HandoverInstance& use) { place(use); });
    for (std::size_t role = 0; role < roles_.size(); ++role) post(role);
    for_each_use([&](const HandoverInstance& use) { release(use); });
    if (input_.blocking.transfers) exchange();
    return std::move(timelines_);
  }

 private:
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
    for (const std::vector<PassBlocks>& passes : role.passes) {
      for (const PassBlocks& pass : passes) list.push_back(&pass.first);
    }
    return list;
  }

  /// The first step of `role` at `site` for this micro-batch (-1: any).
  std::int32_t step_at(std::size_t role, const Site& site, std::int32_t micro_batch) {
    if (site.phase == sharding::ChunkPhase::prologue) return 0;
    if (site.phase == sharding::ChunkPhase::update)
      return static_cast<std::int32_t>(timelines_[role].steps.size()) - 1;
    return micro_batch < 0 ? steps_.first(site) : steps_.index(site, micro_batch);
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
                                  ? steps_.last(handover.site)
                                  : step_at(at(handover.source_role), handover.site, micro_batch);
    return {handover.source_role, step};
  }

  /// Plays the actions through: every role in its own order, whoever can begin first goes first,
  /// and what crosses delays its receiver alone. Sends of a role follow each other.
  void find_positions() {
    std::int32_t position = 0;
    for (RoleTimeline& timeline : timelines_) timeline.steps.front().position = position++;
    std::vector<std::size_t> next(roles_.size(), 1);
    sent_by_s_.assign(roles_.size(), 0);
    uses_.assign(handovers_.size(), std::vector<Use>(at(num_micro_batches_) + 1));
    for (const RoleTimeline& timeline : timelines_) end_s_.emplace_back(timeline.steps.size(), 0);
    for (std::size_t role = 0; role < roles_.size(); ++role) depart(role, 0, 0);
    const PerPass inputs = handovers_read();
    while (true) {
      std::size_t best = roles_.size();
      double best_s = std::numeric_limits<double>::infinity();
      for (std::size_t role = 0; role < roles_.size(); ++role) {
        if (next[role] + 1 >= timelines_[role].steps.size()) continue;
        const TimelineStep& step = timelines_[role].steps[next[role]];
        const double start_s = std::max(
            end_s_[role][next[role] - 1],
            ready_s(inputs[pass_number(step.site)][at(step.site.chunk)], step.micro_batch));
        if (start_s < best_s) {
          best = role;
          best_s = start_s;
        }
      }
      if (best == roles_.size()) break;
      timelines_[best].steps[next[best]].position = position++;
      depart(best, next[best]++, best_s);
    }
    for (std::size_t role = 0; role < roles_.size(); ++role) {
      assert(next[role] + 1 == timelines_[role].steps.size());  // pass_order() has seen to it
      timelines_[role].steps.back().position = position++;
    }
  }
  /// A step begins at `begin_s`: when it ends, and when what it sends leaves and arrives.
  void depart(std::size_t role, std::size_t index, double begin_s) {
    const TimelineStep& step = timelines_[role].steps[index];
    double seconds = 0;
    if (step.site.chunk >= 0) {
      seconds = times_.seconds[pass_number(step.site)][at(step.site.chunk)];
    }
    end_s_[role][index] = begin_s + seconds;
    for (std::size_t h = 0; h < handovers_.size(); ++h) {
      const Handover& handover = handovers_[h];
      if (at(handover.source_role) != role || handover.site != step.site) continue;
      const double departs_s = begin_s + times_.sends[h].share * seconds;
      const auto number = static_cast<std::int32_t>(h);
      if (!handover.per_micro_batch) {
        if (step.last) send({number, -1}, departs_s);
      } else if (step.micro_batch >= 0) {
        send({number, step.micro_batch}, departs_s);
      } else {
        for (std::int32_t m = 0; m < num_micro_batches_; ++m) send({number, m}, departs_s);
      }
    }
  }
  void send(const HandoverInstance& instance, double departs_s) {
    const PassTimes::Send& times = times_.sends[at(instance.handover)];
    double& sent_by_s = sent_by_s_[at(handovers_[at(instance.handover)].source_role)];
    sent_by_s = std::max(sent_by_s, departs_s) + times.busy_s;
    use_of(instance).departs_s = departs_s;
    use_of(instance).arrives_s = sent_by_s + times.latency_s;
  }
  /// How far off its times may be: here what a role sends leaves one after the other, and in truth
  /// it shares the links of both ends with what else is under way.
  double margin_s(const HandoverInstance& instance) const {
    return 2 * times_.sends[at(instance.handover)].busy_s;
  }
  static std::size_t pass_number(const Site& site) {
    return static_cast<std::size_t>(pass_of(site));
  }
  /// [pass][chunk]: what it reads.
  using PerPass = std::array<std::vector<std::vector<std::int32_t>>, kNumPasses>;
  PerPass handovers_read() const {
    PerPass lists;
    for (auto& list : lists) list.resize(input_.strategy.chunks.size());
    for (std::size_t b = 0; b < handovers_.size(); ++b) {
      for (const std::vector<Site>& sites : readers_[b]) {
        for (const Site& site : sites) {
          if (site.chunk >= 0)
            lists[pass_number(site)][at(site.chunk)].push_back(static_cast<std::int32_t>(b));
        }
      }
    }
    return lists;
  }
  /// When all of `inputs` are there; infinity while one is not yet made.
  double ready_s(const std::vector<std::int32_t>& inputs, std::int32_t micro_batch) {
    double ready = 0;
    for (const std::int32_t handover : inputs) {
      const bool each = handovers_[at(handover)].per_micro_batch;
      ready = std::max(ready, use_of({handover, each ? micro_batch : -1}).arrives_s);
    }
    return ready;
  }

  /// Of a micro-batch, by this replica.
  bool is_run(const Site& site, std::int32_t micro_batch) const {
    return micro_batch < 0 || site.chunk < 0 || steps_.index(site, micro_batch) >= 0;
  }
  template <class Do>
  void for_each_use(Do&& act) const {
    for (std::size_t h = 0; h < handovers_.size(); ++h) {
      const auto end =
          handovers_[h].per_micro_batch ? static_cast<std::int32_t>(num_micro_batches_) : 0;
      for (std::int32_t m = end > 0 ? 0 : -1; m < end; ++m) {
        if (is_run(handovers_[h].site, m)) act(HandoverInstance{static_cast<std::int32_t>(h), m});
      }
    }
  }

  /// Where a transfer is received: before it leaves, but for what memory allows, and before the
  /// last step in front of its first use in any case.
  void place(const HandoverInstance& instance) {
    if (is_blocking(instance)) return;
    const Handover& handover = handovers_[at(instance.handover)];
    Use& use = use_of(instance);
    use.first_use = std::numeric_limits<std::int32_t>::max();
    for (const std::int32_t role : handover.target_roles) {
      const std::int32_t step = consumer(instance.handover, role, instance.micro_batch);
      use.first_use = std::min(use.first_use, timelines_[at(role)].steps[at(step)].position);
    }
    const StepRef made = producer(instance.handover, instance.micro_batch);
    const std::int32_t made_at = timelines_[at(made.role)].steps[at(made.step)].position;
    const double leaves_s = use.departs_s - margin_s(instance);
    for (const std::int32_t role : handover.target_roles) {
      const std::int32_t last = last_before(role, use.first_use);
      std::int32_t step = last;
      if (input_.blocking.transfers) {  // in front of all that blocks, or behind it
        const auto update = static_cast<std::int32_t>(timelines_[at(role)].steps.size()) - 1;
        const bool is_late = handover.site.phase == sharding::ChunkPhase::update;
        posts_.push_back({instance, role, made.role, made_at, is_late ? update : 0});
        continue;
      }
      while (step > 0 && last - step < slack_[at(role)] &&
             end_s_[at(role)][at(step - 1)] > leaves_s)
        --step;
      posts_.push_back({instance, role, made.role, made_at, step});
    }
  }
  /// The last step of `role` before `position`; its prologue where there is none.
  std::int32_t last_before(std::int32_t role, std::int32_t position) const {
    const std::vector<TimelineStep>& steps = timelines_[at(role)].steps;
    const auto after = std::lower_bound(
        steps.begin(), steps.end(), position,
        [](const TimelineStep& step, std::int32_t limit) { return step.position < limit; });
    return std::max<std::int32_t>(0, static_cast<std::int32_t>(after - steps.begin()) - 1);
  }
  /// Where a send is waited for: no step sooner than all receive it, and where memory allows not
  /// before it has arrived and its receiver has begun to use it.
  void release(const HandoverInstance& instance) {
    if (is_blocking(instance)) return;
    const StepRef made = producer(instance.handover, instance.micro_batch);
    const Use& use = use_of(instance);
    std::vector<TimelineStep>& steps = timelines_[at(made.role)].steps;
    const Handover& handover = handovers_[at(instance.handover)];
    const auto update = static_cast<std::int32_t>(steps.size()) - 1;
    // What is complete only after the last micro-batch stays where it is; what the update may
    // overwrite must be out before.
    if (handover.site.phase == sharding::ChunkPhase::update ||
        (handover.site.chunk >= 0 && instance.micro_batch < 0)) {
      timelines_[at(made.role)].at_end.push_back(instance);
      return;
    }
    const auto behind = [&](std::int32_t position) {
      return std::clamp(last_before(made.role, position + 1) + 1, made.step + 1, update);
    };
    const double arrived_s = use.arrives_s + margin_s(instance);
    std::int32_t step = behind(use.first_use);
    while (step < update && end_s_[at(made.role)][at(step - 1)] < arrived_s) ++step;
    const std::int64_t latest = std::int64_t{behind(use.posted_at)} + slack_[at(made.role)];
    steps[at(std::min<std::int64_t>(step, latest))].releases.push_back(instance);
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
    for (const Post& post : own) {
      TimelineStep& step = timelines_[role].steps[at(post.step)];
      step.receives.push_back(post.use);
      Use& use = use_of(post.use);
      use.posted_at = std::max(use.posted_at, step.position);
    }
  }

  /// What passes make, where transfers block.
  bool is_blocking(const HandoverInstance& instance) const {
    return input_.blocking.transfers && handovers_[at(instance.handover)].site.chunk >= 0;
  }

  /// Plays the actions through once more with transfers that stop both ends: each takes place when
  /// its first reader comes to it and neither end is in the midst of a block, whatever can begin
  /// first going first, transfers before blocks. What no pass reads follows behind all of them.
  void exchange() {
    exchange_between_passes();
    for_each_use([&](const HandoverInstance& use) {
      if (!is_blocking(use) || use_of(use).is_exchanged) return;
      for (const std::size_t role : ends_of(use))
        timelines_[role].steps.back().exchanges.push_back(use);
    });
  }
  void exchange_between_passes() {
    const PerPass inputs = handovers_read();
    std::vector<std::size_t> next(roles_.size(), 1);
    std::vector<double> now_s(roles_.size(), 0);
    while (true) {
      Turn best;
      for (std::size_t role = 0; role < roles_.size(); ++role) {
        if (next[role] + 1 >= timelines_[role].steps.size()) continue;
        const Turn turn = turn_of(role, inputs, next, now_s);
        if (turn.begin_s < best.begin_s ||
            (turn.begin_s == best.begin_s && turn.use.handover >= 0 && best.use.handover < 0))
          best = turn;
      }
      if (best.role > roles_.size()) return;
      if (best.use.handover < 0) {
        const Site& site = timelines_[best.role].steps[next[best.role]++].site;
        now_s[best.role] = best.begin_s + times_.seconds[pass_number(site)][at(site.chunk)];
        continue;
      }
      use_of(best.use).is_exchanged = true;
      const PassTimes::Send& times = times_.sends[at(best.use.handover)];
      for (const std::size_t role : ends_of(best.use)) {
        timelines_[role].steps[next[role]].exchanges.push_back(best.use);
        now_s[role] = best.begin_s + times.busy_s + times.latency_s;
      }
    }
  }
  /// What a role does next: its step, or a transfer that this waits for.
  struct Turn {
    double begin_s = std::numeric_limits<double>::infinity();
    std::size_t role = std::numeric_limits<std::size_t>::max();
    HandoverInstance use;
  };
  Turn turn_of(std::size_t role, const PerPass& inputs, const std::vector<std::size_t>& next,
               const std::vector<double>& now_s) {
    const TimelineStep& step = timelines_[role].steps[next[role]];
    for (const std::int32_t handover : inputs[pass_number(step.site)][at(step.site.chunk)]) {
      const HandoverInstance use{handover,
                                 handovers_[at(handover)].per_micro_batch ? step.micro_batch : -1};
      if (!is_blocking(use) || use_of(use).is_exchanged) continue;
      const StepRef made = producer(use.handover, use.micro_batch);
      if (next[at(made.role)] <= at(made.step)) return {};
      double begin_s = 0;
      for (const std::size_t end : ends_of(use)) begin_s = std::max(begin_s, now_s[end]);
      return {begin_s, role, use};
    }
    return {now_s[role], role, {}};
  }
  std::vector<std::size_t> ends_of(const HandoverInstance& use) const {
    const Handover& handover = handovers_[at(use.handover)];
    std::vector<std::size_t> ends{at(handover.source_role)};
    for (const std::int32_t role : handover.target_roles) ends.push_back(at(role));
    return ends;
  }

  /// A handover of one micro-batch, or of the step, in seconds and positions.
  struct Use {
    double departs_s = std::numeric_limits<double>::infinity(), arrives_s = departs_s;
    std::int32_t first_use = 0, posted_at = 0;
    bool is_exchanged = false;
  };
  Use& use_of(const HandoverInstance& instance) {
    return uses_[at(instance.handover)][at(instance.micro_batch + 1)];
  }

  const AssembleInput& input_;
  const std::vector<RoleBlocks>& roles_;
  const std::vector<Handover>& handovers_;
  const PassTimes& times_;
  const std::vector<std::int32_t>& slack_;
  std::int64_t num_micro_batches_;
  ScheduleSteps steps_;
  std::vector<RoleTimeline> timelines_;
  std::vector<std::vector<std::vector<Site>>> readers_;  ///< [handover][role]
  std::vector<std::vector<double>> end_s_;               ///< [role][step]
  std::vector<double> sent_by_s_;                        ///< per role: all that it sent so far
  std::vector<std::vector<Use>> uses_;                   ///< [handover][1 + micro-batch]
  std::vector<Post> posts_;
};

}  // namespace

std::vector<RoleTimeline> make_timelines(const TimelineInput& input,
                                         const std::vector<std::int32_t>& slack) {
  return TimelineMaker(input, slack).make();
}

}  // namespace rhino::plan
