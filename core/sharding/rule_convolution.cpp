// SPDX-License-Identifier: Apache-2.0
#include "sharding/rule_maker.hpp"
#include "sharding/windows.hpp"

namespace rhino::sharding {
namespace {

std::int64_t extent(const Shape& shape, std::int64_t dim) {
  return shape.dims[static_cast<std::size_t>(dim)];
}

DimFactors joined(DimFactors major, const DimFactors& minor) {
  major.insert(major.end(), minor.begin(), minor.end());
  return major;
}

// Of spatial dim `i`: blocks of positions and of the input together, all others whole.
void spatial_rule(RuleMaker& maker, std::size_t i) {
  const auto& dims = maker.attributes<ConvolutionAttr>();
  const auto [windows, along_kernel] =
      convolution_windows(dims, maker.shape(0), maker.shape(1), maker.shape(), i);
  const auto kind = along_kernel ? Factor::Kind::reduction : Factor::Kind::parallel;
  const DimFactors blocks = windows.can_be_cut()
                                ? maker.windows(windows.most_parts(), kind,
                                                windows.are_pointwise() ? 0 : windows.least_part())
                                : DimFactors{};
  const auto dim_of = [&](const Shape& shape, std::int64_t dim, bool is_cut) {
    return is_cut ? maker.in_blocks(blocks, extent(shape, dim)) : maker.blocked(extent(shape, dim));
  };
  maker.operand(0, dims.input_spatial[i]) = dim_of(maker.shape(0), dims.input_spatial[i], true);
  maker.operand(1, dims.kernel_spatial[i]) =
      dim_of(maker.shape(1), dims.kernel_spatial[i], along_kernel);
  maker.result(dims.output_spatial[i]) =
      dim_of(maker.shape(), dims.output_spatial[i], !along_kernel);
  maker.reaches(0, dims.input_spatial[i], blocks,
                {windows.low_elements(), windows.high_elements(), windows.drift()});
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
  for (std::size_t i = 0; i < dims.input_spatial.size(); ++i) spatial_rule(maker, i);
  maker.passes_sum(0);
  maker.passes_sum(1);
}

}  // namespace rhino::sharding
