// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rhino/program.hpp"

namespace rhino::lower {

/// `program` without ops that no output needs, and with transposes before those dots whose operands
/// no matrix product takes even when they are dense, and with sums of 16-bit values as sums in f32
/// that are rounded. Windows of one value that are alike become
/// one. Inputs and outputs keep their order; all parameters stay. Throws Error on a collective.
Program prepared(const Program& program);

}  // namespace rhino::lower
