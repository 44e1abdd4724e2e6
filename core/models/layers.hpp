// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ir/builder.hpp"

namespace rhino::models {

/// Refuses, before anything is built, what would take all memory or overflow sums of bytes:
/// `count`, which the option `what` gives, above 4096, or more than 1e16 elements in so many
/// tensors of `largest`. Throws Error.
void check_size(const std::string& what, std::int64_t count, double largest);

/// Building blocks of models. In 16-bit ones dots, and what is added to activations, are of 16
/// bits; layer norm, activation functions and the loss are computed in f32 and rounded once.

using Names = std::vector<std::string>;

/// Of weights that have no other: GPT-2's.
constexpr double kDeviation = 0.02;

/// A parameter named `name` in the scope of the builder, normal with mean 0 and `deviation`.
ValueId weight(ir::Builder& builder, Shape shape, double deviation, const std::string& name,
               Names dims = {});
/// A parameter that begins as `value` everywhere.
ValueId constant_weight(ir::Builder& builder, Shape shape, double value, const std::string& name,
                        Names dims = {});

/// `small` repeated along the leading dims of `like`: its dims are the last dims of `like`.
ValueId broadcast_last(ir::Builder& builder, ValueId small, ValueId like);
/// `small` repeated along the trailing dims of `like`: its dims are the first dims of `like`.
ValueId broadcast_first(ir::Builder& builder, ValueId small, ValueId like);

/// Rows of `table` [rows, width] at `indices` [...] s32: [..., width].
ValueId look_up(ir::Builder& builder, ValueId table, ValueId indices);

/// `x` itself where it is of `dtype`.
ValueId convert_to(ir::Builder& builder, ValueId x, DType dtype);
/// In a dtype that sums are exact enough in: f32, or f64 where x is.
ValueId widened(ir::Builder& builder, ValueId x);

/// (x - mean) / sqrt(variance + epsilon) over the last dim, times `<name>.scale`, plus
/// `<name>.bias`. `dim` names it.
ValueId layer_norm(ir::Builder& builder, ValueId x, const std::string& name, const std::string& dim,
                   double epsilon = 1e-5);

/// x / sqrt(mean of squares + epsilon) over the last dim, times `<name>.scale` (Zhang and Sennrich
/// 2019). `dim` names it.
ValueId rms_norm(ir::Builder& builder, ValueId x, const std::string& name, const std::string& dim,
                 double epsilon);

/// x[..., K] times `<name>.weight` of dims [K..., result...] plus `<name>.bias` of dims
/// [result...]: the last `num_contracted` dims of x against the first ones of the weight.
struct Linear {
  std::string name;
  std::vector<std::int64_t> result;
  std::size_t num_contracted = 1;
  double deviation = kDeviation;
  Names dims = {};  ///< of the weight; the bias has the last of them
  bool has_bias = true;
};
ValueId linear(ir::Builder& builder, ValueId x, const Linear& layer);

/// 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
ValueId gelu(ir::Builder& builder, ValueId x);

/// The larger of x and 0.
ValueId relu(ir::Builder& builder, ValueId x);

/// x / (1 + exp(-x)).
ValueId silu(ir::Builder& builder, ValueId x);

/// How much a query heeds a key.
struct Scores {
  bool is_causal = false;   ///< a query meets keys that come no later
  bool is_scaled = true;    ///< products are divided by sqrt(head_dim)
  ValueId bias = kNoValue;  ///< added, if there is one: [heads, positions, positions of keys]
};
/// softmax(scores of query and key) value, in f32 between the dots. query [batch, positions, heads,
/// group, head_dim]: a group of queries shares a head of key and value, [batch, positions of these,
/// heads, head_dim] (grouped-query attention, Ainslie et al. 2023). As the query.
ValueId attention(ir::Builder& builder, ValueId query, ValueId key, ValueId value,
                  const Scores& form);

/// Over the last dim, in the dtype of x; exact and stable, never differentiated through its max.
ValueId softmax(ir::Builder& builder, ValueId x);

/// Sum over all rows of -log softmax(logits)[label]: logits [..., V], labels [...] s32. The
/// vocabulary may be split: it is met by reductions and elementwise ops alone. f32, or f64 for f64
/// logits.
ValueId sum_cross_entropy(ir::Builder& builder, ValueId logits, ValueId labels);
/// The mean of all rows.
ValueId mean_cross_entropy(ir::Builder& builder, ValueId logits, ValueId labels);

/// The program of a model, which ends in its `loss`.
Program finished(ir::Builder& builder, ValueId loss);

}  // namespace rhino::models
