// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/choice/solver.hpp"

namespace rhino::test {

/// The same choice as an integer program, by CBC with all of its presolving and heuristics: a
/// binary per label, and per pair of labels of an edge a share, which labels of either end add up
/// to. `most_s` of its time; then what it has by then, and its bound. Throws Error where nothing
/// was found.
common::choice::Solution solve_as_integers(const common::choice::CostGraph& graph, double most_s);

}  // namespace rhino::test
