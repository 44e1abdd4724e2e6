// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "evaluate/frame.hpp"
#include "sharding/step_graph.hpp"

namespace rhino::evaluate {

/// Of a value that a pass makes, those of other chunks that read it.
using ReadersElsewhere = std::map<std::pair<PassPlace, ValueId>, std::vector<PassPlace>>;

/// Fills crossings and stays of a frame that has its passes, and what of these leaves and arrives.
/// `all`: on other meshes; `staying`: on the same.
void find_crossings(const sharding::StepGraph& step, Frame& frame, ReadersElsewhere all,
                    ReadersElsewhere staying);

}  // namespace rhino::evaluate
