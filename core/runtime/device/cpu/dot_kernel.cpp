// SPDX-License-Identifier: Apache-2.0
#include <dnnl.h>
#include <omp.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "lower/matmul.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/kernel.hpp"

namespace rhino::runtime {
namespace {

/// One matrix product; strides and offsets as in Matmul.
template <typename T>
struct Product {
  const T *a, *b;
  T* c;
  const lower::Matmul& m;
  T beta;
};

void multiply(const Product<float>& p) {
  const lower::Matmul& m = p.m;
  // Row-major C by rows; where C lies by columns, its transpose is computed: C' = B' A'.
  const bool by_rows = m.n == 1 || (m.c_n == 1 && (m.m == 1 || m.c_m >= m.n));
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
  const dnnl_status_t status =
      dnnl_sgemm(first_plain ? 'N' : 'T', second_plain ? 'N' : 'T', rows, columns, m.k, 1.0F, first,
                 first_ld, second, second_ld, p.beta, p.c, leading(rows, c_row, columns));
  if (status != dnnl_success) {
    throw Error("oneDNN refuses a product of " + std::to_string(m.m) + " x " + std::to_string(m.k) +
                " by " + std::to_string(m.k) + " x " + std::to_string(m.n) + " (status " +
                std::to_string(status) + ")");
  }
}

template <typename T>
void multiply(const Product<T>& p) {
  const lower::Matmul& m = p.m;
  for (std::int64_t i = 0; i < m.m; ++i) {
    for (std::int64_t j = 0; j < m.n; ++j) {
      T sum = p.beta == T{0} ? T{0} : p.c[i * m.c_m + j * m.c_n];
      for (std::int64_t k = 0; k < m.k; ++k) {
        sum += p.a[i * m.a_m + k * m.a_k] * p.b[k * m.b_k + j * m.b_n];
      }
      p.c[i * m.c_m + j * m.c_n] = sum;
    }
  }
}

template <typename T>
class DotKernel : public Kernel {
 public:
  DotKernel(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
            lower::Matmul matmul, int num_threads)
      : matmul_(std::move(matmul)), num_threads_(num_threads) {
    const Op& dot = lowered.program.op(group.ops[0]);
    a_ = lowered.views[at(dot.operands[0])];
    b_ = lowered.views[at(dot.operands[1])];
    c_ = lowered.views[at(group.ops[0])];
    for (const lower::Matmul::BatchDim& dim : matmul_.batch) num_products_ *= dim.extent;
    if (group.ops.size() == 2) set_sum(lowered, group);
  }

  void run(Memory memory) override {
    const T* a = reinterpret_cast<const T*>(memory[at(a_.base)]) + a_.offset;
    const T* b = reinterpret_cast<const T*>(memory[at(b_.base)]) + b_.offset;
    T* c = reinterpret_cast<T*>(memory[at(c_.base)]) + c_.offset;
    if (sum_ != kNoValue && memory[at(sum_)] != memory[at(c_.base)]) {
      std::memcpy(memory[at(c_.base)], memory[at(sum_)], at(sum_bytes_));
    }
    const T beta = sum_ == kNoValue ? T{0} : T{1};
    if (num_products_ < num_threads_) {  // oneDNN spreads each one over the threads
      for (std::int64_t i = 0; i < num_products_; ++i) run_product(i, {a, b, c, matmul_, beta});
      return;
    }
#pragma omp parallel for schedule(static) num_threads(num_threads_)
    for (std::int64_t i = 0; i < num_products_; ++i) run_product(i, {a, b, c, matmul_, beta});
  }

 private:
  void set_sum(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
    const Op& add = lowered.program.op(group.ops[1]);
    for (ValueId operand : add.operands) {
      if (lowered.program.producer(operand).kind == OpKind::parameter) sum_ = operand;
    }
    sum_bytes_ = num_bytes(add.shape);
  }

  void run_product(std::int64_t index, Product<T> product) const {
    for (std::size_t d = matmul_.batch.size(); d-- > 0;) {
      const lower::Matmul::BatchDim& dim = matmul_.batch[d];
      const std::int64_t i = index % dim.extent;
      index /= dim.extent;
      product.a += i * dim.a;
      product.b += i * dim.b;
      product.c += i * dim.c;
    }
    multiply(product);
  }

  lower::Matmul matmul_;
  int num_threads_;
  lower::View a_, b_, c_;
  std::int64_t num_products_ = 1;
  ValueId sum_ = kNoValue;  ///< the input that the product is added to
  std::int64_t sum_bytes_ = 0;
};

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
  switch (dot.shape.dtype) {
    case DType::f32:
      return std::make_unique<DotKernel<float>>(lowered, group, *std::move(matmul), num_threads);
    case DType::f64:
      return std::make_unique<DotKernel<double>>(lowered, group, *std::move(matmul), num_threads);
    default: return nullptr;
  }
}

}  // namespace rhino::runtime
