// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "rhino/strategy.hpp"
#include "sharding/op_graph.hpp"

namespace rhino::sharding {

/// Forward ops into `num_chunks` pieces, in an order that respects dependencies, so that the fewest
/// bytes cross (each value counted once per border): of all cuts whose busiest piece has at most 8
/// % more dot work than it must have. Of equal ones that with the least work in the busiest piece,
/// which sets the pace of a pipeline. Backward ops follow their origin, gradients' sums and updates
/// the owner of the parameter; -1 for what is cheap to copy. Any DAG; the orders are searched by
/// sample. Throws Error when there are fewer dots than chunks.
std::vector<std::int32_t> cut_into_chunks(const Program& program, std::int32_t num_chunks);

/// Completes drafts of one program; what does not depend on the draft (rules, users, cuts) is
/// computed once. `program` must outlive it.
class Completer {
 public:
  explicit Completer(const Program& program);
  ~Completer();

  /// Chunks, micro-batching of batch inputs, annotations propagated forward and backward to every
  /// value, gradients and optimizer state by zero_stage. An annotated value is cut by the axes
  /// written there; propagation adds only kMicroAxis and batch_axis to it. kMicroAxis is marked
  /// even where there is one micro-batch, if it is of more than one sample and no op couples the
  /// batch: ops that depend on it have it in their spec. Specs of values of chunk -1 are for the
  /// mesh of chunk 0 (see carry_spec). Throws Error where the batch does not divide, an op couples
  /// several micro-batches, or an annotation does not fit.
  Strategy complete(const StrategyDraft& draft) const;

  const OpGraph& graph() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The same for one draft.
Strategy complete(const Program& program, const StrategyDraft& draft);

/// Throws Error unless `strategy` is one for `program`: sizes, chunk order, specs that fit, op
/// shardings that exist. With the graph of the program ops that are cut alike are looked at once.
void check_strategy(const Program& program, const Strategy& strategy,
                    const OpGraph* graph = nullptr);
/// The same but for specs and shardings.
void check_structure(const Program& program, const Strategy& strategy);

/// Whether the backward pass makes anew what this forward op yields (see Strategy::recompute).
bool is_recomputed(const Strategy& strategy, ValueId id);
/// The same of an op that has been given a chunk.
bool is_recomputed(const Strategy& strategy, std::int32_t chunk, ValueId id);

/// The way op `id` is cut under `strategy`: the one whose result is specs[id] and that asks least
/// of its operands' specs. On the mesh of its own chunk; a value of chunk -1 as `chunk` computes
/// it. Throws Error where no sharding of the op yields its spec.
OpSharding op_sharding(const Program& program, const Strategy& strategy, ValueId id,
                       std::int32_t chunk = 0);

/// The same with the op's rule at hand.
OpSharding op_sharding(const Program& program, const OpRule& rule, const Strategy& strategy,
                       ValueId id, std::int32_t chunk = 0);

/// A strategy whose values may have been given other chunks. Borrowed.
struct PlacedStrategy {
  const Strategy& strategy;
  const std::vector<std::int32_t>& chunk_of;
};
OpSharding op_sharding(const Program& program, const OpRule& rule, const PlacedStrategy& placed,
                       ValueId id, std::int32_t chunk = 0);

/// `spec` of a tensor of `shape` on mesh `from`, on mesh `to` with the same axes in other sizes:
/// what was contiguous is contiguous there; splits that do not fit are dropped.
ShardingSpec carry_spec(const Shape& shape, const ShardingSpec& spec, const Mesh& from,
                        const Mesh& to, std::int64_t num_micro_batches);

}  // namespace rhino::sharding
