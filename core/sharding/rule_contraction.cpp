// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rhino/index.hpp"
#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
namespace {

void reduce_rule(RuleMaker& maker) {
  const auto& attributes = maker.attributes<ReduceAttr>();
  std::int64_t next = 0;
  for (std::int64_t d = 0; d < rank(maker.shape(0)); ++d) {
    if (!contains(attributes.dims, d)) {
      maker.join(0, d, next++);
      continue;
    }
    maker.operand(0, d) =
        maker.reduced(maker.shape(0).dims[static_cast<std::size_t>(d)], attributes.reduction);
  }
  if (attributes.reduction == Reduction::sum) maker.passes_sum(0);
}

void dot_rule(RuleMaker& maker) {
  const auto& dims = maker.attributes<DotAttr>();
  std::int64_t next = 0;
  for (std::size_t b = 0; b < dims.lhs_batch.size(); ++b) {
    maker.join(0, dims.lhs_batch[b], next);
    maker.join(1, dims.rhs_batch[b], next++);
  }
  for (std::int64_t d = 0; d < rank(maker.shape(0)); ++d) {
    if (!contains(dims.lhs_batch, d) && !contains(dims.lhs_contracting, d))
      maker.join(0, d, next++);
  }
  for (std::int64_t d = 0; d < rank(maker.shape(1)); ++d) {
    if (!contains(dims.rhs_batch, d) && !contains(dims.rhs_contracting, d))
      maker.join(1, d, next++);
  }
  for (std::size_t c = 0; c < dims.lhs_contracting.size(); ++c) {
    const std::int64_t d = dims.lhs_contracting[c];
    maker.operand(0, d) =
        maker.reduced(maker.shape(0).dims[static_cast<std::size_t>(d)], Reduction::sum);
    maker.operand(1, dims.rhs_contracting[c]) = maker.operand(0, d);
  }
  maker.passes_sum(0);
  maker.passes_sum(1);
}

}  // namespace

void contraction_rule(RuleMaker& maker) {
  return maker.op().kind == OpKind::reduce ? reduce_rule(maker) : dot_rule(maker);
}

}  // namespace rhino::sharding
