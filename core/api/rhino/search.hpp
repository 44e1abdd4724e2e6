// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/pipeline.hpp"
#include "rhino/program.hpp"
#include "rhino/sharding.hpp"
#include "rhino/strategy.hpp"

namespace rhino {

/// What a searcher is given. Valid for the call only.
struct SearchProblem {
  const Program& program;
  const Cluster& cluster;
  std::vector<std::int64_t> micro_batch_counts;  ///< allowed ones, increasing
  double memory_limit_bytes = 0;                 ///< per device
  std::uint64_t seed = 0;                        ///< of all random numbers of the search
};

/// How one op may be cut along one axis: what it then needs of its operands and yields.
struct OpSplit {
  std::vector<std::int32_t>
      operand_dim;  ///< per operand the dim that is split, -1: replicated along the axis
  std::vector<std::int64_t>
      operand_period;            ///< per operand the AxisSplit::period, 0 where replicated
  std::int32_t result_dim = -1;  ///< -1: not split; then `partial` or replicated
  std::int64_t result_period = 0;
  bool partial = false;
  Reduction reduction = Reduction::sum;
  bool operator==(const OpSplit&) const = default;
};

/// The price of a strategy.
struct Evaluation {
  bool feasible = false;
  std::string reason;  ///< of infeasibility
  double step_s = 0;
  double compute_s = 0;  ///< in kernels, of the busiest device
  double waiting_s = 0;  ///< the same device blocked: by messages, and by what others compute first
  double peak_bytes = 0;  ///< of the fullest device
};

/// Answers how ops shard and what things cost. A searcher enumerates and decides; it re-implements
/// neither rules nor costs.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  /// Every way to cut op `value` along an axis of `num_parts`; replication is not listed. [pure]
  virtual std::vector<OpSplit> splits(ValueId value, std::int64_t num_parts) const = 0;

  /// Cuts into chunks, propagates the annotations forward and backward, assigns backward and update
  /// ops. [pure] [may throw Error]
  virtual Strategy complete(const StrategyDraft& draft) const = 0;

  /// Chunks x meshes for `num_meshes` equal meshes of the given axes under the cell's schedule,
  /// over consecutive devices.
  virtual std::vector<Chunk> chunks(std::int32_t num_meshes,
                                    const std::vector<MeshAxis>& axes) const = 0;

  /// Seconds and bytes of a whole strategy under the cell's schedule and resharding, by simulation.
  /// [pure]
  virtual Evaluation evaluate(const Strategy& strategy) = 0;

  /// Seconds of communication inside meshes and of compute per step, without assembling a plan:
  /// quick, for inner loops. [pure]
  virtual double quick_cost_s(const Strategy& strategy) = 0;

  /// Seconds of op `value` computed on one device with its result and operands cut as `split` says
  /// over `num_parts`.
  virtual double kernel_s(ValueId value, const OpSplit& split, std::int64_t num_parts) const = 0;
  /// Seconds of a collective of `bytes` (full buffer) over `num_devices` consecutive devices with
  /// stride `stride`.
  virtual double collective_s(OpKind kind, double bytes, std::int64_t num_devices,
                              std::int64_t stride) const = 0;

  /// Notes why a candidate was left out; shown with the results.
  virtual void reject(const std::string& candidate, const std::string& reason) = 0;
};

/// Finds parallel plans.
class Search {
 public:
  virtual ~Search() = default;

  /// Best first. Empty: nothing feasible, with the reasons told to `evaluator`. [in a child
  /// process] [pure] [may throw Error]
  virtual std::vector<Strategy> search(const SearchProblem& problem, Evaluator& evaluator) = 0;
};

}  // namespace rhino
