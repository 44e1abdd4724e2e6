// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "ir/few.hpp"

/// HLO text as written: computations, instructions and their attributes, before any of it has a
/// meaning. Everything is a view into the text, which must outlive it.
namespace rhino::ir::hlo {

/// Why regions of shard_map are refused.
inline constexpr std::string_view kPartOfMesh =
    "this is written for each device of a mesh alone (shard_map); export the step as one device "
    "computes all of it";

/// `dimensions={0,1}`: the value is kept as written, braces included.
struct Attribute {
  std::string_view key, value;
};

/// `ROOT %name = shape opcode(arguments), key=value, ...`
struct Instruction {
  std::string_view name;   ///< without `%`
  std::string_view shape;  ///< with its layout; of a tuple with its parentheses
  std::string_view opcode;
  std::string_view arguments;  ///< between the parentheses
  std::vector<Attribute> attributes;
  std::int32_t line = 0, column = 0;  ///< of its name, from 1
  bool is_root = false;

  /// Value of attribute `key`; empty without one.
  std::string_view attribute(std::string_view key) const;
};

struct Computation {
  std::string_view name;
  bool is_entry = false;
  std::vector<Instruction> instructions;
  std::int32_t line = 0;
};

struct Module {
  std::string_view name;  ///< with its quotes if it has them
  std::vector<Attribute> attributes;
  std::vector<Computation> computations;
  std::deque<std::string> made = {};  ///< text of those that are no views into a file
};

/// Sections of debug information (FileNames, StackFrames, ...) are left out. Throws Error
/// `file:line:column: ...`.
Module parse_module(std::string_view text, const std::string& file);

/// `file:line:column: %name: `, what an Error of one instruction begins with.
std::string place(const std::string& file, const Instruction& instruction);

/// A name without its `%`.
inline std::string_view bare(std::string_view name) {
  return name.starts_with('%') ? name.substr(1) : name;
}

/// What stands between commas that are in no brackets.
std::vector<std::string_view> split_at_commas(std::string_view text);

using OperandNames = Few<std::string_view, 4>;
/// Names of the operands in `arguments`, types and `%` left out.
OperandNames operand_names(std::string_view arguments);

}  // namespace rhino::ir::hlo
