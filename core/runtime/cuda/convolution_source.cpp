// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "runtime/cuda/op_kernel.hpp"
#include "runtime/cuda/tile_source.hpp"

namespace rhino::runtime::cuda {
namespace {

/// Rows of the left matrix are places of the result, columns taps of the kernel times features;
/// columns of the right one features of the result, a batch is a group. Nothing is copied: an
/// element of the left matrix is found in the image, or is padding.
class ConvolutionSource : OpKernel {
 public:
  ConvolutionSource(const lower::LoweredProgram& lowered, ValueId id)
      : OpKernel(lowered, id),
        a_(op_.attributes.get<ConvolutionAttr>()),
        image_(shape(0).dims),
        kernel_(shape(1).dims) {}

  GroupSource run() {
    features_ = kernel_[at(a_.kernel_input)];
    TiledProduct product{.dtype = dtype()};
    product.batches = a_.feature_groups * a_.batch_groups;
    product.n = kernel_[at(a_.kernel_output)] / product.batches;
    places_ = {op_.shape.dims[at(a_.output_batch)]};
    for (std::int64_t d : a_.output_spatial) places_.push_back(op_.shape.dims[at(d)]);
    for (std::int64_t d : a_.kernel_spatial) taps_.push_back(kernel_[at(d)]);
    taps_.push_back(features_);
    product.m = num_elements(places_);
    product.k = num_elements(taps_);
    group_ = product.batches > 1 ? "batch" : "0";
    product.load_a = load_image();
    product.load_b = load_kernel(product.n);
    product.store = store_result(product.n);
    product.a_by_k = view(0).strides[at(a_.input_feature)] == 1;
    product.b_by_n = view(1).strides[at(a_.kernel_output)] == 1;
    KernelText kernel = tile_kernel(writer_, product, largest(std::max(product.m, product.k)));
    kernel.kind = kConvolutionKind;
    if (kernel.blocks > 0) source_.kernels.push_back(std::move(kernel));
    return std::move(source_);
  }

 private:
  /// The feature of a place of `taps_`.
  std::string feature() const { return coordinate(taps_, taps_.size() - 1, "k"); }

  std::string load_image() {
    const lower::Dims& strides = view(0).strides;
    const std::string per_group = text(image_[at(a_.input_batch)] / a_.batch_groups);
    std::string sample = coordinate(places_, 0, "m"), from = feature();
    if (a_.batch_groups > 1) sample += " + " + group_ + " * " + per_group;
    if (a_.feature_groups > 1) from += " + " + group_ + " * " + text(features_);
    std::string body = "bool inside = true;\nIndex at = " + text(view(0).offset) + " + (" + sample +
                       ") * " + text(strides[at(a_.input_batch)]) + " + (" + from + ") * " +
                       text(strides[at(a_.input_feature)]) + ";\n";
    if (!a_.strides.empty()) body += "Index c;\n";
    for (std::size_t s = 0; s < a_.strides.size(); ++s) {
      const std::string step = text(a_.lhs_dilation[s]);
      const std::size_t d = at(a_.input_spatial[s]);
      body += "c = " + coordinate(places_, s + 1, "m") + " * " + text(a_.strides[s]) + " + " +
              coordinate(taps_, s, "k") + " * " + text(a_.rhs_dilation[s]) + " - (" +
              text(a_.low[s]) + ");\ninside = inside && c >= 0 && c % " + step + " == 0 && c / " +
              step + " < " + text(image_[d]) + ";\nat += c / " + step + " * " + text(strides[d]) +
              ";\n";
    }
    return body + "return inside ? " + read_at(0, "at") + " : 0;\n";
  }

  std::string load_kernel(std::int64_t per_group) {
    const lower::Dims& strides = view(1).strides;
    std::string at_text = text(view(1).offset) + " + (n + " + group_ + " * " + text(per_group) +
                          ") * " + text(strides[at(a_.kernel_output)]) + " + " + feature() + " * " +
                          text(strides[at(a_.kernel_input)]);
    for (std::size_t s = 0; s < a_.strides.size(); ++s)
      at_text +=
          " + " + coordinate(taps_, s, "k") + " * " + text(strides[at(a_.kernel_spatial[s])]);
    return "return " + read_at(1, at_text) + ";\n";
  }

  std::string store_result(std::int64_t per_group) {
    const lower::Dims strides = lower::dense_strides(op_.shape.dims);
    std::string to = "(n + " + group_ + " * " + text(per_group) + ") * " +
                     text(strides[at(a_.output_feature)]) + " + " + coordinate(places_, 0, "m") +
                     " * " + text(strides[at(a_.output_batch)]);
    for (std::size_t s = 0; s < a_.strides.size(); ++s)
      to +=
          " + " + coordinate(places_, s + 1, "m") + " * " + text(strides[at(a_.output_spatial[s])]);
    return store(to, "sum");
  }

  const ConvolutionAttr& a_;
  const lower::Dims &image_, &kernel_;
  std::int64_t features_ = 0;  ///< of one group
  lower::Dims places_;         ///< of the result: samples, space
  lower::Dims taps_;           ///< space of the kernel, features
  std::string group_;
};

}  // namespace

GroupSource convolution_source(const lower::LoweredProgram& lowered, ValueId id) {
  GroupSource source = ConvolutionSource(lowered, id).run();
  if (!source.kernels.empty()) source.convolution = dnn_source(lowered, id);
  return source;
}

}  // namespace rhino::runtime::cuda
