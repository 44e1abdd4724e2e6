// SPDX-License-Identifier: Apache-2.0
#include "warp.hpp"

#include <algorithm>
#include <cstdio>

#include "operations.hpp"

namespace fake {
namespace {

bool holds(unsigned mask, unsigned lane) { return mask >> lane & 1; }

std::string hex(unsigned mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

}  // namespace

std::string Warp::disagreement(unsigned lane, const WarpCall& call) const {
  for (unsigned other = 0; other < kLanes; ++other) {
    if (!holds(arrived_, other)) continue;
    const WarpCall& its = calls_[other];
    // Where one names the other only, the other may come later.
    const bool names = holds(its.mask, lane) && holds(call.mask, other);
    if (!names || (its.mask == call.mask && its.kind == call.kind)) continue;
    return "lanes " + std::to_string(other) + " and " + std::to_string(lane) +
           " name each other in different warp operations, with masks " + hex(its.mask) + " and " +
           hex(call.mask);
  }
  return {};
}

unsigned Warp::arrive(unsigned lane, const WarpCall& call, std::string& wrong) {
  if (!holds(call.mask, lane)) {
    wrong = "lane " + std::to_string(lane) + " is not in its own mask " + hex(call.mask);
    return 0;
  }
  if (!arrived_) {
    first_ = call;
    mixed_ = false;
  }
  mixed_ = mixed_ || first_.mask != call.mask || first_.kind != call.kind;
  if (mixed_) wrong = disagreement(lane, call);
  if (!wrong.empty()) return 0;
  calls_[lane] = call;
  arrived_ |= 1u << lane;
  if ((arrived_ & call.mask) != call.mask) return 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    if (holds(call.mask, i)) results_[i] = exchange(i, calls_[i]);
  }
  meet(call.mask);
  arrived_ &= ~call.mask;
  return call.mask;
}

std::uint64_t Warp::exchange(unsigned lane, const WarpCall& call) const {
  const unsigned width = static_cast<unsigned>(call.width), first = lane & ~(width - 1);
  const unsigned argument = static_cast<unsigned>(call.argument);
  unsigned from = lane;
  if (call.kind >= WarpKind::kMultiplyF16) return 0;  // more than a word: see kernel_tiles()
  switch (call.kind) {
    case WarpKind::kIndex: from = first + (argument & (width - 1)); break;
    case WarpKind::kXor: from = (lane ^ argument) < first + width ? lane ^ argument : lane; break;
    case WarpKind::kDown: from = lane + argument < first + width ? lane + argument : lane; break;
    case WarpKind::kUp: from = lane >= first + argument ? lane - argument : lane; break;
    case WarpKind::kSync: return 0;
    default: return reduce(call);
  }
  // What a lane outside the mask holds is undefined.
  return holds(call.mask, from) ? calls_[from].value : ~std::uint64_t{0};
}

std::uint64_t Warp::reduce(const WarpCall& call) const {
  std::uint64_t ballot = 0;
  std::int64_t sum = 0, low = INT64_MAX, high = INT64_MIN;
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!holds(call.mask, i)) continue;
    const auto value = static_cast<std::int64_t>(calls_[i].value);
    ballot |= std::uint64_t{value != 0} << i;
    sum += value;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  switch (call.kind) {
    case WarpKind::kAdd: return static_cast<std::uint64_t>(sum);
    case WarpKind::kMin: return static_cast<std::uint64_t>(low);
    case WarpKind::kMax: return static_cast<std::uint64_t>(high);
    default: return ballot;
  }
}

void Warp::meet(unsigned mask) {
  if (!checked()) return;
  std::array<std::uint32_t, kLanes> all{};
  for (unsigned i = 0; i < kLanes; ++i) {
    if (!holds(mask, i)) continue;
    ++met_[i][i];
    for (unsigned j = 0; j < kLanes; ++j) all[j] = std::max(all[j], met_[i][j]);
  }
  for (unsigned i = 0; i < kLanes; ++i) {
    if (holds(mask, i)) met_[i] = all;
  }
}

}  // namespace fake
