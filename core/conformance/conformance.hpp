// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plugin/registry.hpp"

namespace rhino::conformance {

/// What a plugin was asked and what it got wrong. A plugin may refuse a problem by throwing Error;
/// one that refuses them all is at fault.
struct ConformanceReport {
  std::int64_t num_problems = 0;
  std::int64_t num_refused = 0;
  std::string first_refusal;
  std::vector<std::string> faults;  ///< one sentence each: the problem and what the answer lacks

  bool ok() const { return faults.empty(); }
  /// Adds what came of further problems.
  ConformanceReport& operator+=(const ConformanceReport& more) {
    if (num_refused == 0) first_refusal = more.first_refusal;
    num_problems += more.num_problems;
    num_refused += more.num_refused;
    faults.insert(faults.end(), more.faults.begin(), more.faults.end());
    return *this;
  }
};

/// Told before each problem, in words.
using OnProblem = std::function<void(const std::string&)>;

/// Over random meshes of up to 4 hosts x 8 devices, disjoint or overlapping, specs (replicated,
/// split over one or several axes, unevenly or down to nothing, strided) and several tensors and
/// targets: every element of every target tile comes exactly once, from a device that holds it by
/// then; equal problems get equal plans. A plan that declares itself incomplete may leave out
/// elements, no more.
ConformanceReport check_resharding(Resharding& plugin, const OnProblem& on_problem);

/// Over 1 to 8 meshes and 1 to 16 micro-batches: chunks are on meshes that exist and every mesh has
/// one; each chunk runs each micro-batch forward and backward once, in one replica; meshes that
/// work off their lists in order never wait for each other in a circle; formulas of bubbles say
/// times or nothing; equal problems get equal schedules. Pipelines are chains; of every second one
/// the first chunk also skips to the last.
ConformanceReport check_schedule(Schedule& plugin, const OnProblem& on_problem);

/// Over toy programs on 1 to 4 devices: every strategy is one for its program and uses devices and
/// micro-batch counts that it was given, one of them can run, and where there is none there is a
/// reason; equal problems get equal strategies. `resharding` and `schedule` complete the plans.
ConformanceReport check_search(Search& plugin, Resharding& resharding, Schedule& schedule,
                               const OnProblem& on_problem);

/// The check of its kind for one library: made with default options, and refusing an option that no
/// plugin knows. All its code runs in a child process; a crash or a hang is a fault that names the
/// problem. Searches are completed by `resharding/send_recv` and `schedule/1f1b` of `registry`.
/// Throws Error where the library is of another ABI or of no known kind.
ConformanceReport check_plugin(const plugin::PluginInfo& info, const plugin::Registry& registry,
                               const Options& options = {}, double deadline_s = 120);

}  // namespace rhino::conformance
