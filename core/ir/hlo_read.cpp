// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_read.hpp"

#include <array>
#include <optional>

#include "ir/hlo_attributes.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "rhino/error.hpp"

namespace rhino::ir::hlo {
namespace {

bool is_parameter(const Computation& computation, std::string_view name, std::string_view number) {
  for (const Instruction& instruction : computation.instructions) {
    if (instruction.name != name) continue;
    return instruction.opcode == "parameter" && instruction.arguments == number;
  }
  return false;
}

// The root if the computation is one op of its first two parameters in order and nothing else.
const Instruction* pair_op(const Computation& computation) {
  const Instruction* root = nullptr;
  for (const Instruction& instruction : computation.instructions) {
    if (instruction.opcode == "parameter") continue;
    if (root) return nullptr;
    root = &instruction;
  }
  if (!root) return nullptr;
  const std::vector<std::string_view> operands = operand_names(root->arguments);
  const bool on_pair = operands.size() == 2 && is_parameter(computation, operands[0], "0") &&
                       is_parameter(computation, operands[1], "1");
  return on_pair ? root : nullptr;
}

[[noreturn]] void refuse(std::string_view computation, const char* what) {
  throw Error("computation '" + std::string(computation) + "' is no " + what);
}

}  // namespace

OpKind combining_op(Reduction reduction) {
  constexpr std::array<OpKind, 6> kOps = {OpKind::add,     OpKind::multiply,    OpKind::maximum,
                                          OpKind::minimum, OpKind::logical_and, OpKind::logical_or};
  return kOps[static_cast<std::size_t>(reduction)];
}

AttributeReader::AttributeReader(const Module& module) {
  for (const Computation& computation : module.computations) {
    computations_.emplace(computation.name, &computation);
  }
}

const Instruction* AttributeReader::find_pair_op(std::string_view computation) const {
  const auto found = computations_.find(bare(computation));
  if (found != computations_.end()) return pair_op(*found->second);
  throw Error("computation '" + std::string(computation) + "' does not exist");
}

Reduction AttributeReader::reduction(std::string_view computation) const {
  const Instruction* root = find_pair_op(computation);
  for (int i = 0; root && i <= static_cast<int>(Reduction::logical_or); ++i) {
    const auto candidate = static_cast<Reduction>(i);
    if (op_name(combining_op(candidate)) == root->opcode) return candidate;
  }
  refuse(computation, "reduction that is supported");
}

Reduction AttributeReader::choice(std::string_view computation) const {
  const Instruction* root = find_pair_op(computation);
  const std::string_view direction = root ? root->attribute("direction") : "";
  if (direction == "GE") return Reduction::max;
  if (direction == "LE") return Reduction::min;
  refuse(computation, "comparison GE or LE of its parameters");
}

void AttributeReader::require_ascending(std::string_view computation) const {
  const Instruction* root = find_pair_op(computation);
  if (root && root->attribute("direction") == "LT") return;
  refuse(computation,
         "comparison LT of its first two parameters; only ascending sorts are supported");
}

std::optional<Reduction> AttributeReader::start_reduction(const Instruction& instruction,
                                                          std::size_t k) const {
  const std::optional<OpKind> kind = op_from_name(instruction.opcode);
  if (!kind || !traits(*kind).start || static_cast<int>(k) != traits(*kind).arity) {
    return std::nullopt;
  }
  return reduction(instruction.attribute(traits(*kind).start_key));
}

Attributes AttributeReader::read(OpKind kind, const Instruction& instruction) const {
  const auto read = traits(kind).read;
  return read ? read(instruction, *this) : Attributes();
}

std::int64_t read_only_dim(std::string_view text) {
  const std::vector<std::int64_t> dims = read_integers(text);
  if (dims.size() != 1) throw Error("'" + std::string(text) + "' is not one dim");
  return dims[0];
}

bool is_splat(const Instruction& instruction) {
  if (instruction.opcode != "broadcast") return false;
  return find_string(instruction.attribute("frontend_attributes"), "splat") == "true";
}

bool is_neutral(Reduction reduction, const Instruction& constant) {
  const Shape shape = read_shape(constant.shape);
  const std::vector<double> held = read_literal(constant.arguments);
  if (!shape.dims.empty() || held.size() != 1) return false;
  const double neutral = neutral_element(reduction, shape.dtype);
  if (reduction == Reduction::max) return held[0] <= neutral;
  if (reduction == Reduction::min) return held[0] >= neutral;
  return held[0] == neutral;
}

}  // namespace rhino::ir::hlo
