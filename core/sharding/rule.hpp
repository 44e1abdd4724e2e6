// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/program.hpp"
#include "rhino/sharding.hpp"

namespace rhino {

/// A factor is a loop of an op: the same index runs along dims of operands and result. A dim is a product of factors, major to minor (more
/// than one for reshape: that is where strided splits come from). Cutting a factor cuts every dim it lies in; one factor list gives
/// forward and backward inference, legality and partitioning alike.
struct Factor {
  enum class Kind : std::uint8_t {
    parallel,   ///< in the result: results are pieces
    reduction,  ///< not in the result: results are partial under `reduction`
    indexed,    ///< a table dim that gather or scatter index into: legal with an index shift and a mask (partial for gather)
    blocked,    ///< may not be cut
  } kind = Kind::parallel;
  std::int64_t size = 1;
  Reduction reduction = Reduction::sum;
  bool operator==(const Factor&) const = default;
};

/// Which factors make up each dim, major to minor. Indices into OpRule::factors.
using TensorFactors = std::vector<std::vector<std::int32_t>>;

struct OpRule {
  std::vector<Factor> factors;
  std::vector<TensorFactors> operands;  ///< [operand][dim]
  TensorFactors result;                 ///< [dim]
  /// passes_sum[i]: the op is linear in operand i, all others fixed: a sum-partial operand i may stay partial.
  /// `sum_together`: (add, subtract, select, concatenate) operands 'linear jointly': all linear operands must be partial together.
  std::vector<bool> passes_sum;
  bool sum_together = false;
  bool operator==(const OpRule&) const = default;
};

/// The rule of op `id`: one file per op class behind it.
OpRule op_rule(const Program& program, ValueId id);

/// An axis assigned to factors of one op.
struct FactorSplit {
  AxisId axis = 0;
  std::int32_t factor = 0;
  bool operator==(const FactorSplit&) const = default;
};

/// How one op is cut: per axis at most one factor (in the order of mesh axes, micro first), and axes along which it computes partial sums
/// of partial operands.
struct OpSharding {
  std::vector<FactorSplit> splits;
  std::vector<Partial> linear;  ///< axes along which its linear operands are, and its result stays, partial
  bool operator==(const OpSharding&) const = default;
};

/// Spec that the op then needs of operand `i` / yields. `axis_size(axis)` of the micro axis is num_micro_batches.
ShardingSpec operand_spec(const Program& program, ValueId id, const OpRule& rule, const OpSharding& sharding, std::size_t i, const Mesh& mesh,
                          std::int64_t num_micro_batches);
ShardingSpec result_spec(const Program& program, ValueId id, const OpRule& rule, const OpSharding& sharding, const Mesh& mesh,
                         std::int64_t num_micro_batches);

/// Throws Error unless `spec` fits a tensor of `shape`: axes exist and occur once, periods nest, parts are whole ("dim 1 of 10 elements does
/// not divide by axis 'tensor' of 4").
void check_spec(const Shape& shape, const ShardingSpec& spec, const Mesh& mesh, std::int64_t num_micro_batches = 1);

/// `[data:8, -, tensor:4/2] partial sum tensor`: for people.
std::string to_string(const ShardingSpec& spec, const Mesh& mesh);

ShardingSpec replicated(std::size_t rank);

}  // namespace rhino
