// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_frontend.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_syntax.hpp"
#include "ir/hlo_text.hpp"
#include "ir/op_info.hpp"
#include "ir/shape_inference.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

using hlo::Computation;
using hlo::Instruction;

bool takes_names(std::string_view opcode) {
  return opcode != "constant" && opcode != "parameter" && opcode != "iota";
}

const Computation& entry_of(const hlo::Module& module, const std::string& file) {
  for (const Computation& computation : module.computations) {
    if (computation.is_entry) return computation;
  }
  throw Error(file + ":1: no computation is the ENTRY");
}

/// Makes ops of the instructions of the entry computation, in their order.
class Importer {
 public:
  Importer(const hlo::Module& module, const std::string& file)
      : module_(module),
        file_(file),
        entry_(entry_of(module, file)),
        instructions_(entry_.instructions),
        reader_(module) {}

  Program run() {
    program_.name =
        module_.name.starts_with('"') ? hlo::read_string(module_.name) : std::string(module_.name);
    if (instructions_.empty()) throw Error(place(entry_.line) + "the entry computation is empty");
    names_.reserve(instructions_.size());
    operands_.reserve(2 * instructions_.size());
    program_.ops.reserve(instructions_.size());
    values_.assign(instructions_.size(), kNoValue);
    uses_.assign(instructions_.size(), 0);
    folded_.assign(instructions_.size(), false);
    for_each([this](std::size_t i) { resolve(i); });
    for_each([this](std::size_t i) { fold(i); });
    for_each([this](std::size_t i) { emit(i); });
    set_origins();
    set_inputs();
    set_outputs();
    check_interface(program_);
    return std::move(program_);
  }

 private:
  std::string place(std::int32_t line) const { return file_ + ":" + std::to_string(line) + ": "; }

  // An Error of one instruction gets its place.
  template <typename F>
  void for_each(F f) {
    std::size_t i = 0;
    try {
      for (; i < instructions_.size(); ++i) f(i);
    } catch (const Error& error) {
      throw Error(place(instructions_[i].line) + error.what());
    }
  }

  void resolve(std::size_t i) {
    const Instruction& instruction = instructions_[i];
    first_operand_.push_back(operands_.size());
    if (takes_names(instruction.opcode)) {
      for (std::string_view name : hlo::operand_names(instruction.arguments)) {
        const auto found = names_.find(name);
        if (found == names_.end()) {
          throw Error("operand '" + std::string(name) + "' is no earlier instruction");
        }
        operands_.push_back(found->second);
      }
    }
    if (!names_.emplace(instruction.name, i).second) {
      throw Error("instruction '" + std::string(instruction.name) + "' is defined twice");
    }
  }

  std::size_t num_operands(std::size_t i) const {
    const bool is_last = i + 1 == first_operand_.size();
    return (is_last ? operands_.size() : first_operand_[i + 1]) - first_operand_[i];
  }

  std::size_t operand(std::size_t i, std::size_t k) const {
    if (k >= num_operands(i)) throw Error("has too few operands");
    return operands_[first_operand_[i] + k];
  }

  // Scalar constants that only say what an op means by itself become no ops: neutral start values
  // of reductions and what a splat repeats.
  void fold(std::size_t i) {
    for (std::size_t k = 0; k < num_operands(i); ++k) {
      const std::size_t j = operand(i, k);
      if (is_folded(i, k)) folded_[j] = true;
      else ++uses_[j];
    }
  }

  bool is_folded(std::size_t i, std::size_t k) const {
    const Instruction& instruction = instructions_[i];
    const Instruction& source = instructions_[operand(i, k)];
    if (source.opcode != "constant") return false;
    if (hlo::is_splat(instruction)) return true;
    const std::optional<Reduction> reduction = reader_.start_reduction(instruction, k);
    return reduction && hlo::is_neutral(*reduction, source);
  }

  void emit(std::size_t i) {
    const Instruction& instruction = instructions_[i];
    const std::string_view opcode = instruction.opcode;
    if (opcode == "tuple" || opcode == "sort") return;  // each element is an op where it is taken
    if (opcode == "get-tuple-element") return take_element(i);
    if (opcode == "copy") values_[i] = value(operand(i, 0));
    else if (hlo::is_splat(instruction)) emit_splat(i);
    else if (!(folded_[i] && uses_[i] == 0)) emit_op(i);
  }

  ValueId value(std::size_t i) const {
    if (values_[i] != kNoValue) return values_[i];
    throw Error("'" + std::string(instructions_[i].name) + "' is no single array");
  }

  void take_element(std::size_t i) {
    const std::size_t tuple = operand(i, 0);
    const std::int64_t index = hlo::read_integer(instructions_[i].attribute("index"));
    if (index < 0) throw Error("a tuple has no element " + std::to_string(index));
    if (instructions_[tuple].opcode == "tuple") {
      values_[i] = value(operand(tuple, at(index)));
    } else if (instructions_[tuple].opcode == "sort") {
      emit_sort(i, tuple, at(index));
    } else {
      throw Error("'" + std::string(instructions_[tuple].name) + "' is no tuple");
    }
  }

  // Element 0 of a sort is its sorted keys, element k operand k in their order.
  void emit_sort(std::size_t i, std::size_t sort, std::size_t index) {
    std::vector<ValueId> operands{value(operand(sort, 0))};
    if (index != 0) operands.push_back(value(operand(sort, index)));
    values_[i] = append(i, OpKind::sort, std::move(operands),
                        reader_.read(OpKind::sort, instructions_[sort]));
  }

  void emit_splat(std::size_t i) {
    const Instruction& scalar = instructions_[operand(i, 0)];
    values_[i] = append(i, OpKind::constant, {}, reader_.read(OpKind::constant, scalar));
  }

  void emit_op(std::size_t i) {
    const Instruction& instruction = instructions_[i];
    const std::optional<OpKind> kind = op_from_name(instruction.opcode);
    if (!kind) throw Error("opcode '" + std::string(instruction.opcode) + "' is not supported");
    std::vector<ValueId> operands;
    std::size_t start = num_operands(i);
    std::optional<Reduction> reduction;
    for (std::size_t k = 0; k < num_operands(i); ++k) {
      const auto starts = reader_.start_reduction(instruction, k);
      if (!starts) operands.push_back(value(operand(i, k)));
      else start = k, reduction = starts;
    }
    values_[i] = append(i, *kind, std::move(operands), reader_.read(*kind, instruction));
    if (reduction && !is_folded(i, start)) combine_start(i, *reduction, value(operand(i, start)));
  }

  // A start value that is not neutral joins the result afterwards.
  void combine_start(std::size_t i, Reduction reduction, ValueId start) {
    const ValueId repeated = append(i, OpKind::broadcast, {start}, DimsAttr{});
    values_[i] = append(i, hlo::combining_op(reduction), {values_[i], repeated}, {});
  }

  ValueId append(std::size_t i, OpKind kind, std::vector<ValueId> operands, Attributes attributes) {
    const Instruction& instruction = instructions_[i];
    Op op;
    op.kind = kind;
    op.shape = hlo::read_shape(instruction.shape);
    op.operands = std::move(operands);
    op.attributes = std::move(attributes);
    op.name = hlo::find_string(instruction.attribute("metadata"), "op_name");
    read_frontend(instruction, op);
    check_shape(op);
    if (kind == OpKind::parameter) {
      parameters_.emplace_back(hlo::read_integer(instruction.arguments),
                               hlo::read_input(instruction, program_.size()));
    }
    program_.ops.push_back(std::move(op));
    return program_.size() - 1;
  }

  void check_shape(const Op& op) const {
    std::vector<Shape> shapes;
    shapes.reserve(op.operands.size());
    for (ValueId id : op.operands) shapes.push_back(program_.shape(id));
    const Shape inferred = infer_shape(op, shapes);
    if (inferred != op.shape) {
      throw Error(std::string(op_name(op.kind)) + " yields " + to_string(inferred) + ", not " +
                  to_string(op.shape));
    }
  }

  void read_frontend(const Instruction& instruction, Op& op) {
    for (const auto& [key, text] :
         hlo::read_dictionary(instruction.attribute("frontend_attributes"))) {
      if (key == "phase") op.phase = hlo::read_phase(hlo::read_string(text));
      else if (key == "origin") origins_.push_back({program_.size(), text, instruction.line});
    }
  }

  // Origins may come later in the text.
  void set_origins() {
    for (const Origin& origin : origins_) {
      const auto found = names_.find(origin.name.substr(1, origin.name.size() - 2));
      if (found == names_.end() || values_[found->second] == kNoValue) {
        throw Error(place(origin.line) + "origin " + std::string(origin.name) + " is no op");
      }
      program_.ops[at(origin.op)].origin = values_[found->second];
    }
  }

  void set_inputs() {
    std::stable_sort(parameters_.begin(), parameters_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (at(parameters_[i].first) != i) {
        throw Error(place(entry_.line) + "parameter " + std::to_string(i) + " is missing or " +
                    "there are two");
      }
      program_.inputs.push_back(parameters_[i].second);
    }
  }

  void set_outputs() {
    std::size_t root = instructions_.size() - 1;
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      if (instructions_[i].is_root) root = i;
    }
    try {
      if (instructions_[root].opcode == "tuple") {
        for (std::size_t k = 0; k < num_operands(root); ++k) {
          program_.outputs.push_back({value(operand(root, k)), OutputKind::value, -1});
        }
      } else {
        program_.outputs.push_back({value(root), OutputKind::value, -1});
      }
      hlo::read_output_kinds(module_, instructions_[root], program_.outputs);
    } catch (const Error& error) {
      throw Error(place(instructions_[root].line) + error.what());
    }
  }

  struct Origin {
    ValueId op;
    std::string_view name;  // with its quotes
    std::int32_t line;
  };

  const hlo::Module& module_;
  const std::string& file_;
  const Computation& entry_;
  const std::vector<Instruction>& instructions_;
  hlo::AttributeReader reader_;
  std::unordered_map<std::string_view, std::size_t> names_;
  std::vector<std::size_t> first_operand_,
      operands_;                    // of instruction i, from first_operand_[i] on
  std::vector<ValueId> values_;     // kNoValue: tuples and folded constants
  std::vector<std::int32_t> uses_;  // as an operand of an op
  std::vector<bool> folded_;
  std::vector<std::pair<std::int64_t, Input>> parameters_;
  std::vector<Origin> origins_;
  Program program_;
};

}  // namespace

Program parse_hlo(std::string_view text, const std::string& file) {
  const hlo::Module module = hlo::parse_module(text, file);
  return Importer(module, file).run();
}

}  // namespace rhino::ir
