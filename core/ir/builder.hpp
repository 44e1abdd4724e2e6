// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::ir {

/// Writes a Program op by op, with shape inference; every method returns the new value and throws
/// Error where shapes do not fit. Elementwise operands must have equal shapes: broadcast first
/// (`broadcast_in_dim`, `fill`).
class Builder {
 public:
  explicit Builder(std::string name);
  /// Goes on with `program`.
  explicit Builder(Program program);

  /// Ops made from here on belong to `phase` and derive from `origin`.
  void set_phase(Phase phase, ValueId origin = kNoValue);
  /// Names of ops made from here on begin with `scope` + "."; empty: none.
  void set_scope(std::string scope);

  ValueId input(InputKind kind, Shape shape, Initializer initializer, std::string name,
                std::int32_t state_of = -1);
  ValueId constant(DType dtype, double value);     ///< scalar
  ValueId fill(const Shape& shape, double value);  ///< a splat constant
  ValueId iota(const Shape& shape, std::int64_t dim);
  ValueId axis_index(std::vector<std::int32_t> axes);

  ValueId unary(OpKind kind, ValueId a);
  ValueId binary(OpKind kind, ValueId a, ValueId b);
  ValueId compare(Comparison comparison, ValueId a, ValueId b);
  ValueId select(ValueId predicate, ValueId on_true, ValueId on_false);
  ValueId clamp(ValueId low, ValueId a, ValueId high);
  ValueId convert(ValueId a, DType dtype);

  /// Result dim `dims[i]` is operand dim i; the other dims of `shape` repeat it.
  ValueId broadcast_in_dim(ValueId a, std::vector<std::int64_t> shape,
                           std::vector<std::int64_t> dims);
  ValueId reshape(ValueId a, std::vector<std::int64_t> dims);
  ValueId transpose(ValueId a, std::vector<std::int64_t> permutation);
  /// Empty strides: all one.
  ValueId slice(ValueId a, std::vector<std::int64_t> starts, std::vector<std::int64_t> limits,
                std::vector<std::int64_t> strides = {});
  ValueId pad(ValueId a, ValueId fill, std::vector<std::int64_t> low,
              std::vector<std::int64_t> high, std::vector<std::int64_t> interior = {});
  ValueId concatenate(const std::vector<ValueId>& parts, std::int64_t dim);
  ValueId reverse(ValueId a, std::vector<std::int64_t> dims);
  ValueId dynamic_slice(ValueId a, const std::vector<ValueId>& starts,
                        std::vector<std::int64_t> sizes);
  ValueId dynamic_update_slice(ValueId a, ValueId update, const std::vector<ValueId>& starts);

  ValueId reduce(ValueId a, std::vector<std::int64_t> dims, Reduction reduction);
  ValueId dot(ValueId a, ValueId b, DotAttr dims);
  ValueId gather(ValueId table, ValueId indices, GatherAttr dims);
  ValueId scatter(ValueId table, ValueId indices, ValueId updates, ScatterAttr dims);

  /// Any op: phase and origin as set, attributes as given, shape inferred (or checked against
  /// `op.shape` where infer_shape needs it).
  ValueId add(Op op, std::int64_t group_size = 0);
  /// Any op whose shape is given: Error where another one is inferred.
  ValueId add_declared(Op&& op);
  /// Makes room for that many ops.
  void reserve(std::size_t num_ops) { program_.ops.reserve(num_ops); }

  // Shorthands.
  ValueId add(ValueId a, ValueId b) { return binary(OpKind::add, a, b); }
  ValueId sub(ValueId a, ValueId b) { return binary(OpKind::subtract, a, b); }
  ValueId mul(ValueId a, ValueId b) { return binary(OpKind::multiply, a, b); }
  ValueId div(ValueId a, ValueId b) { return binary(OpKind::divide, a, b); }
  ValueId scale(ValueId a, double factor);  ///< times a splat
  ValueId shift(ValueId a, double term);    ///< plus a splat

  void output(ValueId value, OutputKind kind, std::int32_t input = -1);
  /// Renames a value; the scope goes before it.
  void name(ValueId value, std::string name);
  /// Names the dims of the input that came last.
  void name_dims(std::vector<std::string> names);

  /// Valid until the next op is added.
  const Shape& shape(ValueId value) const;
  const Program& program() const { return program_; }
  /// An op like `value`, on other operands of the same shapes.
  ValueId add_again(ValueId value, std::vector<ValueId> operands);
  /// An op like one of another program, on operands of the same shapes.
  ValueId add_like(const Op& op, std::vector<ValueId> operands, const std::string& name);

  /// The finished program; checked.
  Program finish() &&;
  /// The program as it stands.
  Program release() && { return std::move(program_); }

 private:
  /// The attributes of an earlier op of that kind, if they are equal: one object for all.
  Attributes shared(OpKind kind, Attributes attributes);
  Shape inferred(const Op& op, std::int64_t group_size);
  ValueId append(Op&& op);

  Program program_;
  std::vector<const Shape*> shapes_;                 ///< of operands: room to infer in
  bool goes_on_ = false;                             ///< ops are those of somebody else, too
  std::vector<std::vector<Attributes>> attributes_;  ///< by kind, the latest distinct ones
  Phase phase_ = Phase::forward;
  ValueId origin_ = kNoValue;
  std::string scope_;
};

}  // namespace rhino::ir
