// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lower/attention.hpp"
#include "rhino/program.hpp"

namespace rhino::lower {

/// Per op: an output needs it, or it is a parameter.
std::vector<bool> needed_ops(const Program& program);

struct Prepared {
  Program program;
  std::vector<ValueId> made_for;  ///< per op: that of the program which it was prepared from
  std::vector<Attention> attentions = {};
};

/// `program` without ops that no output needs, and with transposes before those dots whose operands
/// no matrix product takes even when they are dense, and with sums of 16-bit values as sums in f32
/// that are rounded. Reductions and broadcasts whose innermost rows are short are two each, see
/// short_rows.hpp. Windows of one value that are alike become one. Inputs and outputs keep their
/// order; all parameters stay; ops have no origins, which nothing that runs reads. Throws Error on
/// a collective. What attentions are made of stays as it is.
Prepared prepared(const Program& program, const std::vector<Attention>& attentions = {});

}  // namespace rhino::lower
