// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/choice/solver.hpp"

namespace rhino::test {

struct IntegerAnswer {
  common::choice::Solution solution;  ///< no labels: none was found in time
  double cpu_s = 0;                   ///< to its end or the limit, the proof counted
  bool is_proved = false;
};

/// The same choice as an integer program, by CBC with all of its presolving and heuristics: a
/// binary per label, and per pair of labels of an edge a share, which labels of either end add up
/// to. It runs in a process of its own, which ends with `most_s` of its time: CBC looks at its own
/// limit between nodes of its tree alone, and its first relaxation may take minutes.
IntegerAnswer solve_as_integers(const common::choice::CostGraph& graph, double most_s);

}  // namespace rhino::test
