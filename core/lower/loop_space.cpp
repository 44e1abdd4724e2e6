// SPDX-License-Identifier: Apache-2.0
#include "lower/loop_space.hpp"

#include <algorithm>
#include <numeric>

#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

/// A single row of more elements than this would keep all threads but one idle.
constexpr std::int64_t kMaxSingleRow = 4096;

struct ReducedRun {
  bool reduced = false;
  std::int64_t extent = 1;
};

/// Dims of a reduce operand, adjacent ones that are both reduced or both kept as one, major first.
std::vector<ReducedRun> reduced_runs(const Dims& dims, const Dims& reduced) {
  std::vector<ReducedRun> runs;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    const bool is_reduced =
        std::ranges::find(reduced, static_cast<std::int64_t>(i)) != reduced.end();
    if (runs.empty() || runs.back().reduced != is_reduced) runs.push_back({is_reduced, 1});
    runs.back().extent *= dims[i];
  }
  return runs;
}

/// Columns such that `small` has one element for each row of `dims`; 0 if it does not spread so.
std::int64_t spread_columns(const Dims& dims, const View& view) {
  std::int64_t columns = 1;
  std::size_t num_rows = dims.size();
  while (num_rows > 0 && (dims[num_rows - 1] == 1 || view.strides[num_rows - 1] == 0)) {
    columns *= dims[--num_rows];
  }
  const Dims row_dims(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(num_rows));
  const Dims row_strides(view.strides.begin(),
                         view.strides.begin() + static_cast<std::ptrdiff_t>(num_rows));
  const bool is_dense = view.offset == 0 && has_dense_strides(row_dims, row_strides);
  return is_dense && columns > 1 ? columns : 0;
}

}  // namespace

Read read_of(const Program& program, const std::vector<View>& views, ValueId op,
             std::size_t operand) {
  const Op& o = program.op(op);
  const ValueId value = o.operands[operand];
  const Dims& dims = program.shape(value).dims;
  const View& view = views[at(value)];
  const bool moves = ir::traits(o.kind).view && o.kind != OpKind::reshape;
  if (!moves) return {dims, view};
  return {o.shape.dims, *view_of(o, dims, view)};
}

Relation relation_of(const Program& program, const Storage& storage, ValueId op, ValueId operand) {
  const ValueId source = storage.source[at(operand)];
  if (source == kNoValue || !runs_in_loop(program, source)) return {};
  if (storage.views[at(operand)].base != source) return {Relation::Kind::other};
  const std::vector<ValueId>& operands = program.op(op).operands;
  const auto index =
      static_cast<std::size_t>(std::ranges::find(operands, operand) - operands.begin());
  const Read read = read_of(program, storage.views, op, index);
  const std::int64_t available = num_elements(program.shape(source));
  const std::int64_t visited = num_elements(read.dims);
  if (available == visited && is_dense(read.view, read.dims)) return {Relation::Kind::same};
  const std::int64_t columns = spread_columns(read.dims, read.view);
  const bool is_spread =
      columns > 0 && available * columns == visited && (available > 1 || visited <= kMaxSingleRow);
  if (is_spread) return {Relation::Kind::spread, columns};
  return {Relation::Kind::other};
}

OpSpace space_of(const Program& program, ValueId id, std::int64_t longest_row) {
  const Op& op = program.op(id);
  if (op.kind != OpKind::reduce) return {num_elements(op.shape)};
  const Dims& dims = program.shape(op.operands[0]).dims;
  OpSpace space{num_elements(dims)};
  const std::vector<ReducedRun> runs = reduced_runs(dims, op.attributes.get<ReduceAttr>().dims);
  const bool folds = runs.size() == 2 && runs.back().reduced && runs.back().extent <= longest_row;
  if (folds) {
    space.columns = runs.back().extent;
  } else {
    space.run = runs.empty() ? 1 : runs.back().extent;
    space.is_total = num_elements(op.shape) == 1;
  }
  return space;
}

std::vector<Dims> windows_of(const Program& program, const Storage& storage, ValueId id) {
  std::vector<Dims> windows;
  const auto add = [&](const Dims& dims, const View& view) {
    const std::vector<StridedDim> runs = collapsed(dims, view.strides);
    if (runs.empty() || (runs.size() == 1 && std::abs(runs[0].stride) <= 1)) return;
    Dims& extents = windows.emplace_back();
    for (const StridedDim& run : runs) extents.push_back(run.extent);
  };
  const Op& op = program.op(id);
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (storage.roles[at(op.operands[i])] == Role::leaf) continue;
    const Read read = read_of(program, storage.views, id, i);
    add(read.dims, read.view);
  }
  add(op.shape.dims, storage.views[at(id)]);
  return windows;
}

bool splits_at(const Dims& extents, std::int64_t columns) {
  std::size_t i = extents.size();
  while (columns > 1 && i > 0) {
    const std::int64_t extent = extents[--i];
    if (extent % columns == 0) return true;
    if (columns % extent != 0) return false;
    columns /= extent;
  }
  return columns == 1;
}

std::int64_t leaf_columns(const Program& program, const Storage& storage, ValueId id) {
  std::int64_t columns = 0;
  for (ValueId operand : program.op(id).operands) {
    const Op& leaf = program.producer(operand);
    const bool counts = storage.roles[at(operand)] == Role::leaf && leaf.kind != OpKind::constant &&
                        !leaf.shape.dims.empty();
    if (counts) columns = std::gcd(columns, leaf.shape.dims.back());
  }
  return columns;
}

}  // namespace rhino::lower
