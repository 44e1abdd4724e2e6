// SPDX-License-Identifier: Apache-2.0
#include "lower/matmul.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/op_source.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr std::int64_t kTile = 16;

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

std::string number(std::int64_t value) { return "(s64)" + std::to_string(value); }

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

/// A lambda that reads an element of an operand.
std::string reader(KernelWriter& writer, const Op& value, const lower::View& view,
                   const std::string& start) {
  return "[&](s64 at) { return " +
         writer.load(value.shape.dtype, view.base, number(view.offset) + " + " + start + " + at") +
         "; }";
}

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
  const lower::View& result = lowered.views[at(group.ops[0])];
  const ValueId sum = sum_of(lowered, group);
  std::int64_t batches = 1;
  for (const lower::Matmul::BatchDim& dim : m.batch) batches *= dim.extent;
  const std::int64_t columns = (m.n + kTile - 1) / kTile, rows = (m.m + kTile - 1) / kTile;

  KernelWriter writer;
  const DType dtype = dot.shape.dtype;
  std::string body =
      "const s64 tile = blockIdx.x, batch = tile / " + number(rows * columns) + ";\n";
  body += "const s64 row = tile / " + number(columns) + " % " + number(rows) +
          " * 16, column = tile % " + number(columns) + " * 16;\n";
  body += "const s64 a_batch = " + batch_offset(m, &lower::Matmul::BatchDim::a) +
          ", b_batch = " + batch_offset(m, &lower::Matmul::BatchDim::b) +
          ", c_batch = " + batch_offset(m, &lower::Matmul::BatchDim::c) + ";\n";
  const auto read = [&](std::size_t operand, const char* start) {
    const ValueId id = dot.operands[operand];
    return reader(writer, lowered.program.op(id), lowered.views[at(id)], start);
  };
  const std::string a = read(0, "a_batch"), b = read(1, "b_batch");
  const std::string product = "Product3{" + number(m.m) + ", " + number(m.n) + ", " + number(m.k) +
                              ", " + number(m.a_m) + ", " + number(m.a_k) + ", " + number(m.b_k) +
                              ", " + number(m.b_n) + "}";
  body += computed_type(dtype) + " sum = tile_sum<" + computed_type(dtype) + ">(" + a + ", " + b +
          ", " + product + ", row, column);\n";
  body += "const s64 y = row + threadIdx.x / 16, x = column + threadIdx.x % 16;\n";
  body += "if (y >= " + number(m.m) + " || x >= " + number(m.n) + ") return;\n";
  body += "const s64 to = " + number(result.offset) + " + c_batch + y * " + number(m.c_m) +
          " + x * " + number(m.c_n) + ";\n";
  body += "sum = " + rounded(dtype, "sum") + ";\n";
  if (sum != kNoValue) {
    // As by an add of its own: of what was rounded.
    body +=
        "sum = " + rounded(dtype, "op_add(" + writer.load(dtype, result.base, "to") + ", sum)") +
        ";\n";
  }
  body += writer.store(dtype, result.base, "to", "sum");

  GroupSource source;
  if (sum != kNoValue)
    source.copies.push_back({sum, result.base, num_bytes(lowered.program.shape(sum))});
  KernelText kernel = writer.finish(body, 0);
  kernel.threads = kTile * kTile;
  kernel.blocks = batches * rows * columns;
  if (kernel.blocks > 0) source.kernels.push_back(std::move(kernel));
  return source;
}

}  // namespace rhino::runtime::cuda
