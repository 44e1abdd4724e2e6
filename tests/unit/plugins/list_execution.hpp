// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "plan/pass_order.hpp"
#include "rhino/pipeline.hpp"

namespace rhino::test {

struct ListOptions {
  std::int32_t num_steps = 1;  ///< back to back
  /// A BW sends after backward_s and weight_first_s; else at its end, as papers have it.
  bool is_gradient_early = false;
};

/// When each step ends on each mesh, [mesh][step], by direct execution of the lists: no plan, no
/// simulator. Each mesh works off its own, each pass as soon as what it reads is there; what
/// crosses delays its receiver alone.
std::vector<std::vector<double>> list_ends_s(const PipelineProblem& problem,
                                             const plan::PassOrder& order,
                                             const ListOptions& options = {});

}  // namespace rhino::test
