// SPDX-License-Identifier: Apache-2.0
#include "ir/ops/convolution_terms.hpp"

#include <utility>
#include <vector>

#include "rhino/index.hpp"

namespace rhino::ir {
namespace {

using Dims = std::vector<std::int64_t>;

/// Moves groups of samples to the front of the features, [groups x samples, .., features, ..] to
/// [samples, .., groups x features, ..], or the other way round.
ValueId with_groups_in(Builder& b, ValueId x, const ConvolutionAttr& a, bool in_features) {
  const std::int64_t from = in_features ? a.input_batch : a.input_feature,
                     into = in_features ? a.input_feature : a.input_batch;
  Dims joined = b.shape(x).dims, split = joined, order;
  joined[at(from)] /= a.batch_groups;
  joined[at(into)] *= a.batch_groups;
  split[at(from)] = joined[at(from)];
  split.insert(split.begin() + from, a.batch_groups);
  for (std::int64_t d = 0; d < std::ssize(split) - 1; ++d) {
    if (d == into) order.push_back(from);
    order.push_back(d < from ? d : d + 1);
  }
  return b.reshape(b.transpose(b.reshape(x, split), order), joined);
}

class ConvolutionPullback {
 public:
  explicit ConvolutionPullback(const Pullback& p)
      : p_(p), dims_(p.op.attributes.get<ConvolutionAttr>()) {}

  ValueId of_input() const {
    ConvolutionAttr to = dims_;
    to.input_batch = dims_.output_batch, to.input_feature = dims_.output_feature;
    to.input_spatial = dims_.output_spatial;
    std::swap(to.kernel_input, to.kernel_output);
    to.output_batch = dims_.input_batch, to.output_feature = dims_.input_feature;
    to.output_spatial = dims_.input_spatial;
    std::swap(to.strides, to.lhs_dilation);
    for (std::size_t s = 0; s < dims_.strides.size(); ++s) {
      to.low[s] = window(s) - 1 - dims_.low[s];
      to.high[s] = image(s) - dilated_result(s) - to.low[s] + window(s) - 1;
    }
    return convolution(p_.gradient, turned_kernel(), to);
  }

  ValueId of_kernel() const {
    ConvolutionAttr to = dims_;
    std::swap(to.input_batch, to.input_feature);
    to.kernel_input = dims_.output_batch, to.kernel_output = dims_.output_feature;
    to.kernel_spatial = dims_.output_spatial;
    to.output_batch = dims_.kernel_input, to.output_feature = dims_.kernel_output;
    to.output_spatial = dims_.kernel_spatial;
    std::swap(to.strides, to.rhs_dilation);
    std::swap(to.feature_groups, to.batch_groups);
    for (std::size_t s = 0; s < dims_.strides.size(); ++s)
      to.high[s] = dilated_result(s) + window(s) - 1 - image(s) - to.low[s];
    return convolution(p_.op.operands[0], p_.gradient, to);
  }

 private:
  std::int64_t extent(std::size_t operand, std::int64_t dim) const {
    return p_.operand_dims(operand)[at(dim)];
  }
  /// Elements along spatial dim s that the input, dilated, the kernel, dilated, and the result,
  /// strides between its elements, span.
  std::int64_t image(std::size_t s) const {
    return dilated(extent(0, dims_.input_spatial[s]), dims_.lhs_dilation[s]);
  }
  std::int64_t window(std::size_t s) const {
    return dilated(extent(1, dims_.kernel_spatial[s]), dims_.rhs_dilation[s]);
  }
  std::int64_t dilated_result(std::size_t s) const {
    return dilated(p_.op.shape.dims[at(dims_.output_spatial[s])], dims_.strides[s]);
  }

  ValueId convolution(ValueId input, ValueId kernel, const ConvolutionAttr& dims) const {
    return p_.builder.add(
        Op{.kind = OpKind::convolution, .operands = {input, kernel}, .attributes = dims});
  }

  /// Reversed in space; each group's output features become those of its input.
  ValueId turned_kernel() const {
    Builder& b = p_.builder;
    const ValueId kernel = dims_.kernel_spatial.empty()
                               ? p_.op.operands[1]
                               : b.reverse(p_.op.operands[1], dims_.kernel_spatial);
    const std::int64_t groups = dims_.feature_groups;
    if (groups == 1) return kernel;
    // [.., group x out, .., in, ..] to [.., out, .., group x in, ..]
    ConvolutionAttr dims;
    dims.input_batch = dims_.kernel_output, dims.input_feature = dims_.kernel_input;
    dims.batch_groups = groups;
    return with_groups_in(b, kernel, dims, true);
  }

  const Pullback& p_;
  const ConvolutionAttr& dims_;
};

Terms terms_of(const Pullback& pullback) {
  const ConvolutionPullback convolution(pullback);
  Terms terms(2, kNoValue);
  if (pullback.wanted[0]) terms[0] = convolution.of_input();
  if (pullback.wanted[1]) terms[1] = convolution.of_kernel();
  return terms;
}

}  // namespace

Terms convolution_terms(const Pullback& pullback) {
  const auto& dims = pullback.op.attributes.get<ConvolutionAttr>();
  if (dims.batch_groups == 1) return terms_of(pullback);
  // The same with groups of features instead.
  Pullback by_features = pullback;
  ConvolutionAttr to = dims;
  std::swap(to.feature_groups, to.batch_groups);
  by_features.op.operands[0] =
      with_groups_in(pullback.builder, pullback.op.operands[0], dims, true);
  by_features.op.attributes = to;
  Terms terms = terms_of(by_features);
  if (terms[0] != kNoValue) terms[0] = with_groups_in(pullback.builder, terms[0], dims, false);
  return terms;
}

}  // namespace rhino::ir
