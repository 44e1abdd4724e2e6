// SPDX-License-Identifier: Apache-2.0
#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
namespace {

void linearity(RuleMaker& maker) {
  switch (maker.op().kind) {
    case OpKind::negate: maker.passes_sum(0); break;
    case OpKind::convert:
      if (is_floating(maker.shape(0).dtype) && is_floating(maker.shape().dtype))
        maker.passes_sum(0);
      break;
    case OpKind::add:
    case OpKind::subtract:
      maker.passes_sum(0);
      maker.passes_sum(1);
      maker.passes_sum_together();
      break;
    case OpKind::multiply:
      maker.passes_sum(0);
      maker.passes_sum(1);
      break;
    case OpKind::divide:
      if (is_floating(maker.shape().dtype)) maker.passes_sum(0);
      break;
    case OpKind::select:
      maker.passes_sum(1);
      maker.passes_sum(2);
      maker.passes_sum_together();
      break;
    default: break;
  }
}

}  // namespace

void elementwise_rule(RuleMaker& maker) {
  const auto rank = static_cast<std::int64_t>(maker.shape().dims.size());
  for (std::size_t i = 0; i < maker.op().operands.size(); ++i) {
    if (maker.shape(i).dims.empty()) continue;  // a scalar meets every element
    for (std::int64_t d = 0; d < rank; ++d) maker.join(i, d, d);
  }
  linearity(maker);
}

}  // namespace rhino::sharding
