// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lower/matmul.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/op_source.hpp"
#include "runtime/cuda/tile_source.hpp"

namespace rhino::runtime::cuda {
namespace {

lower::Matmul matmul(const lower::LoweredProgram& lowered, const Op& dot, ValueId id) {
  const auto tensor = [&](ValueId value) {
    return lower::StridedTensor{lowered.program.shape(value).dims,
                                lowered.views[at(value)].strides};
  };
  const auto found = lower::matmul_of(dot.attributes.get<DotAttr>(), tensor(dot.operands[0]),
                                      tensor(dot.operands[1]), tensor(id));
  if (!found) throw Error("the cuda device has no kernel for a dot whose operands lie as here");
  return *found;
}

/// Where the matrices of one index of the batch begin, beyond the first.
std::string batch_offset(const lower::Matmul& m, std::int64_t lower::Matmul::BatchDim::*stride) {
  std::string text = "0";
  std::int64_t inner = 1;
  for (std::size_t d = m.batch.size(); d-- > 0;) {
    const lower::Matmul::BatchDim& dim = m.batch[d];
    text += " + (batch / " + std::to_string(inner) + " % " + std::to_string(dim.extent) + ") * " +
            std::to_string(dim.*stride);
    inner *= dim.extent;
  }
  return text;
}

/// Where an element lies in its base: `start` of its matrix, and its row and column by strides.
struct Place {
  const lower::View& view;
  const char *start, *major, *minor;
  std::int64_t major_stride, minor_stride;
  std::string text() const {
    return std::to_string(view.offset) + " + " + start + " + " + major + " * " +
           std::to_string(major_stride) + " + " + minor + " * " + std::to_string(minor_stride);
  }
};

/// The input that the product is added to, kNoValue where there is none.
ValueId sum_of(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
  if (group.ops.size() < 2) return kNoValue;
  ValueId sum = kNoValue;
  for (ValueId operand : lowered.program.op(group.ops[1]).operands) {
    if (lowered.program.producer(operand).kind == OpKind::parameter) sum = operand;
  }
  return sum;
}

}  // namespace

GroupSource dot_source(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
  const Op& dot = lowered.program.op(group.ops[0]);
  const lower::Matmul m = matmul(lowered, dot, group.ops[0]);
  const auto view = [&](ValueId id) -> const lower::View& { return lowered.views[at(id)]; };
  const lower::View& result = view(group.ops[0]);
  const ValueId sum = sum_of(lowered, group);
  const DType dtype = dot.shape.dtype;
  KernelWriter writer;
  const auto read = [&](std::size_t operand, const Place& place) {
    const ValueId id = dot.operands[operand];
    return "return " + writer.load(lowered.program.shape(id).dtype, view(id).base, place.text()) +
           ";\n";
  };
  TiledProduct product{.dtype = dtype, .m = m.m, .n = m.n, .k = m.k};
  for (const lower::Matmul::BatchDim& dim : m.batch) product.batches *= dim.extent;
  const bool many = product.batches > 1;
  if (many) {
    product.setup = "const Index a_batch = " + batch_offset(m, &lower::Matmul::BatchDim::a) +
                    ", b_batch = " + batch_offset(m, &lower::Matmul::BatchDim::b) +
                    ", c_batch = " + batch_offset(m, &lower::Matmul::BatchDim::c) + ";\n";
  }
  product.load_a = read(0, {view(dot.operands[0]), many ? "a_batch" : "0", "m", "k", m.a_m, m.a_k});
  product.load_b = read(1, {view(dot.operands[1]), many ? "b_batch" : "0", "k", "n", m.b_k, m.b_n});
  product.a_by_k = m.a_k == 1;
  product.b_by_n = m.b_n == 1;
  product.store =
      "const Index to = " + Place{result, many ? "c_batch" : "0", "m", "n", m.c_m, m.c_n}.text() +
      ";\n";
  if (sum == kNoValue) {
    product.store += writer.store(dtype, result.base, "to", "sum");
  } else {
    // As by an add of its own: of what was rounded.
    const std::string added =
        "op_add(" + writer.load(dtype, result.base, "to") + ", " + rounded(dtype, "sum") + ")";
    product.store += writer.store(dtype, result.base, "to", added);
  }

  GroupSource source;
  source.product = lt_problem(lowered, group);
  if (sum != kNoValue)
    source.copies.push_back({sum, result.base, num_bytes(lowered.program.shape(sum))});
  std::int64_t largest = 0;
  for (const ValueId base : {view(dot.operands[0]).base, view(dot.operands[1]).base, result.base})
    largest = std::max(largest, num_elements(lowered.program.shape(base)));
  KernelText kernel = tile_kernel(writer, product, largest);
  kernel.kind = kDotKind;
  if (kernel.blocks > 0) source.kernels.push_back(std::move(kernel));
  return source;
}

}  // namespace rhino::runtime::cuda
