// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_write.hpp"

#include "ir/hlo_read.hpp"
#include "ir/op_info.hpp"

namespace rhino::ir::hlo {
std::string Reducer::name() const {
  const std::string suffix = follower ? std::string(".") + dtype_name(*follower) : "";
  if (role == Role::order) return fmt::format("less.{}{}", dtype_name(dtype), suffix);
  return fmt::format("{}{}.{}", role == Role::choose ? "choose_" : "", reduction_name(reduction),
                     dtype_name(dtype));
}

std::string computation_text(const Reducer& reducer) {
  const std::string type = std::string(dtype_name(reducer.dtype)) + "[]";
  std::string text = fmt::format("%{} {{\n", reducer.name());
  const auto parameter = [&text](char name, const std::string& its_type) {
    text += fmt::format("  %{} = {} parameter({})\n", name, its_type, name - 'a');
  };
  parameter('a', type);
  parameter('b', type);
  if (reducer.follower) {
    parameter('c', std::string(dtype_name(*reducer.follower)) + "[]");
    parameter('d', std::string(dtype_name(*reducer.follower)) + "[]");
  }
  switch (reducer.role) {
    case Reducer::Role::combine:
      text += fmt::format("  ROOT %r = {} {}(%a, %b)\n", type,
                          op_name(combining_op(reducer.reduction)));
      break;
    case Reducer::Role::choose:
      text += fmt::format("  ROOT %r = pred[] compare(%a, %b), direction={}\n",
                          reducer.reduction == Reduction::max ? "GE" : "LE");
      break;
    case Reducer::Role::order: text += "  ROOT %r = pred[] compare(%a, %b), direction=LT\n"; break;
  }
  return text + "}\n\n";
}

void AttributeWriter::print_dims(const char* key, const std::vector<std::int64_t>& dims) {
  print(", {}={{{}}}", key, joined(dims, ','));
}

void AttributeWriter::print_reducer(const char* key, Reduction reduction, DType dtype,
                                    Reducer::Role role) {
  print(", {}=%{}", key, reducers_.insert({role, reduction, dtype, std::nullopt}).first->name());
}

void AttributeWriter::print_window(const std::vector<std::int64_t>& sizes,
                                   const std::vector<std::int64_t>& strides,
                                   const std::vector<std::int64_t>& low,
                                   const std::vector<std::int64_t>& high, const std::string& more) {
  print(", window={{");
  if (!sizes.empty()) {
    print("size={} stride={} pad=", joined(sizes, 'x'), joined(strides, 'x'));
    for (std::size_t d = 0; d < low.size(); ++d) print("{}{}_{}", d ? "x" : "", low[d], high[d]);
    text_ += more;
  }
  print("}}");
}

}  // namespace rhino::ir::hlo
