// SPDX-License-Identifier: Apache-2.0
#include "lower/prepare.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/element.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "lower/matmul.hpp"
#include "lower/short_rows.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

/// `first`, then `second`, then `third`: an order of dims.
Dims joined(const Dims& first, const Dims& second, const Dims& third) {
  Dims all = first;
  all.insert(all.end(), second.begin(), second.end());
  all.insert(all.end(), third.begin(), third.end());
  return all;
}

Dims range(std::size_t first, std::size_t count) {
  Dims dims(count);
  std::iota(dims.begin(), dims.end(), static_cast<std::int64_t>(first));
  return dims;
}

Dims without(const Dims& dims, const Dims& left_out) {
  Dims rest;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (!contains(left_out, static_cast<std::int64_t>(d))) rest.push_back(dims[d]);
  }
  return rest;
}

class Preparation {
 public:
  Preparation(const Program& program, const std::vector<Attention>& attentions)
      : program_(program),
        attentions_(attentions),
        is_attention_(are_attention(program, attentions)),
        renamed_(program.ops.size(), kNoValue) {}

  Prepared run() {
    const std::vector<bool> needed = needed_ops(program_);
    result_.name = program_.name;
    result_.ops.reserve(program_.ops.size());
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (needed[at(id)]) copy(id);
    }
    result_.inputs = program_.inputs;
    result_.outputs = program_.outputs;
    for (Input& input : result_.inputs) input.value = renamed_[at(input.value)];
    for (Output& output : result_.outputs) {
      now_ = output.value;
      output.value = computed(renamed_[at(output.value)]);
    }
    return {std::move(result_), std::move(made_for_), renamed_attentions()};
  }

 private:
  void copy(ValueId id) {
    now_ = id;
    Op op = program_.op(id);
    if (ir::is_collective(op.kind)) {
      throw Error("program '" + program_.name + "': cannot lower " +
                  std::string(ir::op_name(op.kind)) + " (op " + std::to_string(id) +
                  "); cut the program at its collectives first");
    }
    for (ValueId& operand : op.operands) operand = renamed_[at(operand)];
    op.origin = kNoValue;
    if (is_attention_[at(id)]) {
      renamed_[at(id)] = append(std::move(op));
      return;
    }
    if (touches_nothing(op)) {
      renamed_[at(id)] = without_nothing(std::move(op));
      return;
    }
    if (op.kind == OpKind::dot) order_operands(op);
    if (sums(op.kind) && is_narrow(op.shape.dtype)) {
      renamed_[at(id)] = computed_in_f32(std::move(op));
      return;
    }
    renamed_[at(id)] = placed(std::move(op));
  }

  ValueId placed(Op op) {
    if (op.kind == OpKind::reduce) return reduced(std::move(op));
    if (op.kind == OpKind::broadcast) return repeated(std::move(op));
    return ir::traits(op.kind).view ? window(std::move(op)) : append(std::move(op));
  }

  std::vector<Attention> renamed_attentions() const {
    std::vector<Attention> result = attentions_;
    for (Attention& attention : result) {
      for (ValueId* named : {&attention.maximum, &attention.exponential, &attention.sum})
        *named = renamed_[at(*named)];
      for (Attention::Member& member : attention.members) member.op = renamed_[at(member.op)];
    }
    return result;
  }

  bool is_empty(ValueId value) const { return num_elements(result_.shape(value).dims) == 0; }

  /// Its result, or an operand, has no elements.
  bool touches_nothing(const Op& op) const {
    if (op.kind == OpKind::parameter) return false;
    return num_elements(op.shape.dims) == 0 ||
           std::ranges::any_of(op.operands, [&](ValueId operand) { return is_empty(operand); });
  }

  /// An op of the same result that reads no empty tensor: kernels know none.
  ValueId without_nothing(Op op) {
    const bool updates = op.kind == OpKind::scatter || op.kind == OpKind::dynamic_update_slice;
    if (op.kind == OpKind::concatenate && num_elements(op.shape.dims) > 0) {
      std::erase_if(op.operands, [&](ValueId operand) { return is_empty(operand); });
    } else if (updates && num_elements(op.shape.dims) > 0) {
      op.kind = OpKind::reshape;
      op.operands.resize(1);
      op.attributes = {};
      return window(std::move(op));
    } else if (op.kind == OpKind::pad && num_elements(op.shape.dims) > 0) {
      op.kind = OpKind::broadcast;
      op.operands = {op.operands[1]};
      op.attributes = DimsAttr{};
      return window(std::move(op));
    } else {
      double value = 0;
      if (const auto* reduce = op.attributes.get_if<ReduceAttr>())
        value = ir::neutral_element(reduce->reduction, op.shape.dtype);
      if (const auto* windows = op.attributes.get_if<WindowAttr>();
          windows && op.kind == OpKind::reduce_window)
        value = ir::neutral_element(windows->reduction, op.shape.dtype);
      op.kind = OpKind::constant;
      op.operands.clear();
      op.attributes = ConstantAttr{{value}};
    }
    return append(std::move(op));
  }

  /// What adds up more than two elements: in 16 bits each sum would be rounded.
  static bool sums(OpKind kind) {
    return kind == OpKind::reduce || kind == OpKind::scatter || kind == OpKind::reduce_window ||
           kind == OpKind::select_and_scatter;
  }

  ValueId computed_in_f32(Op op) {
    const DType dtype = op.shape.dtype;
    for (ValueId& operand : op.operands) {
      if (result_.shape(operand).dtype == dtype) operand = converted(op, operand, DType::f32);
    }
    op.shape.dtype = DType::f32;
    const Op user = op;
    return converted(user, placed(std::move(op)), dtype);
  }

  /// Where its innermost rows are short, in two.
  ValueId reduced(Op op) {
    const Dims& dims = result_.shape(op.operands[0]).dims;
    const auto& [all, reduction] = op.attributes.get<ReduceAttr>();
    const std::optional<ReducedInTwo> two = reduced_in_two(dims, all);
    if (!two) return append(std::move(op));
    Op first = op;
    first.attributes = ReduceAttr{two->first, reduction};
    first.shape.dims = without(dims, two->first);
    op.attributes = ReduceAttr{two->second, reduction};
    op.operands[0] = append(std::move(first));
    return append(std::move(op));
  }

  /// The same; what lies innermost is written out, for no window shows it in rows that are longer.
  ValueId repeated(Op op) {
    const Dims& dims = result_.shape(op.operands[0]).dims;
    const std::optional<RepeatedInTwo> two =
        repeated_in_two(dims, op.attributes.get<DimsAttr>().dims, op.shape.dims);
    if (!two || is_leaf_[at(op.operands[0])]) return window(std::move(op));
    Op inner = op;
    inner.attributes = DimsAttr{two->first};
    inner.shape.dims = two->dims;
    Op row = op, rows = op;
    row.kind = rows.kind = OpKind::reshape;
    row.attributes = rows.attributes = {};
    row.shape.dims = {num_elements(two->dims)};
    rows.shape.dims = two->dims;
    row.operands = {window(std::move(inner))};
    rows.operands = {window(std::move(row))};
    op.operands = {window(std::move(rows))};
    op.attributes = DimsAttr{two->second};
    return window(std::move(op));
  }

  ValueId converted(const Op& user, ValueId value, DType dtype) {
    return append(Op{.kind = OpKind::convert,
                     .phase = user.phase,
                     .shape = {dtype, result_.shape(value).dims},
                     .operands = {value}});
  }

  /// Appends `op` unless it is there already: whoever reads a value through one window only can
  /// have it written in that layout.
  ValueId window(Op op) {
    std::vector<ValueId>& others = windows_[op.operands[0]];
    for (ValueId other : others) {
      const Op& known = result_.op(other);
      if (known.kind == op.kind && known.shape == op.shape && known.attributes == op.attributes) {
        return other;
      }
    }
    others.push_back(append(std::move(op)));
    return others.back();
  }

  /// Where the dot does not take dense operands: lhs becomes [batch, free, contracting], rhs
  /// [batch, contracting, free].
  void order_operands(Op& op) {
    const Dims lhs = result_.shape(op.operands[0]).dims;
    const Dims rhs = result_.shape(op.operands[1]).dims;
    DotAttr dot = op.attributes.get<DotAttr>();
    const Dims a = dense_strides(lhs), b = dense_strides(rhs), c = dense_strides(op.shape.dims);
    if (matmul_of(dot, {lhs, a}, {rhs, b}, {op.shape.dims, c})) return;
    const std::size_t num_batch = dot.lhs_batch.size(), num_inner = dot.lhs_contracting.size();
    const Dims lhs_free = free_dims(lhs.size(), dot.lhs_batch, dot.lhs_contracting);
    const Dims rhs_free = free_dims(rhs.size(), dot.rhs_batch, dot.rhs_contracting);
    op.operands[0] =
        transposed(op, op.operands[0], joined(dot.lhs_batch, lhs_free, dot.lhs_contracting));
    op.operands[1] =
        transposed(op, op.operands[1], joined(dot.rhs_batch, dot.rhs_contracting, rhs_free));
    dot.lhs_batch = dot.rhs_batch = range(0, num_batch);
    dot.lhs_contracting = range(num_batch + lhs_free.size(), num_inner);
    dot.rhs_contracting = range(num_batch, num_inner);
    op.attributes = std::move(dot);
  }

  ValueId transposed(const Op& user, ValueId operand, const Dims& order) {
    if (order == range(0, order.size())) return operand;
    Op op;
    op.kind = OpKind::transpose;
    op.shape.dtype = result_.shape(operand).dtype;
    for (std::int64_t dim : order) op.shape.dims.push_back(result_.shape(operand).dims[at(dim)]);
    op.operands = {operand};
    op.attributes = DimsAttr{order};
    op.phase = user.phase;
    return window(std::move(op));
  }

  /// `output`, or a copy of it where it is there before the program runs.
  ValueId computed(ValueId output) {
    const Op& value = result_.producer(output);
    if (value.kind != OpKind::parameter && value.kind != OpKind::constant) return output;
    Op op;
    op.kind = OpKind::reshape;
    op.shape = value.shape;
    op.operands = {output};
    return append(std::move(op));
  }

  /// Made of iotas and constants alone, where it is read: storage.cpp.
  bool is_leaf(const Op& op) const {
    if (op.kind == OpKind::constant || op.kind == OpKind::iota || op.kind == OpKind::axis_index)
      return true;
    return !op.operands.empty() && (ir::is_elementwise(op.kind) || ir::traits(op.kind).view) &&
           std::ranges::all_of(op.operands, [&](ValueId id) { return is_leaf_[at(id)]; });
  }

  ValueId append(Op op) {
    is_leaf_.push_back(is_leaf(op));
    result_.ops.push_back(std::move(op));
    made_for_.push_back(now_);
    return result_.size() - 1;
  }

  const Program& program_;
  const std::vector<Attention>& attentions_;
  const std::vector<bool> is_attention_;
  ValueId now_ = kNoValue;
  std::vector<ValueId> made_for_;
  std::vector<bool> is_leaf_;  ///< per op of result_
  std::vector<ValueId> renamed_;
  std::unordered_map<ValueId, std::vector<ValueId>> windows_;  ///< of a value, in result_
  Program result_;
};

}  // namespace

std::vector<bool> needed_ops(const Program& program) {
  std::vector<bool> needed(program.ops.size());
  for (const Output& output : program.outputs) needed[at(output.value)] = true;
  for (ValueId id = program.size() - 1; id >= 0; --id) {
    const Op& op = program.op(id);
    if (op.kind == OpKind::parameter) needed[at(id)] = true;
    if (!needed[at(id)]) continue;
    for (ValueId operand : op.operands) needed[at(operand)] = true;
  }
  return needed;
}

Prepared prepared(const Program& program, const std::vector<Attention>& attentions) {
  return Preparation(program, attentions).run();
}

}  // namespace rhino::lower
