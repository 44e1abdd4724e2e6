// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "lower/view.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/kernel.hpp"
#include "runtime/device/cpu/reductions.hpp"

namespace rhino::runtime {
namespace {

using Dims = std::vector<std::int64_t>;

/// Elements that one look takes side by side.
constexpr std::int64_t kSideBySide = 256;

/// Calls `visit(indices)` for all of [begin, end) in row-major order.
template <typename Visit>
void for_each_place(const Dims& begin, const Dims& end, Dims& place, Visit visit) {
  for (std::size_t d = 0; d < begin.size(); ++d) {
    if (begin[d] >= end[d]) return;
  }
  place = begin;
  while (true) {
    visit(place);
    std::size_t d = place.size();
    while (d > 0 && ++place[d - 1] == end[d - 1]) --d, place[d] = begin[d];
    if (d == 0) return;
  }
}

/// Adds the element of `source` for each window to where the window's largest or smallest element
/// lies, the first of those. Dims in front of and behind those that windows run over are `outer`
/// and `inner`.
template <typename T>
class SelectionKernel : public Kernel {
 public:
  SelectionKernel(const lower::LoweredProgram& lowered, ValueId id, int num_threads)
      : operand_(base(lowered, id, 0)), source_(base(lowered, id, 1)), to_(id) {
    const Op& op = lowered.program.op(id);
    const WindowAttr& window = op.attributes.get<WindowAttr>();
    const Dims &dims = op.shape.dims, &windows = lowered.program.shape(op.operands[1]).dims;
    largest_ = window.reduction == Reduction::max;
    const auto is_whole = [&](std::size_t d) {
      return window.sizes[d] == 1 && window.low[d] == 0 && dims[d] == windows[d];
    };
    std::size_t first = 0, end = dims.size();
    while (first < end && is_whole(first)) outer_ *= dims[first++];
    while (end > first && is_whole(end - 1)) inner_ *= dims[--end];
    for (std::size_t d = first; d < end; ++d) {
      extents_.push_back(dims[d]), windows_.push_back(windows[d]);
      sizes_.push_back(window.sizes[d]), steps_.push_back(window.strides[d]);
      low_.push_back(window.low[d]);
    }
    strides_ = lower::dense_strides(extents_);
    const std::size_t num_parts = at(std::min<std::int64_t>(num_threads, outer_));
    parts_.resize(num_parts);
  }

  void run(Memory memory) override {
    const T* operand = reinterpret_cast<const T*>(memory[at(operand_)]);
    const T* source = reinterpret_cast<const T*>(memory[at(source_)]);
    T* to = reinterpret_cast<T*>(memory[at(to_)]);
    const std::int64_t size = num_elements(extents_) * inner_,
                       num_windows = num_elements(windows_) * inner_;
    const auto num_parts = static_cast<int>(parts_.size());
#pragma omp parallel for schedule(static) num_threads(num_parts)
    for (int part = 0; part < num_parts; ++part) {
      const std::int64_t end = outer_ * (part + 1) / num_parts;
      for (std::int64_t o = outer_ * part / num_parts; o < end; ++o) {
        std::fill_n(to + o * size, size, T{});
        run_windows(operand + o * size, source + o * num_windows, to + o * size, parts_[at(part)]);
      }
    }
  }

 private:
  /// What one thread writes.
  struct Part {
    Dims window, begin, end, place, elements;
    T best[kSideBySide];
    std::int32_t chosen[kSideBySide];
  };

  static ValueId base(const lower::LoweredProgram& lowered, ValueId id, std::size_t operand) {
    return lowered.views[at(lowered.program.op(id).operands[operand])].base;
  }

  void run_windows(const T* operand, const T* source, T* to, Part& part) const {
    const Dims none(windows_.size());
    part.begin.resize(none.size()), part.end.resize(none.size());
    for_each_place(none, windows_, part.window, [&](const Dims& window) {
      for (std::size_t d = 0; d < window.size(); ++d) {
        const std::int64_t start = window[d] * steps_[d] - low_[d];
        part.begin[d] = std::max<std::int64_t>(start, 0);
        part.end[d] = std::min(start + sizes_[d], extents_[d]);
      }
      part.elements.clear();
      for_each_place(part.begin, part.end, part.place, [&](const Dims& place) {
        std::int64_t offset = 0;
        for (std::size_t d = 0; d < place.size(); ++d) offset += place[d] * strides_[d];
        part.elements.push_back(offset * inner_);
      });
      if (!part.elements.empty()) {
        for (std::int64_t j = 0; j < inner_; j += kSideBySide)
          add(operand + j, source + j, to + j, std::min(kSideBySide, inner_ - j), part);
      }
      source += inner_;
    });
  }

  void add(const T* operand, const T* source, T* to, std::int64_t count, Part& part) const {
    T* best = part.best;
    std::int32_t* chosen = part.chosen;
    std::copy_n(operand + part.elements[0], count, best);
    std::fill_n(chosen, count, 0);
    for (std::size_t k = 1; k < part.elements.size(); ++k) {
      if (largest_)
        look<true>(operand + part.elements[k], static_cast<std::int32_t>(k), count, part);
      else look<false>(operand + part.elements[k], static_cast<std::int32_t>(k), count, part);
    }
    for (std::int64_t j = 0; j < count; ++j) {
      T& element = to[part.elements[at(chosen[j])] + j];
      element = sum(element, source[j]);
    }
  }

  /// Integers wrap.
  static T sum(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      using Wrapping = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Wrapping>(a) + static_cast<Wrapping>(b));
    } else {
      return a + b;
    }
  }

  template <bool kLargest>
  static void look(const T* elements, std::int32_t k, std::int64_t count, Part& part) {
    T* best = part.best;
    std::int32_t* chosen = part.chosen;
#pragma omp simd
    for (std::int64_t j = 0; j < count; ++j) {
      const bool wins = kLargest ? elements[j] > best[j] : elements[j] < best[j];
      best[j] = wins ? elements[j] : best[j];
      chosen[j] = wins ? k : chosen[j];
    }
  }

  ValueId operand_, source_, to_;
  bool largest_ = true;
  std::int64_t outer_ = 1, inner_ = 1;
  Dims extents_, windows_, sizes_, steps_, low_, strides_;  ///< of dims that windows run over
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<Kernel> make_selection_kernel(const lower::LoweredProgram& lowered, ValueId id,
                                              int num_threads) {
  std::unique_ptr<Kernel> kernel;
  with_element_type(lowered.program.shape(id).dtype, [&]<typename T>(T) {
    kernel = std::make_unique<SelectionKernel<T>>(lowered, id, num_threads);
  });
  return kernel;
}

}  // namespace rhino::runtime
