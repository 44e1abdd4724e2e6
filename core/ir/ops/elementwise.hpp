// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "ir/derivative.hpp"
#include "ir/ops/rows.hpp"
#include "ir/reference_ops.hpp"
#include "ir/sampler.hpp"
#include "ir/site.hpp"

/// What rows of elementwise ops are made of.
namespace rhino::ir::elementwise {

inline constexpr std::uint8_t kNumbers = kFloating | kInteger, kBits = kInteger | kPred,
                              kAll = kNumbers | kPred;

using Evaluate = decltype(OpTraits::evaluate);
using Derive = decltype(OpTraits::terms);

template <typename F>
Tensor map(const Op& op, const Operands& operands, F f) {
  Tensor result{op.shape, operands[0]->elements};
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    double& element = result.elements[i];
    if constexpr (std::is_invocable_v<F, double>) element = f(element);
    else element = f(element, operands[1]->elements[i]);
  }
  return result;
}

/// `f` of one or two numbers.
template <auto f>
Tensor each(const Op& op, const Operands& operands) {
  return map(op, operands, f);
}

/// `integer` of the element type and one or two of its values.
template <auto integer>
Tensor each_integer(const Op& op, const Operands& operands) {
  const DType dtype = operands[0]->shape.dtype;
  return map(op, operands,
             [dtype](auto... x) -> decltype(integer(dtype, x...)) { return integer(dtype, x...); });
}

template <auto floating, auto integer>
Tensor each(const Op& op, const Operands& operands) {
  const bool is_float = is_floating(operands[0]->shape.dtype);
  return is_float ? each<floating>(op, operands) : each_integer<integer>(op, operands);
}

/// The shape of the operands, which are alike and of the types that the row names.
Shape same(const Site& site);
double flops(const Program& program, const Op& op);
/// The op on inputs of any shape, in the range of the row; at times twice the same one.
ValueId sample_same(OpKind kind, Sampler& sampler);
/// `on_true` where the predicate holds, else zero; the other way round with `inverted`.
ValueId masked(Builder& b, ValueId predicate, ValueId value, bool inverted = false);

/// What rows of the class have in common.
template <OpKind kind, std::uint8_t takes>
constexpr OpTraits row(std::string_view name, int arity, Evaluate evaluate, Derive terms) {
  return {.kind = kind,
          .name = name,
          .op_class = OpClass::elementwise,
          .arity = arity,
          .takes = takes,
          .infer = same,
          .evaluate = evaluate,
          .terms = terms,
          .flops = flops,
          .sample = [](Sampler& sampler) { return sample_same(kind, sampler); }};
}

template <OpKind kind, std::uint8_t takes>
constexpr OpTraits unary(std::string_view name, Evaluate evaluate, Derive terms = nullptr) {
  return row<kind, takes>(name, 1, evaluate, terms);
}

template <OpKind kind, std::uint8_t takes>
constexpr OpTraits binary(std::string_view name, Evaluate evaluate, Derive terms = nullptr) {
  return row<kind, takes>(name, 2, evaluate, terms);
}

constexpr OpTraits ranging(double low, double high, OpTraits row) {
  row.low = low, row.high = high;
  return row;
}

constexpr OpTraits flat(OpTraits row) {
  row.flat = true;
  return row;
}

constexpr OpTraits inferring(Shape (*infer)(const Site&), OpTraits row) {
  row.infer = infer;
  return row;
}

constexpr OpTraits sampled(ValueId (*sample)(Sampler&), OpTraits row) {
  row.sample = sample;
  return row;
}

constexpr OpTraits with_text(decltype(OpTraits::write) write, decltype(OpTraits::read) read,
                             OpTraits row) {
  row.write = write, row.read = read;
  return row;
}

}  // namespace rhino::ir::elementwise
