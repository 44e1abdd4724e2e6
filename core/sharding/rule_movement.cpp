// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
namespace {

// Operand dim i runs along result dim dims[i]; the others repeat it.
void broadcast_rule(RuleMaker& maker) {
  const auto& dims = maker.attributes<DimsAttr>().dims;
  for (std::int64_t d = 0; d < rank(maker.shape()); ++d) {
    maker.result(d) = maker.loop(maker.shape().dims[static_cast<std::size_t>(d)]);
  }
  for (std::int64_t d = 0; d < rank(maker.shape(0)); ++d) {
    maker.operand(0, d) = maker.result(dims[static_cast<std::size_t>(d)]);
  }
  maker.passes_sum(0);
}

void transpose_rule(RuleMaker& maker) {
  const auto& dims = maker.attributes<DimsAttr>().dims;
  for (std::int64_t d = 0; d < rank(maker.shape()); ++d) {
    maker.join(0, dims[static_cast<std::size_t>(d)], d);
  }
  maker.passes_sum(0);
}

void slice_rule(RuleMaker& maker) {
  const auto& attributes = maker.attributes<SliceAttr>();
  for (std::size_t d = 0; d < maker.shape().dims.size(); ++d) {
    const bool whole =
        maker.shape(0).dims[d] == maker.shape().dims[d] && attributes.strides[d] == 1;
    maker.join(0, static_cast<std::int64_t>(d), static_cast<std::int64_t>(d), whole);
  }
  maker.passes_sum(0);
}

void pad_rule(RuleMaker& maker) {
  const auto& attributes = maker.attributes<PadAttr>();
  for (std::size_t d = 0; d < maker.shape().dims.size(); ++d) {
    const bool whole =
        attributes.low[d] == 0 && attributes.high[d] == 0 && attributes.interior[d] == 0;
    maker.join(0, static_cast<std::int64_t>(d), static_cast<std::int64_t>(d), whole);
  }
  if (maker.is_zero(1)) maker.passes_sum(0);
}

void concatenate_rule(RuleMaker& maker) {
  const std::int64_t dim = maker.attributes<DimAttr>().dim;
  for (std::size_t i = 0; i < maker.op().operands.size(); ++i) {
    for (std::int64_t d = 0; d < rank(maker.shape()); ++d) maker.join(i, d, d, d != dim);
    maker.passes_sum(i);
  }
  maker.passes_sum_together();
}

void reverse_rule(RuleMaker& maker) {
  const auto& dims = maker.attributes<DimsAttr>().dims;
  for (std::int64_t d = 0; d < rank(maker.shape()); ++d) {
    maker.join(0, d, d, std::find(dims.begin(), dims.end(), d) == dims.end());
  }
  maker.passes_sum(0);
}

}  // namespace

void movement_rule(RuleMaker& maker) {
  switch (maker.op().kind) {
    case OpKind::broadcast: return broadcast_rule(maker);
    case OpKind::transpose: return transpose_rule(maker);
    case OpKind::slice: return slice_rule(maker);
    case OpKind::pad: return pad_rule(maker);
    case OpKind::concatenate: return concatenate_rule(maker);
    default: return reverse_rule(maker);
  }
}

}  // namespace rhino::sharding
