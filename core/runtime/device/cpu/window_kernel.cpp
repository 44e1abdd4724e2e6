// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include "ir/element.hpp"
#include "ir/op_info.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/kernel.hpp"
#include "runtime/device/cpu/reductions.hpp"

/// Reductions over windows, dim by dim: a window of a x b elements is one of a, of windows of b.
namespace rhino::runtime {
namespace {

/// Fewer elements than this are not worth a second thread.
constexpr std::int64_t kWorthSharing = 16384;
/// Longer windows are made of two parts of blocks that are as long, three steps for each element.
constexpr std::int64_t kLongWindow = 6;

/// Windows along one dim: [outer, extent, inner] becomes [outer, result, inner].
struct Pass {
  std::int64_t outer = 1, extent = 1, inner = 1, result = 1;
  std::int64_t size = 1, stride = 1, low = 0;

  std::int64_t num_results() const { return outer * result * inner; }
  /// Elements along the dim that windows reach, padding included.
  std::int64_t reached() const { return (result - 1) * stride + size; }
  bool is_long() const { return size > kLongWindow && result > 1; }
};

std::vector<Pass> passes_of(const WindowAttr& window, const std::vector<std::int64_t>& from,
                            const std::vector<std::int64_t>& to) {
  std::vector<Pass> passes;
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (window.sizes[d] == 1 && from[d] == to[d] && window.low[d] == 0) continue;
    Pass& pass = passes.emplace_back();
    for (std::size_t i = 0; i < d; ++i) pass.outer *= to[i];
    for (std::size_t i = d + 1; i < from.size(); ++i) pass.inner *= from[i];
    pass.extent = from[d], pass.result = to[d];
    pass.size = window.sizes[d], pass.stride = window.strides[d], pass.low = window.low[d];
  }
  return passes;
}

template <auto kF, typename T>
class WindowKernel : public Kernel {
 public:
  WindowKernel(const lower::LoweredProgram& lowered, ValueId id, int num_threads)
      : from_(lowered.views[at(lowered.program.op(id).operands[0])].base),
        to_(id),
        num_threads_(num_threads) {
    const Op& op = lowered.program.op(id);
    const auto& window = op.attributes.get<WindowAttr>();
    const double neutral = ir::neutral_element(window.reduction, op.shape.dtype);
    ir::write_elements(op.shape.dtype, {&neutral, 1}, reinterpret_cast<std::byte*>(&neutral_));
    passes_ = passes_of(window, lowered.program.shape(op.operands[0]).dims, op.shape.dims);
    if (passes_.empty())
      passes_.push_back({.extent = num_elements(op.shape), .result = num_elements(op.shape)});
    std::int64_t scratch = 0;
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      if (i + 1 < passes_.size()) between_.emplace_back(at(passes_[i].num_results()));
      if (passes_[i].is_long())
        scratch = std::max(scratch, 2 * passes_[i].reached() * passes_[i].inner);
    }
    scratch_.assign(at(num_threads), std::vector<T>(at(scratch)));
  }

  void run(Memory memory) override {
    const T* from = reinterpret_cast<const T*>(memory[at(from_)]);
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      T* to = i + 1 < passes_.size() ? between_[i].data() : reinterpret_cast<T*>(memory[at(to_)]);
      run_pass(passes_[i], from, to);
      from = to;
    }
  }

 private:
  void run_pass(const Pass& pass, const T* from, T* to) {
    const int num_threads = pass.num_results() < kWorthSharing ? 1 : num_threads_;
#pragma omp parallel for schedule(static) num_threads(num_threads)
    for (int part = 0; part < num_threads; ++part) {
      const std::int64_t end = pass.outer * (part + 1) / num_threads;
      for (std::int64_t o = pass.outer * part / num_threads; o < end; ++o) {
        const T* f = from + o * pass.extent * pass.inner;
        T* t = to + o * pass.result * pass.inner;
        if (pass.is_long()) long_windows(pass, f, t, scratch_[at(part)].data());
        else short_windows(pass, f, t);
      }
    }
  }

  static void combine(const T* a, const T* b, T* to, std::int64_t count) {
#pragma omp simd
    for (std::int64_t j = 0; j < count; ++j) to[j] = static_cast<T>(kF(a[j], b[j]));
  }

  void short_windows(const Pass& pass, const T* from, T* to) const {
    for (std::int64_t r = 0; r < pass.result; ++r, to += pass.inner) {
      const std::int64_t start = r * pass.stride - pass.low;
      const std::int64_t first = std::max<std::int64_t>(start, 0),
                         end = std::min(start + pass.size, pass.extent);
      if (first >= end) {
        std::fill_n(to, pass.inner, neutral_);
        continue;
      }
      const T* row = from + first * pass.inner;
      if (pass.inner == 1) {
        T total = row[0];
        for (std::int64_t i = 1; i < end - first; ++i) total = static_cast<T>(kF(total, row[i]));
        *to = total;
        continue;
      }
      if (end - first == 1) std::copy_n(row, pass.inner, to);
      else combine(row, row + pass.inner, to, pass.inner);
      for (std::int64_t i = 2; i < end - first; ++i)
        combine(to, row + i * pass.inner, to, pass.inner);
    }
  }

  /// Blocks as long as a window, reduced from their first element on (`ahead`), and to their last
  /// one (`behind`): a window is what is behind its first element, and ahead of its last.
  void long_windows(const Pass& pass, const T* from, T* to, T* scratch) const {
    const std::int64_t reached = pass.reached(), inner = pass.inner;
    T *ahead = scratch, *behind = scratch + reached * inner;
    const auto element = [&](std::int64_t p, T* row, const T* before) {
      const std::int64_t i = p - pass.low;
      if (i < 0 || i >= pass.extent) {
        if (before) std::copy_n(before, inner, row);
        else std::fill_n(row, inner, neutral_);
      } else if (before) {
        combine(before, from + i * inner, row, inner);
      } else {
        std::copy_n(from + i * inner, inner, row);
      }
    };
    for (std::int64_t p = 0; p < reached; ++p)
      element(p, ahead + p * inner, p % pass.size == 0 ? nullptr : ahead + (p - 1) * inner);
    for (std::int64_t p = reached - 1; p >= 0; --p) {
      const bool is_last = p == reached - 1 || (p + 1) % pass.size == 0;
      element(p, behind + p * inner, is_last ? nullptr : behind + (p + 1) * inner);
    }
    for (std::int64_t r = 0; r < pass.result; ++r, to += inner) {
      const std::int64_t first = r * pass.stride;
      const T* end = ahead + (first + pass.size - 1) * inner;
      if (first % pass.size == 0) std::copy_n(end, inner, to);
      else combine(behind + first * inner, end, to, inner);
    }
  }

  ValueId from_, to_;
  int num_threads_;
  T neutral_{};
  std::vector<Pass> passes_;
  std::vector<std::vector<T>> between_;  ///< results of all passes but the last
  std::vector<std::vector<T>> scratch_;  ///< per thread
};

}  // namespace

std::unique_ptr<Kernel> make_window_kernel(const lower::LoweredProgram& lowered,
                                           const lower::KernelGroup& group, int num_threads) {
  const ValueId id = group.ops[0];
  const Op& op = lowered.program.op(id);
  if (op.kind == OpKind::select_and_scatter) return make_selection_kernel(lowered, id, num_threads);
  if (op.kind != OpKind::reduce_window) return nullptr;
  std::unique_ptr<Kernel> kernel;
  with_reduction(
      op.attributes.get<WindowAttr>().reduction, op.shape.dtype, [&]<auto kF, typename T>() {
        kernel = std::make_unique<WindowKernel<kF, T>>(lowered, id, num_threads);
      });
  return kernel;
}

}  // namespace rhino::runtime
