// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "ir/op_info.hpp"
#include "ir/shape_inference.hpp"
#include "rhino/error.hpp"

namespace rhino::ir {
namespace {

class Checker {
 public:
  explicit Checker(const Program& program) : program_(program) {}

  void check_ops() const {
    for (ValueId id = 0; id < program_.size(); ++id) check_op(id);
  }

  void check_interface() const {
    check_inputs();
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) check_output(i);
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error("program '" + program_.name + "': " + sentence);
  }

  std::string op_text(ValueId id) const {
    const Op& op = program_.op(id);
    return "op " + std::to_string(id) + " " + std::string(op_name(op.kind)) +
           (op.name.empty() ? "" : " '" + op.name + "'");
  }

  bool exists(ValueId id) const { return id >= 0 && id < program_.size(); }

  void check_op(ValueId id) const {
    const Op& op = program_.op(id);
    std::vector<Shape> shapes;
    for (ValueId operand : op.operands) {
      if (operand < 0 || operand >= id) {
        fail(op_text(id) + " reads value " + std::to_string(operand) + ", which is no earlier op");
      }
      shapes.push_back(program_.shape(operand));
    }
    if (op.origin != kNoValue && !exists(op.origin)) {
      fail(op_text(id) + " derives from value " + std::to_string(op.origin) + ", which is no op");
    }
    const Shape inferred = infer_shape(op, shapes);
    if (inferred != op.shape) {
      fail(op_text(id) + " is declared " + to_string(op.shape) + " but yields " +
           to_string(inferred));
    }
  }

  void check_inputs() const {
    std::vector<bool> seen(program_.ops.size());
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      const Input& input = program_.inputs[i];
      const std::string place = "input " + std::to_string(i);
      if (!exists(input.value) || program_.producer(input.value).kind != OpKind::parameter) {
        fail(place + " is no parameter op");
      }
      if (seen[static_cast<std::size_t>(input.value)]) fail(place + " is a parameter op twice");
      seen[static_cast<std::size_t>(input.value)] = true;
      check_state(input, place);
    }
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (program_.op(id).kind == OpKind::parameter && !seen[static_cast<std::size_t>(id)]) {
        fail(op_text(id) + " is no input");
      }
    }
  }

  void check_state(const Input& input, const std::string& place) const {
    if (input.state_of == -1) return;
    if (input.kind != InputKind::optimizer_state) fail(place + " has a parameter but is no state");
    const bool is_parameter =
        input.state_of >= 0 && static_cast<std::size_t>(input.state_of) < program_.inputs.size() &&
        program_.inputs[static_cast<std::size_t>(input.state_of)].kind == InputKind::parameter;
    if (!is_parameter) fail(place + " is the state of no parameter");
  }

  void check_output(std::size_t i) const {
    const Output& output = program_.outputs[i];
    const std::string place = "output " + std::to_string(i);
    if (!exists(output.value)) fail(place + " is no op");
    const Shape& shape = program_.shape(output.value);
    if (output.kind == OutputKind::loss && !(shape.dims.empty() && is_floating(shape.dtype))) {
      fail(place + " is a loss of " + to_string(shape) + ", not a floating-point scalar");
    }
    if (output.kind == OutputKind::loss || output.kind == OutputKind::value) return;
    if (output.input < 0 || static_cast<std::size_t>(output.input) >= program_.inputs.size()) {
      fail(place + " belongs to no input");
    }
    const Input& input = program_.inputs[static_cast<std::size_t>(output.input)];
    const Shape& expected = program_.shape(input.value);
    const bool is_wide = output.kind == OutputKind::gradient && shape.dims == expected.dims &&
                         shape.dtype == DType::f32 && is_floating(expected.dtype);
    if (shape != expected && !is_wide) {
      fail(place + " is " + to_string(shape) + " but its input " + std::to_string(output.input) +
           " is " + to_string(expected));
    }
  }

  const Program& program_;
};

}  // namespace

void check_program(const Program& program) {
  Checker(program).check_ops();
  check_interface(program);
}

void check_interface(const Program& program) { Checker(program).check_interface(); }

}  // namespace rhino::ir
