// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ir/builder.hpp"
#include "ir/training_step.hpp"

namespace rhino::ir {

/// A parameter (index among the inputs) and its gradient, of the scaled loss where it is scaled.
struct UpdateTarget {
  std::int32_t input = -1;
  ValueId gradient = kNoValue;
};

/// Writes the update phase: the states that `optimizer` needs and their updates, as outputs in the
/// order of inputs. `scale`: index of the input that holds the dynamic loss scale; -1: none.
void append_update(Builder& builder, const Optimizer& optimizer,
                   const std::vector<UpdateTarget>& targets, std::int32_t scale);

}  // namespace rhino::ir
