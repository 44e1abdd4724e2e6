// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <set>

#include "ir/element.hpp"
#include "ir/hlo_attributes.hpp"
#include "ir/hlo_frontend.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_text.hpp"
#include "ir/hlo_write.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"

namespace rhino::ir {
namespace {

bool is_splat(const Op& op) {
  return op.kind == OpKind::constant && num_elements(op.shape) != 1 &&
         op.attributes.get<ConstantAttr>().elements.size() == 1;
}

/// Start values that HLO needs and Programs imply.
std::optional<Reduction> start_of(const Op& op) {
  const auto start = traits(op.kind).start;
  return start ? std::optional(start(op)) : std::nullopt;
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string run() {
    print_body();  // tells which computations are needed
    std::string head = "HloModule " + module_name() + aliases() + "\n\n";
    for (const hlo::Reducer& reducer : reducers_) head += hlo::computation_text(reducer);
    return head + text_;
  }

 private:
  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  std::string module_name() const {
    const std::string& name = program_.name;
    const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    });
    return plain ? name : hlo::quote(name);
  }

  std::string aliases() const {
    std::string text;
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
      const Output& output = program_.outputs[i];
      if (output.kind != OutputKind::updated_state) continue;
      text += fmt::format("{} {{{}}}: ({}, {{}}, must-alias)", text.empty() ? "" : ",", i,
                          output.input);
    }
    return text.empty() ? "" : ", input_output_alias={" + text + " }";
  }

  void print_body() {
    set_input_numbers();
    text_ += "ENTRY %main {\n";
    print_neutral_elements();
    for (ValueId id = 0; id < program_.size(); ++id) print_op(id);
    print_outputs();
    text_ += "}\n";
  }

  void set_input_numbers() {
    input_of_.assign(program_.ops.size(), -1);
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      input_of_[static_cast<std::size_t>(program_.inputs[i].value)] = static_cast<std::int32_t>(i);
    }
  }

  void print_neutral_elements() {
    std::set<std::pair<Reduction, DType>> needed;
    for (const Op& op : program_.ops) {
      if (const auto reduction = start_of(op)) needed.emplace(*reduction, op.shape.dtype);
    }
    for (const auto& [reduction, dtype] : needed) {
      print("  %{} = {}[] constant(", neutral_name(reduction, dtype), dtype_name(dtype));
      print_number(dtype, neutral_element(reduction, dtype));
      text_ += ")\n";
    }
  }

  static std::string neutral_name(Reduction reduction, DType dtype) {
    return fmt::format("neutral.{}.{}", reduction_name(reduction), dtype_name(dtype));
  }

  void print_number(DType dtype, double value) {
    if (dtype == DType::pred) text_ += value != 0 ? "true" : "false";
    else if (is_floating(dtype) && std::isnan(value)) text_ += nan_text(dtype, value);
    else if (is_floating(dtype) || !(std::abs(value) < 0x1p63)) print("{}", value);
    else print("{}", static_cast<std::int64_t>(value));
  }

  void print_shape(const Shape& shape) {
    text_ += to_string(shape);
    if (shape.dims.empty()) return;
    text_ += '{';
    for (std::size_t d = shape.dims.size(); d-- > 0;) print("{}{}", d, d == 0 ? "" : ",");
    text_ += '}';
  }

  void print_name(ValueId id) { print("%{}.{}", op_name(program_.op(id).kind), id); }

  void begin(ValueId id) {
    text_ += "  ";
    print_name(id);
    text_ += " = ";
    print_shape(program_.shape(id));
  }

  void print_op(ValueId id) {
    const Op& op = program_.op(id);
    if (is_splat(op)) print_splat_scalar(id);
    if (op.kind == OpKind::sort) print_sorted_tuple(id);
    begin(id);
    if (is_splat(op)) print(" broadcast(%scalar.{}), dimensions={{}}", id);
    else if (op.kind == OpKind::sort) {
      print(" get-tuple-element(%sorted.{}), index={}", id, op.operands.size() - 1);
    } else {
      print(" {}(", op_name(op.kind));
      print_arguments(id);
      text_ += ')';
      write_attributes(op);
    }
    if (!op.name.empty()) print(", metadata={{op_name={}}}", hlo::quote(op.name));
    print_frontend_attributes(id);
    text_ += '\n';
  }

  void write_attributes(const Op& op) {
    const auto write = traits(op.kind).write;
    if (!write) return;
    hlo::AttributeWriter writer(program_, text_, reducers_);
    write(op, writer);
  }

  void print_splat_scalar(ValueId id) {
    const Op& op = program_.op(id);
    print("  %scalar.{} = {}[] constant(", id, dtype_name(op.shape.dtype));
    print_number(op.shape.dtype, op.attributes.get<ConstantAttr>().elements[0]);
    text_ += ")\n";
  }

  void print_sorted_tuple(ValueId id) {
    const Op& op = program_.op(id);
    print("  %sorted.{} = (", id);
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (i) text_ += ", ";
      print_shape(program_.shape(op.operands[i]));
    }
    text_ += ") sort(";
    print_operands(op);
    hlo::Reducer order{hlo::Reducer::Role::order, Reduction::min,
                       program_.shape(op.operands[0]).dtype};
    if (op.operands.size() > 1) order.follower = program_.shape(op.operands[1]).dtype;
    print("), dimensions={{{}}}, is_stable=true, to_apply=%{}\n", op.attributes.get<DimAttr>().dim,
          reducers_.insert(order).first->name());
  }

  void print_operands(const Op& op) {
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (i) text_ += ", ";
      print_name(op.operands[i]);
    }
  }

  void print_arguments(ValueId id) {
    const Op& op = program_.op(id);
    if (op.kind == OpKind::parameter) print("{}", input_of_[static_cast<std::size_t>(id)]);
    if (op.kind == OpKind::constant) print_literal(op);
    print_operands(op);
    if (const auto reduction = start_of(op)) {
      print(", %{}", neutral_name(*reduction, op.shape.dtype));
    }
  }

  void print_literal(const Op& op) {
    const double* next = op.attributes.get<ConstantAttr>().elements.data();
    print_literal(op.shape, 0, next);
  }

  void print_literal(const Shape& shape, std::size_t dim, const double*& next) {
    if (dim == shape.dims.size()) return print_number(shape.dtype, *next++);
    text_ += '{';
    for (std::int64_t i = 0; i < shape.dims[dim]; ++i) {
      if (i) text_ += ", ";
      print_literal(shape, dim + 1, next);
    }
    text_ += '}';
  }

  void print_frontend_attributes(ValueId id) {
    const Op& op = program_.op(id);
    std::string entries;
    const auto add = [&](const std::string& entry) {
      entries += (entries.empty() ? "" : ",") + entry;
    };
    if (is_splat(op)) add(R"(splat="true")");
    if (op.kind == OpKind::parameter) {
      const auto input = static_cast<std::size_t>(input_of_[static_cast<std::size_t>(id)]);
      add(hlo::input_text(program_.inputs[input]));
    }
    if (const auto* rng = op.attributes.get_if<RngAttr>()) {
      add(fmt::format(R"(stream="{}",low="{}",high="{}")", rng->stream, rng->low, rng->high));
    }
    if (op.phase != Phase::forward) add(fmt::format(R"(phase="{}")", hlo::phase_name(op.phase)));
    if (op.origin != kNoValue) {
      add(fmt::format(R"(origin="{}.{}")", op_name(program_.op(op.origin).kind), op.origin));
    }
    if (!entries.empty()) print(", frontend_attributes={{{}}}", entries);
  }

  void print_outputs() {
    text_ += "  ROOT %outputs = (";
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
      if (i) text_ += ", ";
      print_shape(program_.shape(program_.outputs[i].value));
    }
    text_ += ") tuple(";
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
      if (i) text_ += ", ";
      print_name(program_.outputs[i].value);
    }
    text_ += ")";
    const std::string kinds = hlo::output_kinds_text(program_.outputs);
    if (!kinds.empty()) print(", frontend_attributes={{outputs=\"{}\"}}", kinds);
    text_ += '\n';
  }

  const Program& program_;
  std::string text_;
  std::set<hlo::Reducer> reducers_;
  std::vector<std::int32_t> input_of_;
};

}  // namespace

std::string print_hlo(const Program& program) { return Printer(program).run(); }

}  // namespace rhino::ir
