// SPDX-License-Identifier: Apache-2.0
#include "ir/infer.hpp"

namespace rhino::ir::infer {
namespace {

// [n, ...] with n = group size where that is known.
void require_entry_per_rank(const Site& site) {
  site.require(site.rank(0) >= 1, "takes one entry per rank along dim 0");
  if (site.group_size != 0 && site.operand(0).dims[0] != site.group_size) {
    site.fail("dim 0 is not the number of ranks, " + std::to_string(site.group_size));
  }
}

Shape all_gather(const Site& site) {
  const Shape &operand = site.operand(0), &declared = site.op.shape;
  std::int64_t num_ranks = site.group_size;
  if (num_ranks == 0) {
    site.require(!declared.dims.empty(), "the number of ranks is unknown");
    num_ranks = declared.dims[0];
  }
  Shape result = operand;
  result.dims.insert(result.dims.begin(), num_ranks);
  return result;
}

}  // namespace

Shape collective(const Site& site) {
  site.require_operands(1);
  const auto& attributes = site.attributes<CollectiveAttr>();
  const Shape& operand = site.operand(0);
  switch (site.op.kind) {
    case OpKind::all_reduce:
      require_reducible(site, attributes.reduction, operand.dtype);
      return operand;
    case OpKind::all_gather: return all_gather(site);
    case OpKind::reduce_scatter:
      require_reducible(site, attributes.reduction, operand.dtype);
      require_entry_per_rank(site);
      return {operand.dtype, Dims(operand.dims.begin() + 1, operand.dims.end())};
    default: require_entry_per_rank(site); return operand;
  }
}

}  // namespace rhino::ir::infer
