// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "ir/builder.hpp"
#include "ir/op_info.hpp"
#include "rhino/index.hpp"
#include "sharding/partition.hpp"
#include "sharding/reshard_path.hpp"

namespace rhino::sharding {
namespace {

/// One dim of a tile that has been reshaped so that every digit that moves is a dim of its own.
struct SubDim {
  enum class Role : std::uint8_t {
    kept,
    leaving,   ///< a digit that was split and is not: absent from the tile before, whole after
    entering,  ///< a digit that is split and was not: whole in the tile before, absent after
  } role = Role::kept;
  std::int64_t extent = 1;
  std::int32_t axis = -1;
};

/// Appends the ops of one move after the other; `layout` is what the value lies in before.
class MoveEmitter {
 public:
  MoveEmitter(ir::Builder& builder, const Shape& global, const Mesh& mesh, Layout layout)
      : builder_(builder), global_(global), mesh_(mesh), layout_(std::move(layout)) {}

  ValueId emit(ValueId value, const Move& move) {
    const ValueId result = emit_kind(value, move);
    layout_ = move.after;
    return result;
  }

 private:
  using Role = SubDim::Role;

  ValueId emit_kind(ValueId value, const Move& move) {
    switch (move.kind) {
      case Move::Kind::slice: return slice(value, move);
      case Move::Kind::mask: return mask(value, move);
      case Move::Kind::spread: return spread(value, move);
      case Move::Kind::all_reduce: return collective(OpKind::all_reduce, value, move);
      case Move::Kind::reduce_scatter:
      case Move::Kind::all_gather:
      case Move::Kind::all_to_all: return exchange(value, move);
    }
    return value;
  }

  const Placement& before(std::int32_t axis) const {
    return layout_[static_cast<std::size_t>(axis)];
  }

  std::int64_t group_size(const Move& move) const {
    std::int64_t size = 1;
    for (std::int32_t axis : move.axes) size *= mesh_.axes[static_cast<std::size_t>(axis)].size;
    return size;
  }

  /// Dims that no moving digit lies in stay as they are; others fall into digits and what lies
  /// between, without extents of 1.
  std::vector<SubDim> sub_dims(const Move& move) const {
    std::vector<SubDim> result;
    for (std::size_t d = 0; d < global_.dims.size(); ++d) append_sub_dims(result, move, d);
    return result;
  }

  void append_sub_dims(std::vector<SubDim>& result, const Move& move, std::size_t d) const {
    const auto dim = static_cast<std::int32_t>(d);
    std::vector<Digit> digits = digits_of(layout_, dim, mesh_);
    const std::size_t num_before = digits.size();
    for (const Digit& digit : digits_of(move.after, dim, mesh_)) {
      if (contains(move.axes, digit.axis)) digits.push_back(digit);
    }
    bool moves = digits.size() > num_before;
    for (std::size_t i = 0; i < num_before; ++i) moves |= contains(move.axes, digits[i].axis);
    nest(digits, global_.dims[d]);
    std::int64_t rest = global_.dims[d], kept = 1;
    const auto flush = [&] {
      if (kept != 1 || !moves) result.push_back({Role::kept, kept, -1});
      kept = 1;
    };
    for (const Digit& digit : digits) {
      kept *= rest / digit.period;
      rest = digit.period / digit.parts;
      if (!contains(move.axes, digit.axis)) continue;
      flush();
      const Placement& was = before(digit.axis);
      const bool leaving =
          was.kind == Placement::Kind::split && was.dim == dim && was.period == digit.period;
      result.push_back({leaving ? Role::leaving : Role::entering, digit.parts, digit.axis});
    }
    kept *= rest;
    flush();
  }

  ValueId reshape(ValueId value, std::vector<std::int64_t> dims) {
    return builder_.shape(value).dims == dims ? value : builder_.reshape(value, std::move(dims));
  }

  ValueId transpose(ValueId value, std::vector<std::int64_t> permutation) {
    if (std::is_sorted(permutation.begin(), permutation.end())) return value;
    return builder_.transpose(value, std::move(permutation));
  }

  ValueId axis_index(std::int32_t axis) { return builder_.axis_index({axis}); }

  /// Start indices: this device's part of each dim of `role`, 0 elsewhere.
  std::vector<ValueId> starts_at(const std::vector<SubDim>& dims, Role role) {
    std::vector<ValueId> starts;
    const ValueId zero = builder_.constant(DType::s32, 0);
    for (const SubDim& dim : dims) starts.push_back(dim.role == role ? axis_index(dim.axis) : zero);
    return starts;
  }

  static std::vector<std::int64_t> extents(const std::vector<SubDim>& dims, Role shortened) {
    std::vector<std::int64_t> result;
    for (const SubDim& dim : dims) result.push_back(dim.role == shortened ? 1 : dim.extent);
    return result;
  }

  ValueId slice(ValueId value, const Move& move) {
    const std::vector<SubDim> dims = sub_dims(move);
    value = reshape(value, extents(dims, Role::leaving));
    value = builder_.dynamic_slice(value, starts_at(dims, Role::entering),
                                   extents(dims, Role::entering));
    return reshape(value, tile_dims(global_.dims, move.after, mesh_));
  }

  /// The whole value on the first device of the group, neutral elements on the others.
  ValueId mask(ValueId value, const Move& move) {
    const Reduction reduction = move.after[static_cast<std::size_t>(move.axes[0])].reduction;
    if (reduction != Reduction::sum && reduction != Reduction::product) return value;
    const Shape shape = builder_.shape(value);
    const ValueId index = builder_.axis_index(move.axes);
    const ValueId first = builder_.compare(Comparison::eq, index, builder_.constant(DType::s32, 0));
    return builder_.select(builder_.broadcast_in_dim(first, shape.dims, {}), value,
                           builder_.fill(shape, ir::neutral_element(reduction, shape.dtype)));
  }

  /// Every device's part in its place among neutral elements.
  ValueId spread(ValueId value, const Move& move) {
    const Reduction reduction = move.after[static_cast<std::size_t>(move.axes[0])].reduction;
    const std::vector<SubDim> dims = sub_dims(move);
    const Shape whole{global_.dtype, extents(dims, Role::entering)};
    const ValueId neutral = builder_.fill(whole, ir::neutral_element(reduction, whole.dtype));
    value = reshape(value, extents(dims, Role::leaving));
    value = builder_.dynamic_update_slice(neutral, value, starts_at(dims, Role::leaving));
    return reshape(value, tile_dims(global_.dims, move.after, mesh_));
  }

  ValueId collective(OpKind kind, ValueId value, const Move& move) {
    Op op;
    op.kind = kind;
    op.operands = {value};
    op.attributes = CollectiveAttr{move.axes, before(move.axes[0]).reduction};
    op.shape = builder_.shape(value);
    const std::int64_t group = group_size(move);
    if (kind == OpKind::all_gather) op.shape.dims.insert(op.shape.dims.begin(), group);
    if (kind == OpKind::reduce_scatter) op.shape.dims.erase(op.shape.dims.begin());
    return builder_.add(std::move(op), group);
  }

  /// Reduce-scatter, all-gather, all-to-all: entering digits to the front, the collective over
  /// them, leaving digits from the front to where they belong.
  ValueId exchange(ValueId value, const Move& move) {
    const std::vector<SubDim> dims = sub_dims(move);
    std::vector<std::int64_t> rest;
    for (const SubDim& dim : dims) {
      if (dim.role == Role::kept) rest.push_back(dim.extent);
    }
    std::vector<std::int64_t> with_group = rest;
    with_group.insert(with_group.begin(), group_size(move));
    if (move.kind == Move::Kind::all_gather) {
      value = reshape(value, rest);
      value = collective(OpKind::all_gather, value, move);
      return from_front(value, dims, move);
    }
    value = to_front(value, dims, move);
    value = reshape(value, with_group);
    if (move.kind == Move::Kind::all_to_all) {
      value = collective(OpKind::all_to_all, value, move);
      return from_front(value, dims, move);
    }
    value = collective(OpKind::reduce_scatter, value, move);
    return reshape(value, tile_dims(global_.dims, move.after, mesh_));
  }

  /// Positions in `dims` (those of `absent` role not counted): first the digits of `role` in the
  /// order of the move's axes, then the kept dims.
  static std::vector<std::int64_t> front_order(const std::vector<SubDim>& dims, Role role,
                                               const Move& move) {
    std::vector<std::int64_t> order(move.axes.size()), kept;
    std::int64_t position = 0;
    for (const SubDim& dim : dims) {
      if (dim.role == Role::kept) kept.push_back(position++);
      if (dim.role != role) continue;
      const auto rank = std::find(move.axes.begin(), move.axes.end(), dim.axis);
      order[static_cast<std::size_t>(rank - move.axes.begin())] = position++;
    }
    order.insert(order.end(), kept.begin(), kept.end());
    return order;
  }

  ValueId to_front(ValueId value, const std::vector<SubDim>& dims, const Move& move) {
    std::vector<std::int64_t> expanded;
    for (const SubDim& dim : dims) {
      if (dim.role != Role::leaving) expanded.push_back(dim.extent);
    }
    value = reshape(value, std::move(expanded));
    return transpose(value, front_order(dims, Role::entering, move));
  }

  ValueId from_front(ValueId value, const std::vector<SubDim>& dims, const Move& move) {
    std::vector<std::int64_t> present;
    for (const SubDim& dim : dims) {
      if (dim.role != Role::entering) present.push_back(dim.extent);
    }
    const std::vector<std::int64_t> order = front_order(dims, Role::leaving, move);
    std::vector<std::int64_t> expanded, back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      expanded.push_back(present[static_cast<std::size_t>(order[i])]);
      back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    }
    const bool in_order = std::is_sorted(back.begin(), back.end());
    if (!in_order) value = transpose(reshape(value, std::move(expanded)), std::move(back));
    return reshape(value, tile_dims(global_.dims, move.after, mesh_));
  }

  ir::Builder& builder_;
  const Shape& global_;
  const Mesh& mesh_;
  Layout layout_;
};

}  // namespace

ValueId append_reshard(ir::Builder& builder, ValueId value, const Shape& global,
                       const ShardingSpec& from, const ShardingSpec& to, const Mesh& mesh) {
  if (from == to) return value;
  Layout start = layout_of(from, mesh);
  const Layout goal = layout_of(to, mesh);
  const std::vector<Move> moves = reshard_path(global.dims, start, goal, mesh);
  MoveEmitter emitter(builder, global, mesh, std::move(start));
  for (const Move& move : moves) value = emitter.emit(value, move);
  return value;
}

}  // namespace rhino::sharding
