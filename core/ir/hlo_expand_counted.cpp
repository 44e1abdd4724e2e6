// SPDX-License-Identifier: Apache-2.0
// Index vectors of which a component says where the vector itself is.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ir/hlo_expand_indexing.hpp"
#include "ir/reference.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::hlo {
namespace {

using Dims = std::vector<std::int64_t>;

/// More ops, or elements of one, are looked at by nobody.
constexpr std::size_t kMostOps = 32;
constexpr std::int64_t kMostElements = 1 << 20;

/// `value` with what it is computed of; nothing where that is more than constants and iotas.
std::optional<Program> made_of_nothing(const Program& program, ValueId value) {
  std::set<ValueId> needed;
  std::vector<ValueId> open{value};
  while (!open.empty()) {
    const ValueId id = open.back();
    open.pop_back();
    const Op& op = program.op(id);
    const bool is_given = op.kind == OpKind::parameter || op.kind == OpKind::rng;
    if (is_given || num_elements(op.shape) > kMostElements) return std::nullopt;
    if (!needed.insert(id).second) continue;
    if (needed.size() > kMostOps) return std::nullopt;
    open.insert(open.end(), op.operands.begin(), op.operands.end());
  }
  Program made;
  std::map<ValueId, ValueId> values;
  for (const ValueId id : needed) {
    Op op = program.op(id);
    op.origin = kNoValue;
    for (ValueId& operand : op.operands) operand = values.at(operand);
    values[id] = made.size();
    made.ops.push_back(std::move(op));
  }
  made.outputs.push_back({values.at(value), OutputKind::value, -1});
  return made;
}

/// The dim along which the elements of `value` are 0, 1, 2, ...
std::optional<std::int64_t> counted_dim(const Program& program, ValueId value) {
  const std::optional<Program> made = made_of_nothing(program, value);
  if (!made) return std::nullopt;
  const std::vector<double> elements = evaluate(*made, {})[0].elements;
  const Dims& dims = program.shape(value).dims;
  std::int64_t stride = num_elements(program.shape(value));
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 0) return std::nullopt;
    stride /= dims[d];
    bool counts = dims[d] > 1;
    for (std::size_t i = 0; counts && i < elements.size(); ++i)
      counts = elements[i] == static_cast<double>(static_cast<std::int64_t>(i) / stride % dims[d]);
    if (counts) return static_cast<std::int64_t>(d);
  }
  return std::nullopt;
}

/// What gathers and scatters have alike.
struct Lookup {
  const Shape& table;
  std::int64_t vector_dim;
  Dims &looked_up, &taken;  ///< dims of the table: per component, and of which one row is taken
  Dims &table_batch, &index_batch;
};

bool take_counted(const Builder& b, ValueId& indices, Lookup lookup) {
  const Op& op = b.program().op(indices);
  if (op.kind != OpKind::concatenate || op.attributes.get<DimAttr>().dim != lookup.vector_dim ||
      op.operands.size() != lookup.looked_up.size())
    return false;
  std::vector<ValueId> kept;
  Dims kept_dims;
  for (std::size_t k = 0; k < op.operands.size(); ++k) {
    const std::int64_t dim = lookup.looked_up[k];
    const bool is_last = kept.empty() && k + 1 == op.operands.size();
    const auto along = is_last ? std::nullopt : counted_dim(b.program(), op.operands[k]);
    const bool is_batch = along && *along != lookup.vector_dim &&
                          std::ranges::count(lookup.taken, dim) > 0 &&
                          std::ranges::count(lookup.index_batch, *along) == 0 &&
                          lookup.table.dims[at(dim)] == op.shape.dims[at(*along)];
    if (is_batch) {
      lookup.table_batch.push_back(dim);
      lookup.index_batch.push_back(*along);
      std::erase(lookup.taken, dim);
    } else {
      kept.push_back(op.operands[k]);
      kept_dims.push_back(dim);
    }
  }
  if (kept.size() != 1) return false;
  lookup.looked_up = std::move(kept_dims);
  indices = kept[0];
  return true;
}

}  // namespace

bool take_counted(const Builder& b, ValueId table, ValueId& indices, BatchedGather& dims) {
  const Shape shape = b.shape(table), index_shape = b.shape(indices);
  BatchedGather found = dims;
  ValueId left = indices;
  GatherAttr& gather = found.attributes;
  if (!take_counted(b, left,
                    {shape, gather.index_vector_dim, gather.start_index_map,
                     gather.collapsed_slice_dims, found.table_batch, found.index_batch}) ||
      !is_compared(shape, index_shape, found))
    return false;
  dims = std::move(found);
  indices = left;
  return true;
}

bool take_counted(const Builder& b, const ScatterOperands& operands, ValueId& indices,
                  BatchedScatter& dims) {
  const Shape shape = b.shape(operands.table), index_shape = b.shape(operands.indices);
  BatchedScatter found = dims;
  ValueId left = operands.indices;
  ScatterAttr& scatter = found.attributes;
  if (!take_counted(b, left,
                    {shape, scatter.index_vector_dim, scatter.scatter_dims_to_operand_dims,
                     scatter.inserted_window_dims, found.table_batch, found.index_batch}) ||
      !is_compared(shape, index_shape, b.shape(operands.updates), found))
    return false;
  dims = std::move(found);
  indices = left;
  return true;
}

}  // namespace rhino::ir::hlo
