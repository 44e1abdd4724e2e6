// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rhino/program.hpp"

namespace rhino::sharding {

struct Deferral {
  Program program;
  bool is_changed = false;
  /// Why it still may not be cut into micro-batches, with the op; empty: it may, or a scale is not
  /// the reason.
  std::string obstacle;
};

/// A step whose loss is divided by a count of the whole batch knows this scale behind the last
/// micro-batch only. What is linear in it is computed without: every value becomes a sum of parts,
/// each times a scalar of the batch that is left out,
///
///     loss = sum(x * mask) / count       d = broadcast(1 / count)        g = dot(h, d * mask)
///       l' = sum(x * mask)               d' = broadcast(1 / N)           g' = dot(h, d' * mask)
///     loss = l' / count                                                  g = g' * (N / count)
///
/// and the scale returns where a value is an output, is read by an update or by what is not linear
/// in it. Sums over micro-batches are then of what has no scale, and gradients, their norms and
/// updates see it whole. The constant N is a power of two near the largest count, so that narrow
/// dtypes neither overflow nor lose digits. What stays of a product of counts is exact algebra:
/// results differ by roundings alone.
///
/// A program that several micro-batches can be made of, or cannot be for other reasons, comes back
/// as it is. So does one where dots or convolutions would have to be computed once per part, as
/// where a loss with a scale and one without meet above them, but with `may_repeat`.
Deferral defer_scales(Program step, bool may_repeat = false);

}  // namespace rhino::sharding
