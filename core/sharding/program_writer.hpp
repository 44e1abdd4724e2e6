// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "sharding/program_plan.hpp"

namespace rhino::sharding {

/// What ops came to that have been written, where that was one op: those that share a form come to
/// the same, on other operands. Of one StepGraph, which must outlive it.
class LocalOps {
 public:
  /// nullptr: unknown.
  const Op* find(const OpForm& form) const {
    const auto found = known_.find(&form);
    return found == known_.end() ? nullptr : &found->second;
  }
  void add(const OpForm& form, const Op& op) { known_.emplace(&form, op); }

 private:
  std::unordered_map<const OpForm*, Op> known_;
};

/// Writes the local program of `plan`: every op in its local form, operands resharded to what it
/// needs, each reshard of a value once. Throws Error where a value would have to be cut or joined
/// across micro-batches.
ChunkProgram write_program(const StepGraph& graph, const ProgramPlan& plan, LocalOps& known);

/// The same without ops.
ChunkProgram ports_of(const ProgramPlan& plan);

}  // namespace rhino::sharding
