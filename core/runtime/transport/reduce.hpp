// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "rhino/program.hpp"
#include "rhino/shape.hpp"

namespace rhino::runtime {

/// target[i] = a[i] op b[i] for `count` elements of every target. A target may be `a` or `b`
/// itself; no other overlap. The same operands give the same bits on every rank: operands keep
/// their order.
using ReduceFunction = void (*)(std::span<void* const> targets, const void* a, const void* b,
                                std::int64_t count);

/// bf16 and f16 are computed in f32 and rounded to nearest even. max and min keep a NaN of either
/// side. Over pred, sum is `or` and product is `and`; logical reductions over integers work bit by
/// bit. `streams`: targets begin at multiples of 64 bytes and are written past the caches. Throws
/// Error for a logical reduction of floating-point values.
ReduceFunction reduce_function(Reduction reduction, DType dtype, bool streams = false);

}  // namespace rhino::runtime
