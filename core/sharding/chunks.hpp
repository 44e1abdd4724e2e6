// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/strategy.hpp"
#include "sharding/op_graph.hpp"

namespace rhino::sharding {

/// The ops that a cut into chunks deals out: forward ops that depend on the batch (all that are not
/// pure where nothing does).
std::vector<bool> movable_ops(const OpGraph& graph);

/// Orders of the movable ops that respect dependencies: the program's and depth-first ones, some
/// with operands in random order (the same for the same program).
std::vector<std::vector<ValueId>> topological_orders(const OpGraph& graph,
                                                     const std::vector<bool>& movable);

/// [p]: bytes that cross a border before position p of `order`, each value once.
std::vector<double> border_bytes(const OpGraph& graph, const std::vector<ValueId>& order);

/// Work of the busiest chunk may exceed the least that is possible by this much to cross fewer
/// bytes.
inline constexpr double kBalanceTolerance = 0.08;

/// Of a cut; less is better, in this order.
struct CutPrice {
  double excess = 0;      ///< work of the busiest chunk where it is above the limit, else the limit
  double bytes = 0;       ///< crossing_bytes
  double bottleneck = 0;  ///< work of the busiest chunk
  double unevenness = 0;  ///< sum of squared work of chunks
  auto operator<=>(const CutPrice&) const = default;
};

/// Moves ops over borders, each with all that must go along, as long as that lowers the price.
/// `work`: of every op.
CutPrice refine_chunks(const OpGraph& graph, const std::vector<bool>& movable,
                       const std::vector<double>& work, double limit,
                       std::vector<std::int32_t>& chunk_of);

/// Chunk of every movable op, -1 of the others; see cut_into_chunks.
std::vector<std::int32_t> cut_movable(const OpGraph& graph, std::int32_t num_chunks);

/// Chunks of all values from those of movable ops: what depends on no batch stands with its first
/// user; backward ops with their origin, or later where a user is (repeated forward ops) or where
/// fewer bytes cross then (sums of gradients); states and updates with their parameter; pure values
/// are -1.
std::vector<std::int32_t> place_all(const OpGraph& graph, std::vector<std::int32_t> chunk_of);

/// Chunks of movable ops as the draft gives them. Throws Error where they are out of range or
/// order.
std::vector<std::int32_t> given_chunks(const OpGraph& graph, const StrategyDraft& draft);

/// Dot and convolution FLOPs of an op, 0 of others.
double dot_work(const Program& program, ValueId id);

/// Bytes that cross borders of chunks in the forward pass: each value once per border between the
/// chunk that yields it (or first reads it, for what is not movable) and the last that reads it.
double crossing_bytes(const OpGraph& graph, const std::vector<std::int32_t>& chunk_of);

}  // namespace rhino::sharding
