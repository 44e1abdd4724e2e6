// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/lt_problem.hpp"

#include <algorithm>
#include <numeric>

#include "lower/matmul.hpp"
#include "rhino/index.hpp"

namespace rhino::runtime::cuda {
namespace {

using BatchDim = lower::Matmul::BatchDim;

constexpr std::int64_t kMaxLaunches = 64;

/// A matrix of `rows` x `columns` by its strides; nullopt where neither lies side by side.
std::optional<LtMatrix> matrix_of(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                                  std::int64_t column_stride) {
  // Strides of one row or column mean nothing.
  if (rows == 1) row_stride = 1;
  if (columns == 1) column_stride = std::max(rows, column_stride);
  if (row_stride == 1 && column_stride >= rows)
    return LtMatrix{.rows = rows, .columns = columns, .leading = column_stride};
  if (columns == 1) column_stride = 1;
  if (column_stride == 1 && row_stride >= columns)
    return LtMatrix{.rows = columns, .columns = rows, .leading = row_stride, .is_transposed = true};
  return std::nullopt;
}

/// Whether the indices of two dims of the batch, one after the other, are those of one.
bool joins(const BatchDim& outer, const BatchDim& inner) {
  return outer.a == inner.a * inner.extent && outer.b == inner.b * inner.extent &&
         outer.c == inner.c * inner.extent;
}

std::vector<BatchDim> joined(const std::vector<BatchDim>& dims) {
  std::vector<BatchDim> result;
  for (const BatchDim& dim : dims) {
    if (dim.extent == 1) continue;
    if (!result.empty() && joins(result.back(), dim)) {
      const std::int64_t extent = result.back().extent * dim.extent;
      result.back() = dim;
      result.back().extent = extent;
    } else {
      result.push_back(dim);
    }
  }
  return result;
}

/// The largest dim becomes the batch of each launch, the others make launches.
void set_batch(LtProblem& problem, std::vector<BatchDim> dims) {
  problem.launches = {{}};
  if (dims.empty()) return;
  const auto largest = std::ranges::max_element(dims, {}, &BatchDim::extent);
  problem.batch = largest->extent;
  problem.a.batch_stride = largest->a;
  problem.b.batch_stride = largest->b;
  problem.d.batch_stride = largest->c;
  dims.erase(largest);
  for (const BatchDim& dim : dims) {
    std::vector<LtProblem::Launch> all;
    for (const LtProblem::Launch& launch : problem.launches) {
      for (std::int64_t i = 0; i < dim.extent && std::ssize(all) <= kMaxLaunches; ++i)
        all.push_back({launch.a + i * dim.a, launch.b + i * dim.b, launch.d + i * dim.c});
    }
    problem.launches = std::move(all);
  }
}

}  // namespace

std::uint32_t LtProblem::alignment(const LtMatrix& matrix) const {
  const std::int64_t bytes = dtype_bytes(dtype_of(matrix));
  std::int64_t unit = std::gcd(kBaseAlignment, matrix.offset * bytes);
  unit = std::gcd(unit, matrix.batch_stride * bytes);
  for (const Launch& launch : launches) {
    const std::int64_t further = &matrix == &a ? launch.a : &matrix == &b ? launch.b : launch.d;
    unit = std::gcd(unit, further * bytes);
  }
  return static_cast<std::uint32_t>(unit);
}

std::optional<LtProblem> lt_problem(const lower::LoweredProgram& lowered,
                                    const lower::KernelGroup& group) {
  const ValueId id = group.ops[0];
  const Op& dot = lowered.program.op(id);
  const auto view = [&](ValueId value) -> const lower::View& { return lowered.views[at(value)]; };
  const auto tensor = [&](ValueId value) {
    return lower::StridedTensor{lowered.program.shape(value).dims, view(value).strides};
  };
  const ValueId lhs = dot.operands[0], rhs = dot.operands[1];
  const DType factors = lowered.program.shape(lhs).dtype, result = dot.shape.dtype;
  const bool widens = is_narrow(factors) && result == DType::f32;
  if (!is_floating(factors) || lowered.program.shape(rhs).dtype != factors) return std::nullopt;
  if (result != factors && !widens) return std::nullopt;
  const auto m =
      lower::matmul_of(dot.attributes.get<DotAttr>(), tensor(lhs), tensor(rhs), tensor(id));
  if (!m || m->m * m->n * m->k == 0) return std::nullopt;
  // D has no transpose: where its rows lie side by side, D^T = B^T A^T is computed.
  const bool turns = m->c_m != 1 && m->m != 1;
  auto a = turns ? matrix_of(m->n, m->k, m->b_n, m->b_k) : matrix_of(m->m, m->k, m->a_m, m->a_k);
  auto b = turns ? matrix_of(m->k, m->m, m->a_k, m->a_m) : matrix_of(m->k, m->n, m->b_k, m->b_n);
  const auto d =
      turns ? matrix_of(m->n, m->m, m->c_n, m->c_m) : matrix_of(m->m, m->n, m->c_m, m->c_n);
  if (!a || !b || !d || d->is_transposed) return std::nullopt;
  LtProblem problem{.factors = factors, .result = result, .a = *a, .b = *b, .d = *d};
  const auto place = [&](LtMatrix& matrix, ValueId value) {
    matrix.base = view(value).base, matrix.offset = view(value).offset;
  };
  place(problem.a, turns ? rhs : lhs);
  place(problem.b, turns ? lhs : rhs);
  place(problem.d, id);
  std::vector<BatchDim> batch = joined(m->batch);
  for (BatchDim& dim : batch) {
    if (dim.extent == 0) return std::nullopt;
    if (turns) std::swap(dim.a, dim.b);
  }
  set_batch(problem, std::move(batch));
  problem.adds = group.ops.size() > 1;
  if (std::ssize(problem.launches) > kMaxLaunches) return std::nullopt;
  return problem;
}

}  // namespace rhino::runtime::cuda
