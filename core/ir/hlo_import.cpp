// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_importer.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "ir/shape_inference.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::hlo {
namespace {

const Computation& entry_of(const Module& module, const std::string& file) {
  for (const Computation& computation : module.computations) {
    if (computation.is_entry) return computation;
  }
  throw Error(file + ":1:1: no computation is the ENTRY");
}

/// Whether phase and origin of its ops are those of all others.
bool may_repeat(const Instruction& instruction) {
  return instruction.attribute("frontend_attributes").empty();
}

std::size_t num_instructions(const Module& module) {
  std::size_t count = 0;
  for (const Computation& computation : module.computations) {
    count += computation.instructions.size();
  }
  return count;
}

}  // namespace

Importer::Importer(const Module& module, const std::string& file, const ImportOptions& options)
    : module_(module),
      file_(file),
      options_(options),
      entry_(entry_of(module, file)),
      reader_(module),
      custom_calls_(options.custom_calls),
      builder_(module.name.starts_with('"') ? read_string(module.name) : std::string(module.name)),
      items_(builder_),
      wide_(builder_) {}

Program Importer::run() {
  const Body& entry = body_of(entry_);
  builder_.reserve(num_instructions(module_));
  const Item root = run_body(entry, nullptr);
  try {
    leaves_ = items_.leaves(root);
  } catch (const Error& error) {
    throw Error(hlo::place(file_, entry.instruction(entry.root())) + error.what());
  }
  Program program = std::move(builder_).release();
  set_origins(program);
  set_inputs(program);
  set_outputs(program);
  try {
    check_interface(program);
  } catch (const Error& error) {
    throw Error(hlo::place(file_, entry.instruction(entry.root())) + error.what());
  }
  if (program.ops.capacity() > 2 * program.ops.size()) program.ops.shrink_to_fit();
  return program;
}

std::string Importer::place(std::int32_t line) const {
  return file_ + ":" + std::to_string(line) + ":1: ";
}

Item Importer::item(const Frame& frame, std::size_t i, std::size_t k) const {
  return frame.items[frame.body.operand(i, k)];
}

ValueId Importer::value(const Frame& frame, std::size_t i, std::size_t k) {
  const Item held = item(frame, i, k);
  if (held.kind != Item::Kind::tuple && held.kind != Item::Kind::none) return items_.value(held);
  const Instruction& operand = frame.body.instruction(frame.body.operand(i, k));
  throw Error("'" + std::string(operand.name) + "' is no single array");
}

std::vector<ValueId> Importer::values(const Frame& frame, std::size_t i) {
  std::vector<ValueId> values;
  values.reserve(frame.body.num_operands(i));
  for (std::size_t k = 0; k < frame.body.num_operands(i); ++k) {
    values.push_back(value(frame, i, k));
  }
  return values;
}

Item Importer::tuple_of(const std::vector<ValueId>& values) {
  if (values.size() == 1) return Items::array(values[0]);
  std::vector<Item> elements;
  for (ValueId value : values) elements.push_back(Items::array(value));
  return items_.tuple(std::move(elements));
}

Item Importer::make_op(Frame& frame, std::size_t i) {
  if (touches_wide(frame, i)) return make_wide(frame, i);
  const Instruction& instruction = frame.body.instruction(i);
  Notes fresh;
  Notes& notes = notes_of(frame, i, fresh);
  if (!notes.kind) {
    const std::optional<OpKind> kind = op_from_name(instruction.opcode);
    if (!kind) throw Error("opcode '" + std::string(instruction.opcode) + "' is not supported");
    notes.shape = read_shape(instruction.shape);
    notes.kind = kind;
  }
  if (unrolling_ > 0) {
    if (const auto folded = fold(frame, i, notes)) return *folded;
  }
  std::vector<ValueId> operands;
  operands.reserve(frame.body.num_operands(i));
  std::optional<std::size_t> start;
  std::optional<Reduction> reduction;
  for (std::size_t k = 0; k < frame.body.num_operands(i); ++k) {
    const auto starts =
        traits(*notes.kind).start ? reader_.start_reduction(instruction, k) : std::nullopt;
    if (!starts) operands.push_back(value(frame, i, k));
    else start = k, reduction = starts;
  }
  adapt(*notes.kind, notes.shape, operands);
  if (notes.made != kNoValue && fit(notes.made, operands)) {
    return Items::array(builder_.add_again(notes.made, std::move(operands)));
  }
  Attributes attributes = attributes_of(notes, instruction);
  const ValueId result =
      append(instruction, *notes.kind, std::move(operands), std::move(attributes),
             &notes == &fresh ? std::move(fresh.shape) : notes.shape);
  if (!start || frame.body.is_implied(i, *start)) {
    if (may_repeat(instruction)) notes.made = result;
    return Items::array(result);
  }
  // A start value that is not neutral joins the result afterwards.
  const ValueId repeated =
      builder_.broadcast_in_dim(value(frame, i, *start), Shape(builder_.shape(result)).dims, {});
  return Items::array(append(instruction, combining_op(*reduction), {result, repeated}, {}));
}

bool Importer::fit(ValueId made, const std::vector<ValueId>& operands) const {
  const std::vector<ValueId>& before = builder_.program().op(made).operands;
  const auto shape = [&](ValueId value) -> const Shape& { return builder_.shape(value); };
  return std::ranges::equal(before, operands, {}, shape, shape);
}

Attributes Importer::attributes_of(Notes& notes, const Instruction& instruction) const {
  if (!notes.has_attributes) notes.attributes = reader_.read(*notes.kind, instruction);
  notes.has_attributes = true;
  return notes.attributes;
}

std::optional<Item> Importer::fold(const Frame& frame, std::size_t i, Notes& notes) {
  const Shape& shape = notes.shape;
  if (is_floating(shape.dtype) || num_elements(shape) != 1) return std::nullopt;
  std::vector<double> numbers;
  for (std::size_t k = 0; k < frame.body.num_operands(i); ++k) {
    const std::optional<double> number = items_.known(item(frame, i, k));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.empty()) return std::nullopt;
  Op op{.kind = *notes.kind, .shape = shape};
  op.attributes = attributes_of(notes, frame.body.instruction(i));
  std::vector<Shape> shapes;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    shapes.push_back(items_.shape(item(frame, i, k)));
  }
  const std::optional<double> result = fold_scalar(op, shapes, numbers);
  if (!result) return std::nullopt;
  return items_.number(op.shape, *result);
}

/// What takes more than 31 bits is beyond every tensor.
ValueId Importer::as_start(ValueId start) {
  const DType dtype = builder_.shape(start).dtype;
  if (dtype == DType::s32) return start;
  if (dtype == DType::u32 || dtype == DType::s64) {
    const double most = std::numeric_limits<std::int32_t>::max();
    start = builder_.binary(OpKind::minimum, start, builder_.constant(dtype, most));
    if (dtype == DType::s64) {
      start = builder_.binary(OpKind::maximum, start, builder_.constant(dtype, 0));
    }
  }
  return builder_.convert(start, DType::s32);
}

void Importer::adapt(OpKind kind, const Shape& result, std::vector<ValueId>& operands) {
  const auto repeat = [&](ValueId& operand) {
    const Shape shape = builder_.shape(operand);
    if (shape.dims.empty()) operand = builder_.broadcast_in_dim(operand, result.dims, {});
  };
  const bool is_choice = kind == OpKind::select || kind == OpKind::clamp;
  if (is_choice && operands.size() == 3 && !result.dims.empty()) {
    repeat(operands[0]);
    if (kind == OpKind::clamp) repeat(operands[2]);
  }
  const std::size_t first_start = kind == OpKind::dynamic_slice          ? 1
                                  : kind == OpKind::dynamic_update_slice ? 2
                                                                         : operands.size();
  for (std::size_t k = first_start; k < operands.size(); ++k) {
    operands[k] = as_start(operands[k]);
  }
  if ((kind != OpKind::dot && kind != OpKind::convolution) || operands.size() != 2) return;
  const DType left = builder_.shape(operands[0]).dtype, right = builder_.shape(operands[1]).dtype;
  const bool is_wide_dot =
      kind == OpKind::dot && left == right && is_narrow(left) && result.dtype == DType::f32;
  if (is_wide_dot) return;
  for (ValueId& operand : operands) {
    if (builder_.shape(operand).dtype != result.dtype) {
      operand = builder_.convert(operand, result.dtype);
    }
  }
}

ValueId Importer::append(const Instruction& instruction, OpKind kind, std::vector<ValueId> operands,
                         Attributes attributes) {
  return append(instruction, kind, std::move(operands), std::move(attributes),
                read_shape(instruction.shape));
}

ValueId Importer::append(const Instruction& instruction, OpKind kind, std::vector<ValueId> operands,
                         Attributes attributes, Shape shape) {
  Op op;
  op.kind = kind;
  op.shape = std::move(shape);
  op.operands = std::move(operands);
  op.attributes = std::move(attributes);
  op.name = find_string(instruction.attribute("metadata"), "op_name");
  read_frontend(instruction);
  const ValueId result = builder_.add_declared(std::move(op));
  builder_.set_phase(Phase::forward);
  return result;
}

void Importer::check_result(const Instruction& instruction, ValueId result) {
  const Shape declared = read_shape(instruction.shape);
  if (builder_.shape(result) == declared) return;
  throw Error(std::string(instruction.opcode) + " yields " + to_string(builder_.shape(result)) +
              ", not " + to_string(declared));
}

ValueId Importer::named(const Instruction& instruction, ValueId result) {
  if (builder_.program().op(result).name.empty()) {
    builder_.name(result, find_string(instruction.attribute("metadata"), "op_name"));
  }
  return result;
}

void Importer::read_frontend(const Instruction& instruction) {
  for (const auto& [key, text] : read_dictionary(instruction.attribute("frontend_attributes"))) {
    if (key == "phase") builder_.set_phase(read_phase(read_string(text)));
    else if (key == "origin") {
      if (text.size() < 2) throw Error("origin " + std::string(text) + " is no op");
      origins_.push_back({builder_.program().size(), text, instruction.line});
    }
  }
}

Item Importer::make_constant(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  if (frame.body.is_left_out(i)) return {};
  if (is_wide(instruction.shape)) return make_wide(frame, i);
  Notes fresh;
  Notes& notes = notes_of(frame, i, fresh);
  if (!notes.kind) notes.shape = read_shape(instruction.shape);
  notes.kind = OpKind::constant;
  const Shape& shape = notes.shape;
  const Attributes attributes = attributes_of(notes, instruction);
  const auto& elements = attributes.get<ConstantAttr>().elements;
  if (unrolling_ == 0 || elements.size() != 1 || !shape.dims.empty()) {
    return Items::array(append(instruction, OpKind::constant, {}, attributes, shape));
  }
  // Each round of a loop has it: one op for all.
  const Item number = items_.number(shape, elements[0]);
  return is_floating(shape.dtype) ? Items::array(items_.value(number)) : number;
}

Item Importer::make_broadcast(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  if (!is_splat(instruction) || is_wide(instruction.shape)) return make_op(frame, i);
  Notes fresh;
  Notes& notes = notes_of(frame, i, fresh);
  if (notes.made != kNoValue) return Items::array(builder_.add_again(notes.made, {}));
  const Instruction& scalar = frame.body.instruction(frame.body.operand(i, 0));
  const ValueId splat =
      append(instruction, OpKind::constant, {}, reader_.read(OpKind::constant, scalar));
  if (may_repeat(instruction)) notes.made = splat;
  return Items::array(splat);
}

Item Importer::make_parameter(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const std::int64_t number = read_integer(instruction.arguments);
  if (!frame.arguments) return input(instruction, instruction.shape, {number});
  if (number < 0 || at(number) >= frame.arguments->size()) {
    throw Error("parameter " + std::to_string(number) + " is not given where this is called");
  }
  return (*frame.arguments)[at(number)];
}

Item Importer::input(const Instruction& instruction, std::string_view shape, Path path) {
  if (path.size() > kMaxTupleDepth) throw Error("tuples nest deeper than 100");
  if (shape.starts_with('(')) {
    std::vector<Item> elements;
    path.push_back(0);
    for (std::string_view piece : element_shapes(shape)) {
      elements.push_back(input(instruction, piece, path));
      ++path.back();
    }
    return items_.tuple(std::move(elements));
  }
  Instruction leaf = instruction;
  const std::string words = is_wide(shape) ? words_shape(shape) : "";
  leaf.shape = words.empty() ? shape : std::string_view(words);
  const ValueId value = append(leaf, OpKind::parameter, {}, {});
  // What print_hlo calls an input that has no name is none.
  const bool is_named = !instruction.name.starts_with("parameter.");
  if (is_named && builder_.program().op(value).name.empty()) {
    builder_.name(value, std::string(instruction.name));
  }
  inputs_.push_back({path[0], Path(path.begin() + 1, path.end()), read_input(instruction, value)});
  return Items::array(value);
}

}  // namespace rhino::ir::hlo

namespace rhino::ir {

Program parse_hlo(std::string_view text, const std::string& file, const ImportOptions& options) {
  const hlo::Module module = hlo::parse_module(text, file);
  return hlo::Importer(module, file, options).run();
}

}  // namespace rhino::ir
