// SPDX-License-Identifier: Apache-2.0
#include "wide_accesses.hpp"

#include "../fake_cuda/attention_programs.hpp"
#include "ir/builder.hpp"
#include "runtime/cuda/kernel_unit.hpp"

namespace rhino::test {
namespace {

ValueId input(ir::Builder& b, DType dtype) {
  return b.input(InputKind::batch, {dtype, {64, 1024}}, {Initializer::Kind::uniform, -1, 1}, "x");
}

Program elementwise(DType dtype) {
  ir::Builder b("elementwise");
  const ValueId x = input(b, dtype), y = input(b, dtype);
  b.output(b.add(b.mul(x, y), x), OutputKind::value);
  return std::move(b).finish();
}

/// Rows that are divided by their sum.
Program rows(DType dtype) {
  ir::Builder b("rows");
  const ValueId x = input(b, dtype);
  const ValueId sum = b.reduce(x, {1}, Reduction::sum);
  b.output(b.div(x, b.broadcast_in_dim(sum, {64, 1024}, {0})), OutputKind::value);
  return std::move(b).finish();
}

Program attention(DType dtype, std::int64_t depth) {
  Program program =
      forward({.rows = 128, .columns = 128, .heads = 2, .depth = depth, .dtype = dtype});
  program.name = "attention of depth " + std::to_string(depth);
  return program;
}

}  // namespace

std::vector<std::string> narrow_accesses(const RealCompiler& compiler, int architecture) {
  std::vector<std::string> faults;
  for (DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    for (const Program& program : {elementwise(dtype), rows(dtype), attention(dtype, 16),
                                   attention(dtype, 48), attention(dtype, 128)}) {
      std::map<std::string, NamedText> kernels;
      for (const auto& group :
           runtime::cuda::group_sources(lower::lower(program, lower::kernels_of_gpus(true)))) {
        for (const runtime::cuda::KernelText& kernel : group.kernels)
          kernels["kernel_" + std::to_string(kernels.size())] = {kernel.text, kernel.kind,
                                                                 kernel.at_once};
      }
      for (const auto& [name, kernel] : compiler.compile(kernels, architecture, faults)) {
        for (const auto& [bytes, count] : kernel.accesses) {
          if (bytes < 16)
            faults.push_back(program.name + " of " + std::string(dtype_name(dtype)) + ": " +
                             std::to_string(count) + " accesses of " + std::to_string(bytes) +
                             " bytes, not 16");
        }
      }
    }
  }
  return faults;
}

}  // namespace rhino::test
