// SPDX-License-Identifier: Apache-2.0
#include "lower/convolution_form.hpp"

#include <algorithm>
#include <utility>

#include "lower/view.hpp"
#include "rhino/index.hpp"
#include "rhino/shape.hpp"

namespace rhino::lower {
namespace {

std::int64_t span_of(std::int64_t extent, std::int64_t distance) {
  return (extent - 1) * distance + 1;
}

bool are_ones(const Dims& entries) {
  return std::ranges::all_of(entries, [](std::int64_t entry) { return entry == 1; });
}

class FormMaker {
 public:
  FormMaker(const LoweredProgram& lowered, ValueId id)
      : lowered_(lowered),
        id_(id),
        op_(lowered.program.op(id)),
        a_(op_.attributes.get<ConvolutionAttr>()) {}

  std::optional<ConvolutionForm> make() const {
    ConvolutionForm form;
    if (a_.strides.empty() || a_.strides.size() > 3 || num_elements(op_.shape) == 0 ||
        num_elements(shape(0)) == 0 || num_elements(shape(1)) == 0)
      return std::nullopt;
    if (are_ones(a_.strides) && a_.batch_groups == 1 && (!are_ones(a_.lhs_dilation) || is_turned()))
      form = image_form();
    else if (!are_ones(a_.lhs_dilation)) return std::nullopt;
    else if (a_.feature_groups == 1 && (a_.batch_groups > 1 || has_large_window()))
      form = kernel_form();
    else if (a_.batch_groups == 1) form = forward_form();
    else return std::nullopt;
    return finish(form) ? std::optional(std::move(form)) : std::nullopt;
  }

 private:
  const Shape& shape(std::size_t operand) const {
    return lowered_.program.shape(op_.operands[operand]);
  }

  ConvolutionTensor tensor(ValueId value, Dims order) const {
    const Dims& dims = lowered_.program.shape(value).dims;
    const View& view = lowered_.views[at(value)];
    ConvolutionTensor result{{view.base, view.offset, {}}, {}, false};
    for (const std::int64_t d : order) {
      result.dims.push_back(dims[at(d)]);
      result.view.strides.push_back(view.strides[at(d)]);
    }
    return result;
  }

  static Dims order(std::int64_t first, std::int64_t second, const Dims& spatial) {
    Dims result{first, second};
    result.insert(result.end(), spatial.begin(), spatial.end());
    return result;
  }

  ConvolutionTensor input(bool swapped = false) const {
    return tensor(op_.operands[0], swapped
                                       ? order(a_.input_feature, a_.input_batch, a_.input_spatial)
                                       : order(a_.input_batch, a_.input_feature, a_.input_spatial));
  }
  ConvolutionTensor kernel(bool swapped = false) const {
    return tensor(op_.operands[1],
                  swapped ? order(a_.kernel_input, a_.kernel_output, a_.kernel_spatial)
                          : order(a_.kernel_output, a_.kernel_input, a_.kernel_spatial));
  }
  ConvolutionTensor output(bool swapped = false) const {
    return tensor(id_, swapped ? order(a_.output_feature, a_.output_batch, a_.output_spatial)
                               : order(a_.output_batch, a_.output_feature, a_.output_spatial));
  }

  /// Dim `dim`, made of `groups` times as many, becomes the dims 0, groups, and dim + 1.
  static ConvolutionTensor grouped(ConvolutionTensor tensor, std::size_t dim, std::int64_t groups) {
    const std::int64_t rest = tensor.dims[dim] / groups;
    const std::int64_t stride = tensor.view.strides[dim];
    tensor.dims[dim] = rest;
    tensor.dims.insert(tensor.dims.begin(), groups);
    tensor.view.strides.insert(tensor.view.strides.begin(), rest * stride);
    return tensor;
  }

  /// The kernel lies reversed in space.
  bool is_turned() const {
    const Dims& strides = lowered_.views[at(op_.operands[1])].strides;
    return std::ranges::any_of(a_.kernel_spatial,
                               [&](std::int64_t d) { return strides[at(d)] < 0; });
  }

  bool has_large_window() const {
    std::int64_t window = 1, result = 1;
    for (const std::int64_t d : a_.kernel_spatial) window *= shape(1).dims[at(d)];
    for (const std::int64_t d : a_.output_spatial) result *= op_.shape.dims[at(d)];
    return window > result;
  }

  ConvolutionForm forward_form() const {
    return {.kind = ConvolutionForm::Kind::forward,
            .image = input(),
            .kernel = grouped(kernel(), 0, a_.feature_groups),
            .result = output(),
            .strides = a_.strides,
            .dilations = a_.rhs_dilation,
            .low = a_.low,
            .high = {}};
  }

  ConvolutionForm image_form() const {
    ConvolutionForm form{.kind = ConvolutionForm::Kind::image,
                         .image = output(),
                         .kernel = kernel(true),
                         .result = input(),
                         .strides = a_.lhs_dilation,
                         .dilations = a_.rhs_dilation,
                         .low = {},
                         .high = {}};
    for (std::size_t s = 0; s < a_.strides.size(); ++s) {
      const std::int64_t extent = form.kernel.dims[s + 2];
      form.low.push_back(span_of(extent, a_.rhs_dilation[s]) - 1 - a_.low[s]);
      std::int64_t& stride = form.kernel.view.strides[s + 2];
      form.kernel.view.offset += (extent - 1) * stride;
      stride = -stride;
    }
    // Input features of the kernel are those of one group, output features those of all.
    form.kernel = grouped(std::move(form.kernel), 1, a_.feature_groups);
    return form;
  }

  ConvolutionForm kernel_form() const {
    return {.kind = ConvolutionForm::Kind::kernel,
            .image = input(true),
            .kernel = grouped(output(true), 0, a_.batch_groups),
            .result = kernel(true),
            .strides = a_.rhs_dilation,
            .dilations = a_.strides,
            .low = a_.low,
            .high = {}};
  }

  /// Padding behind, as far as windows reach; false where libraries have no such padding.
  static bool finish(ConvolutionForm& form) {
    for (std::size_t s = 0; s < form.strides.size(); ++s) {
      const std::int64_t reached = span_of(form.result.dims[s + 2], form.strides[s]) - 1 +
                                   span_of(form.kernel.dims[s + 3], form.dilations[s]);
      form.high.push_back(reached - form.image.dims[s + 2] - form.low[s]);
      if (form.low[s] < 0 || form.high[s] + form.strides[s] <= 0) return false;
    }
    for (ConvolutionTensor* tensor : {&form.image, &form.kernel, &form.result}) {
      for (std::size_t d = 0; d < tensor->dims.size(); ++d)
        tensor->is_packed |= tensor->dims[d] > 1 && tensor->view.strides[d] <= 0;
    }
    return true;
  }

  const LoweredProgram& lowered_;
  ValueId id_;
  const Op& op_;
  const ConvolutionAttr& a_;
};

}  // namespace

std::optional<ConvolutionForm> convolution_form(const LoweredProgram& lowered, ValueId id) {
  return FormMaker(lowered, id).make();
}

}  // namespace rhino::lower
