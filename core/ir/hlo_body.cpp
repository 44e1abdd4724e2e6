// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_body.hpp"

#include <optional>

#include "rhino/error.hpp"

namespace rhino::ir::hlo {
namespace {

/// Of what a start value may belong to.
bool may_start(std::string_view opcode) {
  return opcode.starts_with("reduce") || opcode.starts_with("select-and");
}

bool takes_names(std::string_view opcode) {
  return opcode != "constant" && opcode != "parameter" && opcode != "iota";
}

}  // namespace

Body::Body(const Computation& computation, const AttributeReader& reader, const std::string& file)
    : instructions_(computation.instructions), reader_(reader), names_(instructions_.size()) {
  if (instructions_.empty()) {
    throw Error(file + ":" + std::to_string(computation.line) + ":1: computation '" +
                std::string(computation.name) + "' is empty");
  }
  operands_.reserve(2 * size());
  first_operand_.reserve(size() + 1);
  is_implied_.assign(size(), false);
  is_read_.assign(size(), false);
  root_ = size() - 1;
  std::size_t i = 0;
  try {
    for (i = 0; i < size(); ++i) resolve(i);
    for (i = 0; i < size(); ++i) find_implied(i);
  } catch (const Error& error) {
    throw Error(place(file, instructions_[i]) + error.what());
  }
}

void Body::resolve(std::size_t i) {
  const Instruction& instruction = instructions_[i];
  if (takes_names(instruction.opcode)) {
    for (std::string_view name : operand_names(instruction.arguments)) {
      const std::size_t found = names_.find(name);
      if (found == NameTable::kNone) {
        throw Error("operand '" + std::string(name) + "' is no earlier instruction");
      }
      operands_.push_back(found);
    }
  }
  first_operand_.push_back(operands_.size());
  if (instruction.is_root) root_ = i;
  names_.insert(instruction.name);
  if (names_.size() != i + 1) {
    throw Error("instruction '" + std::string(instruction.name) + "' is defined twice");
  }
}

std::size_t Body::operand(std::size_t i, std::size_t k) const {
  if (k >= num_operands(i)) throw Error("has too few operands");
  return operands_[first_operand_[i] + k];
}

std::size_t Body::find(std::string_view name) const {
  const std::size_t found = names_.find(name);
  return found == NameTable::kNone ? size() : found;
}

void Body::find_implied(std::size_t i) {
  for (std::size_t k = 0; k < num_operands(i); ++k) {
    (is_implied(i, k) ? is_implied_ : is_read_)[operand(i, k)] = true;
  }
}

bool Body::is_implied(std::size_t i, std::size_t k) const {
  const Instruction& instruction = instructions_[i];
  const Instruction& source = instructions_[operand(i, k)];
  if (source.opcode != "constant") return false;
  if (is_splat(instruction)) return true;
  if (!may_start(instruction.opcode)) return false;
  if (num_operands(i) > 3) return false;  // reductions of several operands are taken apart
  const std::optional<Reduction> reduction = reader_.start_reduction(instruction, k);
  return reduction && is_neutral(*reduction, source);
}

}  // namespace rhino::ir::hlo
