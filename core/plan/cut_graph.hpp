// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plan/cut.hpp"

namespace rhino::plan {

/// What every op is computed from, and what it is needed for, once cheap ops are repeated in each
/// run. `bases` of an op: the values it reads from memory or from its own run. Only needed ops have
/// users.
struct CutGraph {
  std::vector<std::vector<ValueId>> bases, users;
  std::vector<bool> leaves;  ///< goes out of the program or into a departure
  std::vector<bool> needed;
  std::vector<bool> varies;    ///< depends on an input
  std::vector<bool> feeds;     ///< a heavy op, a collective or a departure is computed from it
  std::vector<bool> lasts;     ///< computed by light ops alone from inputs that last
  std::vector<bool> repeated;  ///< in each run that reads it

  explicit CutGraph(const CutProblem& problem);

 private:
  void find_bases(const CutProblem& problem, ValueId id);
  void find_users(const Program& program);
  void find_lasting(const CutProblem& problem);
};

/// What arrives for something that is needed, in the order in which it is waited for.
std::vector<std::int32_t> arrivals_in_order(const CutProblem& problem, const CutGraph& graph);

/// A gather in a bucket, counted from 1, that does not start before an op has run; kNoValue: at
/// any time.
struct HeldGather {
  ValueId id = kNoValue;
  std::int32_t bucket = 0;
  ValueId not_before = kNoValue;
};

/// What is gathered of what is there all the step, parameters say, in buckets: each is under way
/// while the one before it is used, when the one before that has been. None where one bucket holds
/// them all.
std::vector<HeldGather> held_gathers(const CutProblem& problem, const CutGraph& graph,
                                     std::int64_t most_buckets);

}  // namespace rhino::plan
