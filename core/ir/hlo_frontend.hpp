// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/hlo_syntax.hpp"
#include "rhino/program.hpp"

/// What HLO has no word for, in `frontend_attributes={...}`, both ways. Readers throw Error without
/// a place.
namespace rhino::ir::hlo {

Phase read_phase(std::string_view word);
std::string_view phase_name(Phase phase);

/// Kind, initializer and state_of from the frontend attributes of a parameter.
Input read_input(const Instruction& instruction, ValueId value);
/// `{input="parameter",initializer="normal(0,0.02)"}` without braces.
std::string input_text(const Input& input);

/// Where an element of a tuple of tuples stands; empty: the whole.
using Path = std::vector<std::int64_t>;
/// One entry of the module's input_output_alias.
struct Alias {
  Path output;
  std::int64_t parameter = 0;
  Path in_parameter;
};
std::vector<Alias> read_aliases(const Module& module);
/// Parameters of its buffer_donor, `{ (3, {}), (0, {1}) }`: outputs may take their memory.
struct Donor {
  std::int64_t parameter = 0;
  Path in_parameter;
};
std::vector<Donor> read_donors(const Module& module);

/// Sets the kinds of outputs from the root's frontend attributes.
void read_output_kinds(const Instruction& root, std::vector<Output>& outputs);
/// `loss,gradient:3,value`; updated states are values here and aliases in the module's head.
std::string output_kinds_text(const std::vector<Output>& outputs);

}  // namespace rhino::ir::hlo
