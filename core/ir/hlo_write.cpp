// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_write.hpp"

#include <fmt/format.h>

#include <iterator>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_read.hpp"
#include "ir/op_info.hpp"

namespace rhino::ir::hlo {
namespace {

constexpr std::string_view kDirections[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};

template <typename Integer>
std::string joined(const std::vector<Integer>& entries, char separator) {
  std::string text;
  for (Integer entry : entries) {
    if (!text.empty()) text += separator;
    text += std::to_string(entry);
  }
  return text;
}

class Writer {
 public:
  Writer(const Program& program, std::string& text, std::set<Reducer>& reducers)
      : program_(program), text_(text), reducers_(reducers) {}

  void write(const Op&, const std::monostate&) {}
  void write(const Op&, const ConstantAttr&) {}
  void write(const Op&, const RngAttr&) {}  // see print_frontend_attributes
  void write(const Op& op, const DimAttr& a) {
    if (op.kind == OpKind::iota) print(", iota_dimension={}", a.dim);
    else print_dims("dimensions", {a.dim});
  }
  void write(const Op&, const DimsAttr& a) { print_dims("dimensions", a.dims); }
  void write(const Op&, const CompareAttr& a) {
    print(", direction={}", kDirections[static_cast<std::size_t>(a.comparison)]);
  }
  void write(const Op& op, const ReduceAttr& a) {
    print_dims("dimensions", a.dims);
    print_reducer("to_apply", a.reduction, op.shape.dtype);
  }
  void write(const Op&, const DotAttr& a) {
    if (!a.lhs_batch.empty()) print_dims("lhs_batch_dims", a.lhs_batch);
    print_dims("lhs_contracting_dims", a.lhs_contracting);
    if (!a.rhs_batch.empty()) print_dims("rhs_batch_dims", a.rhs_batch);
    print_dims("rhs_contracting_dims", a.rhs_contracting);
  }
  void write(const Op&, const SliceAttr& a) {
    text_ += ", slice={";
    for (std::size_t d = 0; d < a.starts.size(); ++d) {
      print("{}[{}:{}", d ? ", " : "", a.starts[d], a.limits[d]);
      if (a.strides[d] != 1) print(":{}", a.strides[d]);
      text_ += ']';
    }
    text_ += '}';
  }
  void write(const Op&, const PadAttr& a) {
    if (a.low.empty()) return;
    text_ += ", padding=";
    for (std::size_t d = 0; d < a.low.size(); ++d) {
      print("{}{}_{}_{}", d ? "x" : "", a.low[d], a.high[d], a.interior[d]);
    }
  }
  void write(const Op&, const GatherAttr& a) {
    print_dims("offset_dims", a.offset_dims);
    print_dims("collapsed_slice_dims", a.collapsed_slice_dims);
    print_dims("start_index_map", a.start_index_map);
    print(", index_vector_dim={}", a.index_vector_dim);
    print_dims("slice_sizes", a.slice_sizes);
  }
  void write(const Op& op, const ScatterAttr& a) {
    print_dims("update_window_dims", a.update_window_dims);
    print_dims("inserted_window_dims", a.inserted_window_dims);
    print_dims("scatter_dims_to_operand_dims", a.scatter_dims_to_operand_dims);
    print(", index_vector_dim={}", a.index_vector_dim);
    print_reducer("to_apply", a.reduction, op.shape.dtype);
  }
  void write(const Op&, const DynamicSliceAttr& a) { print_dims("dynamic_slice_sizes", a.sizes); }
  void write(const Op& op, const ConvolutionAttr& a) {
    const Shape& kernel = program_.shape(op.operands[1]);
    Dims sizes;
    for (std::int64_t d : a.kernel_spatial)
      sizes.push_back(kernel.dims[static_cast<std::size_t>(d)]);
    print_window(sizes, a.strides, a.low, a.high);
    if (!sizes.empty()) {
      text_.pop_back();
      print(" lhs_dilate={} rhs_dilate={}}}", joined(a.lhs_dilation, 'x'),
            joined(a.rhs_dilation, 'x'));
    }
    print(", dim_labels={}_{}->{}",
          labels('b', a.input_batch, 'f', a.input_feature, a.input_spatial),
          labels('i', a.kernel_input, 'o', a.kernel_output, a.kernel_spatial),
          labels('b', a.output_batch, 'f', a.output_feature, a.output_spatial));
    if (a.feature_groups != 1) print(", feature_group_count={}", a.feature_groups);
    if (a.batch_groups != 1) print(", batch_group_count={}", a.batch_groups);
  }
  void write(const Op& op, const WindowAttr& a) {
    print_window(a.sizes, a.strides, a.low, a.high);
    const DType dtype = op.shape.dtype;
    if (op.kind == OpKind::reduce_window) return print_reducer("to_apply", a.reduction, dtype);
    print_reducer("select", a.reduction, dtype, Reducer::Role::choose);
    print_reducer("scatter", Reduction::sum, dtype);
  }
  void write(const Op& op, const CollectiveAttr& a) {
    print(", mesh_axes={{{}}}", joined(a.axes, ','));
    const bool reduces = op.kind == OpKind::all_reduce || op.kind == OpKind::reduce_scatter;
    if (reduces || a.reduction != Reduction::sum) {
      print_reducer("to_apply", a.reduction, op.shape.dtype);
    }
  }

 private:
  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  void print_dims(const char* key, const Dims& dims) {
    print(", {}={{{}}}", key, joined(dims, ','));
  }

  void print_reducer(const char* key, Reduction reduction, DType dtype,
                     Reducer::Role role = Reducer::Role::combine) {
    print(", {}=%{}", key, reducers_.insert({role, reduction, dtype, std::nullopt}).first->name());
  }

  static std::string labels(char first, std::int64_t first_dim, char second,
                            std::int64_t second_dim, const Dims& spatial) {
    std::string text(spatial.size() + 2, ' ');
    text[static_cast<std::size_t>(first_dim)] = first;
    text[static_cast<std::size_t>(second_dim)] = second;
    for (std::size_t i = 0; i < spatial.size(); ++i) {
      text[static_cast<std::size_t>(spatial[i])] = static_cast<char>('0' + i);
    }
    return text;
  }

  void print_window(const Dims& sizes, const Dims& strides, const Dims& low, const Dims& high) {
    text_ += ", window={";
    if (!sizes.empty()) {
      print("size={} stride={} pad=", joined(sizes, 'x'), joined(strides, 'x'));
      for (std::size_t d = 0; d < low.size(); ++d) print("{}{}_{}", d ? "x" : "", low[d], high[d]);
    }
    text_ += '}';
  }

  const Program& program_;
  std::string& text_;
  std::set<Reducer>& reducers_;
};

}  // namespace

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

void write_attributes(const Program& program, const Op& op, std::string& text,
                      std::set<Reducer>& reducers) {
  Writer writer(program, text, reducers);
  op.attributes.visit([&](const auto& attributes) { writer.write(op, attributes); });
}

}  // namespace rhino::ir::hlo
