// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rhino/program.hpp"

namespace rhino {

/// Appends the reverse-mode derivative of scalar `loss` to `program` (phase backward, origin = the forward op) and returns the gradient of
/// each of `with_respect_to`, kNoValue for those the loss does not depend on. Terms of one value are summed where they meet.
/// Throws Error naming an op that has no derivative.
std::vector<ValueId> append_gradients(Program& program, ValueId loss, const std::vector<ValueId>& with_respect_to);

/// Rewrites backward ops so that they repeat cheap forward ops (elementwise, broadcast, iota, constant, compare, reshape of these) instead of
/// reading their results, wherever everything the repetition reads is read by the backward pass anyway: less to keep from forward to
/// backward at no cost, as fused loops make these for free. The repeated ops have phase backward and `origin` the forward op.
Program recompute_cheap(const Program& program);

}  // namespace rhino
