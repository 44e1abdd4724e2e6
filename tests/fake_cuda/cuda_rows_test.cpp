// SPDX-License-Identifier: Apache-2.0
// Losses over vocabularies that are longer than the rows that CPUs fold.
#include <catch2/catch.hpp>

#include "cuda_programs.hpp"
#include "ir/autodiff.hpp"
#include "ir/builder.hpp"
#include "models/layers.hpp"
#include "runtime/cuda/kernel_unit.hpp"

using namespace rhino;
using namespace rhino::runtime;
using namespace rhino::test;

namespace {

constexpr std::int64_t kRows = 5;
const lower::Kernels kOfGpus = lower::kernels_of_gpus(false);

/// A loss over so many words, and its derivative by the logits.
Program loss_over(std::int64_t words, DType dtype) {
  ir::Builder b("loss");
  const ValueId logits = b.input(InputKind::batch, {dtype, {kRows, words}},
                                 {Initializer::Kind::uniform, -2, 2}, "logits");
  const ValueId labels =
      b.input(InputKind::batch, {DType::s32, {kRows}},
              {Initializer::Kind::uniform, 0, static_cast<double>(words)}, "labels");
  Program program = models::finished(b, models::mean_cross_entropy(b, logits, labels));
  const ValueId loss = program.outputs.front().value;
  const ValueId gradient = ir::append_gradients(program, loss, {logits}).front();
  program.outputs.push_back({.value = gradient, .kind = OutputKind::value});
  return ir::recompute_cheap(program);
}

std::vector<std::string> kinds_of(const Program& program, lower::Kernels kernels) {
  std::vector<std::string> kinds;
  for (const cuda::GroupSource& group : cuda::group_sources(lower::lower(program, kernels))) {
    for (const cuda::KernelText& kernel : group.kernels) kinds.push_back(kernel.kind);
  }
  return kinds;
}

}  // namespace

TEST_CASE("a loss over a long vocabulary has the kernels of one over a short one") {
  const std::vector<std::string> kinds = kinds_of(loss_over(32000, DType::f32), kOfGpus);
  CAPTURE(kinds);
  CHECK(std::ranges::count(kinds, cuda::kRowsKind) == 1);
  for (const std::int64_t words : {70000, 128256, 256000}) {
    for (const DType dtype : {DType::f32, DType::bf16}) {
      INFO(words << " words, " << dtype_name(dtype));
      CHECK(kinds_of(loss_over(words, dtype), kOfGpus) ==
            kinds_of(loss_over(32000, dtype), kOfGpus));
      CHECK(kinds_of(loss_over(words, dtype), {}) != kinds);
    }
  }
}

TEST_CASE("a loss over a long vocabulary and its derivative equal the reference") {
  check_program(loss_over(70000, DType::bf16), tolerance_of(DType::bf16), {}, kOfGpus);
  check_program(loss_over(70001, DType::f32), 2e-5, {}, kOfGpus);  // accesses of 4 bytes
  check_program(loss_over(128256, DType::f32), 2e-5, {}, kOfGpus);
}
