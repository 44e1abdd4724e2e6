// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/choice/cost_graph.hpp"

/// Choices as JSON, for other solvers and for later:
///
///     {"tables": [[0, 1.5, 2, 0]], "nodes": [{"cost": [3, 4], "bytes": []}, {"cost": [1, 1],
///     "bytes": []}],
///      "edges": [{"from": 0, "to": 1, "table": 0}]}
///
/// A table has an entry for each label of `from` and, within that, each of `to`; 1e6 and more is
/// forbidden.
namespace rhino::test {

std::string text_of(const common::choice::CostGraph& graph);

/// Throws Error where `text` is none.
common::choice::CostGraph instance_of(const std::string& text);

}  // namespace rhino::test
