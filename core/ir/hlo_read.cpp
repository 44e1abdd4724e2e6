// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_read.hpp"

#include <optional>

#include "ir/hlo_attributes.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "rhino/error.hpp"

namespace rhino::ir::hlo {
namespace {

[[noreturn]] void refuse(std::string_view computation, const char* what) {
  throw Error("computation '" + std::string(computation) + "' is no " + what);
}

}  // namespace

AttributeReader::AttributeReader(const Module& module) {
  for (const Computation& computation : module.computations) {
    computations_.emplace(computation.name, &computation);
  }
}

const Computation& AttributeReader::computation(std::string_view name) const {
  const auto found = computations_.find(bare(name));
  if (found != computations_.end()) return *found->second;
  throw Error("computation '" + std::string(name) + "' does not exist");
}

Reduction AttributeReader::reduction(std::string_view name) const {
  if (const auto reduction = pair_reduction(computation(name))) return *reduction;
  refuse(name, "reduction that is supported");
}

Reduction AttributeReader::choice(std::string_view name) const {
  const Instruction* root = pair_op(computation(name));
  const std::string_view direction = root ? root->attribute("direction") : "";
  if (direction == "GE") return Reduction::max;
  if (direction == "LE") return Reduction::min;
  refuse(name, "comparison GE or LE of its parameters");
}

Order AttributeReader::order(std::string_view name) const {
  if (const auto order = sort_order(computation(name))) return *order;
  refuse(name, "comparison of two elements of one operand");
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

ScatterAttr AttributeReader::scatter_dims(const Instruction& instruction) {
  const auto dims = [&](const char* key) { return read_integers(instruction.attribute(key)); };
  return {dims("update_window_dims"), dims("inserted_window_dims"),
          dims("scatter_dims_to_operand_dims"),
          read_integer(instruction.attribute("index_vector_dim"))};
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
