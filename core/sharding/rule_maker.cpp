// SPDX-License-Identifier: Apache-2.0
#include "sharding/rule_maker.hpp"

#include <algorithm>

namespace rhino::sharding {
bool is_zero(const Program& program, ValueId id) {
  const Op& op = program.op(id);
  switch (op.kind) {
    case OpKind::constant: {
      const auto& elements = op.attributes.get<ConstantAttr>().elements;
      return std::all_of(elements.begin(), elements.end(), [](double e) { return e == 0; });
    }
    case OpKind::broadcast:
    case OpKind::reshape:
    case OpKind::transpose:
    case OpKind::convert: return is_zero(program, op.operands[0]);
    default: return false;
  }
}

RuleMaker::RuleMaker(const Program& program, ValueId id) : program_(program), op_(program.op(id)) {
  rule_.operands.reserve(op_.operands.size());
  for (ValueId operand : op_.operands) {
    rule_.operands.emplace_back(program.shape(operand).dims.size());
  }
  rule_.result.resize(op_.shape.dims.size());
  rule_.passes_sum.resize(op_.operands.size());
  rule_.factors.reserve(op_.shape.dims.size() + 2);
}

DimFactors RuleMaker::loop(std::int64_t size, Factor::Kind kind, Reduction reduction) {
  if (size == 1) return {};
  if (size == 0) kind = Factor::Kind::blocked;
  rule_.factors.push_back({kind, size, reduction});
  return {static_cast<std::int32_t>(rule_.factors.size()) - 1};
}

DimFactors RuleMaker::reduced(std::int64_t size, Reduction reduction) {
  // A Partial has no product: nothing would make it whole again.
  if (reduction == Reduction::product) return blocked(size);
  return loop(size, Factor::Kind::reduction, reduction);
}

void RuleMaker::join(std::size_t i, std::int64_t dim, std::int64_t result_dim, bool whole) {
  const std::int64_t size = shape(i).dims[static_cast<std::size_t>(dim)];
  if (whole) {
    DimFactors& factors = result(result_dim);
    if (factors.empty()) factors = loop(size);
    operand(i, dim) = factors;
  } else {
    operand(i, dim) = blocked(size);
    if (result(result_dim).empty()) {
      result(result_dim) = blocked(shape().dims[static_cast<std::size_t>(result_dim)]);
    }
  }
}

DimFactors RuleMaker::windows(std::int64_t num_blocks, Factor::Kind kind, std::int64_t least_part) {
  const DimFactors made = loop(num_blocks, kind);
  if (!made.empty()) rule_.factors.back().least_part = least_part;
  return made;
}

DimFactors RuleMaker::in_blocks(const DimFactors& blocks, std::int64_t extent) {
  DimFactors dim = blocks;
  for (const std::int32_t block : blocks)
    extent /= rule_.factors[static_cast<std::size_t>(block)].size;
  for (const std::int32_t factor : blocked(extent)) dim.push_back(factor);
  return dim;
}

void RuleMaker::reaches(std::size_t i, std::int64_t dim, const DimFactors& blocks,
                        const Reach& reach) {
  const bool is_none = reach.before <= 0 && reach.behind <= 0 && reach.drift == 0;
  if (blocks.empty() || is_none) return;
  rule_.halos.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(dim),
                         blocks.front(), reach.before, reach.behind, reach.drift, reach.fill});
}

bool RuleMaker::is_zero(std::size_t i) const {
  return sharding::is_zero(program_, op_.operands[i]);
}

}  // namespace rhino::sharding
