// SPDX-License-Identifier: Apache-2.0
#include "ir/structure_hash.hpp"

#include <algorithm>
#include <cstdint>

namespace rhino::ir {
namespace {

void mix(std::size_t& hash, std::int64_t value) {
  hash ^= static_cast<std::size_t>(value) + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
}

bool compute_alike(const Op& a, const Op& b) {
  return a.kind == b.kind && a.phase == b.phase && a.operands == b.operands && a.shape == b.shape &&
         a.attributes == b.attributes;
}

}  // namespace

std::size_t structure_hash(const Program& program) {
  std::size_t hash = program.ops.size();
  for (const Op& op : program.ops) {
    mix(hash, static_cast<int>(op.kind));
    mix(hash, static_cast<int>(op.shape.dtype));
    for (const std::int64_t extent : op.shape.dims) mix(hash, extent);
    for (const ValueId operand : op.operands) mix(hash, operand);
  }
  for (const Output& output : program.outputs) mix(hash, output.value);
  return hash;
}

bool compute_alike(const Program& a, const Program& b) {
  return a.outputs == b.outputs &&
         std::ranges::equal(a.inputs, b.inputs, {}, &Input::value, &Input::value) &&
         std::ranges::equal(a.ops, b.ops, [](const Op& one, const Op& other) {
           return compute_alike(one, other);
         });
}

}  // namespace rhino::ir
