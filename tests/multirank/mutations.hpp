// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"

/// Ways to spoil a correct plan so that it still runs. `gradient` and `input` are indices in the
/// outputs and inputs of the whole Program. They throw Error where a plan has nothing of the kind.
namespace rhino {

/// Takes a gradient out of its all-reduce: it stays what each rank makes of its own samples.
void leave_out_reduction(plan::ExecutionPlan& plan, std::int32_t gradient);

/// Reduces a gradient that has been reduced once more.
void reduce_again(plan::ExecutionPlan& plan, std::int32_t gradient);

/// Micro-batch `reader` reads the rows of `source` of a batch input.
void read_stale_rows(plan::ExecutionPlan& plan, std::int32_t input, std::int32_t reader,
                     std::int32_t source);

/// The activations that go forward arrive with the two halves of their rows exchanged.
void exchange_halves(plan::ExecutionPlan& plan);

/// Where the terms of a tied parameter's gradient are added up, one of them goes on alone.
void forget_other_term(plan::ExecutionPlan& plan, std::int32_t gradient);

/// The last Run that writes a gradient negates one element of every tile.
void flip_element(plan::ExecutionPlan& plan, std::int32_t gradient, std::size_t element);

/// A constant of a program of the plan.
struct PlanConstant {
  std::int32_t program = 0;
  ValueId value = 0;
};

/// All constants of the update that leads to one output.
std::vector<PlanConstant> update_constants(const plan::ExecutionPlan& plan, std::int32_t output);

/// One constant of each value other than 0 in the programs that run once per micro-batch.
std::vector<PlanConstant> pass_constants(const plan::ExecutionPlan& plan);

void scale_constant(plan::ExecutionPlan& plan, const PlanConstant& which, double factor);

}  // namespace rhino
