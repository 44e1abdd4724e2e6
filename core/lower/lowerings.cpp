// SPDX-License-Identifier: Apache-2.0
#include "lower/lowerings.hpp"

#include <algorithm>

#include "ir/structure_hash.hpp"

namespace rhino::lower {
namespace {

/// What is kept takes some hundred bytes per op.
constexpr std::int64_t kMostOps = 1 << 17;

}  // namespace

std::shared_ptr<const LoweredProgram> Lowerings::of(const Program& program) {
  return of(program, [&] { return program; });
}

std::shared_ptr<const LoweredProgram> Lowerings::of(const Program& program,
                                                    const std::function<Program()>& stand_in) {
  const std::size_t hash = ir::structure_hash(program);
  const auto [first, last] = known_.equal_range(hash);
  const auto same = std::find_if(first, last, [&](const auto& known) {
    return ir::compute_alike(known.second.program, program);
  });
  if (same != last) return same->second.lowered;
  if (num_ops_ > kMostOps) known_.clear(), num_ops_ = 0;
  num_ops_ += program.size();
  auto lowered = std::make_shared<const LoweredProgram>(lower(stand_in(), kernels_));
  known_.emplace(hash, Known{program, lowered});
  return lowered;
}

}  // namespace rhino::lower
