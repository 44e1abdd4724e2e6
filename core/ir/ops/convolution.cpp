// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ir/element.hpp"
#include "ir/hlo_attributes.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/ops/convolution_terms.hpp"
#include "ir/ops/rows.hpp"
#include "ir/reference_ops.hpp"
#include "ir/sampler.hpp"
#include "ir/site.hpp"

/// Convolutions.
namespace rhino::ir {
namespace {

void check_convolution_dims(const Site& site, const ConvolutionAttr& dims) {
  const std::int64_t rank = site.rank(0), num_spatial = rank - 2;
  site.require(rank >= 2 && site.rank(1) == rank, "operands differ in rank or have less than two");
  for (const Dims* entries :
       {&dims.input_spatial, &dims.kernel_spatial, &dims.output_spatial, &dims.strides, &dims.low,
        &dims.high, &dims.lhs_dilation, &dims.rhs_dilation}) {
    site.require_length(*entries, num_spatial, "a spatial attribute");
  }
  site.require_dims(joined({dims.input_batch, dims.input_feature}, dims.input_spatial), rank,
                    "input dims");
  site.require_dims(joined({dims.kernel_input, dims.kernel_output}, dims.kernel_spatial), rank,
                    "kernel dims");
  site.require_dims(joined({dims.output_batch, dims.output_feature}, dims.output_spatial), rank,
                    "output dims");
  const auto extents = [](const Shape& shape, const Dims& spatial) {
    Dims extents;
    for (std::int64_t d : spatial) extents.push_back(shape.dims[at(d)]);
    return extents;
  };
  const Dims input = extents(site.operand(0), dims.input_spatial);
  site.require_amounts(dims.low, input, "padding");
  site.require_amounts(dims.high, input, "padding");
  site.require_amounts(dims.lhs_dilation, input, "dilation");
  site.require_amounts(dims.rhs_dilation, extents(site.operand(1), dims.kernel_spatial),
                       "dilation");
  for (const Dims* entries : {&dims.strides, &dims.lhs_dilation, &dims.rhs_dilation}) {
    for (std::int64_t entry : *entries) {
      site.require(entry >= 1, "a stride or dilation is below one");
    }
  }
}

void check_convolution_groups(const Site& site, const ConvolutionAttr& dims) {
  const Dims &input = site.operand(0).dims, &kernel = site.operand(1).dims;
  site.require(dims.feature_groups >= 1 && dims.batch_groups >= 1 &&
                   (dims.feature_groups == 1 || dims.batch_groups == 1),
               "group counts are positive and at most one of them exceeds one");
  const std::int64_t features = input[at(dims.input_feature)];
  site.require(features % dims.feature_groups == 0 &&
                   features / dims.feature_groups == kernel[at(dims.kernel_input)],
               "input features are not the kernel's times the feature groups");
  site.require(kernel[at(dims.kernel_output)] % dims.feature_groups == 0,
               "output features do not divide by the feature groups");
  site.require(kernel[at(dims.kernel_output)] % dims.batch_groups == 0,
               "output features do not divide by the batch groups");
  site.require(input[at(dims.input_batch)] % dims.batch_groups == 0,
               "the batch does not divide by the batch groups");
}

Shape convolution(const Site& site) {
  site.require_operands(2);
  const auto& dims = site.attributes<ConvolutionAttr>();
  const Shape &input = site.operand(0), &kernel = site.operand(1);
  site.require(input.dtype == kernel.dtype, "operands differ in element type");
  site.require(input.dtype != DType::pred, "takes no pred");
  check_convolution_dims(site, dims);
  check_convolution_groups(site, dims);
  Shape result = input;
  result.dims[at(dims.output_batch)] = input.dims[at(dims.input_batch)] / dims.batch_groups;
  result.dims[at(dims.output_feature)] = kernel.dims[at(dims.kernel_output)];
  for (std::size_t i = 0; i < dims.strides.size(); ++i) {
    const std::int64_t padded =
        dilated(input.dims[at(dims.input_spatial[i])], dims.lhs_dilation[i]) + dims.low[i] +
        dims.high[i];
    const std::int64_t window =
        dilated(kernel.dims[at(dims.kernel_spatial[i])], dims.rhs_dilation[i]);
    result.dims[at(dims.output_spatial[i])] = window_extent(padded, window, dims.strides[i]);
  }
  return result;
}

// Dims and strides of one operand in the order batch or output feature, feature, spatial dims.
struct Layout {
  Dims dims, strides;
};

Layout layout(const Tensor& tensor, std::int64_t first, std::int64_t second, const Dims& spatial) {
  const Dims from = row_major_strides(tensor.shape.dims);
  Layout result;
  const auto append = [&](std::int64_t d) {
    result.dims.push_back(tensor.shape.dims[at(d)]);
    result.strides.push_back(from[at(d)]);
  };
  append(first);
  append(second);
  for (std::int64_t d : spatial) append(d);
  return result;
}

struct Taps {
  const ConvolutionAttr& attributes;
  const Tensor &input, &kernel;
  Layout in, taps;

  // Position in the input under kernel tap `tap` of output `out` along spatial dim s; -1 on
  // padding.
  std::int64_t source(std::size_t s, std::int64_t out, std::int64_t tap) const {
    const std::int64_t dilated =
        out * attributes.strides[s] - attributes.low[s] + tap * attributes.rhs_dilation[s];
    const std::int64_t position = dilated / attributes.lhs_dilation[s];
    const bool on_element = dilated >= 0 && dilated % attributes.lhs_dilation[s] == 0;
    return on_element && position < in.dims[s + 2] ? position : -1;
  }

  // Sum over the input features of one group at input offset `from` and kernel offset `tap`.
  double sum_features(std::int64_t from, std::int64_t tap) const {
    double sum = 0;
    for (std::int64_t f = 0; f < taps.dims[1]; ++f) {
      sum += input.elements[at(from + f * in.strides[1])] *
             kernel.elements[at(tap + f * taps.strides[1])];
    }
    return sum;
  }

  // Sum over the spatial dims from `s` on.
  double sum_window(std::size_t s, const Dims& out, std::int64_t from, std::int64_t tap) const {
    if (s == attributes.strides.size()) return sum_features(from, tap);
    double sum = 0;
    for (std::int64_t k = 0; k < taps.dims[s + 2]; ++k) {
      const std::int64_t position = source(s, out[s + 2], k);
      if (position < 0) continue;
      sum += sum_window(s + 1, out, from + position * in.strides[s + 2],
                        tap + k * taps.strides[s + 2]);
    }
    return sum;
  }

  // Element of the output at [batch, feature, spatial...].
  double element(const Dims& out) const {
    const std::int64_t num_features = taps.dims[0], feature = out[1];
    const std::int64_t feature_group = feature / (num_features / attributes.feature_groups);
    const std::int64_t batch_group = feature / (num_features / attributes.batch_groups);
    const std::int64_t batch = batch_group * (in.dims[0] / attributes.batch_groups) + out[0];
    const std::int64_t from = batch * in.strides[0] + feature_group * taps.dims[1] * in.strides[1];
    return sum_window(0, out, from, feature * taps.strides[0]);
  }
};

Tensor convolution(const Op& op, const Operands& operands) {
  const auto& dims = op.attributes.get<ConvolutionAttr>();
  const Taps work{dims, *operands[0], *operands[1],
                  layout(*operands[0], dims.input_batch, dims.input_feature, dims.input_spatial),
                  layout(*operands[1], dims.kernel_output, dims.kernel_input, dims.kernel_spatial)};
  Tensor result = filled(op.shape);
  const Layout out = layout(result, dims.output_batch, dims.output_feature, dims.output_spatial);
  const Dims order = row_major_strides(out.dims);
  Dims index(out.dims.size());
  for_each_index<2>(out.dims, {out.strides, order}, {0, 0}, [&](const Offsets<2>& offset) {
    for (std::size_t d = 0; d < index.size(); ++d) {
      index[d] = offset[1] / order[d] % out.dims[d];
    }
    result.elements[at(offset[0])] = work.element(index);
  });
  if (!is_floating(op.shape.dtype)) round_all(op.shape.dtype, result.elements);
  return result;
}

/// Each result element is a sum over the kernel of one output feature; taps on padding count, those
/// between the elements of a dilated input do not.
double convolution_flops(const Program& program, const Op& op) {
  const Shape& kernel = program.shape(op.operands[1]);
  const auto& dims = op.attributes.get<ConvolutionAttr>();
  const auto features = kernel.dims[at(dims.kernel_output)];
  const double terms =
      static_cast<double>(num_elements(kernel)) /
      static_cast<double>((features ? features : 1) * num_elements(dims.lhs_dilation));
  return 2 * terms * static_cast<double>(num_elements(op.shape));
}

std::string labels(char first, std::int64_t first_dim, char second, std::int64_t second_dim,
                   const Dims& spatial) {
  std::string text(spatial.size() + 2, ' ');
  text[at(first_dim)] = first;
  text[at(second_dim)] = second;
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    text[at(spatial[i])] = static_cast<char>('0' + i);
  }
  return text;
}

void write_convolution(const Op& op, hlo::AttributeWriter& writer) {
  const auto& a = op.attributes.get<ConvolutionAttr>();
  const Shape& kernel = writer.program().shape(op.operands[1]);
  Dims sizes;
  for (std::int64_t d : a.kernel_spatial) sizes.push_back(kernel.dims[at(d)]);
  writer.print_window(sizes, a.strides, a.low, a.high,
                      fmt::format(" lhs_dilate={} rhs_dilate={}", hlo::joined(a.lhs_dilation, 'x'),
                                  hlo::joined(a.rhs_dilation, 'x')));
  writer.print(", dim_labels={}_{}->{}",
               labels('b', a.input_batch, 'f', a.input_feature, a.input_spatial),
               labels('i', a.kernel_input, 'o', a.kernel_output, a.kernel_spatial),
               labels('b', a.output_batch, 'f', a.output_feature, a.output_spatial));
  if (a.feature_groups != 1) writer.print(", feature_group_count={}", a.feature_groups);
  if (a.batch_groups != 1) writer.print(", batch_group_count={}", a.batch_groups);
}
Attributes read_convolution(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  const auto groups = [&](const char* key) {
    const std::string_view text = instruction.attribute(key);
    return text.empty() ? 1 : hlo::read_integer(text);
  };
  ConvolutionAttr dims =
      hlo::read_convolution(instruction.attribute("window"), instruction.attribute("dim_labels"));
  dims.feature_groups = groups("feature_group_count");
  dims.batch_groups = groups("batch_group_count");
  return dims;
}

ValueId sample_convolution(Sampler& s) {
  ConvolutionAttr a;
  const std::int64_t num_spatial = 1 + s.draw(2);
  Dims image{6, 4}, kernel{6, 4};
  (s.draw(3) == 0 ? a.batch_groups : a.feature_groups) = 1 + s.draw(2);
  kernel[1] /= a.feature_groups;
  for (std::int64_t d = 0; d < num_spatial; ++d) {
    for (Dims* spatial : {&a.input_spatial, &a.kernel_spatial, &a.output_spatial})
      spatial->push_back(d + 2);
    image.push_back(4 + s.draw(3));
    kernel.push_back(1 + s.draw(3));
    a.strides.push_back(1 + s.draw(2));
    a.low.push_back(s.draw(3));
    a.high.push_back(s.draw(3));
    a.lhs_dilation.push_back(s.draw(4) == 0 ? 2 : 1);
    a.rhs_dilation.push_back(s.draw(4) == 0 ? 2 : 1);
  }
  const ValueId input = s.input(image);
  return s.builder.add(
      Op{.kind = OpKind::convolution, .operands = {input, s.input(kernel)}, .attributes = a});
}

constexpr OpTraits kConvolutionRows[] = {
    {.kind = OpKind::convolution,
     .name = "convolution",
     .op_class = OpClass::contraction,
     .arity = 2,
     .heavy = true,
     .infer = convolution,
     .evaluate = convolution,
     .terms = convolution_terms,
     .flops = convolution_flops,
     .write = write_convolution,
     .read = read_convolution,
     .sample = sample_convolution},
};

}  // namespace

std::span<const OpTraits> convolution_ops() { return kConvolutionRows; }

}  // namespace rhino::ir
