// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/program.hpp"
#include "rhino/sharding.hpp"

namespace rhino::sharding {

/// A factor is a loop of an op: the same index runs along dims of operands and result. A dim is a
/// product of factors, major to minor (more than one for reshape: that is where strided splits come
/// from; none for a dim of one element). Cutting a factor cuts every dim it lies in; one factor
/// list gives forward and backward inference, legality and partitioning alike.
struct Factor {
  enum class Kind : std::uint8_t {
    parallel,   ///< in the result: results are pieces
    reduction,  ///< not in the result: results are partial under `reduction`
    /// A position that the op must know: legal in contiguous blocks with a shift by the device's
    /// offset, never over kMicroAxis. A table dim that gather (result partial sum: lookups outside
    /// of the block are masked) or scatter (in the result; updates outside of the block are
    /// dropped) index into; the own dim of an iota; any dim of rng and of constants that are no
    /// splat.
    indexed,
    blocked,  ///< may not be cut
  } kind = Kind::parallel;
  std::int64_t size = 1;
  Reduction reduction = Reduction::sum;
  /// Above 0: positions of windows. Legal in contiguous blocks of at least so many along one axis,
  /// never over kMicroAxis; OpRule::halos says what they read beyond.
  std::int64_t least_part = 0;
  bool operator==(const Factor&) const = default;
};

/// What devices read of their neighbours' tiles along dim `dim` of operand `operand` where `factor`
/// is cut (see Halo): as widest_before and widest_behind of windows.hpp have it.
struct FactorHalo {
  std::int32_t operand = 0, dim = 0, factor = 0;
  std::int64_t before = 0, behind = 0, drift = 0;
  Reduction fill = Reduction::sum;
  bool operator==(const FactorHalo&) const = default;
};

/// Which factors make up each dim, major to minor. Indices into OpRule::factors.
using TensorFactors = std::vector<std::vector<std::int32_t>>;

struct OpRule {
  std::vector<Factor> factors;
  std::vector<TensorFactors> operands;  ///< [operand][dim]
  TensorFactors result;                 ///< [dim]
  /// passes_sum[i]: the op is linear in operand i, all others fixed: a sum-partial operand i may
  /// stay partial. `sum_together`: (add, subtract, select, concatenate, ...) linear jointly: all
  /// operands with passes_sum must be partial together.
  std::vector<bool> passes_sum;
  bool sum_together = false;
  std::vector<FactorHalo> halos;
  bool operator==(const OpRule&) const = default;
};

/// The rule of op `id`: one file per op class behind it. Throws Error for collectives.
OpRule op_rule(const Program& program, ValueId id);

/// An axis assigned to a factor of one op. `period` as in AxisSplit, in the factor's own index
/// space: the factor's size (or the part that a more major split leaves) for contiguous blocks,
/// less for strided ones.
struct FactorSplit {
  AxisId axis = 0;
  std::int32_t factor = 0;
  std::int64_t period = 0;
  bool operator==(const FactorSplit&) const = default;
};

/// The op computes partial sums along `axis`, as its operand `operand` is partial there (all
/// operands with passes_sum are where the rule says sum_together; `operand` is then the first of
/// them).
struct LinearPass {
  AxisId axis = 0;
  std::int32_t operand = 0;
  bool operator==(const LinearPass&) const = default;
};

/// How one op is cut: per axis at most one factor (in the order of mesh axes, micro first), and
/// axes along which partial sums pass through. An axis that occurs in neither computes the same
/// everywhere.
struct OpSharding {
  std::vector<FactorSplit> splits;
  std::vector<LinearPass> linear;
  bool operator==(const OpSharding&) const = default;
};

/// Spec that the op then needs of operand `i` / yields. `num_micro_batches` is the size of
/// kMicroAxis.
ShardingSpec operand_spec(const Program& program, ValueId id, const OpRule& rule,
                          const OpSharding& sharding, std::size_t i, const Mesh& mesh,
                          std::int64_t num_micro_batches);
ShardingSpec result_spec(const Program& program, ValueId id, const OpRule& rule,
                         const OpSharding& sharding, const Mesh& mesh,
                         std::int64_t num_micro_batches);

/// The way back: the factor, of those that make up a dim, that `split` of the dim into `num_parts`
/// cuts. Nothing where it falls across factors or does not divide the one it falls in.
std::optional<FactorSplit> find_factor(const OpRule& rule, const std::vector<std::int32_t>& dim,
                                       const AxisSplit& split, std::int64_t num_parts);

/// Whether `split` may be added to `splits`, `parts` as axis_parts() gives them: the factor may be
/// cut, parts are whole, splits of one factor nest.
bool may_add(const OpRule& rule, std::span<const FactorSplit> splits, const FactorSplit& split,
             const std::vector<std::int64_t>& parts);

/// Number of parts along every axis, kMicroAxis first: [axis + 1].
std::vector<std::int64_t> axis_parts(const Mesh& mesh, std::int64_t num_micro_batches);

/// Throws Error unless `spec` fits a tensor of `shape`: axes exist and occur once, periods nest,
/// parts are whole ("dim 1 of 10 elements does not divide by axis 'tensor' of 4"). kMicroAxis is
/// marked even where num_micro_batches is 1; splits by axes of size 1 may repeat the period of the
/// next.
void check_spec(const Shape& shape, const ShardingSpec& spec, const Mesh& mesh,
                std::int64_t num_micro_batches = 1);

/// `[micro:8 data:4/2, -, tensor:16/2] partial sum tensor`: axis:period/parts of each split, major
/// first; for people.
std::string to_string(const ShardingSpec& spec, const Mesh& mesh);

/// Of equal specs equal.
std::size_t hash_of(const ShardingSpec& spec);

ShardingSpec replicated(std::size_t rank);

}  // namespace rhino::sharding
