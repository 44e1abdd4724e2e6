// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/program.hpp"

namespace rhino::ir {

/// A program that computes the same, in the form of a Simplifier: inputs first, in their order,
/// then what outputs need, in the order in which a walk from each of them reaches it. Of one
/// program as HLO and as StableHLO the same comes out, but for names. What outputs do not need is
/// left out, inputs are not; origins are forgotten.
Program canonical(const Program& program);

}  // namespace rhino::ir
