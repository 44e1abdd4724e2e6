// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "evaluate/candidate.hpp"
#include "plan/execution_plan.hpp"
#include "plugin/child.hpp"
#include "rhino/strategy.hpp"
#include "store/record.hpp"

namespace rhino::planning {

/// What the child that plans a cell found.
struct Answer {
  store::Status status = store::Status::ok;  ///< ok | infeasible | failed | timeout
  std::string message = {};
  Strategy strategy = {};
  std::string plan_bytes = {};             ///< bytes_of the plan
  std::vector<std::string> rejected = {};  ///< "candidate: reason"
  std::vector<evaluate::Candidate> candidates = {};
  std::int64_t num_evaluated = 0;
  double bound_s = 0;    ///< that the search has proved of all that it covers; 0: none
  double gap = 0;        ///< how far the simulated step of `plan_bytes` is above it: relative
  double formula_s = 0;  ///< a step of abstract stages by the schedule's formula; 0: it has none
};

/// A cell's plan, or why there is none.
struct PlannedCell : Answer {
  plan::ExecutionPlan plan = {};
  double search_s = 0;
};

/// What workers run of a plan: all but its names, so that equal work has equal bytes.
std::string bytes_of(plan::ExecutionPlan plan);

/// Why devices cannot hold their parts of `plan`; empty: they can.
std::string too_large(const plan::ExecutionPlan& plan);

/// Validates; what is wrong is the work of the plugins in `made_with`. Throws Error.
void prove(const plan::ExecutionPlan& plan, const std::string& made_with);

/// Hands over the answer that there would be, were the child ended now; its message goes on with
/// the sentence that tells how that was.
using HandOver = std::function<void(const Answer&)>;

/// Runs `work` in a child, decodes its plan, once, and validates it again: a child is not trusted.
/// Where the deadline comes first, what was handed over last is the answer; where nothing was, its
/// sentence ends with `when_late`. Whatever goes wrong ends in the status.
PlannedCell plan_in_child(const std::function<Answer(const HandOver&)>& work,
                          const plugin::ChildLimits& limits, const std::string& when_late = "");
inline PlannedCell plan_in_child(const std::function<Answer()>& work,
                                 const plugin::ChildLimits& limits) {
  return plan_in_child([&](const HandOver&) { return work(); }, limits);
}

/// The same for a plan that no plugin has a part in; one that is too large is infeasible.
PlannedCell plan_here(const std::function<plan::ExecutionPlan()>& work);

}  // namespace rhino::planning
