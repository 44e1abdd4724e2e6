// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ir/builder.hpp"
#include "ir/training_step.hpp"
#include "models/layers.hpp"

/// Attention of queries, keys and values that are parameters: alone, and with its derivatives.
namespace rhino::test {

struct Form {
  std::int64_t batch = 2, rows = 5, columns = 7, heads = 3, group = 1, depth = 4;
  DType dtype = DType::f32;
  bool is_causal = false, has_bias = false, is_masked = false;
  double deviation = 1;
  std::int64_t num_hidden = 0;  ///< of a masked one's keys the first, by -inf; all: by -1e30
};

inline std::string text(const Form& f) {
  std::string text = std::string(dtype_name(f.dtype));
  for (std::int64_t size : {f.batch, f.rows, f.columns, f.heads, f.group, f.depth})
    text += " " + std::to_string(size);
  return text + (f.is_causal ? " causal" : "") + (f.has_bias ? " bias" : "") +
         (f.is_masked ? " masked" : "") +
         (f.num_hidden > 0 ? " hidden " + std::to_string(f.num_hidden) : "");
}

/// Scores go far from 0, so that maxima move from tile to tile.
inline ValueId input(ir::Builder& b, const Form& f, Shape shape, const std::string& name) {
  return b.input(InputKind::parameter, std::move(shape),
                 {Initializer::Kind::normal, 0, f.deviation}, name);
}

inline ValueId hidden_keys(ir::Builder& b, const Form& f, const std::vector<std::int64_t>& dims) {
  const Shape keys{DType::s32, {f.columns}};
  const ValueId is_hidden =
      b.compare(Comparison::lt, b.iota(keys, 0), b.fill(keys, static_cast<double>(f.num_hidden)));
  const ValueId terms =
      b.select(is_hidden,
               b.fill({DType::f32, {f.columns}},
                      f.num_hidden < f.columns ? -std::numeric_limits<double>::infinity() : -1e30),
               b.fill({DType::f32, {f.columns}}, 0));
  return b.broadcast_in_dim(terms, dims, {4});
}

inline ValueId attention(ir::Builder& b, const Form& f) {
  const ValueId q = input(b, f, {f.dtype, {f.batch, f.rows, f.heads, f.group, f.depth}}, "q");
  const ValueId k = input(b, f, {f.dtype, {f.batch, f.columns, f.heads, f.depth}}, "k");
  const ValueId v = input(b, f, {f.dtype, {f.batch, f.columns, f.heads, f.depth}}, "v");
  if (f.is_masked) {  // some keys of some samples are hidden, by a term
    const ValueId scores = models::widened(b, b.dot(q, k, {{0, 2}, {0, 2}, {4}, {3}}));
    const ValueId hidden = b.input(InputKind::batch, {DType::f32, {f.batch, f.columns}},
                                   {Initializer::Kind::normal, 0, 30}, "hidden");
    ValueId mask = b.broadcast_in_dim(hidden, b.shape(scores).dims, {0, 4});
    if (f.num_hidden > 0) mask = b.add(mask, hidden_keys(b, f, Shape(b.shape(mask)).dims));
    const ValueId p = models::convert_to(b, models::softmax(b, b.add(scores, mask)), f.dtype);
    return b.transpose(b.dot(p, v, {{0, 1}, {0, 2}, {4}, {1}}), {0, 2, 1, 3, 4});
  }
  models::Scores form{.is_causal = f.is_causal};
  if (f.has_bias) {
    form.bias = b.input(InputKind::batch, {DType::f32, {f.heads, f.rows, f.columns}},
                        {Initializer::Kind::normal, 0, 1}, "bias");
  }
  return models::attention(b, q, k, v, form);
}

inline Program forward(const Form& form) {
  ir::Builder b("attention");
  b.output(attention(b, form), OutputKind::value);
  return std::move(b).finish();
}

/// The derivative, too, of the sum of squares. Not by Adam: its first step may be as large for a
/// derivative of 1e-8 as for one of 1, and shows how what should be 0 was rounded.
inline Program step(const Form& form) {
  ir::Builder b("attention");
  const ValueId y = models::widened(b, attention(b, form));
  const ValueId sum = b.reduce(b.mul(y, y), {0, 1, 2, 3, 4}, Reduction::sum);
  return ir::training_step(models::finished(b, sum), {.kind = ir::Optimizer::Kind::sgd});
}

}  // namespace rhino::test
