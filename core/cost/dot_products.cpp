// SPDX-License-Identifier: Apache-2.0
#include "cost/dot_products.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ir/flops.hpp"
#include "lower/matmul.hpp"
#include "rhino/index.hpp"

namespace rhino::cost {

DotExtents dot_extents(const Program& program, const Op& dot) {
  const auto& attr = dot.attributes.get<DotAttr>();
  const auto& lhs = program.shape(dot.operands[0]).dims;
  const auto& rhs = program.shape(dot.operands[1]).dims;
  DotExtents extents;
  for (const std::int64_t dim : attr.lhs_batch) extents.batch *= lhs[at(dim)];
  for (const std::int64_t dim : attr.lhs_contracting) extents.k *= lhs[at(dim)];
  const std::int64_t per_row = std::max<std::int64_t>(1, extents.batch * extents.k);
  extents.m = num_elements(lhs) / per_row;
  extents.n = num_elements(rhs) / per_row;
  return extents;
}

DotProducts dot_products(const lower::LoweredProgram& lowered, ValueId id) {
  const Op& dot = lowered.program.op(id);
  const auto tensor = [&](ValueId id) {
    return lower::StridedTensor{lowered.program.shape(id).dims, lowered.views[at(id)].strides};
  };
  const std::optional<lower::Matmul> found = lower::matmul_of(
      dot.attributes.get<DotAttr>(), tensor(dot.operands[0]), tensor(dot.operands[1]), tensor(id));
  if (!found) return {dot_extents(lowered.program, dot)};
  const lower::Matmul& m = *found;
  DotProducts products{.extents = {1, m.m, m.n, m.k},
                       .has_lhs_columns = m.k > 1 && m.a_k != 1,
                       .has_rhs_rows = m.n > 1 && m.b_n != 1};
  for (const lower::Matmul::BatchDim& dim : m.batch) products.extents.batch *= dim.extent;
  if (m.is_by_rows()) return products;
  std::swap(products.extents.m, products.extents.n);
  products.has_lhs_columns = m.k > 1 && m.b_k != 1;
  products.has_rhs_rows = m.m > 1 && m.a_m != 1;
  return products;
}

DotExtents patch_extents(const Program& program, ValueId id) {
  const Op& op = program.op(id);
  const auto& attr = op.attributes.get<ConvolutionAttr>();
  const std::int64_t features = op.shape.dims[at(attr.output_feature)];
  const std::int64_t elements = num_elements(op.shape);
  DotExtents dot{.batch = attr.feature_groups, .n = features / attr.feature_groups};
  dot.m = elements / std::max<std::int64_t>(1, features);
  dot.k = elements == 0
              ? 0
              : std::llround(ir::op_flops(program, id) / 2 / static_cast<double>(elements));
  return dot;
}

}  // namespace rhino::cost
