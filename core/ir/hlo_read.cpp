// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_read.hpp"

#include <array>
#include <charconv>
#include <optional>

#include "ir/hlo_attributes.hpp"
#include "ir/op_info.hpp"
#include "rhino/error.hpp"

namespace rhino::ir::hlo {
namespace {

constexpr std::array<std::string_view, 6> kDirections = {"EQ", "NE", "LT", "LE", "GT", "GE"};

template <typename Enum, std::size_t N>
Enum find_name(const std::array<std::string_view, N>& names, std::string_view name,
               const char* what) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  throw Error("'" + std::string(name) + "' is no " + what);
}

double read_double(std::string_view text) {
  const std::vector<double> numbers = read_literal(text);
  if (numbers.size() != 1) throw Error("'" + std::string(text) + "' is no number");
  return numbers[0];
}

std::int64_t read_only_dim(std::string_view text) {
  const Dims dims = read_integers(text);
  if (dims.size() != 1) throw Error("'" + std::string(text) + "' is not one dim");
  return dims[0];
}

std::int64_t read_integer_or(std::string_view text, std::int64_t fallback) {
  return text.empty() ? fallback : read_integer(text);
}

std::vector<std::int32_t> read_axes(const Instruction& instruction) {
  const std::string_view text = instruction.attribute("mesh_axes");
  if (text.empty()) throw Error("collectives need mesh_axes={...}; groups are not supported");
  std::vector<std::int32_t> axes;
  for (std::int64_t axis : read_integers(text)) axes.push_back(static_cast<std::int32_t>(axis));
  return axes;
}

DotAttr read_dot(const Instruction& instruction) {
  return {read_integers(instruction.attribute("lhs_batch_dims")),
          read_integers(instruction.attribute("rhs_batch_dims")),
          read_integers(instruction.attribute("lhs_contracting_dims")),
          read_integers(instruction.attribute("rhs_contracting_dims"))};
}

void require_absent(const Instruction& instruction, std::string_view key) {
  const std::string_view text = instruction.attribute(key);
  if (text.empty() || text == "{}") return;
  throw Error("attribute " + std::string(key) + "=" + std::string(text) + " is not supported");
}

GatherAttr read_gather(const Instruction& instruction) {
  require_absent(instruction, "operand_batching_dims");
  return {read_integers(instruction.attribute("offset_dims")),
          read_integers(instruction.attribute("collapsed_slice_dims")),
          read_integers(instruction.attribute("start_index_map")),
          read_integers(instruction.attribute("slice_sizes")),
          read_integer(instruction.attribute("index_vector_dim"))};
}

ScatterAttr read_scatter(const Instruction& instruction, Reduction reduction) {
  require_absent(instruction, "input_batching_dims");
  return {read_integers(instruction.attribute("update_window_dims")),
          read_integers(instruction.attribute("inserted_window_dims")),
          read_integers(instruction.attribute("scatter_dims_to_operand_dims")),
          read_integer(instruction.attribute("index_vector_dim")), reduction};
}

ConvolutionAttr read_grouped_convolution(const Instruction& instruction) {
  ConvolutionAttr dims =
      read_convolution(instruction.attribute("window"), instruction.attribute("dim_labels"));
  dims.feature_groups = read_integer_or(instruction.attribute("feature_group_count"), 1);
  dims.batch_groups = read_integer_or(instruction.attribute("batch_group_count"), 1);
  return dims;
}

RngAttr read_rng(const Instruction& instruction) {
  const std::string_view attributes = instruction.attribute("frontend_attributes");
  RngAttr rng;
  const std::string stream = find_string(attributes, "stream");
  std::from_chars(stream.data(), stream.data() + stream.size(), rng.stream);
  rng.low = read_double(find_string(attributes, "low"));
  rng.high = read_double(find_string(attributes, "high"));
  return rng;
}

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

std::string_view bare(std::string_view name) {
  return name.starts_with('%') ? name.substr(1) : name;
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

DimAttr AttributeReader::read_sort(const Instruction& instruction) const {
  const std::string_view order = instruction.attribute("to_apply");
  const Instruction* root = find_pair_op(order);
  if (!root || root->attribute("direction") != "LT") {
    refuse(order, "comparison LT of its first two parameters; only ascending sorts are supported");
  }
  return {read_only_dim(instruction.attribute("dimensions"))};
}

std::optional<Reduction> AttributeReader::start_reduction(const Instruction& instruction,
                                                          std::size_t k) const {
  if (k == 1 && (instruction.opcode == "reduce" || instruction.opcode == "reduce-window")) {
    return reduction(instruction.attribute("to_apply"));
  }
  if (k == 2 && instruction.opcode == "select-and-scatter") {
    return reduction(instruction.attribute("scatter"));
  }
  return std::nullopt;
}

WindowAttr AttributeReader::read_window_op(OpKind kind, const Instruction& instruction) const {
  Window window = read_window(instruction.attribute("window"));
  const Dims ones(window.sizes.size(), 1);
  if (window.lhs_dilation != ones || window.rhs_dilation != ones) {
    throw Error("dilated windows are supported of convolutions only");
  }
  Reduction reduction{};
  if (kind == OpKind::reduce_window) {
    reduction = this->reduction(instruction.attribute("to_apply"));
  } else {
    reduction = choice(instruction.attribute("select"));
    if (this->reduction(instruction.attribute("scatter")) != Reduction::sum) {
      throw Error("only sums can be scattered to selected elements");
    }
  }
  return {std::move(window.sizes), std::move(window.strides), std::move(window.low),
          std::move(window.high), reduction};
}

Attributes AttributeReader::read(OpKind kind, const Instruction& instruction) const {
  const auto text = [&](std::string_view key) { return instruction.attribute(key); };
  switch (kind) {
    case OpKind::constant: return ConstantAttr{read_literal(instruction.arguments)};
    case OpKind::iota: return DimAttr{read_integer(text("iota_dimension"))};
    case OpKind::rng: return read_rng(instruction);
    case OpKind::compare:
      return CompareAttr{find_name<Comparison>(kDirections, text("direction"), "direction")};
    case OpKind::broadcast:
    case OpKind::transpose:
    case OpKind::reverse: return DimsAttr{read_integers(text("dimensions"))};
    case OpKind::concatenate: return DimAttr{read_only_dim(text("dimensions"))};
    case OpKind::sort: return read_sort(instruction);
    case OpKind::slice: return read_slice(text("slice"));
    case OpKind::pad: return read_padding(text("padding"));
    case OpKind::reduce:
      return ReduceAttr{read_integers(text("dimensions")), reduction(text("to_apply"))};
    case OpKind::dot: return read_dot(instruction);
    case OpKind::convolution: return read_grouped_convolution(instruction);
    case OpKind::gather: return read_gather(instruction);
    case OpKind::scatter: return read_scatter(instruction, reduction(text("to_apply")));
    case OpKind::dynamic_slice: return DynamicSliceAttr{read_integers(text("dynamic_slice_sizes"))};
    case OpKind::reduce_window:
    case OpKind::select_and_scatter: return read_window_op(kind, instruction);
    case OpKind::axis_index:
    case OpKind::all_reduce:
    case OpKind::all_gather:
    case OpKind::reduce_scatter:
    case OpKind::all_to_all:
      return CollectiveAttr{read_axes(instruction), text("to_apply").empty()
                                                        ? Reduction::sum
                                                        : reduction(text("to_apply"))};
    default: return {};
  }
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
