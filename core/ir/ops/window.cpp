// SPDX-License-Identifier: Apache-2.0
#include "ir/derivative.hpp"
#include "ir/hlo_attributes.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/op_info.hpp"
#include "ir/ops/rows.hpp"
#include "ir/reference_ops.hpp"
#include "ir/sampler.hpp"
#include "ir/site.hpp"

/// Reductions over windows, and their way back.
namespace rhino::ir {
namespace {

Shape windows(const Site& site) {
  const auto& window = site.attributes<WindowAttr>();
  for (const Dims* entries : {&window.sizes, &window.strides, &window.low, &window.high}) {
    site.require_amounts(*entries, site.operand(0).dims, "a window attribute");
  }
  Shape result = site.operand(0);
  for (std::size_t i = 0; i < result.dims.size(); ++i) {
    site.require(window.sizes[i] >= 1 && window.strides[i] >= 1,
                 "a window size or stride is below one");
    const std::int64_t padded = result.dims[i] + window.low[i] + window.high[i];
    result.dims[i] = window_extent(padded, window.sizes[i], window.strides[i]);
  }
  return result;
}

Shape reduce_window(const Site& site) {
  site.require_operands(1);
  require_reducible(site, site.attributes<WindowAttr>().reduction, site.operand(0).dtype);
  return windows(site);
}

Shape select_and_scatter(const Site& site) {
  site.require_operands(2);
  const Reduction choice = site.attributes<WindowAttr>().reduction;
  site.require(choice == Reduction::max || choice == Reduction::min, "selects by max or min only");
  site.require(site.operand(0).dtype != DType::pred, "takes no pred");
  const Shape expected = windows(site);
  if (site.operand(1) != expected) {
    site.fail("the second operand is not one value per window, " + to_string(expected));
  }
  return site.operand(0);
}

// Calls visit(window number, offset of an element in it) for the elements of `operand` in each
// window, windows and elements in row-major order.
template <typename Visit>
void for_each_window(const WindowAttr& window, const Shape& operand, const Dims& num_windows,
                     Visit visit) {
  const Dims strides = row_major_strides(operand.dims);
  const Dims order = row_major_strides(num_windows);
  Dims start(num_windows.size());
  for_each_index<1>(num_windows, {order}, {0}, [&](const Offsets<1>& number) {
    for (std::size_t d = 0; d < start.size(); ++d) {
      start[d] = number[0] / order[d] % num_windows[d] * window.strides[d] - window.low[d];
    }
    const Clipped inside = clip(start, window.sizes, operand.dims);
    const std::int64_t first = inner_product(start, strides) + inner_product(inside.begin, strides);
    for_each_index<1>(inside.size, {strides}, {first},
                      [&](const Offsets<1>& element) { visit(number[0], element[0]); });
  });
}

Tensor reduce_window(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  const auto& window = op.attributes.get<WindowAttr>();
  const DType dtype = op.shape.dtype;
  Tensor result = filled(op.shape, neutral_element(window.reduction, dtype));
  for_each_window(window, a.shape, op.shape.dims, [&](std::int64_t number, std::int64_t from) {
    double& total = result.elements[at(number)];
    total = combine(window.reduction, dtype, total, a.elements[at(from)]);
  });
  return result;
}

// Offset of the first extreme element of every window; -1 of windows on padding alone.
std::vector<std::int64_t> selected(const WindowAttr& window, const Tensor& a, const Shape& source) {
  std::vector<std::int64_t> chosen(at(num_elements(source)), -1);
  const bool largest = window.reduction == Reduction::max;
  for_each_window(window, a.shape, source.dims, [&](std::int64_t number, std::int64_t from) {
    std::int64_t& choice = chosen[at(number)];
    const double candidate = a.elements[at(from)];
    if (choice < 0 ||
        (largest ? candidate > a.elements[at(choice)] : candidate < a.elements[at(choice)])) {
      choice = from;
    }
  });
  return chosen;
}

Tensor select_and_scatter(const Op& op, const Operands& operands) {
  const Tensor& a = *operands[0];
  const Tensor& source = *operands[1];
  const auto chosen = selected(op.attributes.get<WindowAttr>(), a, source.shape);
  Tensor result = filled(op.shape);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] < 0) continue;
    double& element = result.elements[at(chosen[i])];
    element = combine(Reduction::sum, op.shape.dtype, element, source.elements[i]);
  }
  return result;
}

/// What the windows of a sum give to each element that they hold: a sum over windows of the
/// gradient, strides between its elements.
ValueId spread_over_windows(const Pullback& p, const WindowAttr& window) {
  const Dims &from = p.operand_dims(0), &to = p.op.shape.dims;
  Dims low, high, interior;
  for (std::size_t d = 0; d < from.size(); ++d) {
    low.push_back(window.sizes[d] - 1 - window.low[d]);
    interior.push_back(window.strides[d] - 1);
    const std::int64_t span = to[d] == 0 ? 0 : (to[d] - 1) * window.strides[d] + 1;
    high.push_back(from[d] + window.sizes[d] - 1 - low[d] - span);
  }
  const ValueId zero = p.builder.constant(p.op.shape.dtype, 0);
  const Dims ones(from.size(), 1), none(from.size(), 0);
  return p.builder.add(Op{.kind = OpKind::reduce_window,
                          .operands = {p.builder.pad(p.gradient, zero, low, high, interior)},
                          .attributes = WindowAttr{window.sizes, ones, none, none}});
}

/// Of a largest or smallest element: to the first of those in its window.
Terms window_terms(const Pullback& p) {
  const auto& window = p.op.attributes.get<WindowAttr>();
  switch (window.reduction) {
    case Reduction::sum: return {spread_over_windows(p, window)};
    case Reduction::max:
    case Reduction::min:
      return {p.builder.add(Op{.kind = OpKind::select_and_scatter,
                               .operands = {p.op.operands[0], p.gradient},
                               .attributes = window})};
    default: throw Error("only sums, largest and smallest elements of windows have a derivative");
  }
}

double window_size(const Op& op) {
  return static_cast<double>(num_elements(op.attributes.get<WindowAttr>().sizes));
}

double reduce_flops(const Program&, const Op& op) {
  return window_size(op) * static_cast<double>(num_elements(op.shape));
}

double select_flops(const Program& program, const Op& op) {
  return window_size(op) * static_cast<double>(num_elements(program.shape(op.operands[1])));
}

Reduction start_of_reduce(const Op& op) { return op.attributes.get<WindowAttr>().reduction; }
Reduction start_of_select(const Op&) { return Reduction::sum; }

void write_reduce(const Op& op, hlo::AttributeWriter& writer) {
  const auto& a = op.attributes.get<WindowAttr>();
  writer.print_window(a.sizes, a.strides, a.low, a.high);
  writer.print_reducer("to_apply", a.reduction, op.shape.dtype);
}

void write_select(const Op& op, hlo::AttributeWriter& writer) {
  const auto& a = op.attributes.get<WindowAttr>();
  writer.print_window(a.sizes, a.strides, a.low, a.high);
  writer.print_reducer("select", a.reduction, op.shape.dtype, hlo::Reducer::Role::choose);
  writer.print_reducer("scatter", Reduction::sum, op.shape.dtype);
}

WindowAttr read_window(const hlo::Instruction& instruction, Reduction reduction) {
  hlo::Window window = hlo::read_window(instruction.attribute("window"));
  const Dims ones(window.sizes.size(), 1);
  if (window.lhs_dilation != ones || window.rhs_dilation != ones) {
    throw Error("dilated windows are supported of convolutions only");
  }
  return {std::move(window.sizes), std::move(window.strides), std::move(window.low),
          std::move(window.high), reduction};
}

Attributes read_reduce(const hlo::Instruction& instruction, const hlo::AttributeReader& reader) {
  return read_window(instruction, reader.reduction(instruction.attribute("to_apply")));
}

Attributes read_select(const hlo::Instruction& instruction, const hlo::AttributeReader& reader) {
  if (reader.reduction(instruction.attribute("scatter")) != Reduction::sum) {
    throw Error("only sums can be scattered to selected elements");
  }
  return read_window(instruction, reader.choice(instruction.attribute("select")));
}

ValueId sample_reduce_window(Sampler& s) {
  const Dims dims{s.extent(), 6, 4};
  WindowAttr window{{1, 2 + s.draw(2), 1},
                    {1, 1 + s.draw(2), 1},
                    {0, s.draw(2), 0},
                    {0, s.draw(2), 0},
                    s.draw(2) ? Reduction::sum : Reduction::max};
  return s.builder.add(
      Op{.kind = OpKind::reduce_window, .operands = {s.input(dims)}, .attributes = window});
}

ValueId sample_select_and_scatter(Sampler& s) {
  const Dims dims{s.extent(), 6, 4};
  const WindowAttr window{{1, 2, 1}, {1, 2, 1}, {0, 0, 0}, {0, 0, 0}, Reduction::max};
  const ValueId tensor = s.input(dims), source = s.input({dims[0], 3, 4});
  return s.builder.add(
      Op{.kind = OpKind::select_and_scatter, .operands = {tensor, source}, .attributes = window});
}

constexpr OpTraits kWindowRows[] = {
    {.kind = OpKind::reduce_window,
     .name = "reduce-window",
     .op_class = OpClass::reduction,
     .arity = 1,
     .heavy = true,
     .infer = reduce_window,
     .evaluate = reduce_window,
     .terms = window_terms,
     .flops = reduce_flops,
     .write = write_reduce,
     .read = read_reduce,
     .start = start_of_reduce,
     .start_key = "to_apply",
     .sample = sample_reduce_window},
    {.kind = OpKind::select_and_scatter,
     .name = "select-and-scatter",
     .op_class = OpClass::reduction,
     .arity = 2,
     .heavy = true,
     .infer = select_and_scatter,
     .evaluate = select_and_scatter,
     .flops = select_flops,
     .write = write_select,
     .read = read_select,
     .start = start_of_select,
     .start_key = "scatter",
     .sample = sample_select_and_scatter},
};

}  // namespace

std::span<const OpTraits> window_ops() { return kWindowRows; }

}  // namespace rhino::ir
