// SPDX-License-Identifier: Apache-2.0
#include "ir/builder.hpp"

#include <algorithm>
#include <utility>

#include "ir/op_info.hpp"
#include "ir/shape_inference.hpp"
#include "rhino/error.hpp"

namespace rhino::ir {
namespace {

Op make(OpKind kind, std::vector<ValueId> operands, Attributes attributes = {}) {
  Op op;
  op.kind = kind;
  op.operands = std::move(operands);
  op.attributes = std::move(attributes);
  return op;
}

Op make_source(OpKind kind, Shape shape, Attributes attributes = {}) {
  Op op = make(kind, {}, std::move(attributes));
  op.shape = std::move(shape);
  return op;
}

std::vector<ValueId> with_starts(std::vector<ValueId> operands,
                                 const std::vector<ValueId>& starts) {
  operands.insert(operands.end(), starts.begin(), starts.end());
  return operands;
}

}  // namespace

Builder::Builder(std::string name) { program_.name = std::move(name); }
Builder::Builder(Program program) : program_(std::move(program)), goes_on_(true) {}

void Builder::set_phase(Phase phase, ValueId origin) {
  phase_ = phase;
  origin_ = origin;
}

void Builder::set_scope(std::string scope) { scope_ = std::move(scope); }

Shape Builder::inferred(const Op& op, std::int64_t group_size) {
  shapes_.clear();
  for (ValueId operand : op.operands) shapes_.push_back(&shape(operand));
  return infer_shape(op, shapes_, group_size);
}

ValueId Builder::add(Op op, std::int64_t group_size) {
  op.shape = inferred(op, group_size);
  return append(std::move(op));
}

ValueId Builder::add_declared(Op&& op) {
  const Shape shape = inferred(op, 0);
  if (shape != op.shape) {
    throw Error(std::string(op_name(op.kind)) + " yields " + to_string(shape) + ", not " +
                to_string(op.shape));
  }
  return append(std::move(op));
}

ValueId Builder::append(Op&& op) {
  op.phase = phase_;
  op.origin = origin_;
  op.attributes = shared(op.kind, std::move(op.attributes));
  if (!op.name.empty() && !scope_.empty()) op.name = scope_ + "." + op.name;
  program_.ops.push_back(std::move(op));
  return program_.size() - 1;
}

ValueId Builder::add_like(const Op& op, std::vector<ValueId> operands, const std::string& name) {
  Op& copy = program_.ops.emplace_back();
  copy.kind = op.kind;
  copy.phase = phase_;
  copy.origin = origin_;
  copy.shape = op.shape;
  copy.operands = std::move(operands);
  copy.attributes = op.attributes;
  if (!name.empty()) copy.name = scope_.empty() ? name : scope_ + "." + name;
  return program_.size() - 1;
}

ValueId Builder::add_again(ValueId value, std::vector<ValueId> operands) {
  Op& copy = program_.ops.emplace_back();
  const Op& op = program_.op(value);
  copy.kind = op.kind;
  copy.phase = op.phase;
  copy.origin = op.origin;
  copy.name = op.name;
  copy.shape = op.shape;
  copy.operands = std::move(operands);
  copy.attributes = op.attributes;
  return program_.size() - 1;
}

Attributes Builder::shared(OpKind kind, Attributes attributes) {
  if (attributes.index() == 0) return attributes;
  const auto number = static_cast<std::size_t>(kind);
  if (number >= attributes_.size()) attributes_.resize(number + 1);
  std::vector<Attributes>& known = attributes_[number];
  const auto found = std::find(known.begin(), known.end(), attributes);
  if (found != known.end()) return *found;
  constexpr std::size_t kMaxKnown = 32;  // a search must stay cheap where all differ
  if (known.size() == kMaxKnown) known.erase(known.begin());
  return known.emplace_back(std::move(attributes));
}

ValueId Builder::input(InputKind kind, Shape shape, Initializer initializer, std::string name,
                       std::int32_t state_of) {
  Op op = make_source(OpKind::parameter, std::move(shape));
  op.name = std::move(name);
  const ValueId value = add(std::move(op));
  program_.inputs.push_back({value, kind, initializer, state_of});
  return value;
}

ValueId Builder::constant(DType dtype, double value) { return fill({dtype, {}}, value); }

ValueId Builder::fill(const Shape& shape, double value) {
  return add(make_source(OpKind::constant, shape, ConstantAttr{{value}}));
}

ValueId Builder::iota(const Shape& shape, std::int64_t dim) {
  return add(make_source(OpKind::iota, shape, DimAttr{dim}));
}

ValueId Builder::axis_index(std::vector<std::int32_t> axes) {
  return add(make_source(OpKind::axis_index, {DType::s32, {}}, CollectiveAttr{std::move(axes)}));
}

ValueId Builder::unary(OpKind kind, ValueId a) { return add(make(kind, {a})); }

ValueId Builder::binary(OpKind kind, ValueId a, ValueId b) { return add(make(kind, {a, b})); }

ValueId Builder::compare(Comparison comparison, ValueId a, ValueId b) {
  return add(make(OpKind::compare, {a, b}, CompareAttr{comparison}));
}

ValueId Builder::select(ValueId predicate, ValueId on_true, ValueId on_false) {
  return add(make(OpKind::select, {predicate, on_true, on_false}));
}

ValueId Builder::clamp(ValueId low, ValueId a, ValueId high) {
  return add(make(OpKind::clamp, {low, a, high}));
}

ValueId Builder::convert(ValueId a, DType dtype) {
  Op op = make(OpKind::convert, {a});
  op.shape = {dtype, shape(a).dims};
  return add(std::move(op));
}

ValueId Builder::broadcast_in_dim(ValueId a, std::vector<std::int64_t> result,
                                  std::vector<std::int64_t> dims) {
  Op op = make(OpKind::broadcast, {a}, DimsAttr{std::move(dims)});
  op.shape = {shape(a).dtype, std::move(result)};
  return add(std::move(op));
}

ValueId Builder::reshape(ValueId a, std::vector<std::int64_t> dims) {
  Op op = make(OpKind::reshape, {a});
  op.shape = {shape(a).dtype, std::move(dims)};
  return add(std::move(op));
}

ValueId Builder::transpose(ValueId a, std::vector<std::int64_t> permutation) {
  return add(make(OpKind::transpose, {a}, DimsAttr{std::move(permutation)}));
}

ValueId Builder::slice(ValueId a, std::vector<std::int64_t> starts,
                       std::vector<std::int64_t> limits, std::vector<std::int64_t> strides) {
  if (strides.empty()) strides.assign(starts.size(), 1);
  return add(make(OpKind::slice, {a},
                  SliceAttr{std::move(starts), std::move(limits), std::move(strides)}));
}

ValueId Builder::pad(ValueId a, ValueId fill, std::vector<std::int64_t> low,
                     std::vector<std::int64_t> high, std::vector<std::int64_t> interior) {
  if (interior.empty()) interior.assign(low.size(), 0);
  return add(
      make(OpKind::pad, {a, fill}, PadAttr{std::move(low), std::move(high), std::move(interior)}));
}

ValueId Builder::concatenate(const std::vector<ValueId>& parts, std::int64_t dim) {
  return add(make(OpKind::concatenate, parts, DimAttr{dim}));
}

ValueId Builder::reverse(ValueId a, std::vector<std::int64_t> dims) {
  return add(make(OpKind::reverse, {a}, DimsAttr{std::move(dims)}));
}

ValueId Builder::dynamic_slice(ValueId a, const std::vector<ValueId>& starts,
                               std::vector<std::int64_t> sizes) {
  return add(
      make(OpKind::dynamic_slice, with_starts({a}, starts), DynamicSliceAttr{std::move(sizes)}));
}

ValueId Builder::dynamic_update_slice(ValueId a, ValueId update,
                                      const std::vector<ValueId>& starts) {
  return add(make(OpKind::dynamic_update_slice, with_starts({a, update}, starts)));
}

ValueId Builder::reduce(ValueId a, std::vector<std::int64_t> dims, Reduction reduction) {
  return add(make(OpKind::reduce, {a}, ReduceAttr{std::move(dims), reduction}));
}

ValueId Builder::dot(ValueId a, ValueId b, DotAttr dims) {
  Op op = make(OpKind::dot, {a, b}, std::move(dims));
  op.shape.dtype = shape(a).dtype;
  return add(std::move(op));
}

ValueId Builder::gather(ValueId table, ValueId indices, GatherAttr dims) {
  return add(make(OpKind::gather, {table, indices}, std::move(dims)));
}

ValueId Builder::scatter(ValueId table, ValueId indices, ValueId updates, ScatterAttr dims) {
  return add(make(OpKind::scatter, {table, indices, updates}, std::move(dims)));
}

ValueId Builder::scale(ValueId a, double factor) { return mul(a, fill(Shape(shape(a)), factor)); }

ValueId Builder::shift(ValueId a, double term) { return add(a, fill(Shape(shape(a)), term)); }

void Builder::output(ValueId value, OutputKind kind, std::int32_t input) {
  program_.outputs.push_back({value, kind, input});
}

void Builder::name(ValueId value, std::string name) {
  if (!scope_.empty()) name = scope_ + "." + name;
  program_.ops[static_cast<std::size_t>(value)].name = std::move(name);
}

void Builder::name_dims(std::vector<std::string> names) {
  program_.inputs.back().dim_names = std::move(names);
}

const Shape& Builder::shape(ValueId value) const { return program_.shape(value); }

Program Builder::finish() && {
  if (goes_on_) check_program(program_);
  else check_interface(program_);  // shapes have been inferred as ops were added
  program_.ops.shrink_to_fit();
  return std::move(program_);
}

}  // namespace rhino::ir
