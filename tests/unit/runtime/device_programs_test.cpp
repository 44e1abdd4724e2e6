// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "ir/canonical.hpp"
#include "ir/hlo_text.hpp"
#include "ir/op_info.hpp"
#include "ir/training_step.hpp"
#include "models/catalog.hpp"
#include "rhino/error.hpp"
#include "runtime/device/cpu/cpu_executable.hpp"
#include "runtime/device/device.hpp"

using namespace rhino;

/// Whole training steps: which kernels of the cpu device run them.
namespace {

/// Of FLOPs and of bytes, a hundredth at most goes through the reference kernel.
void check_ways(const Program& program) {
  const runtime::CpuExecutable executable(program, 1);
  double flops = 0, bytes = 0, slow_flops = 0, slow_bytes = 0;
  std::string slow;
  for (std::size_t i = 0; i < executable.ways().size(); ++i) {
    const lower::KernelGroup& group = executable.lowered().groups[i];
    flops += group.flops, bytes += group.bytes;
    if (executable.ways()[i] != "reference") continue;
    slow_flops += group.flops, slow_bytes += group.bytes;
    const Op& op = executable.lowered().program.op(group.ops.back());
    slow += std::string(ir::op_name(op.kind)) + " " + to_string(op.shape) + ", ";
  }
  CAPTURE(program.name, slow, slow_flops / flops, slow_bytes / bytes);
  CHECK(slow_flops <= 0.01 * flops);
  CHECK(slow_bytes <= 0.01 * bytes);
}

/// The smallest of a model that has presets, or as it is.
Program smallest(const std::string& model, DType dtype) {
  for (const char* preset : {"tiny", "1m"}) {
    try {
      return models::build_forward(model, Options({{"preset", std::string(preset)}}), 4, dtype)
          .program;
    } catch (const Error&) {
    }
  }
  return models::build_forward(model, {}, 4, dtype).program;
}

}  // namespace

TEST_CASE("no op of a step that JAX exported runs on the reference kernel") {
  int num_steps = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RHINO_TEST_DATA "/jax")) {
    const std::string name = entry.path().filename();
    const bool is_hlo = name.ends_with(".hlo.txt");
    if (!is_hlo && !name.ends_with(".mlir")) continue;
    CAPTURE(name);
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Program step = is_hlo ? ir::parse_hlo(text, name) : ir::parse_stablehlo(text, name);
    for (const Program& program : {step, ir::canonical(step)}) {
      const auto device = runtime::make_cpu_device({});
      device->compile(program);
      CHECK(device->slow_ops() == "");
    }
    ++num_steps;
  }
  CHECK(num_steps >= 2 * 22);
}

TEST_CASE("no heavy op of a built-in model's step runs on the reference kernel") {
  for (const std::string& model : models::model_names()) {
    if (model == "hf_config") continue;  // one of the others, by sizes of a file
    CAPTURE(model);
    check_ways(ir::training_step(smallest(model, DType::f32), {}));
    if (models::has_own_dtypes(model)) continue;
    for (const DType dtype : {DType::bf16, DType::f16})
      check_ways(ir::training_step(smallest(model, dtype),
                                   {.master_weights = true, .wide_gradients = true}));
  }
}
