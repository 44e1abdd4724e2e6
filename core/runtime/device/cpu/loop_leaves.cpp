// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/loop_leaves.hpp"

#include <algorithm>
#include <utility>

#include "ir/op_info.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/narrow_float.hpp"

namespace rhino::runtime {
namespace {

/// Visits the elements of its result, which are not those of its operand.
bool moves_elements(OpKind kind) {
  return kind == OpKind::broadcast || kind == OpKind::transpose || kind == OpKind::slice ||
         kind == OpKind::reverse;
}

}  // namespace

BlockOperand LoopLeaves::operand(ValueId op, std::size_t index, bool per_row) {
  const Op& o = program_.op(op);
  const ValueId leaf = o.operands[index];
  const bool moves = moves_elements(o.kind);
  const lower::Dims& dims = moves ? o.shape.dims : program_.shape(leaf).dims;
  const Coordinates own = identity(dims);
  return at_coordinates(leaf, moves ? before(o, own) : own, {dims, per_row});
}

BlockOperand LoopLeaves::value(ValueId op, bool per_row) {
  const lower::Dims& dims = program_.shape(op).dims;
  return at_coordinates(op, identity(dims), {dims, per_row});
}

LoopLeaves::Coordinates LoopLeaves::identity(const lower::Dims& dims) {
  Coordinates coordinates(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    coordinates[i] = {static_cast<std::int32_t>(i), 1, 0};
  }
  return coordinates;
}

/// Coordinates of the operand of a window op from those of its result.
LoopLeaves::Coordinates LoopLeaves::before(const Op& op, const Coordinates& coordinates) const {
  const lower::Dims& dims = program_.shape(op.operands[0]).dims;
  Coordinates result(dims.size());
  if (op.kind == OpKind::reshape) return result;  // of a leaf that is the same everywhere
  if (op.kind == OpKind::slice) {
    const SliceAttr& slice = op.attributes.get<SliceAttr>();
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const auto [dim, factor, start] = coordinates[i];
      result[i] = {dim, factor * slice.strides[i], start * slice.strides[i] + slice.starts[i]};
    }
    return result;
  }
  const lower::Dims& listed = op.attributes.get<DimsAttr>().dims;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (op.kind == OpKind::transpose) {
      result[at(listed[i])] = coordinates[i];
    } else if (op.kind == OpKind::broadcast) {
      if (dims[i] == op.shape.dims[at(listed[i])]) result[i] = coordinates[at(listed[i])];
    } else {
      const bool turns = std::ranges::find(listed, static_cast<std::int64_t>(i)) != listed.end();
      const auto [dim, factor, start] = coordinates[i];
      result[i] = turns ? Along{dim, -factor, dims[i] - 1 - start} : coordinates[i];
    }
  }
  return result;
}

BlockOperand LoopLeaves::at_coordinates(ValueId id, const Coordinates& coordinates,
                                        const Visited& visited) {
  const auto key = std::make_tuple(id, coordinates, visited);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  return known_[key] = compute(id, coordinates, visited);
}

BlockOperand LoopLeaves::compute(ValueId id, const Coordinates& coordinates,
                                 const Visited& visited) {
  const Op& op = program_.op(id);
  if (op.kind == OpKind::constant) {
    return emitter_.constant(op.shape.dtype, op.attributes.get<ConstantAttr>().elements.at(0));
  }
  if (op.kind == OpKind::iota) {
    return count(op, coordinates[at(op.attributes.get<DimAttr>().dim)], visited);
  }
  if (!ir::is_elementwise(op.kind)) {
    return at_coordinates(op.operands[0], before(op, coordinates), visited);
  }
  std::vector<BlockOperand> operands;
  for (ValueId operand : op.operands) {
    operands.push_back(at_coordinates(operand, coordinates, visited));
  }
  return emitter_.map(op, std::move(operands), std::nullopt);
}

BlockOperand LoopLeaves::count(const Op& iota, const Along& along, const Visited& visited) {
  if (is_narrow(iota.shape.dtype)) throw Unsupported{};
  BlockInstruction count;
  count.kind = BlockInstruction::Kind::count;
  count.extent = Extent::splat;
  count.start = along.start;
  if (along.dim >= 0) {
    count.stride = lower::dense_strides(visited.dims)[at(along.dim)];
    count.extent_of_dim = visited.dims[at(along.dim)];
    count.factor = along.factor;
    if (visited.per_row)
      count.stride *= emitter_.columns();  // instructions count elements of the nest
    const std::int64_t columns = emitter_.columns();
    count.extent = count.stride % columns == 0                           ? Extent::row
                   : columns % (count.stride * count.extent_of_dim) == 0 ? Extent::column
                                                                         : Extent::full;
  }
  count.to = emitter_.new_register(count.extent, iota.shape.dtype);
  const BlockOperand result = count.to;
  emitter_.emit(std::move(count));
  return result;
}

}  // namespace rhino::runtime
