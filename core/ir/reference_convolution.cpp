// SPDX-License-Identifier: Apache-2.0
#include "ir/element.hpp"
#include "ir/reference_ops.hpp"

namespace rhino::ir::reference {
namespace {

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

struct Convolution {
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

}  // namespace

Tensor convolution(const Op& op, const Operands& operands) {
  const auto& dims = op.attributes.get<ConvolutionAttr>();
  const Convolution work{
      dims, *operands[0], *operands[1],
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

}  // namespace rhino::ir::reference
