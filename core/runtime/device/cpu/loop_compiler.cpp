// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "ir/op_info.hpp"
#include "lower/loop_space.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/loop_leaves.hpp"
#include "runtime/device/cpu/loop_program.hpp"
#include "runtime/device/cpu/narrow_float.hpp"

namespace rhino::runtime {
namespace {

using Instruction = BlockInstruction;
using Member = lower::LoopNest::Member;
using Where = BlockOperand::Where;

/// A value that every row has one of.
bool makes_rows(const Member& member) { return member.per_row || member.folds; }

bool varies(const std::vector<lower::StridedDim>& dims) {
  return std::ranges::any_of(dims, [](const lower::StridedDim& dim) { return dim.stride != 0; });
}

class LoopCompiler {
 public:
  LoopCompiler(const lower::LoweredProgram& lowered, const lower::LoopNest& nest,
               const lower::KernelGroup& group)
      : lowered_(lowered),
        nest_(nest),
        written_(group.outputs.begin(), group.outputs.end()),
        emitter_(nest.rows, nest.columns),
        leaves_(lowered.program, emitter_) {
    for (const Member& member : nest.members) {
      members_.insert(member.op);
      const ValueId input = lowered.placed_in[at(view(member.op).base)];
      if (input != kNoValue) overwritten_.insert(input);
    }
  }

  LoopProgram run() {
    for (const Member& member : nest_.members) compile(member);
    for (Instruction& store : stores_) emitter_.emit(std::move(store));
    const bool folds = std::ranges::any_of(nest_.members, &Member::folds);
    return std::move(emitter_).finish(folds);
  }

 private:
  const Op& op(ValueId id) const { return lowered_.program.op(id); }
  const lower::View& view(ValueId id) const { return lowered_.views[at(id)]; }
  bool is_written(ValueId id) const { return written_.contains(view(id).base); }

  void compile(const Member& member) {
    const Op& o = op(member.op);
    if (o.kind == OpKind::reduce) {
      reduce(member);
    } else if (ir::is_elementwise(o.kind)) {
      std::vector<BlockOperand> operands;
      for (std::size_t i = 0; i < o.operands.size(); ++i) operands.push_back(operand(member, i));
      finish(member, emitter_.map(o, std::move(operands), destination(member)));
    } else if (o.operands.empty()) {  // a leaf that is read from memory
      finish(member, leaves_.value(member.op, member.per_row));
    } else {  // a window that is copied: before its base changes
      const BlockOperand value = operand(member, 0);
      const bool changes = value.where == Where::memory && overwritten_.contains(value.base);
      finish(member, changes ? emitter_.copied(value, value.extent) : value);
    }
  }

  // Results.

  /// Memory that the result of `member` can be written to at once.
  std::optional<BlockOperand> destination(const Member& member) const {
    if (!is_written(member.op) || is_read_later(member.op)) return std::nullopt;
    if (is_narrow(op(member.op).shape.dtype)) return std::nullopt;
    const auto memory =
        in_place(result_of(member.op), makes_rows(member), op(member.op).shape.dtype);
    const Extent extent = makes_rows(member) ? Extent::row : Extent::full;
    return memory && memory->extent == extent ? memory : std::nullopt;
  }

  lower::Read result_of(ValueId id) const { return {op(id).shape.dims, view(id)}; }

  /// Whether a later op of the nest reads the input that `id` overwrites.
  bool is_read_later(ValueId id) const {
    const ValueId input = lowered_.placed_in[at(view(id).base)];
    if (input == kNoValue) return false;
    return std::ranges::any_of(nest_.members, [&](const Member& member) {
      return member.op > id && std::ranges::any_of(op(member.op).operands, [&](ValueId operand) {
               return view(operand).base == input;
             });
    });
  }

  /// Notes where the result of `member` is; where it must go to memory and has not, it does at the
  /// very end.
  void finish(const Member& member, const BlockOperand& value) {
    values_[member.op] = value;
    if (!is_written(member.op)) return;
    const bool per_row = makes_rows(member);
    const Extent extent = per_row ? Extent::row : Extent::full;
    const lower::Read result = result_of(member.op);
    const DType dtype = op(member.op).shape.dtype;
    const std::optional<BlockOperand> memory = in_place(result, per_row, dtype);
    if (memory && *memory == value) return;
    if (memory && memory->extent == extent) {
      stores_.push_back(emitter_.copy(value, *memory));
      return;
    }
    const bool is_register =
        value.where == Where::scratch && value.extent == extent && value.dtype == dtype;
    Instruction store;
    store.kind = Instruction::Kind::store;
    store.extent = extent;
    store.from = {is_register ? value : emitter_.copied_as(dtype, value, extent)};
    store.to = {Where::memory, extent, dtype, result.view.base,
                result.view.offset * dtype_bytes(dtype)};
    store.window = window(result, per_row);
    stores_.push_back(std::move(store));
  }

  // Reductions.

  void reduce(const Member& member) {
    const Reduction reduction = op(member.op).attributes.get<ReduceAttr>().reduction;
    if (member.folds) {
      finish(member, emitter_.fold(reduction, operand(member, 0), destination(member)));
    } else {
      accumulate(member, reduction);
    }
  }

  void accumulate(const Member& member, Reduction reduction) {
    const DType dtype = op(member.op).shape.dtype;
    Instruction step;
    step.kind = Instruction::Kind::accumulate;
    step.function = checked(fold_function(reduction, dtype));
    step.window = reduced_window(member);
    const bool keeps_columns = varies(step.window.columns);
    BlockOperand value = operand(member, 0);
    if (member.per_row) {
      value = emitter_.of_extent(value, Extent::row);
    } else if (keeps_columns) {
      value = emitter_.of_extent(value, Extent::full);
    } else {
      value = emitter_.fold(reduction, value, std::nullopt);
    }
    step.extent = value.extent;
    step.from = {value, emitter_.new_register(Extent::splat, dtype)};
    Accumulator accumulator{.base = member.op,
                            .dtype = dtype,
                            .elements = num_elements(op(member.op).shape),
                            .neutral = ir::neutral_element(reduction, dtype),
                            .combine = checked(accumulate_function(reduction, dtype)),
                            .keeps_columns = keeps_columns};
    const std::vector<lower::StridedDim>& rows = step.window.rows;
    if (!rows.empty() && rows[0].stride != 0) {
      accumulator.row_period = 1;
      for (std::size_t i = 1; i < rows.size(); ++i) accumulator.row_period *= rows[i].extent;
    }
    step.accumulator = emitter_.add_accumulator(accumulator);
    emitter_.emit(std::move(step));
  }

  /// Where the result of a reduction lies for each element that it reads.
  BlockWindow reduced_window(const Member& member) const {
    const Op& reduce = op(member.op);
    const lower::Dims& dims = op(reduce.operands[0]).shape.dims;
    const lower::Dims& reduced = reduce.attributes.get<ReduceAttr>().dims;
    const lower::Dims kept = lower::dense_strides(reduce.shape.dims);
    lower::Dims strides(dims.size(), 0);
    for (std::size_t i = 0, next = 0; i < dims.size(); ++i) {
      const bool is_kept =
          std::ranges::find(reduced, static_cast<std::int64_t>(i)) == reduced.end();
      if (is_kept) strides[i] = kept[next++];
    }
    return window({dims, {member.op, 0, strides}}, member.per_row);
  }

  // Operands.

  BlockOperand operand(const Member& member, std::size_t index) {
    const ValueId value = op(member.op).operands[index], base = view(value).base;
    if (base == kNoValue) return leaves_.operand(member.op, index, member.per_row);
    if (members_.contains(base)) return values_.at(base);
    const lower::Read read = lower::read_of(lowered_.program, lowered_.views, member.op, index);
    const DType dtype = op(value).shape.dtype;
    const std::optional<BlockOperand> memory = in_place(read, member.per_row, dtype);
    const BlockOperand found = memory ? *memory : loaded(read, member.per_row, dtype);
    return is_narrow(dtype) ? as_f32(found) : found;
  }

  BlockOperand as_f32(const BlockOperand& narrow) {
    for (const auto& [from, to] : widened_) {
      if (from == narrow) return to;
    }
    return widened_.emplace_back(narrow, emitter_.widened(narrow)).second;
  }

  /// A window of memory copied to a register.
  BlockOperand loaded(const lower::Read& read, bool per_row, DType dtype) {
    const lower::View& v = read.view;
    const auto key = std::make_tuple(read.dims, v.base, v.offset, v.strides, per_row);
    const auto known = loads_.find(key);
    if (known != loads_.end()) return known->second;
    Instruction load;
    load.kind = Instruction::Kind::load;
    load.window = window(read, per_row);
    const bool by_rows = varies(load.window.rows), by_columns = varies(load.window.columns);
    load.extent = per_row || !by_columns ? Extent::row : by_rows ? Extent::full : Extent::column;
    load.from = {{Where::memory, load.extent, dtype, v.base, v.offset * dtype_bytes(dtype)}};
    load.to = emitter_.new_register(load.extent, dtype);
    const BlockOperand result = load.to;
    emitter_.emit(std::move(load));
    return loads_[key] = result;
  }

  BlockWindow window(const lower::Read& read, bool per_row) const {
    std::optional<BlockWindow> window =
        split_window(read.dims, read.view.strides, per_row ? 1 : nest_.columns);
    if (!window) throw Unsupported{};
    return *std::move(window);
  }

  /// `read` as it lies in memory: one stride from row to row and one, 0 or 1, from column to
  /// column.
  std::optional<BlockOperand> in_place(const lower::Read& read, bool per_row, DType dtype) const {
    const BlockWindow split = window(read, per_row);
    if (split.rows.size() > 1 || split.columns.size() > 1) return std::nullopt;
    BlockOperand operand{Where::memory, Extent::splat, dtype, read.view.base,
                         read.view.offset * dtype_bytes(dtype)};
    operand.row_stride = split.rows.empty() ? 0 : split.rows[0].stride;
    operand.column_stride = split.columns.empty() ? 0 : split.columns[0].stride;
    const bool by_rows = operand.row_stride != 0, by_columns = operand.column_stride != 0;
    if (by_columns && operand.column_stride != 1) return std::nullopt;
    if (by_rows && !by_columns && operand.row_stride != 1) return std::nullopt;
    operand.extent = by_rows ? (by_columns ? Extent::full : Extent::row)
                             : (by_columns ? Extent::column : Extent::splat);
    return widened(operand, per_row);
  }

  /// Where there is but one row or one column, what varies along the other alone varies with all.
  BlockOperand widened(BlockOperand operand, bool per_row) const {
    if (per_row) {
      if (nest_.rows == 1) operand.extent = Extent::row;
      return operand;
    }
    const bool all_columns = operand.extent == Extent::column || nest_.columns == 1;
    const bool all_rows = operand.extent == Extent::row || nest_.rows == 1;
    if (operand.extent == Extent::full || !all_columns || !all_rows) return operand;
    operand.extent = Extent::full;
    operand.column_stride = 1;
    return operand;
  }

  const lower::LoweredProgram& lowered_;
  const lower::LoopNest& nest_;
  const std::set<ValueId> written_;  ///< bases
  LoopEmitter emitter_;
  LoopLeaves leaves_;
  std::set<ValueId> members_, overwritten_;
  std::map<ValueId, BlockOperand> values_;  ///< of members
  std::map<std::tuple<lower::Dims, ValueId, std::int64_t, lower::Dims, bool>, BlockOperand> loads_;
  std::vector<std::pair<BlockOperand, BlockOperand>> widened_;  ///< 16-bit operands, and as f32
  std::vector<Instruction> stores_;
};

}  // namespace

std::optional<LoopProgram> compile_loop(const lower::LoweredProgram& lowered,
                                        const lower::LoopNest& nest,
                                        const lower::KernelGroup& group) {
  try {
    return LoopCompiler(lowered, nest, group).run();
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

}  // namespace rhino::runtime
