// SPDX-License-Identifier: Apache-2.0
#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
namespace {

std::int64_t extent(const Shape& shape, std::int64_t dim) {
  return shape.dims[static_cast<std::size_t>(dim)];
}

// Whether output element k of spatial dim `i` depends on input element k alone.
bool is_pointwise(const RuleMaker& maker, std::size_t i) {
  const auto& dims = maker.attributes<ConvolutionAttr>();
  return extent(maker.shape(1), dims.kernel_spatial[i]) == 1 && dims.strides[i] == 1 &&
         dims.low[i] == 0 && dims.high[i] == 0 && dims.lhs_dilation[i] == 1;
}

}  // namespace

void convolution_rule(RuleMaker& maker) {
  const auto& dims = maker.attributes<ConvolutionAttr>();
  const bool grouped = dims.feature_groups > 1 || dims.batch_groups > 1;
  maker.join(0, dims.input_batch, dims.output_batch, dims.batch_groups == 1);
  maker.join(1, dims.kernel_output, dims.output_feature, !grouped);
  const std::int64_t terms = extent(maker.shape(1), dims.kernel_input);
  if (grouped) {
    maker.operand(0, dims.input_feature) =
        maker.blocked(extent(maker.shape(0), dims.input_feature));
    maker.operand(1, dims.kernel_input) = maker.blocked(terms);
  } else {
    maker.operand(0, dims.input_feature) = maker.reduced(terms, Reduction::sum);
    maker.operand(1, dims.kernel_input) = maker.operand(0, dims.input_feature);
  }
  for (std::size_t i = 0; i < dims.input_spatial.size(); ++i) {
    maker.join(0, dims.input_spatial[i], dims.output_spatial[i], is_pointwise(maker, i));
    maker.operand(1, dims.kernel_spatial[i]) =
        maker.blocked(extent(maker.shape(1), dims.kernel_spatial[i]));
  }
  maker.passes_sum(0);
  maker.passes_sum(1);
}

}  // namespace rhino::sharding
