// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/op_info.hpp"
#include "ir/ops/rows.hpp"
#include "ir/reference_ops.hpp"
#include "ir/site.hpp"

/// Collectives, and the axes that they and axis_index name.
namespace rhino::ir {
namespace {

// [n, ...] with n = group size where that is known.
void require_entry_per_rank(const Site& site) {
  site.require(site.rank(0) >= 1, "takes one entry per rank along dim 0");
  if (site.group_size != 0 && site.operand(0).dims[0] != site.group_size) {
    site.fail("dim 0 is not the number of ranks, " + std::to_string(site.group_size));
  }
}

/// The one operand, reducible where the op reduces.
const Shape& operand(const Site& site, bool reduces) {
  site.require_operands(1);
  const Reduction reduction = site.attributes<CollectiveAttr>().reduction;
  if (reduces) require_reducible(site, reduction, site.operand(0).dtype);
  return site.operand(0);
}

Shape all_reduce(const Site& site) { return operand(site, true); }

Shape all_gather(const Site& site) {
  const Shape& declared = site.op.shape;
  std::int64_t num_ranks = site.group_size;
  if (num_ranks == 0) {
    site.require(!declared.dims.empty(), "the number of ranks is unknown");
    num_ranks = declared.dims[0];
  }
  Shape result = operand(site, false);
  result.dims.insert(result.dims.begin(), num_ranks);
  return result;
}

Shape reduce_scatter(const Site& site) {
  const Shape& listed = operand(site, true);
  require_entry_per_rank(site);
  return {listed.dtype, Dims(listed.dims.begin() + 1, listed.dims.end())};
}

Shape all_to_all(const Site& site) {
  const Shape& listed = operand(site, false);
  require_entry_per_rank(site);
  return listed;
}

Shape halo_exchange(const Site& site) {
  const Shape& entries = operand(site, false);
  const std::int64_t before = site.attributes<CollectiveAttr>().before;
  site.require(!entries.dims.empty() && before >= 0 && before <= entries.dims[0],
               "takes entries along dim 0, of which `before` are those of the rank before");
  return entries;
}

Tensor reduced(const Op& op, const std::vector<const Tensor*>& operands) {
  const Reduction reduction = op.attributes.get<CollectiveAttr>().reduction;
  Tensor total = *operands[0];
  for (std::size_t rank = 1; rank < operands.size(); ++rank) {
    for (std::size_t i = 0; i < total.elements.size(); ++i) {
      total.elements[i] =
          combine(reduction, total.shape.dtype, total.elements[i], operands[rank]->elements[i]);
    }
  }
  return total;
}

Tensor gathered(const Op& op, const std::vector<const Tensor*>& operands) {
  Tensor result{op.shape, {}};
  for (const Tensor* part : operands) {
    result.elements.insert(result.elements.end(), part->elements.begin(), part->elements.end());
  }
  return result;
}

// Entry `index` of a [n, ...] tensor.
auto entry(const Tensor& tensor, std::size_t index, std::size_t num_entries) {
  const auto size = static_cast<std::ptrdiff_t>(tensor.elements.size() / num_entries);
  return tensor.elements.begin() + static_cast<std::ptrdiff_t>(index) * size;
}

std::vector<Tensor> scattered(const Op& op, const Tensor& total, std::size_t num_ranks) {
  std::vector<Tensor> results;
  for (std::size_t rank = 0; rank < num_ranks; ++rank) {
    const auto begin = entry(total, rank, num_ranks), end = entry(total, rank + 1, num_ranks);
    results.push_back({op.shape, std::vector<double>(begin, end)});
  }
  return results;
}

Tensor exchanged(const Op& op, const std::vector<const Tensor*>& operands, std::size_t rank) {
  Tensor result{op.shape, {}};
  for (const Tensor* from : operands) {
    result.elements.insert(result.elements.end(), entry(*from, rank, operands.size()),
                           entry(*from, rank + 1, operands.size()));
  }
  return result;
}

Tensor from_neighbours(const Op& op, const std::vector<const Tensor*>& operands, std::size_t rank) {
  const Tensor& before = *operands[rank == 0 ? rank : rank - 1];
  Tensor result = *operands[std::min(rank + 1, operands.size() - 1)];
  const auto num_before = op.attributes.get<CollectiveAttr>().before * std::ssize(result.elements) /
                          std::max<std::int64_t>(1, op.shape.dims[0]);
  std::copy_n(before.elements.begin(), num_before, result.elements.begin());
  return result;
}

// Length of the rank dim as the program has it; the group must be as large.
void check_group(const Op& op, const std::vector<const Tensor*>& operands) {
  if (op.kind == OpKind::all_reduce || op.kind == OpKind::halo_exchange) return;
  const Shape& listed = op.kind == OpKind::all_gather ? op.shape : operands[0]->shape;
  if (listed.dims[0] != static_cast<std::int64_t>(operands.size())) {
    throw Error(std::string(op_name(op.kind)) + " '" + op.name + "' has " +
                std::to_string(listed.dims[0]) + " entries for a group of " +
                std::to_string(operands.size()) + " devices");
  }
}

constexpr OpTraits kCollectiveRows[] = {
    {.kind = OpKind::all_reduce,
     .name = "all-reduce",
     .op_class = OpClass::collective,
     .arity = 1,
     .infer = all_reduce,
     .write = hlo::write_axes,
     .read = hlo::read_axes},
    {.kind = OpKind::all_gather,
     .name = "all-gather",
     .op_class = OpClass::collective,
     .arity = 1,
     .infer = all_gather,
     .write = hlo::write_axes,
     .read = hlo::read_axes},
    {.kind = OpKind::reduce_scatter,
     .name = "reduce-scatter",
     .op_class = OpClass::collective,
     .arity = 1,
     .infer = reduce_scatter,
     .write = hlo::write_axes,
     .read = hlo::read_axes},
    {.kind = OpKind::all_to_all,
     .name = "all-to-all",
     .op_class = OpClass::collective,
     .arity = 1,
     .infer = all_to_all,
     .write = hlo::write_axes,
     .read = hlo::read_axes},
    {.kind = OpKind::halo_exchange,
     .name = "halo-exchange",
     .op_class = OpClass::collective,
     .arity = 1,
     .infer = halo_exchange,
     .write = hlo::write_axes,
     .read = hlo::read_axes},
};

}  // namespace

std::vector<Tensor> collective(const Op& op, const std::vector<const Tensor*>& operands) {
  check_group(op, operands);
  const std::size_t num_ranks = operands.size();
  switch (op.kind) {
    case OpKind::all_reduce: return std::vector<Tensor>(num_ranks, reduced(op, operands));
    case OpKind::all_gather: return std::vector<Tensor>(num_ranks, gathered(op, operands));
    case OpKind::reduce_scatter: return scattered(op, reduced(op, operands), num_ranks);
    default: break;
  }
  std::vector<Tensor> results;
  for (std::size_t rank = 0; rank < num_ranks; ++rank) {
    results.push_back(op.kind == OpKind::halo_exchange ? from_neighbours(op, operands, rank)
                                                       : exchanged(op, operands, rank));
  }
  return results;
}

std::span<const OpTraits> collective_ops() { return kCollectiveRows; }

namespace hlo {

void write_axes(const Op& op, AttributeWriter& writer) {
  const auto& a = op.attributes.get<CollectiveAttr>();
  writer.print(", mesh_axes={{{}}}", joined(a.axes, ','));
  if (a.before != 0) writer.print(", before={}", a.before);
  const bool reduces = op.kind == OpKind::all_reduce || op.kind == OpKind::reduce_scatter;
  if (reduces || a.reduction != Reduction::sum) {
    writer.print_reducer("to_apply", a.reduction, op.shape.dtype);
  }
}

Attributes read_axes(const Instruction& instruction, const AttributeReader& reader) {
  const std::string_view text = instruction.attribute("mesh_axes");
  const std::string_view reducer = instruction.attribute("to_apply");
  if (text.empty()) throw Error("collectives need mesh_axes={...}; groups are not supported");
  CollectiveAttr attributes;
  for (std::int64_t axis : read_integers(text)) {
    attributes.axes.push_back(static_cast<std::int32_t>(axis));
  }
  if (!reducer.empty()) attributes.reduction = reader.reduction(reducer);
  const std::string_view before = instruction.attribute("before");
  if (!before.empty()) attributes.before = read_integer(before);
  return attributes;
}

}  // namespace hlo
}  // namespace rhino::ir
