// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/op_info.hpp"
#include "ir/reference_ops.hpp"
#include "rhino/error.hpp"

namespace rhino::ir::reference {
namespace {

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

// Length of the rank dim as the program has it; the group must be as large.
void check_group(const Op& op, const std::vector<const Tensor*>& operands) {
  if (op.kind == OpKind::all_reduce) return;
  const Shape& listed = op.kind == OpKind::all_gather ? op.shape : operands[0]->shape;
  if (listed.dims[0] != static_cast<std::int64_t>(operands.size())) {
    throw Error(std::string(op_name(op.kind)) + " '" + op.name + "' has " +
                std::to_string(listed.dims[0]) + " entries for a group of " +
                std::to_string(operands.size()) + " devices");
  }
}

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
    results.push_back(exchanged(op, operands, rank));
  }
  return results;
}

}  // namespace rhino::ir::reference
