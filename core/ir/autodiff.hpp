// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::ir {

/// Appends the reverse-mode derivative of the scalar `loss` to `program` and returns the gradient
/// of each of `with_respect_to`, kNoValue for those the loss does not depend on.
///
/// Ops come in reverse topological order, so that a weight's gradient stands beside the
/// activation's. All have phase backward; origin is the op whose derivative they belong to. Terms
/// of one value are summed where they meet, terms of a parameter at the very end; origin of a sum
/// is the op that yields the value (for a parameter, the parameter op). The gradient of a value
/// with a name is named `<name>.gradient`, the first of those that share one.
///
/// floor, ceil, round and sign have derivative zero: ceil stops a gradient, so a softmax that
/// subtracts ceil(max) is exact and never differentiated through its max. Where max and min tie,
/// `maximum` and `minimum` follow the first operand and `reduce` shares evenly.
///
/// `seed`: a value of the shape of the loss, its own derivative; kNoValue: one.
///
/// Throws Error, `program` untouched, on an op on the way that has no derivative here:
/// select_and_scatter, scatter, sort and collectives.
std::vector<ValueId> append_gradients(Program& program, ValueId loss,
                                      const std::vector<ValueId>& with_respect_to,
                                      ValueId seed = kNoValue);

/// The same with gradients (outputs) of 16-bit dtypes as f32: dots and sums that yield them yield
/// f32, as far as nothing else reads them, others are converted.
Program widen_gradients(const Program& program);

/// Lets backward ops repeat cheap forward ops (elementwise, broadcast, reshape, transpose, slice,
/// iota, constant) rather than read their results: less to keep from forward to backward at next to
/// no cost, as fused loops and views make these for free. Bit-equal results; never more bytes of
/// forward values read.
///  - A view is not kept where keeping what it views takes no more bytes.
///  - A value is repeated where all that the repetition reads is an input, kept anyway, or itself
///    repeated. No repetition goes on across a contraction, so a residual stream is not rebuilt
///    from its beginning.
///  - What is computed of parameters and no batch, as copies in 16 bits are, is kept: it is made
///    once a step, whatever micro-batches there are.
/// A repetition has phase backward, `origin` the op it repeats and stands before its first user.
Program recompute_cheap(const Program& program);

/// Per value the forward op that a backward op repeats, kNoValue where it repeats none. The two are
/// bit-equal, so a reader for whom the repetition lies badly (on another pipeline stage) may read
/// the forward value instead.
std::vector<ValueId> repeated_ops(const Program& program);

/// Bytes of the values that forward ops yield and backward ops read, inputs and constants
/// aside: what has to be
/// kept from forward to backward.
std::int64_t kept_bytes(const Program& program);

}  // namespace rhino::ir
