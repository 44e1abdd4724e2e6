// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/program.hpp"

namespace rhino::ir {

enum class Unused { dropped, kept };

/// `program` without ops that no output needs, and without such inputs unless they are kept. What
/// derives from an op that is gone has no origin.
Program without_dead_ops(const Program& program, Unused inputs = Unused::dropped);

}  // namespace rhino::ir
