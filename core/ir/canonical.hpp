// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/program.hpp"

namespace rhino::ir {

/// Whether -0 + 0 is 0, or may be left as it is: XLA drops sums with 0 where it writes HLO.
enum class Zeros { exact, alike };

/// A program that computes the same, in the form of a Simplifier: inputs first, in their order,
/// then what outputs need, in the order in which a walk from each of them reaches it. Of one
/// program as HLO and as StableHLO the same comes out, but for names, as far as
/// XLA left the same in both. What outputs do not need is
/// left out, inputs are not; origins are forgotten.
Program canonical(const Program& program, Zeros zeros = Zeros::exact);

}  // namespace rhino::ir
