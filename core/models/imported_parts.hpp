// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rhino/program.hpp"

/// What the reading of an imported program is made of.
namespace rhino::models::imported {

using Marks = std::vector<bool>;  ///< by value

/// Values that `values` are computed of, or that are computed of them; themselves too.
Marks ancestors(const Program& program, const std::vector<ValueId>& values);
Marks descendants(const Program& program, const std::vector<ValueId>& values);

/// Where the backward pass begins: values that depend on the batch and are not of the forward pass.
struct Passes {
  const Marks &after_batch, &forward;
};
/// The earliest value of the dims of `parameter` through which everything goes that `updated` reads
/// of the backward pass element by element; kNoValue if there is none.
ValueId gateway(const Program& program, ValueId updated, ValueId parameter, const Passes& passes);

/// Whether `value` reads `read` through elementwise ops.
bool reads_elementwise(const Program& program, ValueId value, ValueId read);

/// Whether the updates read nothing of the batch but gradients.
bool has_own_update(const Program& step);

/// The value itself, or its one element as a scalar, a new op.
ValueId as_scalar(Program& program, ValueId value);

/// Of ops of the backward pass.
void set_origins(Program& program, ValueId loss);

/// Numbers to begin with: integers of the batch below the extents that they index, the rest of a
/// size with which results stay finite.
void set_initializers(Program& program);

}  // namespace rhino::models::imported
