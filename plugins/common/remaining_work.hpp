// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <map>
#include <vector>

#include "common/cliques.hpp"
#include "common/task_kinds.hpp"

namespace rhino::common {

/// Tasks that have not run yet, and a time before which they cannot all have ended.
class RemainingWork {
 public:
  explicit RemainingWork(const std::vector<TaskKind>& kinds)
      : kinds_(kinds), left_(kinds.size(), 0), sets_of_(kinds.size()) {
    find_sender_sets();
    find_cliques();
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      for (const std::int32_t host : kinds[k].task.receivers)
        incoming_.resize(std::max(incoming_.size(), static_cast<std::size_t>(host) + 1), 0);
      for (const std::int32_t host : kinds[k].task.senders)
        forced_.resize(std::max(forced_.size(), static_cast<std::size_t>(host) + 1), 0);
      add(k, static_cast<std::int64_t>(kinds[k].members.size()));
    }
  }

  std::int64_t num_left(std::size_t kind) const { return left_[kind]; }
  /// Bytes still to come to a host; still to leave it, for want of another sender.
  std::int64_t incoming(std::int32_t host) const {
    return incoming_[static_cast<std::size_t>(host)];
  }
  std::int64_t forced(std::int32_t host) const { return forced_[static_cast<std::size_t>(host)]; }

  /// `count` tasks of the kind are to be done; a negative one takes them away.
  void add(std::size_t kind, std::int64_t count) {
    const HostTask& task = kinds_[kind].task;
    left_[kind] += count;
    for (const std::int32_t host : task.receivers)
      incoming_[static_cast<std::size_t>(host)] += count * task.bytes;
    if (task.senders.size() == 1)
      forced_[static_cast<std::size_t>(task.senders.front())] += count * task.bytes;
    for (const std::size_t set : sets_of_[kind]) sets_[set].bytes += count * task.bytes;
    for (const std::size_t clique : cliques_of_[kind]) cliques_[clique] += count * task.bytes;
  }

  /// No order and no choice of senders for what is left ends before this, given when interfaces
  /// become free and that nothing begins before `now`. The maximum of four bounds, each valid by
  /// itself; once one reaches `enough` the others are not looked at.
  ///  - A host receives one task at a time: all that must come to it.
  ///  - A set of hosts sends as many at a time as there are hosts: all that only they hold, filled
  ///    up level over the times at which they become free.
  ///  - Of tasks any two of which share a receiver or their one sender, one runs at a time.
  ///  - Each single task.
  std::int64_t bound(const NicTimes& times, std::int64_t now = 0,
                     std::int64_t enough = std::numeric_limits<std::int64_t>::max()) const {
    std::int64_t bound = 0;
    for (std::size_t h = 0; h < incoming_.size(); ++h) {
      if (incoming_[h] == 0) continue;
      const std::int64_t free = times.receiving(static_cast<std::int32_t>(h));
      bound = std::max(bound, std::max(now, free) + incoming_[h]);
    }
    for (std::size_t c = 0; c < cliques_.size() && bound < enough; ++c) {
      if (cliques_[c] > 0) bound = std::max(bound, now + cliques_[c]);
    }
    for (std::size_t s = 0; s < sets_.size() && bound < enough; ++s) {
      if (sets_[s].bytes > 0) bound = std::max(bound, level(sets_[s], times, now));
    }
    for (std::size_t k = 0; k < kinds_.size() && bound < enough; ++k) {
      if (left_[k] > 0) bound = std::max(bound, earliest_end(kinds_[k].task, times, now));
    }
    return bound;
  }

 private:
  static constexpr std::size_t kMostSets = 64;

  /// Hosts, and the bytes that only they can send.
  struct SenderSet {
    std::vector<std::int32_t> hosts;  ///< in increasing order
    std::int64_t bytes = 0;
  };

  /// All hosts, and what some kinds may choose from.
  void find_sender_sets() {
    SenderSet all;
    for (const TaskKind& kind : kinds_) merge(all.hosts, kind.task.senders);
    sets_.push_back(all);
    std::map<std::vector<std::int32_t>, std::size_t> known{{all.hosts, 0}};
    for (const TaskKind& kind : kinds_) {
      SenderSet set;
      merge(set.hosts, kind.task.senders);
      if (sets_.size() < kMostSets && known.try_emplace(set.hosts, sets_.size()).second)
        sets_.push_back(std::move(set));
    }
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      std::vector<std::int32_t> senders;
      merge(senders, kinds_[k].task.senders);
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        if (std::includes(sets_[s].hosts.begin(), sets_[s].hosts.end(), senders.begin(),
                          senders.end()))
          sets_of_[k].push_back(s);
      }
    }
  }

  /// Maximal sets of kinds that exclude each other, where there are few kinds; some of them where
  /// there are many such sets: each bounds by itself.
  void find_cliques() {
    cliques_of_.resize(kinds_.size());
    if (kinds_.size() > kMostMembers) return;
    std::vector<SmallSet> excluded(kinds_.size(), 0);
    for (std::size_t a = 0; a < kinds_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (!exclude(kinds_[a].task, kinds_[b].task)) continue;
        excluded[a] |= only(b);
        excluded[b] |= only(a);
      }
    }
    for (const SmallSet clique : maximal_cliques(excluded).sets) {
      for (std::size_t k = 0; k < kinds_.size(); ++k) {
        if (holds(clique, k)) cliques_of_[k].push_back(cliques_.size());
      }
      cliques_.push_back(0);
    }
  }
  static bool exclude(const HostTask& a, const HostTask& b) {
    if (a.senders.size() == 1 && a.senders == b.senders) return true;
    return std::any_of(a.receivers.begin(), a.receivers.end(), [&](std::int32_t host) {
      return std::find(b.receivers.begin(), b.receivers.end(), host) != b.receivers.end();
    });
  }

  static void merge(std::vector<std::int32_t>& all, const std::vector<std::int32_t>& hosts) {
    all.insert(all.end(), hosts.begin(), hosts.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }

  /// The least time T by which the hosts of the set have sent its bytes: sum over them of
  /// max(0, T - when it becomes free) is as much.
  std::int64_t level(const SenderSet& set, const NicTimes& times, std::int64_t now) const {
    free_.clear();
    for (const std::int32_t host : set.hosts) free_.push_back(std::max(now, times.sending(host)));
    std::sort(free_.begin(), free_.end());
    std::int64_t sum = set.bytes;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      sum += free_[i];
      const auto count = static_cast<std::int64_t>(i) + 1;
      const std::int64_t time = (sum + count - 1) / count;
      if (i + 1 == free_.size() || time <= free_[i + 1]) return time;
    }
    return now;
  }

  static std::int64_t earliest_end(const HostTask& task, const NicTimes& times, std::int64_t now) {
    std::int64_t start = std::numeric_limits<std::int64_t>::max();
    for (const std::int32_t sender : task.senders)
      start = std::min(start, times.start(task, sender));
    return std::max(now, start) + task.bytes;
  }

  const std::vector<TaskKind>& kinds_;
  std::vector<std::int64_t> left_;               ///< [kind] tasks
  std::vector<std::int64_t> incoming_, forced_;  ///< [host] bytes
  std::vector<SenderSet> sets_;
  std::vector<std::vector<std::size_t>> sets_of_;     ///< [kind] sets that hold all its senders
  std::vector<std::int64_t> cliques_;                 ///< bytes of kinds that exclude each other
  std::vector<std::vector<std::size_t>> cliques_of_;  ///< [kind] those that it is of
  mutable std::vector<std::int64_t> free_;            ///< of level(), kept for its memory
};

/// No schedule of the tasks ends before this.
inline std::int64_t makespan_bound(const std::vector<HostTask>& tasks) {
  const std::vector<TaskKind> kinds = task_kinds(tasks);
  return RemainingWork(kinds).bound(NicTimes(num_hosts(tasks)));
}

}  // namespace rhino::common
