// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

#include "plan/pass_order.hpp"
#include "rhino/pipeline.hpp"

/// Pipelines of single chunks in a chain, and what schedules of them take and keep.
namespace rhino::test {

struct ChainCase {
  std::int32_t stages = 1;
  std::int64_t micro_batches = 1;
  double forward_s = 1, backward_s = 1, weight_s = 1;
};

/// Equal stages, transfers free, nothing said of memory.
PipelineProblem chain(const ChainCase& of);

/// 2 to 8 unequal stages, a micro-batch for each to eight, slow borders, and room for as many
/// micro-batches as stages to twice as many.
PipelineProblem random_chain(std::mt19937& random);

/// Micro-batches that a stage of one chunk, and bytes that a mesh keeps at most: from F to the last
/// pass.
std::int64_t kept(const plan::PassOrder& order, std::size_t stage);
double kept_bytes(const PipelineProblem& problem, const plan::PassOrder& order, std::size_t mesh);
/// No mesh keeps more bytes than it has room for.
bool fits(const PipelineProblem& problem, const plan::PassOrder& order);

/// Of steps back to back, and of the first, by list execution, gradients leaving early.
struct ChainTimes {
  double period_s = 0, makespan_s = 0;
};
ChainTimes times(const PipelineProblem& problem, const plan::PassOrder& order);

}  // namespace rhino::test
