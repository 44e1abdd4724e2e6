// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>
#include <utility>

#include "ir/element.hpp"
#include "ir/op_info.hpp"
#include "lower/loop_space.hpp"
#include "runtime/device/cpu/block_registers.hpp"
#include "runtime/device/cpu/block_window.hpp"
#include "runtime/device/cpu/loop_program.hpp"

namespace rhino {
namespace {

using Instruction = BlockInstruction;
using Where = BlockOperand::Where;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

bool has_block_type(DType dtype) {
  return dtype == DType::f32 || dtype == DType::f64 || dtype == DType::s32 || dtype == DType::pred;
}

/// Thrown inside of the compiler where an op has no block function.
struct Unsupported {};

/// Where along one dim of the elements that an op visits a leaf's coordinate lies: coordinate *
/// factor + start.
struct Along {
  std::int32_t dim = -1;  ///< -1: nowhere, start alone
  std::int64_t factor = 0, start = 0;
  auto operator<=>(const Along&) const = default;
};

Extent joined(Extent a, Extent b) {
  if (a == b || b == Extent::splat) return a;
  return a == Extent::splat ? b : Extent::full;
}

class LoopCompiler {
 public:
  LoopCompiler(const LoweredProgram& lowered, const LoopNest& nest, const KernelGroup& group)
      : lowered_(lowered), nest_(nest), group_(group) {
    loop_.rows = nest.rows;
    loop_.columns = nest.columns;
  }

  LoopProgram run() {
    for (const LoopNest::Member& member : nest_.members) {
      is_member_[member.op] = true;
      if (member.folds) loop_.folds = true;
    }
    for (const LoopNest::Member& member : nest_.members) compile(member);
    for (Instruction& store : stores_) emit(std::move(store));
    assign_registers(loop_, num_registers_);
    return std::move(loop_);
  }

 private:
  const Program& program() const { return lowered_.program; }
  const Op& op(ValueId id) const { return program().op(id); }

  // Members.

  void compile(const LoopNest::Member& member) {
    const Op& o = op(member.op);
    if (!has_block_type(o.shape.dtype)) throw Unsupported{};
    if (o.kind == OpKind::reduce) {
      member.folds ? fold(member) : accumulate(member);
    } else if (is_elementwise(o.kind)) {
      std::vector<BlockOperand> operands;
      for (std::size_t i = 0; i < o.operands.size(); ++i) operands.push_back(operand(member, i));
      finish(member, map(o, std::move(operands), destination(member)));
    } else if (o.operands.empty()) {  // a leaf that is read from memory
      finish(member, leaf(member.op, identity(o.shape.dims), {o.shape.dims, member.per_row}));
    } else {  // a window that is copied
      const BlockOperand value = operand(member, 0);
      finish(member, is_overwritten(value) ? copied(value, value.extent) : value);
    }
  }

  /// Whether the nest changes the memory that `value` lies in.
  bool is_overwritten(const BlockOperand& value) const {
    return value.where == Where::memory &&
           std::ranges::any_of(nest_.members, [&](const LoopNest::Member& member) {
             return lowered_.placed_in[at(lowered_.views[at(member.op)].base)] == value.base;
           });
  }

  /// Memory that the result of `member` can be written to at once.
  std::optional<BlockOperand> destination(const LoopNest::Member& member) const {
    if (!is_written(member.op)) return std::nullopt;
    const bool per_row = member.per_row || member.folds;
    const std::optional<BlockOperand> memory =
        memory_operand(result_of(member.op), per_row, op(member.op).shape.dtype);
    if (!memory || is_read_later(member.op)) return std::nullopt;
    const Extent extent = per_row ? Extent::row : Extent::full;
    return memory->extent == extent ? memory : std::nullopt;
  }

  bool is_written(ValueId id) const {
    return std::ranges::find(group_.outputs, lowered_.views[at(id)].base) != group_.outputs.end();
  }

  Read result_of(ValueId id) const { return {op(id).shape.dims, lowered_.views[at(id)]}; }

  /// Whether an op of the nest reads the input that `id` overwrites: then it is written at the very
  /// end.
  bool is_read_later(ValueId id) const {
    const ValueId input = lowered_.placed_in[at(lowered_.views[at(id)].base)];
    if (input == kNoValue) return false;
    return std::ranges::any_of(nest_.members, [&](const LoopNest::Member& member) {
      return member.op > id && std::ranges::any_of(op(member.op).operands, [&](ValueId operand) {
               return lowered_.views[at(operand)].base == input;
             });
    });
  }

  /// Notes where `value` of `member` is, and sees to it that it gets to memory if it must.
  void finish(const LoopNest::Member& member, const BlockOperand& value) {
    values_[member.op] = value;
    if (!is_written(member.op)) return;
    const bool per_row = member.per_row || member.folds;
    const Read result = result_of(member.op);
    Instruction store;
    store.extent = per_row ? Extent::row : Extent::full;
    const std::optional<BlockOperand> memory = memory_operand(result, per_row, value.dtype);
    if (memory && *memory == value) return;
    if (memory && memory->extent == store.extent) {
      store.single = single_mask({value}, store.extent);
      store.function = checked(copy_function(value.dtype, store.single));
      store.from = {value};
      store.to = *memory;
    } else {
      const bool is_register = value.where == Where::scratch && value.extent == store.extent;
      store.from = {is_register ? value : copied(value, store.extent)};
      store.kind = Instruction::Kind::store;
      store.to = {Where::memory, store.extent, value.dtype, result.view.base,
                  result.view.offset * dtype_bytes(value.dtype)};
      store.window = window(result, per_row);
    }
    stores_.push_back(std::move(store));
  }

  void fold(const LoopNest::Member& member) {
    const Reduction reduction = std::get<ReduceAttr>(op(member.op).attributes).reduction;
    const DType dtype = op(member.op).shape.dtype;
    Instruction fold;
    fold.kind = Instruction::Kind::fold;
    fold.function = checked(fold_function(reduction, dtype));
    fold.from = {of_extent(operand(member, 0), Extent::full)};
    const auto memory = destination(member);
    fold.to = memory ? *memory : new_register(Extent::row, dtype);
    const BlockOperand result = fold.to;
    emit(std::move(fold));
    finish(member, result);
  }

  void accumulate(const LoopNest::Member& member) {
    const Op& o = op(member.op);
    const Reduction reduction = std::get<ReduceAttr>(o.attributes).reduction;
    Accumulator accumulator;
    accumulator.base = lowered_.views[at(member.op)].base;
    accumulator.dtype = o.shape.dtype;
    accumulator.elements = num_elements(o.shape);
    accumulator.neutral = neutral_element(reduction, o.shape.dtype);
    accumulator.combine = checked(accumulate_function(reduction, o.shape.dtype));
    if (lowered_.views[at(member.op)].base != member.op) throw Unsupported{};

    Instruction step;
    step.kind = Instruction::Kind::accumulate;
    step.window = reduced_window(o, member.per_row ? 1 : nest_.columns, member.per_row);
    accumulator.keeps_columns = !member.per_row && nest_.columns > 1 &&
                                !step.window.columns.empty() && step.window.columns[0].stride != 0;
    if (!step.window.rows.empty() && step.window.rows[0].stride != 0) {
      accumulator.row_period = 1;
      for (std::size_t i = 1; i < step.window.rows.size(); ++i)
        accumulator.row_period *= step.window.rows[i].extent;
    }
    step.function = checked(fold_function(reduction, o.shape.dtype));
    BlockOperand value = operand(member, 0);
    if (member.per_row) {
      value = of_extent(value, Extent::row);
    } else {
      value = of_extent(value, Extent::full);
      if (!accumulator.keeps_columns) value = folded(value, step.function);
    }
    step.extent = value.extent;
    step.from = {value, new_register(Extent::splat, value.dtype)};
    step.accumulator = static_cast<std::int32_t>(loop_.accumulators.size());
    loop_.accumulators.push_back(accumulator);
    emit(std::move(step));
  }

  BlockOperand folded(const BlockOperand& value, BlockFunction function) {
    Instruction fold;
    fold.kind = Instruction::Kind::fold;
    fold.function = function;
    fold.from = {value};
    fold.to = new_register(Extent::row, value.dtype);
    const BlockOperand result = fold.to;
    emit(std::move(fold));
    return result;
  }

  /// Where the result of a reduction lies for each element that it reads.
  BlockWindow reduced_window(const Op& reduce, std::int64_t columns, bool per_row) const {
    const Dims& dims = op(reduce.operands[0]).shape.dims;
    const Dims& reduced = std::get<ReduceAttr>(reduce.attributes).dims;
    const Dims kept = dense_strides(reduce.shape.dims);
    Dims strides(dims.size(), 0);
    for (std::size_t i = 0, next = 0; i < dims.size(); ++i) {
      if (std::ranges::find(reduced, static_cast<std::int64_t>(i)) == reduced.end())
        strides[i] = kept[next++];
    }
    const auto split = split_window(dims, strides, per_row ? 1 : columns);
    if (!split || split->columns.size() > 1) throw Unsupported{};
    return *split;
  }

  // Operands.

  BlockOperand operand(const LoopNest::Member& member, std::size_t index) {
    const ValueId value = op(member.op).operands[index];
    const View& view = lowered_.views[at(value)];
    if (view.base == kNoValue) {
      const Read read = leaf_read(member.op, index);
      return leaf(value, leaf_map(member.op, index), {read.dims, member.per_row});
    }
    if (is_member_.contains(view.base)) return values_.at(view.base);
    return loaded(read_of(program(), lowered_.views, member.op, index), member.per_row,
                  op(value).shape.dtype);
  }

  /// A window of memory, in place where strides allow it, else copied to a register.
  BlockOperand loaded(const Read& read, bool per_row, DType dtype) {
    if (!has_block_type(dtype)) throw Unsupported{};
    if (const auto memory = memory_operand(read, per_row, dtype)) return *memory;
    const auto key =
        std::make_tuple(read.dims, read.view.base, read.view.offset, read.view.strides, per_row);
    const auto known = loads_.find(key);
    if (known != loads_.end()) return known->second;
    Instruction load;
    load.kind = Instruction::Kind::load;
    load.window = window(read, per_row);
    const auto varies = [](const std::vector<StridedDim>& dims) {
      return std::ranges::any_of(dims, [](const StridedDim& dim) { return dim.stride != 0; });
    };
    const bool by_rows = varies(load.window.rows), by_columns = varies(load.window.columns);
    load.extent = per_row                 ? Extent::row
                  : by_rows && by_columns ? Extent::full
                  : by_rows               ? Extent::row
                                          : Extent::column;
    load.from = {
        {Where::memory, load.extent, dtype, read.view.base, read.view.offset * dtype_bytes(dtype)}};
    load.to = new_register(load.extent, dtype);
    const BlockOperand result = load.to;
    emit(std::move(load));
    return loads_[key] = result;
  }

  BlockWindow window(const Read& read, bool per_row) const {
    const auto split = split_window(read.dims, read.view.strides, per_row ? 1 : nest_.columns);
    if (!split) throw Unsupported{};
    return *split;
  }

  /// `read` as an operand in place: at most one stride over rows and one over columns, which is 0
  /// or 1.
  std::optional<BlockOperand> memory_operand(const Read& read, bool per_row, DType dtype) const {
    const auto split = split_window(read.dims, read.view.strides, per_row ? 1 : nest_.columns);
    if (!split || split->rows.size() > 1 || split->columns.size() > 1) return std::nullopt;
    BlockOperand operand{Where::memory, Extent::splat, dtype, read.view.base,
                         read.view.offset * dtype_bytes(dtype)};
    operand.row_stride = split->rows.empty() ? 0 : split->rows[0].stride;
    operand.column_stride = split->columns.empty() ? 0 : split->columns[0].stride;
    if (operand.column_stride != 0 && operand.column_stride != 1) return std::nullopt;
    if (operand.column_stride == 0 && operand.row_stride != 0 && operand.row_stride != 1)
      return std::nullopt;
    const bool by_rows = operand.row_stride != 0, by_columns = operand.column_stride != 0;
    operand.extent = by_rows ? (by_columns ? Extent::full : Extent::row)
                             : (by_columns ? Extent::column : Extent::splat);
    // One row, or rows of one element, vary only as far as they go.
    if (by_columns && nest_.rows == 1 && !per_row) operand.extent = Extent::full;
    if (!by_rows && !by_columns && per_row && nest_.rows == 1) operand.extent = Extent::row;
    if (!per_row && nest_.columns == 1 && operand.extent == Extent::row)
      operand = with_column(operand);
    if (!per_row && nest_.columns == 1 && nest_.rows == 1)
      operand.extent = Extent::full, operand.column_stride = 1;
    return operand;
  }

  static BlockOperand with_column(BlockOperand operand) {
    operand.extent = Extent::full;
    operand.column_stride = 1;
    return operand;
  }

  // Leaves: computed where they are read, at the coordinates they are read at.

  struct Visited {
    Dims dims;
    bool per_row = false;
  };

  static std::vector<Along> identity(const Dims& dims) {
    std::vector<Along> map(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i) map[i] = {static_cast<std::int32_t>(i), 1, 0};
    return map;
  }

  /// The elements that `id` visits, as dims of its own shape or its operand's.
  Read leaf_read(ValueId id, std::size_t index) const {
    const Op& o = op(id);
    const bool own =
        !is_elementwise(o.kind) && o.kind != OpKind::reduce && o.kind != OpKind::reshape;
    return {own ? o.shape.dims : op(o.operands[index]).shape.dims, {}};
  }
  std::vector<Along> leaf_map(ValueId id, std::size_t index) const {
    const Op& o = op(id);
    const std::vector<Along> own = identity(leaf_read(id, index).dims);
    const bool moves =
        !is_elementwise(o.kind) && o.kind != OpKind::reduce && o.kind != OpKind::reshape;
    return moves ? operand_map(o, own) : own;
  }

  /// Coordinates of the operand of a window op from those of its result.
  std::vector<Along> operand_map(const Op& o, const std::vector<Along>& map) const {
    const Dims& dims = op(o.operands[0]).shape.dims;
    std::vector<Along> result(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i) {
      switch (o.kind) {
        case OpKind::broadcast: {
          const auto to = at(std::get<DimsAttr>(o.attributes).dims[i]);
          if (dims[i] == o.shape.dims[to]) result[i] = map[to];
          break;
        }
        case OpKind::transpose:
          result[at(std::get<DimsAttr>(o.attributes).dims[i])] = map[i];
          break;
        case OpKind::slice: {
          const SliceAttr& slice = std::get<SliceAttr>(o.attributes);
          result[i] = {map[i].dim, map[i].factor * slice.strides[i],
                       map[i].start * slice.strides[i] + slice.starts[i]};
          break;
        }
        case OpKind::reverse: {
          const Dims& reversed = std::get<DimsAttr>(o.attributes).dims;
          const bool turns =
              std::ranges::find(reversed, static_cast<std::int64_t>(i)) != reversed.end();
          result[i] =
              turns ? Along{map[i].dim, -map[i].factor, dims[i] - 1 - map[i].start} : map[i];
          break;
        }
        default: break;  // reshapes are of uniform leaves only
      }
    }
    return result;
  }

  BlockOperand leaf(ValueId id, const std::vector<Along>& map, const Visited& visited) {
    const auto key = std::make_tuple(id, map, visited.dims, visited.per_row);
    const auto known = leaves_.find(key);
    if (known != leaves_.end()) return known->second;
    return leaves_[key] = new_leaf(id, map, visited);
  }

  BlockOperand new_leaf(ValueId id, const std::vector<Along>& map, const Visited& visited) {
    const Op& o = op(id);
    if (!has_block_type(o.shape.dtype)) throw Unsupported{};
    if (o.kind == OpKind::constant) return constant(o);
    if (o.kind == OpKind::iota) return coordinate(o, map, visited);
    if (!is_elementwise(o.kind)) return leaf(o.operands[0], operand_map(o, map), visited);
    std::vector<BlockOperand> operands;
    for (ValueId operand : o.operands) operands.push_back(leaf(operand, map, visited));
    return this->map(o, std::move(operands), std::nullopt);
  }

  BlockOperand constant(const Op& o) {
    const double value = std::get<ConstantAttr>(o.attributes).elements.at(0);
    BlockOperand operand{Where::constants, Extent::splat, o.shape.dtype, kNoValue,
                         static_cast<std::int64_t>(loop_.constants.size())};
    loop_.constants.resize(loop_.constants.size() + 8);
    write_elements(o.shape.dtype, {&value, 1}, loop_.constants.data() + operand.offset);
    return operand;
  }

  BlockOperand coordinate(const Op& o, const std::vector<Along>& map, const Visited& visited) {
    const Along along = map[at(std::get<DimAttr>(o.attributes).dim)];
    Instruction count;
    count.kind = Instruction::Kind::count;
    count.extent = Extent::splat;
    count.start = along.start;
    if (along.dim >= 0) {
      count.stride = dense_strides(visited.dims)[at(along.dim)];
      count.extent_of_dim = visited.dims[at(along.dim)];
      count.factor = along.factor;
      const std::int64_t columns = visited.per_row ? 1 : nest_.columns;
      count.extent = visited.per_row || count.stride % columns == 0        ? Extent::row
                     : columns % (count.stride * count.extent_of_dim) == 0 ? Extent::column
                                                                           : Extent::full;
      // Elements of a row op count by rows alone.
      if (visited.per_row) count.stride *= nest_.columns;
    }
    count.to = new_register(count.extent, o.shape.dtype);
    const BlockOperand result = count.to;
    emit(std::move(count));
    return result;
  }

  // Instructions.

  BlockOperand map(const Op& o, std::vector<BlockOperand> operands,
                   const std::optional<BlockOperand>& to) {
    Instruction instruction;
    instruction.extent = Extent::splat;
    for (const BlockOperand& operand : operands)
      instruction.extent = joined(instruction.extent, operand.extent);
    const DType dtype = operands.back().dtype;
    instruction.single = single_mask(operands, instruction.extent);
    instruction.function = checked(elementwise_function(o, dtype, instruction.single));
    instruction.to = to && to->extent == instruction.extent
                         ? *to
                         : new_register(instruction.extent, o.shape.dtype);
    instruction.from = std::move(operands);
    const BlockOperand result = instruction.to;
    emit(std::move(instruction));
    return result;
  }

  /// Operands with one element per row of what the instruction runs over.
  static unsigned single_mask(const std::vector<BlockOperand>& operands, Extent extent) {
    unsigned mask = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Extent own = operands[i].extent;
      const bool is_single = own == Extent::splat || (extent == Extent::full && own == Extent::row);
      if (is_single && extent != Extent::splat) mask |= 1U << i;
    }
    return mask;
  }

  /// `value`, repeated until it has `extent`.
  BlockOperand of_extent(const BlockOperand& value, Extent extent) {
    return value.extent == extent ? value : copied(value, extent);
  }
  BlockOperand copied(const BlockOperand& value, Extent extent) {
    Instruction copy;
    copy.extent = extent;
    copy.single = single_mask({value}, extent);
    copy.function = checked(copy_function(value.dtype, copy.single));
    copy.from = {value};
    copy.to = new_register(extent, value.dtype);
    const BlockOperand result = copy.to;
    emit(std::move(copy));
    return result;
  }

  BlockOperand new_register(Extent extent, DType dtype) {
    return {Where::scratch, extent, dtype, kNoValue, num_registers_++};
  }

  static BlockFunction checked(BlockFunction function) {
    if (!function) throw Unsupported{};
    return function;
  }

  void emit(Instruction instruction) {
    using Kind = Instruction::Kind;
    const bool varies = instruction.kind == Kind::store || instruction.kind == Kind::fold ||
                        instruction.kind == Kind::accumulate ||
                        instruction.to.where != Where::scratch ||
                        instruction.extent == Extent::row || instruction.extent == Extent::full;
    (varies ? loop_.instructions : loop_.once).push_back(std::move(instruction));
  }

  const LoweredProgram& lowered_;
  const LoopNest& nest_;
  const KernelGroup& group_;
  LoopProgram loop_;
  std::int64_t num_registers_ = 0;
  std::map<ValueId, bool> is_member_;
  std::map<ValueId, BlockOperand> values_;  ///< of members
  std::map<std::tuple<ValueId, std::vector<Along>, Dims, bool>, BlockOperand> leaves_;
  std::map<std::tuple<Dims, ValueId, std::int64_t, Dims, bool>, BlockOperand> loads_;
  std::vector<Instruction> stores_;  ///< after all else
};

}  // namespace

std::optional<LoopProgram> compile_loop(const LoweredProgram& lowered, const LoopNest& nest,
                                        const KernelGroup& group) {
  try {
    return LoopCompiler(lowered, nest, group).run();
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

}  // namespace rhino
