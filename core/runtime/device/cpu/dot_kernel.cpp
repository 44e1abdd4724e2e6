// SPDX-License-Identifier: Apache-2.0
#include <dnnl.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lower/matmul.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/dot_sum.hpp"
#include "runtime/device/cpu/kernel.hpp"
#include "runtime/device/cpu/narrow_float.hpp"
#include "runtime/device/cpu/native_product.hpp"
#include "runtime/device/cpu/small_dot.hpp"

namespace rhino::runtime {
namespace {

/// One matrix product of T, summed up in C; strides and offsets as in Matmul.
template <typename T, typename C = T>
struct Product {
  const T *a, *b;
  C* c;
  const lower::Matmul& m;
  bool adds;  ///< to what C holds
};

void multiply(const Product<float>& p) {
  const lower::Matmul& m = p.m;
  const bool by_rows = m.is_by_rows();
  const float *first = by_rows ? p.a : p.b, *second = by_rows ? p.b : p.a;
  const std::int64_t rows = by_rows ? m.m : m.n, columns = by_rows ? m.n : m.m;
  const std::int64_t first_row = by_rows ? m.a_m : m.b_n, first_k = by_rows ? m.a_k : m.b_k;
  const std::int64_t second_k = by_rows ? m.b_k : m.a_k, second_column = by_rows ? m.b_n : m.a_m;
  const std::int64_t c_row = by_rows ? m.c_m : m.c_n;
  // Adjacent along k (first) or along columns (second): not transposed. A dim of extent 1 may have
  // any stride.
  const auto plain = [](std::int64_t minor_extent, std::int64_t minor_stride,
                        std::int64_t major_extent, std::int64_t major_stride) {
    return (minor_extent == 1 || minor_stride == 1) &&
           (major_extent == 1 || major_stride >= minor_extent);
  };
  const bool first_plain = plain(m.k, first_k, rows, first_row);
  const bool second_plain = plain(columns, second_column, m.k, second_k);
  const auto leading = [](std::int64_t extent, std::int64_t stride, std::int64_t other) {
    return extent == 1 ? other : stride;
  };
  const std::int64_t first_ld =
      first_plain ? leading(rows, first_row, m.k) : leading(m.k, first_k, rows);
  const std::int64_t second_ld =
      second_plain ? leading(m.k, second_k, columns) : leading(columns, second_column, m.k);
  const dnnl_status_t status = dnnl_sgemm(first_plain ? 'N' : 'T', second_plain ? 'N' : 'T', rows,
                                          columns, m.k, 1.0F, first, first_ld, second, second_ld,
                                          p.adds ? 1.0F : 0.0F, p.c, leading(rows, c_row, columns));
  if (status != dnnl_success) {
    throw Error("oneDNN refuses a product of " + std::to_string(m.m) + " x " + std::to_string(m.k) +
                " by " + std::to_string(m.k) + " x " + std::to_string(m.n) + " (status " +
                std::to_string(status) + ")");
  }
}

/// By plain loops; integers wrap.
template <typename T>
void multiply_plainly(const Product<T>& p) {
  const lower::Matmul& m = p.m;
  for (std::int64_t i = 0; i < m.m; ++i) {
    for (std::int64_t j = 0; j < m.n; ++j) {
      T sum = p.adds ? p.c[i * m.c_m + j * m.c_n] : T{};
      for (std::int64_t k = 0; k < m.k; ++k) {
        sum = static_cast<T>(sum + p.a[i * m.a_m + k * m.a_k] * p.b[k * m.b_k + j * m.b_n]);
      }
      p.c[i * m.c_m + j * m.c_n] = sum;
    }
  }
}

void multiply(const Product<double>& p) { multiply_plainly(p); }
void multiply(const Product<std::uint64_t>& p) { multiply_plainly(p); }
void multiply(const Product<std::uint32_t>& p) { multiply_plainly(p); }
void multiply(const Product<std::uint8_t>& p) { multiply_plainly(p); }

/// A matrix of rows x columns in memory, one of whose strides is 1.
template <typename T>
struct Panel {
  T* elements;
  std::int64_t rows, columns, row_stride, column_stride;

  bool by_rows() const { return column_stride == 1 || columns == 1; }
  /// Where element (row, column) is.
  T* at(std::int64_t row, std::int64_t column) const {
    return elements + row * row_stride + column * column_stride;
  }
};

/// Calls `move(to, from, count)` for runs of adjacent elements of two panels that lie alike.
template <typename To, typename From, typename Move>
void for_each_run(const Panel<To>& to, const Panel<From>& from, Move move) {
  const bool by_rows = from.by_rows();
  const std::int64_t runs = by_rows ? from.rows : from.columns;
  const std::int64_t count = by_rows ? from.columns : from.rows;
#pragma omp parallel for schedule(static) if (runs * count > 65536)
  for (std::int64_t i = 0; i < runs; ++i) {
    move(by_rows ? to.at(i, 0) : to.at(0, i), by_rows ? from.at(i, 0) : from.at(0, i), count);
  }
}

template <typename T>
Panel<const float> widened(const Panel<const T>& from, float* to) {
  const bool by_rows = from.by_rows();
  const Panel<float> panel{to, from.rows, from.columns, by_rows ? from.columns : 1,
                           by_rows ? 1 : from.rows};
  for_each_run(panel, from, [](float* out, const T* in, std::int64_t count) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) out[i] = widen(in[i]);
  });
  return {to, panel.rows, panel.columns, panel.row_stride, panel.column_stride};
}

/// What is added is added to the rounded product, as by an op of its own.
template <typename T>
void round_into(const Panel<T>& to, const Panel<const float>& from, bool adds) {
  for_each_run(to, from, [adds](T* out, const float* in, std::int64_t count) {
    if (adds) {
#pragma omp simd
      for (std::int64_t i = 0; i < count; ++i) narrow(widen(out[i]) + Rounded<T>{}(in[i]), out[i]);
    } else {
#pragma omp simd
      for (std::int64_t i = 0; i < count; ++i) narrow(in[i], out[i]);
    }
  });
}

/// Elements along each side of the panels in which products of 16 bits are computed as f32.
constexpr std::int64_t kPanel = 512;

/// Room for three of them, for this thread's products one after the other.
float* panel_memory(std::size_t index) {
  static thread_local std::array<std::vector<float>, 3> panels;
  panels[index].resize(kPanel * kPanel);
  return panels[index].data();
}

lower::Matmul matmul_of_panels(const Panel<const float>& a, const Panel<const float>& b,
                               const Panel<float>& c) {
  return {{},           a.rows,          b.columns,    a.columns,
          a.row_stride, a.column_stride, b.row_stride, b.column_stride,
          c.row_stride, c.column_stride};
}

/// Rows [row, row + c.rows) and columns [column, ...) of a product, k panel by panel.
template <typename T, typename C>
void sum_panels(const Product<T, C>& p, std::int64_t row, std::int64_t column,
                const Panel<float>& c, bool adds) {
  const lower::Matmul& m = p.m;
  for (std::int64_t k = 0; k < m.k; k += kPanel) {
    const std::int64_t terms = std::min(kPanel, m.k - k);
    const Panel<const float> a =
        widened<T>({p.a + row * m.a_m + k * m.a_k, c.rows, terms, m.a_m, m.a_k}, panel_memory(0));
    const Panel<const float> b = widened<T>(
        {p.b + k * m.b_k + column * m.b_n, terms, c.columns, m.b_k, m.b_n}, panel_memory(1));
    multiply(Product<float>{a.elements, b.elements, c.elements, matmul_of_panels(a, b, c),
                            adds || k > 0});
  }
}

/// 16 bits: f32 products of widened panels; each element of the result is rounded once.
template <typename T, typename C>
void multiply(const Product<T, C>& p) {
  const lower::Matmul& m = p.m;
  for (std::int64_t row = 0; row < m.m; row += kPanel) {
    for (std::int64_t column = 0; column < m.n; column += kPanel) {
      const Panel<C> to{p.c + row * m.c_m + column * m.c_n, std::min(kPanel, m.m - row),
                        std::min(kPanel, m.n - column), m.c_m, m.c_n};
      if constexpr (std::is_same_v<C, float>) {
        sum_panels(p, row, column, to, p.adds);
      } else {
        const bool by_rows = to.by_rows();
        const Panel<float> sum{panel_memory(2), to.rows, to.columns, by_rows ? to.columns : 1,
                               by_rows ? 1 : to.rows};
        sum_panels(p, row, column, sum, false);
        round_into(to, {sum.elements, sum.rows, sum.columns, sum.row_stride, sum.column_stride},
                   p.adds);
      }
    }
  }
}

template <typename T, typename C = T>
class DotKernel : public Kernel {
 public:
  DotKernel(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
            lower::Matmul matmul, int num_threads)
      : matmul_(std::move(matmul)), num_threads_(num_threads), sum_(lowered, group) {
    const Op& dot = lowered.program.op(group.ops[0]);
    a_ = lowered.views[at(dot.operands[0])];
    b_ = lowered.views[at(dot.operands[1])];
    c_ = lowered.views[at(group.ops[0])];
    for (const lower::Matmul::BatchDim& dim : matmul_.batch) num_products_ *= dim.extent;
    const DType operands = lowered.program.shape(dot.operands[0]).dtype;
    if (is_narrow(operands))
      native_ = make_native_product(matmul_, operands, {dot.shape.dtype, sum_.adds()});
  }

  void run(Memory memory) override {
    const T* a = reinterpret_cast<const T*>(memory[at(a_.base)]) + a_.offset;
    const T* b = reinterpret_cast<const T*>(memory[at(b_.base)]) + b_.offset;
    C* c = reinterpret_cast<C*>(memory[at(c_.base)]) + c_.offset;
    sum_.place(memory, c_.base);
    const bool adds = sum_.adds();
    if (native_ || num_products_ < num_threads_) {  // oneDNN spreads each one over the threads
      for (std::int64_t i = 0; i < num_products_; ++i) run_product(i, {a, b, c, matmul_, adds});
      return;
    }
#pragma omp parallel for schedule(static) num_threads(num_threads_)
    for (std::int64_t i = 0; i < num_products_; ++i) run_product(i, {a, b, c, matmul_, adds});
  }

 private:
  void run_product(std::int64_t index, Product<T, C> product) const {
    for (std::size_t d = matmul_.batch.size(); d-- > 0;) {
      const lower::Matmul::BatchDim& dim = matmul_.batch[d];
      const std::int64_t i = index % dim.extent;
      index /= dim.extent;
      product.a += i * dim.a;
      product.b += i * dim.b;
      product.c += i * dim.c;
    }
    if (native_) {
      native_->run(product.a, product.b, product.c);
    } else {
      multiply(product);
    }
  }

  lower::Matmul matmul_;
  std::unique_ptr<NativeProduct> native_;
  int num_threads_;
  DotSum sum_;
  lower::View a_, b_, c_;
  std::int64_t num_products_ = 1;
};

/// A dot of 16 bits that yields them, or f32.
template <typename T, typename... Arguments>
std::unique_ptr<Kernel> make_narrow(DType result, Arguments&&... arguments) {
  if (result == DType::f32) {
    return std::make_unique<DotKernel<T, float>>(std::forward<Arguments>(arguments)...);
  }
  return std::make_unique<DotKernel<T>>(std::forward<Arguments>(arguments)...);
}

}  // namespace

std::unique_ptr<Kernel> make_dot_kernel(const lower::LoweredProgram& lowered,
                                        const lower::KernelGroup& group, int num_threads) {
  const Op& dot = lowered.program.op(group.ops[0]);
  const ValueId lhs = dot.operands[0], rhs = dot.operands[1];
  const auto tensor = [&](ValueId id) {
    return lower::StridedTensor{lowered.program.shape(id).dims, lowered.views[at(id)].strides};
  };
  std::optional<lower::Matmul> matmul = lower::matmul_of(dot.attributes.get<DotAttr>(), tensor(lhs),
                                                         tensor(rhs), tensor(group.ops[0]));
  if (!matmul) return nullptr;
  if (auto small = make_small_dot_kernel(lowered, group, *matmul, num_threads)) return small;
  const DType result = dot.shape.dtype;
  switch (lowered.program.shape(lhs).dtype) {
    case DType::f32:
      return std::make_unique<DotKernel<float>>(lowered, group, *std::move(matmul), num_threads);
    case DType::f64:
      return std::make_unique<DotKernel<double>>(lowered, group, *std::move(matmul), num_threads);
    case DType::s64:
      return std::make_unique<DotKernel<std::uint64_t>>(lowered, group, *std::move(matmul),
                                                        num_threads);
    case DType::s32:
    case DType::u32:
      return std::make_unique<DotKernel<std::uint32_t>>(lowered, group, *std::move(matmul),
                                                        num_threads);
    case DType::s8:
    case DType::u8:
      return std::make_unique<DotKernel<std::uint8_t>>(lowered, group, *std::move(matmul),
                                                       num_threads);
    case DType::bf16:
      return make_narrow<Bf16>(result, lowered, group, *std::move(matmul), num_threads);
    case DType::f16:
      return make_narrow<F16>(result, lowered, group, *std::move(matmul), num_threads);
    default: return nullptr;
  }
}

}  // namespace rhino::runtime
