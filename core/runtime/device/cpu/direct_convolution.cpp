// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "ir/strided.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/kernel.hpp"
#include "runtime/device/cpu/narrow_float.hpp"
#include "runtime/device/cpu/reductions.hpp"

namespace rhino::runtime {
namespace {

using Dims = std::vector<std::int64_t>;

/// What elements in memory as T are computed as: integers wrap.
template <typename T>
struct Summed {
  using Type = std::make_unsigned_t<T>;
};
template <typename T>
requires std::is_floating_point_v<T>
struct Summed<T> {
  using Type = T;
};
template <typename T>
constexpr bool kIsNarrow = std::is_same_v<T, Bf16> || std::is_same_v<T, F16>;
template <typename T>
requires kIsNarrow<T>
struct Summed<T> {
  using Type = float;
};

template <typename T>
typename Summed<T>::Type value_of(T element) {
  if constexpr (kIsNarrow<T>) return widen(element);
  else return static_cast<typename Summed<T>::Type>(element);
}

template <typename T>
void put(typename Summed<T>::Type value, T& to) {
  if constexpr (kIsNarrow<T>) narrow(value, to);
  else to = static_cast<T>(value);
}

/// Strides of one of the three tensors.
struct Layout {
  std::int64_t first = 0, second = 0;  ///< of samples and features, or output and input features
  Dims spatial;
};

/// All output features of a group at once, place by place, tap by tap.
template <typename T>
class DirectConvolution : public Kernel {
 public:
  DirectConvolution(const lower::LoweredProgram& lowered, ValueId id, int num_threads)
      : a_(lowered.program.op(id).attributes.get<ConvolutionAttr>()), num_threads_(num_threads) {
    const Op& op = lowered.program.op(id);
    const Dims &image = lowered.program.shape(op.operands[0]).dims,
               &kernel = lowered.program.shape(op.operands[1]).dims;
    views_ = {lowered.views[at(op.operands[0])], lowered.views[at(op.operands[1])],
              lowered.views[at(id)]};
    image_ = layout(views_[0], a_.input_batch, a_.input_feature, a_.input_spatial);
    kernel_ = layout(views_[1], a_.kernel_output, a_.kernel_input, a_.kernel_spatial);
    result_ = layout(views_[2], a_.output_batch, a_.output_feature, a_.output_spatial);
    for (std::size_t s = 0; s < a_.strides.size(); ++s) {
      places_.push_back(op.shape.dims[at(a_.output_spatial[s])]);
      taps_.push_back(kernel[at(a_.kernel_spatial[s])]);
      extents_.push_back(image[at(a_.input_spatial[s])]);
    }
    samples_ = op.shape.dims[at(a_.output_batch)];
    groups_ = std::max(a_.feature_groups, a_.batch_groups);
    outputs_ = op.shape.dims[at(a_.output_feature)] / groups_;
    inputs_ = kernel[at(a_.kernel_input)];
    sums_.assign(at(num_threads), std::vector<Sum>(at(outputs_)));
  }

  void run(Memory memory) override {
    const auto data = [&](std::size_t i) {
      return reinterpret_cast<T*>(memory[at(views_[i].base)]) + views_[i].offset;
    };
    const T *image = data(0), *kernel = data(1);
    T* result = data(2);
    const std::int64_t count = samples_ * groups_;
#pragma omp parallel for schedule(static) num_threads(num_threads_)
    for (int part = 0; part < num_threads_; ++part) {
      const std::int64_t end = count * (part + 1) / num_threads_;
      for (std::int64_t i = count * part / num_threads_; i < end; ++i)
        run_group(image, kernel, result, i / groups_, i % groups_, sums_[at(part)]);
    }
  }

 private:
  using Sum = typename Summed<T>::Type;

  static Layout layout(const lower::View& view, std::int64_t first, std::int64_t second,
                       const Dims& spatial) {
    Layout result{view.strides[at(first)], view.strides[at(second)], {}};
    for (const std::int64_t d : spatial) result.spatial.push_back(view.strides[at(d)]);
    return result;
  }

  void run_group(const T* image, const T* kernel, T* result, std::int64_t sample,
                 std::int64_t group, std::vector<Sum>& sums) const {
    const bool by_batch = a_.batch_groups > 1;
    image += (by_batch ? group * samples_ + sample : sample) * image_.first;
    if (!by_batch) image += group * inputs_ * image_.second;
    kernel += group * outputs_ * kernel_.first;
    result += sample * result_.first + group * outputs_ * result_.second;
    const Dims numbers = ir::row_major_strides(places_), taps = ir::row_major_strides(taps_);
    ir::for_each_index<2>(places_, {result_.spatial, numbers}, {0, 0}, [&](const auto& place) {
      std::ranges::fill(sums, Sum{});
      ir::for_each_index<2>(taps_, {kernel_.spatial, taps}, {0, 0}, [&](const auto& tap) {
        const std::int64_t from = image_offset(numbers, place[1], taps, tap[1]);
        if (from >= 0) add(image + from, kernel + tap[0], sums);
      });
      for (std::int64_t o = 0; o < outputs_; ++o)
        put(sums[at(o)], result[place[0] + o * result_.second]);
    });
  }

  /// Where the image's element under a tap lies; -1 for padding, and between dilated elements.
  std::int64_t image_offset(const Dims& numbers, std::int64_t place, const Dims& taps,
                            std::int64_t tap) const {
    std::int64_t offset = 0;
    for (std::size_t s = 0; s < places_.size(); ++s) {
      const std::int64_t p = place / numbers[s] % places_[s] * a_.strides[s] - a_.low[s] +
                             tap / taps[s] % taps_[s] * a_.rhs_dilation[s];
      if (p < 0 || p % a_.lhs_dilation[s] != 0 || p / a_.lhs_dilation[s] >= extents_[s]) return -1;
      offset += p / a_.lhs_dilation[s] * image_.spatial[s];
    }
    return offset;
  }

  void add(const T* image, const T* kernel, std::vector<Sum>& sums) const {
    for (std::int64_t i = 0; i < inputs_; ++i) {
      const Sum element = value_of(image[i * image_.second]);
      const T* weights = kernel + i * kernel_.second;
      const std::int64_t stride = kernel_.first;
      for (std::int64_t o = 0; o < outputs_; ++o)
        sums[at(o)] = static_cast<Sum>(sums[at(o)] + element * value_of(weights[o * stride]));
    }
  }

  const ConvolutionAttr& a_;
  int num_threads_;
  std::vector<lower::View> views_;
  Layout image_, kernel_, result_;
  Dims places_, taps_, extents_;  ///< per spatial dim, of result, kernel and image
  std::int64_t samples_ = 1, groups_ = 1;
  std::int64_t outputs_ = 1, inputs_ = 1;  ///< features of a group
  std::vector<std::vector<Sum>> sums_;     ///< per thread, of one place
};

}  // namespace

std::unique_ptr<Kernel> make_direct_convolution_kernel(const lower::LoweredProgram& lowered,
                                                       const lower::KernelGroup& group,
                                                       int num_threads) {
  const ValueId id = group.ops[0];
  const Op& op = lowered.program.op(id);
  if (op.kind != OpKind::convolution) return nullptr;
  std::unique_ptr<Kernel> kernel;
  const auto make = [&]<typename T>(T) {
    kernel = std::make_unique<DirectConvolution<T>>(lowered, id, num_threads);
  };
  if (op.shape.dtype == DType::bf16) make(Bf16{});
  else if (op.shape.dtype == DType::f16) make(F16{});
  else with_element_type(op.shape.dtype, make);
  return kernel;
}

}  // namespace rhino::runtime
