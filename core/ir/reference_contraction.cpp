// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ir/element.hpp"
#include "ir/op_info.hpp"
#include "ir/reference_ops.hpp"

namespace rhino::ir::reference {
namespace {

Tensor reduce(const Op& op, const Tensor& a) {
  const auto& attributes = op.attributes.get<ReduceAttr>();
  const DType dtype = op.shape.dtype;
  const Reduction reduction = attributes.reduction;
  Tensor result = filled(op.shape, neutral_element(reduction, dtype));
  const Dims kept = row_major_strides(op.shape.dims);
  Dims strides;
  for (std::size_t d = 0, next = 0; d < a.shape.dims.size(); ++d) {
    const auto& reduced = attributes.dims;
    const bool gone =
        std::find(reduced.begin(), reduced.end(), static_cast<std::int64_t>(d)) != reduced.end();
    strides.push_back(gone ? 0 : kept[next++]);
  }
  std::size_t from = 0;
  for_each_index<1>(a.shape.dims, {strides}, {0}, [&](const Offsets<1>& to) {
    double& total = result.elements[at(to[0])];
    total = combine(reduction, dtype, total, a.elements[from++]);
  });
  return result;
}

// One operand of a dot as a row-major [batch][rows][columns] block.
struct Panel {
  std::int64_t batch = 1, rows = 1, columns = 1;
  std::vector<double> elements;
};

Panel panel(const Tensor& a, const Dims& batch, const Dims& rows, const Dims& columns) {
  const Dims from = row_major_strides(a.shape.dims);
  Panel result;
  Dims dims, strides;
  for (const auto& [group, extent] :
       {std::pair{&batch, &result.batch}, {&rows, &result.rows}, {&columns, &result.columns}}) {
    for (std::int64_t d : *group) {
      *extent *= a.shape.dims[at(d)];
      dims.push_back(a.shape.dims[at(d)]);
      strides.push_back(from[at(d)]);
    }
  }
  result.elements.reserve(a.elements.size());
  for_each_index<1>(dims, {strides}, {0}, [&](const Offsets<1>& offset) {
    result.elements.push_back(a.elements[at(offset[0])]);
  });
  return result;
}

Dims free_dims(const Tensor& a, const Dims& batch, const Dims& contracting) {
  std::vector<bool> used(a.shape.dims.size());
  for (std::int64_t d : batch) used[at(d)] = true;
  for (std::int64_t d : contracting) used[at(d)] = true;
  Dims dims;
  for (std::size_t d = 0; d < used.size(); ++d) {
    if (!used[d]) dims.push_back(static_cast<std::int64_t>(d));
  }
  return dims;
}

// result[i][j] = sum over k of lhs[i][k] * rhs[k][j], in the order of k.
void multiply(const double* lhs, const double* rhs, double* result, std::int64_t rows,
              std::int64_t terms, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i, result += columns) {
    for (std::int64_t k = 0; k < terms; ++k) {
      const double factor = lhs[i * terms + k];
      const double* row = rhs + k * columns;
      for (std::int64_t j = 0; j < columns; ++j) result[j] += factor * row[j];
    }
  }
}

Tensor dot(const Op& op, const Tensor& a, const Tensor& b) {
  const auto& dims = op.attributes.get<DotAttr>();
  const Panel lhs = panel(a, dims.lhs_batch, free_dims(a, dims.lhs_batch, dims.lhs_contracting),
                          dims.lhs_contracting);
  const Panel rhs = panel(b, dims.rhs_batch, dims.rhs_contracting,
                          free_dims(b, dims.rhs_batch, dims.rhs_contracting));
  Tensor result = filled(op.shape);
  for (std::int64_t i = 0; i < lhs.batch; ++i) {
    multiply(lhs.elements.data() + i * lhs.rows * lhs.columns,
             rhs.elements.data() + i * rhs.rows * rhs.columns,
             result.elements.data() + i * lhs.rows * rhs.columns, lhs.rows, lhs.columns,
             rhs.columns);
  }
  if (!is_floating(op.shape.dtype)) round_all(op.shape.dtype, result.elements);
  return result;
}

// Ascending and stable; NaN comes last.
bool before(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

Tensor sort(const Op& op, const Tensor& keys, const Tensor& values) {
  const std::size_t dim = at(op.attributes.get<DimAttr>().dim);
  const Dims strides = row_major_strides(keys.shape.dims);
  const std::int64_t step = strides[dim];
  std::vector<std::size_t> order(at(keys.shape.dims[dim]));
  Dims lines = keys.shape.dims;
  lines[dim] = std::min<std::int64_t>(1, lines[dim]);
  Tensor result = values;
  for_each_index<1>(lines, {strides}, {0}, [&](const Offsets<1>& line) {
    const auto element = [&](std::size_t i) { return at(line[0]) + i * at(step); };
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return before(keys.elements[element(i)], keys.elements[element(j)]);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      result.elements[element(i)] = values.elements[element(order[i])];
    }
  });
  return result;
}

}  // namespace

double combine(Reduction reduction, DType dtype, double total, double term) {
  const bool exact = !is_floating(dtype);
  switch (reduction) {
    case Reduction::sum: return exact ? wrap_bits(dtype, bits(total) + bits(term)) : total + term;
    case Reduction::product:
      return exact ? wrap_bits(dtype, bits(total) * bits(term)) : total * term;
    case Reduction::max: return maximum(total, term);
    case Reduction::min: return minimum(total, term);
    case Reduction::logical_and: return wrap_bits(dtype, bits(total) & bits(term));
    case Reduction::logical_or: break;
  }
  return wrap_bits(dtype, bits(total) | bits(term));
}

Tensor contraction(const Op& op, const Operands& operands) {
  switch (op.kind) {
    case OpKind::reduce: return reduce(op, *operands[0]);
    case OpKind::dot: return dot(op, *operands[0], *operands[1]);
    default: return sort(op, *operands[0], *operands.back());
  }
}

}  // namespace rhino::ir::reference
