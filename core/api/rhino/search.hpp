// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/pipeline.hpp"
#include "rhino/program.hpp"
#include "rhino/sharding.hpp"
#include "rhino/strategy.hpp"
#include "rhino/strategy_space.hpp"

namespace rhino {

/// How one op may be cut along one axis: what it then needs of its operands and yields (the split
/// strategies of one op in Rhino and Alpa). The dims are those of one loop of the op, cut into
/// contiguous blocks.
///
/// dot [8, 4] x [4, 2] over 2 parts has three: rows {operand_dim {0, -1}, result_dim 0}, columns
/// {{-1, 1}, 1}, and the contracted loop {{1, 0}, -1, partial}, whose results are terms of a sum.
struct OpSplit {
  /// Per operand the dim that is split, -1: replicated along the axis.
  std::vector<std::int32_t> operand_dim;
  /// Per operand the AxisSplit::period, 0 where replicated. Less than the extent where the op is a
  /// reshape that makes a contiguous split strided.
  std::vector<std::int64_t> operand_period;
  std::int32_t result_dim = -1;  ///< -1: not split; then `partial` or replicated
  std::int64_t result_period = 0;
  bool partial = false;  ///< the devices hold terms that `reduction` makes into the result
  Reduction reduction = Reduction::sum;
  bool operator==(const OpSplit&) const = default;
};

/// How ops may be cut. A searcher enumerates; it re-implements no rule. [pure]
class ShardingRules {
 public:
  virtual ~ShardingRules() = default;

  /// Every way to cut op `value` along an axis of `num_parts`; replication is not listed, nor is
  /// what does not divide. Throws Error for collectives, which no searcher meets.
  virtual std::vector<OpSplit> splits(ValueId value, std::int64_t num_parts) const = 0;
};

/// What single things cost, in seconds of one cost model of the cell's cluster, calibrated on this
/// machine or the rooflines of a topology's numbers; the same one that predicts the cell's step.
/// [pure]
class Prices {
 public:
  virtual ~Prices() = default;

  /// Seconds of op `value` computed on one device with its result and operands cut as `split` says
  /// over `num_parts`, at global batch: dots by their shape, others by the bytes that they read and
  /// write. The device is of the cluster's first model.
  virtual double kernel_s(ValueId value, const OpSplit& split, std::int64_t num_parts) const = 0;
  /// Seconds of a collective over devices 0, `stride`, 2 `stride`, ..., `num_devices` of them,
  /// alone on the network. `bytes` of one device's operand (CollectiveAttr): of the shard for
  /// all_gather, of the whole for the others.
  virtual double collective_s(OpKind kind, double bytes, std::int64_t num_devices,
                              std::int64_t stride) const = 0;
};

/// The price of a strategy, as the simulator sees it. Where it is not feasible all else is 0 but
/// for peak_bytes of one that needs too much memory.
struct Evaluation {
  bool feasible = false;
  std::string reason;  ///< of infeasibility
  double step_s = 0;
  double compute_s = 0;  ///< in kernels, of the busiest device
  double waiting_s = 0;  ///< the same device blocked: by messages, and by what others compute first
  double peak_bytes = 0;  ///< of the fullest device
};

/// The price of a strategy by tables: prices of single ops and reshards, each worked out once, put
/// together as the plan would be. Nothing is assembled or simulated.
struct Estimate {
  double bound_s = 0;     ///< evaluate() finds no shorter step
  double step_s = 0;      ///< what it is expected to find
  double peak_bytes = 0;  ///< likewise, whatever memory there is
  bool operator==(const Estimate&) const = default;
};

/// A strategy that is changed value by value, and priced after each change. Owned by the searcher,
/// which must not keep it beyond search().
class Trial {
 public:
  virtual ~Trial() = default;

  virtual const Strategy& strategy() const = 0;
  /// Cuts `value` as `spec` says. What the strategy's spec says of kMicroAxis, a split or a partial
  /// sum, the new one has to say, too: copy it. Where it does not, where there is no such value, or
  /// where an op can no longer be cut so that its result is as the strategy says, throws Error and
  /// changes nothing. [may throw Error]
  virtual void set(ValueId value, const ShardingSpec& spec) = 0;
  /// Takes the last set() back that is still in force; throws Error where there is none.
  virtual void undo() = 0;
  /// Of the strategy as it now is; the schedule is asked. [may throw Error]
  virtual Estimate price() = 0;
};

/// Whole strategies: makes them, prices them, takes them. Owned by the engine, valid for the call
/// of search() only, and used by one thread.
///
/// From cheap to dear: Trial::price after a change, estimate, evaluate.
class Strategies {
 public:
  virtual ~Strategies() = default;

  /// Cuts into chunks, propagates the annotations forward and backward, assigns backward and update
  /// ops. Throws Error where the batch does not divide or an annotation does not fit: catch it and
  /// reject() that candidate. [pure] [may throw Error]
  virtual Strategy complete(const StrategyDraft& draft) const = 0;

  /// The chunks of a pipeline over `num_meshes` equal meshes of the given axes, placed as the
  /// cell's schedule says: mesh i has the i-th run of consecutive devices. Throws Error where the
  /// cluster has too few. [may throw Error]
  ///
  ///     chunks(2, {{"data", 1}, {"tensor", 2}}) under 1F1B: {0, 1} and {2, 3}
  virtual std::vector<Chunk> chunks(std::int32_t num_meshes,
                                    const std::vector<MeshAxis>& axes) const = 0;

  /// The strategy by tables, and the same as a Trial, to be changed. [pure] [may throw Error]
  virtual Estimate estimate(const Strategy& strategy) = 0;
  virtual std::unique_ptr<Trial> try_out(const Strategy& strategy) = 0;

  /// Seconds and bytes of a whole strategy under the cell's schedule and resharding, by simulation
  /// of its validated plan. What the strategy has wrong, or what they refuse, is `reason`, not
  /// thrown; where they are at fault themselves, the search ends. [pure]
  virtual Evaluation evaluate(const Strategy& strategy) = 0;

  /// Takes `strategy` for an answer, as it is, and evaluates it where evaluate() has not: should
  /// time or budget end before search() returns, the quickest that was evaluated runs.
  /// `lower_bound_s`: no strategy takes less of all those that this search covers and that fit in
  /// memory; 0: nothing is proved. The largest that was told stands in the record, and so does how
  /// far above it the strategy is that runs. Throws Error for one that is no number, and for one
  /// above a step that has been found. [may throw Error]
  virtual void offer(const Strategy& strategy, double lower_bound_s) = 0;
  /// Whether time or budget are used up: calls that price strategies, Trial::price() and offer()
  /// among them, or make tables of prices, then throw no Error but end the search, once there is a
  /// strategy to run, and whatever there is where a budget is used up. What search() returns from
  /// then on still counts. Where it has evaluated nothing that fits, the quickest runs, within a
  /// hundredth, that it has estimated or tried out. Ask it within loops that take long without such
  /// a call.
  virtual bool is_out_of_time() = 0;

  /// All ways to cut every op over one mesh, with prices: what a solver chooses from. Made once for
  /// equal options. Throws Error where the batch does not divide. [pure] [may throw Error]
  virtual const StrategySpace& space(const SpaceOptions& options) = 0;
  /// Seconds of a step that every strategy on one mesh, or on several like it together, spends in
  /// dots and convolutions at the least: each cut as is quickest. Cheaper than the space. Throws
  /// Error where the batch does not divide. [pure] [may throw Error]
  virtual double least_s(const SpaceOptions& options) = 0;
  /// Seconds of devices, added up, that a step spends there at the least where each of these runs
  /// on any one of several meshes, in as many micro-batches: on n devices n times what it takes
  /// there. Throws Error where the batch does not divide. [pure] [may throw Error]
  virtual double least_device_s(const std::vector<SpaceOptions>& meshes) = 0;
  /// What the cell's schedule and resharding make of the chunks of a strategy; its specs count for
  /// nothing. [pure] [may throw Error]
  virtual ChunkFlow flow(const Strategy& strategy) = 0;

  /// Notes why a candidate was left out; shown with the results, and the cell's message where
  /// nothing is feasible.
  virtual void reject(const std::string& candidate, const std::string& reason) = 0;
};

/// What a person has decided of a value.
struct Pin {
  ValueId value = kNoValue;
  std::vector<std::int32_t> dims;  ///< that are split, by whatever axes, increasing; no others are
  bool operator==(const Pin&) const = default;

  bool allows(const ShardingSpec& spec, const std::vector<MeshAxis>& axes) const;
};

inline bool Pin::allows(const ShardingSpec& spec, const std::vector<MeshAxis>& axes) const {
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    const bool is_split = std::ranges::any_of(spec.dims[d].splits, [&](const AxisSplit& split) {
      return split.axis != kMicroAxis && axes[static_cast<std::size_t>(split.axis)].size > 1;
    });
    if (is_split != std::ranges::binary_search(dims, static_cast<std::int32_t>(d))) return false;
  }
  return true;
}

/// What a searcher is given. Valid for the call only, and equal problems must get equal answers: no
/// clocks, no addresses, random numbers from `seed` alone.
struct SearchProblem {
  const Program& program;  ///< the whole training step on one device, at global batch
  const Cluster& cluster;  ///< all of its devices may be used, and none has to be
  std::vector<std::int64_t> micro_batch_counts;  ///< allowed ones, increasing
  double memory_limit_bytes = 0;                 ///< per device
  std::uint64_t seed = 0;                        ///< of all random numbers of the search
  const ShardingRules& rules;
  const Prices& prices;
  std::vector<Pin> pins = {};  ///< strategies that break one are not feasible
};

/// Finds parallel plans.
///
/// An object is made in the child process that plans a cell, and searches once.
/// plugins/search/grid.cpp is a whole one.
class Search {
 public:
  virtual ~Search() = default;

  /// Best first, on devices of `problem.cluster` and with its micro-batch counts: the first whose
  /// plan fits in memory runs, and where that plan is refused, the cell has failed. Empty: nothing
  /// feasible, with the reasons told to `strategies`. Shortly before the deadline its calls throw
  /// no Error, and the quickest that they priced runs. [in a child process] [pure] [may throw
  /// Error]
  virtual std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) = 0;
};

}  // namespace rhino
