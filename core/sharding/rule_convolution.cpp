// SPDX-License-Identifier: Apache-2.0
#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
namespace {

std::int64_t extent(const Shape& shape, std::int64_t dim) {
  return shape.dims[static_cast<std::size_t>(dim)];
}

DimFactors joined(DimFactors major, const DimFactors& minor) {
  major.insert(major.end(), minor.begin(), minor.end());
  return major;
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
  const std::int64_t samples = extent(maker.shape(), dims.output_batch);
  const std::int64_t terms = extent(maker.shape(1), dims.kernel_input);
  const std::int64_t groups = dims.feature_groups * dims.batch_groups;
  // Groups are major in what they run along: output features and kernels, and the features or the
  // samples that they take.
  const DimFactors group = maker.loop(groups);
  const DimFactors sample = maker.loop(samples), term = maker.reduced(terms, Reduction::sum);
  const DimFactors outputs =
      joined(group, maker.loop(extent(maker.shape(), dims.output_feature) / groups));
  maker.result(dims.output_batch) = sample;
  maker.result(dims.output_feature) = maker.operand(1, dims.kernel_output) = outputs;
  maker.operand(1, dims.kernel_input) = term;
  maker.operand(0, dims.input_batch) = dims.batch_groups > 1 ? joined(group, sample) : sample;
  maker.operand(0, dims.input_feature) = dims.feature_groups > 1 ? joined(group, term) : term;
  for (std::size_t i = 0; i < dims.input_spatial.size(); ++i) {
    maker.join(0, dims.input_spatial[i], dims.output_spatial[i], is_pointwise(maker, i));
    maker.operand(1, dims.kernel_spatial[i]) =
        maker.blocked(extent(maker.shape(1), dims.kernel_spatial[i]));
  }
  maker.passes_sum(0);
  maker.passes_sum(1);
}

}  // namespace rhino::sharding
