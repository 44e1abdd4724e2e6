// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lower/attention.hpp"
#include "rhino/program.hpp"

namespace rhino::lower {

/// Sets `causal` where the softmax is over a select by a comparison of row and column that puts
/// -1e9 or less elsewhere, and nothing of what is made there reaches a result or a sum.
void find_causal(const Program& program, const std::vector<ValueId>& same, Attention& attention);

}  // namespace rhino::lower
