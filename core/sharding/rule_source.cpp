// SPDX-License-Identifier: Apache-2.0
#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
namespace {

// Whether what stands at an element depends on its index along `dim`.
bool is_positional(const Op& op, std::size_t dim) {
  switch (op.kind) {
    case OpKind::iota: return op.attributes.get<DimAttr>().dim == static_cast<std::int64_t>(dim);
    case OpKind::rng: return true;
    case OpKind::constant: return op.attributes.get<ConstantAttr>().elements.size() > 1;
    default: return false;
  }
}

}  // namespace

void source_rule(RuleMaker& maker) {
  for (std::size_t d = 0; d < maker.shape().dims.size(); ++d) {
    const bool positional = is_positional(maker.op(), d);
    maker.result(static_cast<std::int64_t>(d)) = maker.loop(
        maker.shape().dims[d], positional ? Factor::Kind::indexed : Factor::Kind::parallel);
  }
}

}  // namespace rhino::sharding
