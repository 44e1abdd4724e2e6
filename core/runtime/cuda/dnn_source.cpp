// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "lower/view.hpp"
#include "rhino/index.hpp"
#include "rhino/shape.hpp"
#include "runtime/cuda/dnn_problem.hpp"
#include "runtime/cuda/op_source.hpp"

namespace rhino::runtime::cuda {
namespace {

using Dims = std::vector<std::int64_t>;
using Kind = lower::ConvolutionForm::Kind;

/// Bytes that cuDNN's kernels load at a time.
constexpr std::int64_t kTensorAlignment = 16;
constexpr std::size_t kLeastSpace = 2;

std::int64_t span_of(std::int64_t extent, std::int64_t distance) {
  return (extent - 1) * distance + 1;
}

/// A tensor of a convolution, in cuDNN's order of dims, as it lies in a program's memory; the
/// output features of a kernel are two dims: groups, features of one.
struct Lying {
  Dims dims;
  lower::View view;
  std::size_t features = 1;  ///< the dim of features that are summed over, then come those of space
};

/// Dims from the outermost in memory to the innermost.
std::vector<std::size_t> memory_order(const Lying& tensor, bool features_last) {
  std::vector<std::size_t> order(tensor.dims.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto features = order.begin() + static_cast<std::ptrdiff_t>(tensor.features);
  if (features_last) std::rotate(features, features + 1, order.end());
  return order;
}

Dims in_order(const Dims& entries, const std::vector<std::size_t>& order) {
  Dims result;
  for (std::size_t d : order) result.push_back(entries[d]);
  return result;
}

bool is_dense(const Lying& tensor, bool features_last) {
  const auto order = memory_order(tensor, features_last);
  return lower::has_dense_strides(in_order(tensor.dims, order),
                                  in_order(tensor.view.strides, order));
}

/// An index of `to` plus `shifts` is one of `from`, or of what lies around it, which is zero.
struct Copy {
  Lying from, to;
  Dims shifts;
};

/// A thread per element of `to`, in the order in which these lie.
KernelText copy_kernel(const Copy& copy, DType dtype) {
  std::vector<std::size_t> order(copy.to.dims.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t d) { return copy.to.view.strides[d]; });
  const Dims dims = in_order(copy.to.dims, order), shifts = in_order(copy.shifts, order),
             extents = in_order(copy.from.dims, order),
             strides = in_order(copy.from.view.strides, order);
  KernelWriter writer;
  std::string body =
      "bool inside = true;\nIndex c, at = " + std::to_string(copy.from.view.offset) + ";\n";
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 1 && shifts[d] == 0) continue;
    body += "c = " + coordinate(dims, d, "i") + " + (" + std::to_string(shifts[d]) + ");\n";
    if (shifts[d] < 0) body += "inside = inside && c >= 0;\n";
    if (shifts[d] + dims[d] > extents[d])
      body += "inside = inside && c < " + std::to_string(extents[d]) + ";\n";
    body += "at += c * " + std::to_string(strides[d]) + ";\n";
  }
  const std::string element = "inside ? " + writer.load(dtype, copy.from.view.base, "at") + " : (" +
                              computed_type(dtype) + ")0";
  const std::int64_t count = num_elements(dims);
  body +=
      writer.store(dtype, copy.to.view.base, std::to_string(copy.to.view.offset) + " + i", element);
  std::int64_t reach = std::abs(copy.from.view.offset);
  for (std::size_t d = 0; d < dims.size(); ++d)
    reach += std::abs(strides[d]) * (dims[d] + std::abs(shifts[d]));
  const std::int64_t largest =
      std::max({reach, num_elements(copy.from.dims), copy.to.view.offset + count});
  KernelText kernel = writer.finish(KernelWriter::for_each("i", count, body), largest);
  spread(kernel, count);
  kernel.kind = kDnnLayoutKind;
  return kernel;
}

class DnnSourceMaker {
 public:
  DnnSourceMaker(const lower::LoweredProgram& lowered, ValueId id)
      : lowered_(lowered), dtype_(lowered.program.shape(id).dtype) {
    if (const auto form = lower::convolution_form(lowered, id)) form_ = *form, is_known_ = true;
  }

  std::optional<DnnSource> make() {
    if (!is_known_ || (dtype_ != DType::f32 && !is_narrow(dtype_))) return std::nullopt;
    Lying image{form_.image.dims, form_.image.view}, result{form_.result.dims, form_.result.view},
        kernel{form_.kernel.dims, form_.kernel.view, 2};
    if (image.view.base == kNoValue || kernel.view.base == kNoValue || result.view.base == kNoValue)
      return std::nullopt;
    set_space(image, kernel, result);
    DnnProblem& p = source_.problem;
    p.groups = kernel.dims[0];
    p.kind = form_.kind;
    p.dtype = dtype_;
    p.features_last = is_narrow(dtype_) || is_dense(image, true) + is_dense(result, true) >=
                                               is_dense(image, false) + is_dense(result, false);
    p.image = placed(std::move(image), p.kind == Kind::image, around_image());
    p.kernel = placed(std::move(kernel), p.kind == Kind::kernel, {});
    p.kernel.dims[1] *= p.groups;
    p.kernel.dims.erase(p.kernel.dims.begin());
    p.result = placed(std::move(result), p.kind == Kind::forward, {});
    if (is_padded_) std::ranges::fill(p.padding, 0);
    return is_small() ? std::optional(std::move(source_)) : std::nullopt;
  }

 private:
  /// What is added to a tensor before and behind each dim.
  struct Around {
    Dims low, high;
  };

  /// cuDNN wants two dims of space.
  void set_space(Lying& image, Lying& kernel, Lying& result) {
    for (Lying* tensor : {&image, &kernel, &result}) {
      while (tensor->dims.size() <= kLeastSpace + tensor->features)
        tensor->dims.push_back(1), tensor->view.strides.push_back(1);
    }
    DnnProblem& p = source_.problem;
    p.padding = form_.low, p.strides = form_.strides, p.dilations = form_.dilations;
    high_ = form_.high;
    while (p.padding.size() < kLeastSpace) {
      p.padding.push_back(0), high_.push_back(0);
      p.strides.push_back(1), p.dilations.push_back(1);
    }
    // It knows one amount of padding for both sides, and works out the result's extents.
    for (std::size_t s = 0; s < p.padding.size(); ++s) {
      const std::int64_t last =
          image.dims[s + 2] + 2 * p.padding[s] - span_of(kernel.dims[s + 3], p.dilations[s]);
      is_padded_ |= last < 0 || last / p.strides[s] + 1 != result.dims[s + 2];
    }
  }

  Around around_image() const {
    if (!is_padded_) return {};
    Around around{{0, 0}, {0, 0}};
    const Dims& low = source_.problem.padding;
    around.low.insert(around.low.end(), low.begin(), low.end());
    around.high.insert(around.high.end(), high_.begin(), high_.end());
    return around;
  }

  /// Where it lies, if cuDNN can say that, else in scratch memory, copied into or out of.
  DnnTensor placed(Lying own, bool is_made, const Around& around) {
    const bool features_last = source_.problem.features_last;
    const bool is_aligned = own.view.offset * dtype_bytes(dtype_) % kTensorAlignment == 0;
    if (around.low.empty() && is_aligned && is_dense(own, features_last))
      return {own.view.base, own.view.offset, std::move(own.dims)};
    const std::size_t rank = own.dims.size();
    Lying copied{
        own.dims, {scratch_base(lowered_, std::ssize(source_.scratch_bytes)), 0, {}}, own.features};
    Dims shifts(rank, 0);
    for (std::size_t d = 0; d < around.low.size(); ++d) {
      copied.dims[d] += around.low[d] + around.high[d];
      shifts[d] = -around.low[d];
    }
    const auto order = memory_order(copied, features_last);
    const Dims dense = lower::dense_strides(in_order(copied.dims, order));
    copied.view.strides.resize(rank);
    for (std::size_t d = 0; d < rank; ++d) copied.view.strides[order[d]] = dense[d];
    source_.scratch_bytes.push_back(num_elements(copied.dims) * dtype_bytes(dtype_));
    const DnnTensor result{copied.view.base, 0, copied.dims};
    if (!is_made) {
      source_.before.push_back(copy_kernel({std::move(own), std::move(copied), shifts}, dtype_));
    } else {
      for (std::int64_t& shift : shifts) shift = -shift;
      source_.after.push_back(copy_kernel({std::move(copied), std::move(own), shifts}, dtype_));
    }
    return result;
  }

  /// Its extents and strides are of 32 bits.
  bool is_small() const {
    const DnnProblem& p = source_.problem;
    return std::ranges::all_of(std::array{&p.image, &p.kernel, &p.result}, [](const auto* tensor) {
      return num_elements(tensor->dims) <= std::numeric_limits<std::int32_t>::max();
    });
  }

  const lower::LoweredProgram& lowered_;
  DType dtype_;
  lower::ConvolutionForm form_;
  bool is_known_ = false;
  bool is_padded_ = false;  ///< the image, in memory
  Dims high_;
  DnnSource source_;
};

}  // namespace

std::optional<DnnSource> dnn_source(const lower::LoweredProgram& lowered, ValueId id) {
  return DnnSourceMaker(lowered, id).make();
}

}  // namespace rhino::runtime::cuda
