// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/small_dot.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

#include "rhino/index.hpp"
#include "runtime/device/cpu/dot_sum.hpp"
#include "runtime/device/cpu/narrow_float.hpp"
#include "runtime/device/cpu/vector_bytes.hpp"

namespace rhino::runtime {
namespace {

/// Terms of a sum, and elements of A that a product gathers.
constexpr std::int64_t kMostTerms = 256, kMostGathered = 65536;
/// Multiplications in a product of f32, and of 16 bits, whose oneDNN begins later.
constexpr std::int64_t kMostOfF32 = 4096, kMostOf16Bits = 16384;
/// Rows and columns of C that are summed up side by side.
constexpr std::int64_t kRows = 8, kColumns = 16;
/// Multiplications below which no thread is woken.
constexpr std::int64_t kPerThread = 65536;

/// A row of them, in the processor's own vectors.
using Piece [[gnu::vector_size(kVectorBytes)]] = float;
constexpr std::size_t kPieces = kColumns * sizeof(float) / kVectorBytes;
using Offsets = std::vector<std::int64_t>;

/// One index that two of A, B and C share: a row is of A and C, a column of B and C, a term of A
/// and B.
struct Index {
  Offsets first, second;

  std::int64_t size() const { return static_cast<std::int64_t>(first.size()); }
};

bool is_consecutive(const Offsets& offsets) {
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] != offsets[i - 1] + 1) return false;
  }
  return true;
}

/// A dot as products of matrices; all offsets count elements.
struct SmallDot {
  std::vector<lower::Matmul::BatchDim> batch;
  std::int64_t num_products = 1;
  Index rows, columns, terms;
  bool is_swapped = false;  ///< C is computed as its transpose: A and B change places

  std::int64_t multiplications() const { return rows.size() * columns.size() * terms.size(); }
};

/// Row-major offsets of dims of `extents`.
void spread(Offsets& offsets, std::int64_t extent, std::int64_t stride) {
  Offsets wider;
  wider.reserve(offsets.size() * at(extent));
  for (std::int64_t offset : offsets) {
    for (std::int64_t i = 0; i < extent; ++i) wider.push_back(offset + i * stride);
  }
  offsets = std::move(wider);
}

void spread(Index& index, std::int64_t extent, std::int64_t first, std::int64_t second) {
  spread(index.first, extent, first);
  spread(index.second, extent, second);
}

/// nullopt where it would take too much memory.
std::optional<SmallDot> small_dot(const lower::LoweredProgram& lowered, ValueId id) {
  const Op& dot = lowered.program.op(id);
  const DotAttr& attr = dot.attributes.get<DotAttr>();
  const Shape &lhs = lowered.program.shape(dot.operands[0]),
              &rhs = lowered.program.shape(dot.operands[1]);
  const lower::Dims free_lhs =
      lower::free_dims(lhs.dims.size(), attr.lhs_batch, attr.lhs_contracting);
  const lower::Dims free_rhs =
      lower::free_dims(rhs.dims.size(), attr.rhs_batch, attr.rhs_contracting);
  const auto extent = [](const Shape& shape, const lower::Dims& dims) {
    std::int64_t product = 1;
    for (std::int64_t dim : dims) product *= shape.dims[at(dim)];
    return product;
  };
  const std::int64_t rows = extent(lhs, free_lhs), columns = extent(rhs, free_rhs);
  const std::int64_t terms = extent(lhs, attr.lhs_contracting);
  if (terms > kMostTerms || (rows + columns) * terms > kMostGathered) return std::nullopt;

  const lower::Dims &a = lowered.views[at(dot.operands[0])].strides,
                    &b = lowered.views[at(dot.operands[1])].strides,
                    &c = lowered.views[at(id)].strides;
  SmallDot small;
  small.rows = small.columns = small.terms = {{0}, {0}};
  std::size_t next = 0;
  for (std::size_t i = 0; i < attr.lhs_batch.size(); ++i, ++next) {
    const auto in_a = at(attr.lhs_batch[i]), in_b = at(attr.rhs_batch[i]);
    small.batch.push_back({lhs.dims[in_a], a[in_a], b[in_b], c[next]});
    small.num_products *= lhs.dims[in_a];
  }
  for (std::int64_t dim : free_lhs) spread(small.rows, lhs.dims[at(dim)], a[at(dim)], c[next++]);
  for (std::int64_t dim : free_rhs) spread(small.columns, rhs.dims[at(dim)], b[at(dim)], c[next++]);
  for (std::size_t i = 0; i < attr.lhs_contracting.size(); ++i) {
    const auto in_a = at(attr.lhs_contracting[i]), in_b = at(attr.rhs_contracting[i]);
    spread(small.terms, lhs.dims[in_a], a[in_a], b[in_b]);
  }

  // The side that fills vectors better is that of the columns, else the one that is adjacent in C.
  const auto vectors = [](std::int64_t of_rows, std::int64_t of_columns) {
    return of_rows * ((of_columns + kColumns - 1) / kColumns);
  };
  const std::int64_t plain = vectors(rows, columns), swapped = vectors(columns, rows);
  small.is_swapped = swapped < plain || (swapped == plain && is_consecutive(small.rows.second) &&
                                         !is_consecutive(small.columns.second));
  if (small.is_swapped) {
    std::swap(small.rows, small.columns);
    std::swap(small.terms.first, small.terms.second);
    for (lower::Matmul::BatchDim& dim : small.batch) std::swap(dim.a, dim.b);
  }
  return small;
}

float value(float element) { return element; }
template <typename T>
float value(T element) {
  return widen(element);
}

void put(float value, bool adds, float& to) { to = adds ? to + value : value; }
/// What is added is added to the rounded product, as by an op of its own.
template <typename T>
void put(float value, bool adds, T& to) {
  narrow(adds ? widen(to) + Rounded<T>{}(value) : value, to);
}

template <typename T, typename C>
class SmallDotKernel : public Kernel {
 public:
  SmallDotKernel(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
                 SmallDot dot, int num_threads)
      : dot_(std::move(dot)),
        sum_(lowered, group),
        has_adjacent_columns_(is_consecutive(dot_.columns.first)),
        writes_adjacent_(is_consecutive(dot_.columns.second)) {
    const Op& op = lowered.program.op(group.ops[0]);
    a_ = lowered.views[at(op.operands[dot_.is_swapped ? 1 : 0])];
    b_ = lowered.views[at(op.operands[dot_.is_swapped ? 0 : 1])];
    c_ = lowered.views[at(group.ops[0])];
    const std::int64_t work = dot_.multiplications() * dot_.num_products;
    num_threads_ = static_cast<int>(
        std::clamp<std::int64_t>(std::min(work / kPerThread, dot_.num_products), 1, num_threads));
    if constexpr (std::is_same_v<T, float>) {
      row_at_ = dot_.rows.first, term_at_ = dot_.terms.first;
    } else {
      row_at_ = term_at_ = {0};
      spread(row_at_, dot_.rows.size(), dot_.terms.size());
      spread(term_at_, dot_.terms.size(), 1);
      gathered_.resize(at(num_threads_), std::vector<float>(row_at_.size() * term_at_.size()));
    }
  }

  void run(Memory memory) override {
    sum_.place(memory, c_.base);
    const T* a = reinterpret_cast<const T*>(memory[at(a_.base)]) + a_.offset;
    const T* b = reinterpret_cast<const T*>(memory[at(b_.base)]) + b_.offset;
    C* c = reinterpret_cast<C*>(memory[at(c_.base)]) + c_.offset;
    if (num_threads_ == 1) return multiply_range(0, 1, a, b, c);
#pragma omp parallel for schedule(static) num_threads(num_threads_)
    for (int thread = 0; thread < num_threads_; ++thread)
      multiply_range(thread, num_threads_, a, b, c);
  }

 private:
  void multiply_range(std::int64_t thread, std::int64_t num_threads, const T* a, const T* b, C* c) {
    const std::int64_t end = dot_.num_products * (thread + 1) / num_threads;
    for (std::int64_t i = dot_.num_products * thread / num_threads; i < end; ++i) {
      std::int64_t rest = i, in_a = 0, in_b = 0, in_c = 0;
      for (std::size_t d = dot_.batch.size(); d-- > 0;) {
        const lower::Matmul::BatchDim& dim = dot_.batch[d];
        const std::int64_t index = rest % dim.extent;
        rest /= dim.extent;
        in_a += index * dim.a, in_b += index * dim.b, in_c += index * dim.c;
      }
      multiply(a + in_a, b + in_b, c + in_c,
               gathered_.empty() ? nullptr : gathered_[at(thread)].data());
    }
  }

  void multiply(const T* a, const T* b, C* c, float* gathered) const {
    const float* left = gathered;
    if constexpr (std::is_same_v<T, float>) left = a;
    else gather_rows(a, gathered);
    alignas(64) float right[kMostTerms * kColumns];
    for (std::int64_t first = 0; first < dot_.columns.size(); first += kColumns) {
      const std::int64_t count = std::min(kColumns, dot_.columns.size() - first);
      gather_columns(b, first, count, right);
      std::int64_t row = 0;
      for (; row + kRows <= dot_.rows.size(); row += kRows)
        multiply_rows<kRows>(left, row, first, count, right, c);
      for (; row + 2 <= dot_.rows.size(); row += 2)
        multiply_rows<2>(left, row, first, count, right, c);
      if (row < dot_.rows.size()) multiply_rows<1>(left, row, first, count, right, c);
    }
  }

  void gather_rows(const T* a, float* to) const {
    for (std::int64_t row : dot_.rows.first) {
      for (std::int64_t term : dot_.terms.first) *to++ = value(a[row + term]);
    }
  }

  /// Columns [first, first + count) of B next to each other, zeros behind them.
  void gather_columns(const T* b, std::int64_t first, std::int64_t count, float* right) const {
    const std::int64_t* columns = dot_.columns.first.data() + first;
    for (std::int64_t term : dot_.terms.second) {
      const T* from = b + term;
      if (has_adjacent_columns_ && count == kColumns) {
        from += columns[0];
        for (std::int64_t j = 0; j < kColumns; ++j) right[j] = value(from[j]);
      } else {
        for (std::int64_t j = 0; j < count; ++j) right[j] = value(from[columns[j]]);
        for (std::int64_t j = count; j < kColumns; ++j) right[j] = 0;
      }
      right += kColumns;
    }
  }

  template <std::int64_t kCount>
  void multiply_rows(const float* left, std::int64_t row, std::int64_t first, std::int64_t count,
                     const float* right, C* c) const {
    std::array<const float*, kCount> rows;
    for (std::int64_t r = 0; r < kCount; ++r) rows[at(r)] = left + row_at_[at(row + r)];
    Piece sums[kCount][kPieces] = {};
    for (std::int64_t k = 0; k < dot_.terms.size(); ++k, right += kColumns) {
      Piece terms[kPieces];
      std::memcpy(terms, right, sizeof terms);
      const std::int64_t term = term_at_[at(k)];
#pragma GCC unroll 8
      for (std::int64_t r = 0; r < kCount; ++r) {
#pragma GCC unroll 4
        for (std::size_t p = 0; p < kPieces; ++p) sums[r][p] += rows[at(r)][term] * terms[p];
      }
    }
    const std::int64_t* columns = dot_.columns.second.data() + first;
    for (std::int64_t r = 0; r < kCount; ++r) {
      C* to = c + dot_.rows.second[at(row + r)];
      float elements[kColumns];
      std::memcpy(elements, &sums[r], sizeof elements);
      if (writes_adjacent_ && count == kColumns) {
        to += columns[0];
        for (std::int64_t j = 0; j < kColumns; ++j) put(elements[j], sum_.adds(), to[j]);
      } else {
        for (std::int64_t j = 0; j < count; ++j) put(elements[j], sum_.adds(), to[columns[j]]);
      }
    }
  }

  SmallDot dot_;
  DotSum sum_;
  bool has_adjacent_columns_, writes_adjacent_;
  int num_threads_ = 1;
  lower::View a_, b_, c_;
  Offsets row_at_, term_at_;  ///< in A, or in what is gathered of it
  std::vector<std::vector<float>>
      gathered_;  ///< per thread: rows of A of 16 bits, one after the other
};

}  // namespace

std::unique_ptr<Kernel> make_small_dot_kernel(const lower::LoweredProgram& lowered,
                                              const lower::KernelGroup& group,
                                              const lower::Matmul& matmul, int num_threads) {
  const Op& dot = lowered.program.op(group.ops[0]);
  const DType operands = lowered.program.shape(dot.operands[0]).dtype, result = dot.shape.dtype;
  if (operands != DType::f32 && !is_narrow(operands)) return nullptr;
  const std::int64_t most = operands == DType::f32 ? kMostOfF32 : kMostOf16Bits;
  if (matmul.m * matmul.n * matmul.k > most) return nullptr;
  std::optional<SmallDot> small = small_dot(lowered, group.ops[0]);
  if (!small) return nullptr;
  const auto make = [&]<typename T, typename C>() -> std::unique_ptr<Kernel> {
    return std::make_unique<SmallDotKernel<T, C>>(lowered, group, *std::move(small), num_threads);
  };
  const bool widens = result == DType::f32;
  if (operands == DType::f32) return make.operator()<float, float>();
  if (operands == DType::bf16)
    return widens ? make.operator()<Bf16, float>() : make.operator()<Bf16, Bf16>();
  return widens ? make.operator()<F16, float>() : make.operator()<F16, F16>();
}

}  // namespace rhino::runtime
