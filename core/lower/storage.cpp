// SPDX-License-Identifier: Apache-2.0
#include "lower/storage.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "lower/matmul.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

bool is_view_op(OpKind kind) { return ir::traits(kind).view; }

bool is_splat(const Op& op) {
  return op.kind == OpKind::constant && op.attributes.get<ConstantAttr>().elements.size() == 1;
}

class StorageAnalysis {
 public:
  StorageAnalysis(const Program& program, const std::vector<Attention>& attentions)
      : program_(program),
        users_(ir::users_of(program)),
        is_output_(program.ops.size()),
        is_attention_(are_attention(program, attentions)) {
    const std::size_t count = program.ops.size();
    storage_.roles.resize(count);
    storage_.views.resize(count);
    storage_.source.assign(count, kNoValue);
    storage_.fused_add.assign(count, kNoValue);
    placed_.resize(count);
    for (const Output& output : program.outputs) is_output_[at(output.value)] = true;
  }

  Storage run() {
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (!placed_[at(id)]) classify(id);
    }
    return std::move(storage_);
  }

 private:
  const Op& op(ValueId id) const { return program_.op(id); }
  const Dims& dims(ValueId id) const { return op(id).shape.dims; }
  View& view(ValueId id) { return storage_.views[at(id)]; }
  Role& role(ValueId id) { return storage_.roles[at(id)]; }

  void classify(ValueId id) {
    if (op(id).kind == OpKind::parameter ||
        (op(id).kind == OpKind::constant && !is_splat(op(id)))) {
      role(id) = Role::given;
      view(id) = dense_view(id, dims(id));
    } else if (can_be_leaf(id) && !is_read_from_memory(id)) {
      role(id) = Role::leaf;
    } else if (!become_view(id)) {
      make(id);
    }
  }

  /// Reshapes of iotas would need divisions for every element: only those that keep the order of
  /// splats are leaves.
  bool can_be_leaf(ValueId id) const {
    const Op& o = op(id);
    if (o.kind == OpKind::iota || o.kind == OpKind::axis_index || is_splat(o)) return true;
    if (!ir::is_elementwise(o.kind) && !is_view_op(o.kind)) return false;
    return std::ranges::all_of(o.operands, [&](ValueId operand) {
      return storage_.roles[at(operand)] == Role::leaf &&
             (o.kind != OpKind::reshape || is_uniform(operand));
    });
  }

  bool is_uniform(ValueId id) const {
    const Op& o = op(id);
    if (o.kind == OpKind::iota) return false;
    return std::ranges::all_of(o.operands, [&](ValueId operand) { return is_uniform(operand); });
  }

  /// Outputs and operands of kernels other than loops; the table of a scatter or update that begins
  /// as a splat is filled by the op.
  bool is_read_from_memory(ValueId id) const {
    if (is_output_[at(id)]) return true;
    return std::ranges::any_of(users_[at(id)], [&](ValueId user) {
      const Op& o = op(user);
      if (is_loop_op(program_, user) || is_view_op(o.kind)) return false;
      const bool fills = o.kind == OpKind::scatter || o.kind == OpKind::dynamic_update_slice;
      const bool is_table = o.operands[0] == id && std::ranges::count(o.operands, id) == 1;
      if (fills && is_table && is_splat(op(id))) return false;
      return !(o.kind == OpKind::pad && o.operands[1] == id && is_splat(op(id)));
    });
  }

  bool become_view(ValueId id) {
    if (!is_view_op(op(id).kind)) return false;
    const ValueId operand = op(id).operands[0];
    if (view(operand).base == kNoValue) return false;
    std::optional<View> result = view_of(op(id), dims(operand), view(operand));
    if (!result) return false;
    if (!is_dense(*result, dims(id)) && needs_dense(id)) return false;
    if (is_output_[at(id)] && !can_hold_output(id, *result)) return false;
    role(id) = Role::view;
    view(id) = std::move(*result);
    storage_.source[at(id)] = storage_.source[at(operand)];
    return true;
  }

  /// Kernels other than loops, dots and concatenations read dense operands.
  bool needs_dense(ValueId id) const {
    return std::ranges::any_of(users_[at(id)], [&](ValueId user) {
      const OpKind kind = op(user).kind;
      return !is_loop_op(program_, user) && !is_view_op(kind) && kind != OpKind::dot &&
             kind != OpKind::concatenate;
    });
  }

  /// An output is the whole of a value that no other output is.
  bool can_hold_output(ValueId id, const View& result) const {
    return is_dense(result, dims(id)) &&
           num_elements(dims(id)) == num_elements(dims(result.base)) &&
           storage_.roles[at(result.base)] != Role::given;
  }

  void make(ValueId id) {
    role(id) = Role::made;
    storage_.source[at(id)] = id;
    view(id) = dense_view(id, dims(id));
    if (op(id).kind == OpKind::dot) {
      if (!is_attention_[at(id)]) make_readable(id);
      direct(id);
    } else if (ir::is_elementwise(op(id).kind)) {
      direct(id);
    }
  }

  /// Copies operands that no matrix product takes as they lie: the left one if that is enough, else
  /// the right one, else both.
  void make_readable(ValueId dot) {
    const ValueId lhs = op(dot).operands[0], rhs = op(dot).operands[1];
    const View lhs_copy = dense_view(lhs, dims(lhs)), rhs_copy = dense_view(rhs, dims(rhs));
    if (reads(dot, view(lhs), view(rhs))) return;
    const bool left_is_enough = reads(dot, lhs_copy, view(rhs));
    const bool right_is_enough = reads(dot, view(lhs), rhs_copy);
    if (left_is_enough || !right_is_enough) copy_operand(lhs);
    if (!left_is_enough) copy_operand(rhs);
  }

  bool reads(ValueId dot, const View& lhs, const View& rhs) const {
    return is_matmul(dot, lhs.strides, rhs.strides, dense_strides(dims(dot)));
  }

  bool is_matmul(ValueId dot, const Dims& lhs, const Dims& rhs, const Dims& result) const {
    const std::vector<ValueId>& operands = op(dot).operands;
    return matmul_of(op(dot).attributes.get<DotAttr>(), {dims(operands[0]), lhs},
                     {dims(operands[1]), rhs}, {dims(dot), result})
        .has_value();
  }

  void copy_operand(ValueId operand) {
    if (role(operand) != Role::view || is_dense(view(operand), dims(operand))) return;
    role(operand) = Role::made;
    storage_.source[at(operand)] = operand;
    view(operand) = dense_view(operand, dims(operand));
  }

  ValueId sole_user(ValueId id) const {
    const std::vector<ValueId>& users = users_[at(id)];
    return users.size() == 1 && !is_output_[at(id)] ? users[0] : kNoValue;
  }

  /// Follows what alone reads `id`: transposes and reshapes, then maybe an add that accumulates or
  /// a concatenation; lets `id` be written where these want it.
  void direct(ValueId id) {
    std::vector<ValueId> chain{id};
    while (true) {
      const ValueId next = sole_user(chain.back());
      if (next == kNoValue) break;
      const OpKind kind = op(next).kind;
      if (kind != OpKind::transpose && kind != OpKind::reshape) break;
      if (placed_[at(next)]) break;
      chain.push_back(next);
    }
    const bool is_dot = op(id).kind == OpKind::dot;
    if (place_in_concatenation(chain)) return;
    if (is_dot && accumulate(chain)) return;
    while (is_dot && chain.size() > 1) {
      if (place(chain, dense_view(chain.back(), dims(chain.back())))) return;
      chain.pop_back();
    }
  }

  bool place_in_concatenation(const std::vector<ValueId>& chain) {
    const ValueId last = chain.back(), user = sole_user(last);
    if (user == kNoValue || op(user).kind != OpKind::concatenate) return false;
    if (std::ranges::count(op(user).operands, last) != 1 || is_updated_state(user)) return false;
    const auto dim = at(op(user).attributes.get<DimAttr>().dim);
    View window = dense_view(user, dims(user));
    for (ValueId part : op(user).operands) {
      if (part == last) break;
      window.offset += dims(part)[dim] * window.strides[dim];
    }
    return place(chain, std::move(window));
  }

  bool is_updated_state(ValueId id) const {
    return std::ranges::any_of(program_.outputs, [&](const Output& output) {
      return output.value == id && output.kind == OutputKind::updated_state;
    });
  }

  bool accumulate(std::vector<ValueId> chain) {
    const ValueId add = sole_user(chain.back());
    if (add == kNoValue || op(add).kind != OpKind::add || is_attention_[at(chain[0])] ||
        op(add).shape.dtype != op(chain[0]).shape.dtype)
      return false;
    const std::vector<ValueId>& terms = op(add).operands;
    const ValueId other = terms[0] == chain.back() ? terms[1] : terms[0];
    if (other == chain.back() || !overwrites(add, other)) return false;
    chain.push_back(add);
    if (!place(chain, dense_view(add, dims(add)))) return false;
    storage_.fused_add[at(chain[0])] = add;
    return true;
  }

  /// Whether output `add` replaces input `state`, which only it reads.
  bool overwrites(ValueId add, ValueId state) const {
    if (op(state).kind != OpKind::parameter || users_[at(state)].size() != 1 ||
        is_output_[at(state)])
      return false;
    std::int32_t num_outputs = 0;
    bool replaces = false;
    for (const Output& output : program_.outputs) {
      if (output.value != add) continue;
      ++num_outputs;
      replaces = output.kind == OutputKind::updated_state &&
                 program_.inputs[at(output.input)].value == state;
    }
    return num_outputs == 1 && replaces;
  }

  /// Lets the values of `chain` be windows such that its last one is `last`. The first one must
  /// still be writable by its op.
  bool place(const std::vector<ValueId>& chain, View last) {
    std::vector<View> views(chain.size());
    views.back() = std::move(last);
    for (std::size_t i = chain.size() - 1; i > 0; --i) {
      std::optional<Dims> strides =
          strides_before(op(chain[i]), dims(chain[i - 1]), views[i].strides);
      if (!strides) return false;
      views[i - 1] = {views[i].base, views[i].offset, std::move(*strides)};
    }
    if (op(chain[0]).kind == OpKind::dot && !is_writable(chain[0], views[0].strides)) return false;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      view(chain[i]) = std::move(views[i]);
      storage_.source[at(chain[i])] = chain[0];
      if (i > 0) role(chain[i]) = Role::view;
      placed_[at(chain[i])] = true;
    }
    return true;
  }

  /// Strides of the operand of a transpose, reshape or elementwise op whose result lies at
  /// `strides`.
  static std::optional<Dims> strides_before(const Op& op, const Dims& operand_dims,
                                            const Dims& strides) {
    if (op.kind == OpKind::reshape) return reshaped_strides(op.shape.dims, strides, operand_dims);
    if (op.kind != OpKind::transpose) return strides;
    const Dims& from = op.attributes.get<DimsAttr>().dims;
    Dims before(strides.size());
    for (std::size_t i = 0; i < from.size(); ++i) before[at(from[i])] = strides[i];
    return before;
  }

  bool is_writable(ValueId dot, const Dims& strides) {
    if (is_attention_[at(dot)]) return true;
    const std::vector<ValueId>& operands = op(dot).operands;
    return is_matmul(dot, view(operands[0]).strides, view(operands[1]).strides, strides);
  }

  const Program& program_;
  std::vector<std::vector<ValueId>> users_;
  std::vector<bool> is_output_;
  std::vector<bool> is_attention_;
  std::vector<bool> placed_;  ///< views are final
  Storage storage_;
};

}  // namespace

bool is_loop_op(const Program& program, ValueId id) {
  const OpKind kind = program.op(id).kind;
  return ir::is_elementwise(kind) || kind == OpKind::reduce;
}

bool runs_in_loop(const Program& program, ValueId id) {
  const OpKind kind = program.op(id).kind;
  return is_loop_op(program, id) || is_view_op(kind) || kind == OpKind::constant ||
         kind == OpKind::iota || kind == OpKind::axis_index;
}

Storage analyze_storage(const Program& program, const std::vector<Attention>& attentions) {
  return StorageAnalysis(program, attentions).run();
}

}  // namespace rhino::lower
