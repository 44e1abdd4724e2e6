// SPDX-License-Identifier: Apache-2.0
#include "plan/cut_bucket.hpp"

#include <algorithm>
#include <cassert>

namespace rhino::plan {
namespace {

CommunicationKind communication_kind(OpKind kind) {
  switch (kind) {
    case OpKind::all_gather: return CommunicationKind::all_gather;
    case OpKind::reduce_scatter: return CommunicationKind::reduce_scatter;
    case OpKind::all_to_all: return CommunicationKind::all_to_all;
    case OpKind::halo_exchange: return CommunicationKind::halo_exchange;
    default: assert(kind == OpKind::all_reduce); return CommunicationKind::all_reduce;
  }
}

std::int64_t operand_bytes(const Program& program, ValueId id) {
  return std::max<std::int64_t>(1, num_bytes(program.shape(program.op(id).operands.front())));
}

}  // namespace

CutCollective described(const Program& program, ValueId id) {
  const auto& attr = program.op(id).attributes.get<CollectiveAttr>();
  return {communication_kind(program.op(id).kind), attr.reduction, attr.axes, attr.before, {}, {}};
}

bool is_alike(const Program& program, ValueId id, const CutCollective& other) {
  const CutCollective own = described(program, id);
  return own.kind == other.kind && own.reduction == other.reduction && own.axes == other.axes &&
         own.before == other.before;
}

std::int64_t bucket_bytes(const Program& program, ValueId id) {
  return std::max(operand_bytes(program, id), num_bytes(program.shape(id)));
}

void CutBucket::add(const Program& program, ValueId id) {
  if (collective.results.empty()) collective = described(program, id);
  collective.operands.push_back(program.op(id).operands.front());
  collective.results.push_back(id);
  bytes += operand_bytes(program, id);
  most_bytes += bucket_bytes(program, id);
}

ValueId CutBucket::last_operand() const { return *std::ranges::max_element(collective.operands); }

}  // namespace rhino::plan
