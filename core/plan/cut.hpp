// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "plan/execution_plan.hpp"
#include "rhino/strategy.hpp"

namespace rhino::plan {

/// A partitioned program and what crosses its border by transfer.
struct CutProblem {
  const Program& program;
  /// Per program input: the transfer that brings it; -1: there from the beginning.
  std::vector<std::int32_t> arrival;
  std::vector<std::vector<ValueId>> departures;  ///< per outgoing transfer: the values it sends
  /// Collectives that nobody here waits for; increasing. They start in buckets.
  std::vector<ValueId> reductions = {};
  std::int64_t least_bucket_bytes = GradientSums().bucket_bytes;  ///< of reductions, and of gathers
  std::vector<bool> lasting = {};  ///< per program input: there all the step; empty: none is
  bool reduces_last = false;       ///< reductions start when all else is done
  /// Per op: kernels that read it make it, each for itself (lower::inside_attention); empty: none.
  std::vector<bool> inside = {};
  /// Per departure, the roles that it goes to: none overtakes another that goes to the same; empty:
  /// they leave in any order.
  std::vector<std::vector<std::int32_t>> target_roles = {};
  /// Per transfer that arrives: it is waited for behind all that have a lower one; empty: in the
  /// order of the inputs.
  std::vector<std::int32_t> arrival_rank = {};
  /// Collectives of activations are waited for where they start (Blocking::collectives); all else
  /// runs in the same order.
  bool blocks = false;
  /// Arrivals from this one on are collectives of this mesh that began before the program.
  std::int32_t first_under_way = std::numeric_limits<std::int32_t>::max();
};

/// Ops that run in one go: a program of their own, which inputs[i] and outputs[i] (values of the
/// whole) go into and come out of.
struct CutRun {
  Program program;
  std::vector<ValueId> inputs, outputs;
  std::size_t hash = 0;  ///< ir::structure_hash() of the program
};

/// Collectives of one kind over the same axes that are independent and ready together: one message
/// for all.
struct CutCollective {
  CommunicationKind kind = CommunicationKind::all_reduce;
  Reduction reduction = Reduction::sum;
  std::vector<std::int32_t> axes;
  std::int64_t before = 0;
  std::vector<ValueId> operands, results;
};

struct CutItem {
  enum class Kind : std::uint8_t { run, start, wait, depart, arrive } kind = Kind::run;
  /// Into runs; into collectives (start, wait); which departure; which arrival.
  std::int32_t index = 0;
};

struct CutProgram {
  std::vector<CutItem> items;  ///< in order
  std::vector<CutRun> runs;
  std::vector<CutCollective> collectives;
};

/// Bytes of operands after which the next collective goes into a message of its own, so that the
/// work behind the first goes on while the second is under way.
inline constexpr std::int64_t kBucketBytes = 4 << 20;

/// Cuts a program at its collectives so that communication overlaps compute: what a collective or
/// departure needs runs first, it starts at once, heavy ops and results that do not wait for it run
/// meanwhile, and it is waited for only when nothing of that kind is left, in the order in which
/// they began. Cheap sources (constants, iotas, broadcasts), and what is `inside` of kernels, are
/// repeated in each run rather than kept in memory. Ops that nothing needs are left out. Reductions
/// go out, in the order of the program, as their operands are complete: in buckets of a 32nd of all
/// that are alike, so that no more of them than that begins when all else is done, of unlike ones
/// the bucket first whose operands are complete first. Forward ops of a
/// backward program, which make values anew, do not run ahead of the heavy backward op in front of
/// them: their results would wait in memory.
CutProgram cut(const CutProblem& problem);

}  // namespace rhino::plan
