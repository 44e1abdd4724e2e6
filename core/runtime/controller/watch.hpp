// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/controller/worker_group.hpp"
#include "runtime/progress.hpp"
#include "runtime/ranks.hpp"

namespace rhino::runtime {

/// Tells when a session cannot go on, and through whom: the rank that died, stopped or hangs, not
/// those that wait for it; or the host that is lost or silent, with its ranks.
///
/// Time is counted as the controller lives it: a controller that was itself held up does not blame
/// its workers.
class Watch {
 public:
  /// All arguments must live longer.
  Watch(const plan::ExecutionPlan& plan, const std::vector<RankPlace>& places,
        const WorkerGroup& group, const ProgressPages& pages);

  /// A command has been sent; `deadline_s` is for all of it, or for each step of it: where that
  /// takes longer, some rank must have moved on within it.
  void begin(double deadline_s, double heartbeat_s);
  /// A sentence that names the culprit, if there is one. `pending`: per rank, whether its answer is
  /// awaited.
  std::optional<std::string> inspect(const std::vector<bool>& pending);
  /// `rank 1 (pid 123) <what> in step 3 at instruction 17 (wait for 'activations', micro-batch 2)`,
  /// and where its log lies.
  std::string sentence(int rank, const std::string& what, const std::string& why = "") const;

 private:
  /// The last change of a counter, in seconds before now.
  struct Change {
    std::uint64_t value = 0;
    double age_s = 0;
    void observe(std::uint64_t now, double elapsed_s) {
      age_s = now == value ? age_s + elapsed_s : 0;
      value = now;
    }
  };
  struct Observed {
    Change heartbeat, progress, step;
  };

  void observe();
  std::optional<std::string> find_lost_host() const;
  std::optional<std::string> find_dead() const;
  std::optional<std::string> find_silent() const;
  std::optional<std::string> find_hung(const std::vector<bool>& pending) const;
  std::string deadlock(const std::vector<bool>& pending) const;
  bool is_blocked(int rank) const;
  std::string place_of(int rank) const;
  std::string log_hint(int rank) const;

  const plan::ExecutionPlan& plan_;
  const std::vector<RankPlace>& places_;
  const WorkerGroup& group_;
  const ProgressPages& pages_;
  std::vector<Observed> observed_;
  std::vector<Change> hosts_;  ///< WorkerGroup::hosts(): signs of life
  std::chrono::steady_clock::time_point last_look_;
  double deadline_s_ = 0, heartbeat_s_ = 1;
};

}  // namespace rhino::runtime
