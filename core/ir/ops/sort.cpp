// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_read.hpp"
#include "ir/hlo_write.hpp"
#include "ir/ops/rows.hpp"
#include "ir/reference_ops.hpp"
#include "ir/sampler.hpp"
#include "ir/site.hpp"

/// Sorts.
namespace rhino::ir {
namespace {

Shape sort(const Site& site) {
  site.require(site.operands.size() == 1 || site.operands.size() == 2,
               "takes keys and at most one tensor that follows them");
  site.require_dims({site.attributes<DimAttr>().dim}, site.rank(0), "attributes");
  site.require(site.operands.back()->dims == site.operand(0).dims, "operands differ in shape");
  return *site.operands.back();
}

// Ascending and stable; NaN comes last.
bool before(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

Tensor sort(const Op& op, const Operands& operands) {
  const Tensor &keys = *operands[0], &values = *operands.back();
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

// Its order is the importer's: descending sorts are made of others.
Attributes read_sort(const hlo::Instruction& instruction, const hlo::AttributeReader&) {
  return DimAttr{hlo::read_only_dim(instruction.attribute("dimensions"))};
}

ValueId sample_sort(Sampler& s) {
  const Dims dims = s.dims(2);
  const std::int64_t dim = s.draw(static_cast<std::int64_t>(dims.size()));
  return s.builder.add(
      Op{.kind = OpKind::sort, .operands = {s.input(dims)}, .attributes = DimAttr{dim}});
}

constexpr OpTraits kSortRows[] = {
    {.kind = OpKind::sort,
     .name = "sort",
     .op_class = OpClass::indexing,
     .arity = kAnyArity,
     .heavy = true,
     .infer = sort,
     .evaluate = sort,
     .read = read_sort,
     .sample = sample_sort},
};

}  // namespace

std::span<const OpTraits> sort_ops() { return kSortRows; }

}  // namespace rhino::ir
