// SPDX-License-Identifier: Apache-2.0
#include "lower/score_axes.hpp"

#include <algorithm>

#include "ir/element.hpp"
#include "ir/op_info.hpp"
#include "lower/matmul.hpp"
#include "lower/view.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

using Axes = Attention::Axes;

constexpr std::int64_t kMostDepth = 256;

/// Dims of extent 1 come and go.
std::optional<Axes> before_reshape(const Dims& from, const Dims& to, const Axes& axes) {
  Axes result(from.size(), Attention::kOne);
  std::size_t next = 0;
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (from[d] == 1) continue;
    while (next < to.size() && to[next] == 1) ++next;
    if (next == to.size() || to[next] != from[d]) return std::nullopt;
    result[d] = axes[next++];
  }
  return result;
}

/// Gives one dim of more than one element the axis kDepth.
class Depth {
 public:
  std::int32_t axis(std::int64_t extent) {
    if (extent == 1) return Attention::kOne;
    is_one_ = is_one_ && extent_ == 1 && extent <= kMostDepth;
    extent_ = extent;
    return Attention::kDepth;
  }
  bool fits() const { return is_one_; }
  std::int64_t extent() const { return extent_; }

 private:
  std::int64_t extent_ = 1;
  bool is_one_ = true;
};

struct Side {
  const Dims &batch, &contracting;
  Dims free, dims;
};

Side side_of(const Program& program, const Op& dot, std::size_t operand) {
  const DotAttr& attr = dot.attributes.get<DotAttr>();
  const Dims& dims = program.shape(dot.operands[operand]).dims;
  const Dims& batch = operand == 0 ? attr.lhs_batch : attr.rhs_batch;
  const Dims& contracting = operand == 0 ? attr.lhs_contracting : attr.rhs_contracting;
  return {batch, contracting, free_dims(dims.size(), batch, contracting), dims};
}

}  // namespace

std::optional<Axes> axes_of_operand(const Program& program, ValueId id, const Axes& axes,
                                    std::size_t index) {
  const Op& op = program.op(id);
  if (ir::is_elementwise(op.kind)) return axes;
  if (op.operands.size() != 1) return std::nullopt;
  const Dims& dims = program.shape(op.operands[index]).dims;
  if (op.kind == OpKind::reshape) return before_reshape(dims, op.shape.dims, axes);
  if (op.kind != OpKind::broadcast && op.kind != OpKind::transpose) return std::nullopt;
  const Dims& map = op.attributes.get<DimsAttr>().dims;
  Axes result(dims.size(), Attention::kOne);
  if (op.kind == OpKind::transpose) {
    for (std::size_t d = 0; d < map.size(); ++d) result[at(map[d])] = axes[d];
  } else {
    for (std::size_t d = 0; d < map.size(); ++d) {
      if (dims[d] > 1) result[d] = axes[at(map[d])];
    }
  }
  return result;
}

std::optional<DotAxes> product_axes(const Program& program, ValueId id, const Axes& axes) {
  const Op& dot = program.op(id);
  const Side lhs = side_of(program, dot, 0), rhs = side_of(program, dot, 1);
  DotAxes result{Axes(lhs.dims.size()), Axes(rhs.dims.size()), axes};
  std::size_t next = 0;
  for (std::size_t i = 0; i < lhs.batch.size(); ++i, ++next)
    result.lhs[at(lhs.batch[i])] = result.rhs[at(rhs.batch[i])] = axes[next];
  for (std::int64_t dim : lhs.free) result.lhs[at(dim)] = axes[next++];
  for (std::int64_t dim : rhs.free) result.rhs[at(dim)] = axes[next++];
  Depth depth;
  for (std::size_t i = 0; i < lhs.contracting.size(); ++i)
    result.lhs[at(lhs.contracting[i])] = result.rhs[at(rhs.contracting[i])] =
        depth.axis(lhs.dims[at(lhs.contracting[i])]);
  result.depth = depth.extent();
  return depth.fits() ? std::optional(result) : std::nullopt;
}

std::optional<DotAxes> result_axes(const Program& program, ValueId id, std::size_t scores,
                                   const Axes& axes) {
  const Op& dot = program.op(id);
  const Side seen = side_of(program, dot, scores), other = side_of(program, dot, 1 - scores);
  DotAxes result;
  Axes others(other.dims.size()), free;
  for (std::size_t i = 0; i < seen.batch.size(); ++i) {
    others[at(other.batch[i])] = axes[at(seen.batch[i])];
    result.result.push_back(axes[at(seen.batch[i])]);
  }
  for (std::size_t i = 0; i < seen.contracting.size(); ++i)
    others[at(other.contracting[i])] = axes[at(seen.contracting[i])];
  Depth depth;
  for (std::int64_t dim : other.free) others[at(dim)] = depth.axis(other.dims[at(dim)]);
  const auto add_free = [&](const Side& side, const Axes& from) {
    for (std::int64_t dim : side.free) result.result.push_back(from[at(dim)]);
  };
  scores == 0 ? add_free(seen, axes) : add_free(other, others);
  scores == 0 ? add_free(other, others) : add_free(seen, axes);
  result.lhs = scores == 0 ? axes : others;
  result.rhs = scores == 0 ? others : axes;
  result.depth = depth.extent();
  return depth.fits() ? std::optional(result) : std::nullopt;
}

std::optional<double> splat_of(const Program& program, ValueId value) {
  const Op& op = program.producer(value);
  if (op.kind == OpKind::constant) {
    const std::vector<double>& elements = op.attributes.get<ConstantAttr>().elements;
    return elements.size() == 1 ? std::optional(elements[0]) : std::nullopt;
  }
  const bool passes = op.kind == OpKind::convert || op.kind == OpKind::broadcast ||
                      op.kind == OpKind::reshape || op.kind == OpKind::transpose;
  return passes ? splat_of(program, op.operands[0]) : std::nullopt;
}

std::optional<AxisIndex> index_of(const Program& program, ValueId value, const Axes& axes) {
  const Op& op = program.producer(value);
  if (op.kind == OpKind::iota) return AxisIndex{axes[at(op.attributes.get<DimAttr>().dim)], 0};
  if (op.kind == OpKind::add) {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::optional<double> term = splat_of(program, op.operands[1 - i]);
      std::optional<AxisIndex> index =
          term ? index_of(program, op.operands[i], axes) : std::nullopt;
      if (!index) continue;
      index->plus += static_cast<std::int64_t>(*term);
      return index;
    }
    return std::nullopt;
  }
  const bool is_window =
      op.kind == OpKind::broadcast || op.kind == OpKind::reshape || op.kind == OpKind::transpose;
  const bool is_wide = op.kind == OpKind::convert && dtype_bytes(op.shape.dtype) >= 4;
  if (!is_window && !is_wide) return std::nullopt;
  const std::optional<Axes> before = axes_of_operand(program, value, axes, 0);
  return before ? index_of(program, op.operands[0], *before) : std::nullopt;
}

}  // namespace rhino::lower
