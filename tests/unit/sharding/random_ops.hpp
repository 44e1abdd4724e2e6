// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spmd_harness.hpp"

namespace rhino::test {

/// A program of one op: its operands are inputs or splat constants, its last op is the one meant.
struct OneOp {
  Program program;
  std::vector<ir::Tensor> inputs;

  ValueId id() const { return program.size() - 1; }
  const Op& op() const { return program.ops.back(); }
};

/// Any op that a whole program may hold, with random extents and attributes.
OneOp random_op(Random& random);

/// Number of kinds of cases that random_op draws from; case `index` alone.
std::int64_t num_op_cases();
OneOp random_op(Random& random, std::int64_t index);

}  // namespace rhino::test
