// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "device_harness.hpp"
#include "ir/builder.hpp"
#include "ir/initial_values.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"

using namespace rhino;

namespace {

/// Runs `program` on cpu devices of 1 and 2 threads, in place and apart, and compares with the
/// reference evaluator.
void check_against_reference(const Program& program, const std::vector<Tensor>& inputs,
                             double tolerance) {
  const std::vector<Tensor> expected = evaluate(program, inputs);
  for (int num_threads : {1, 2}) {
    const std::unique_ptr<Device> device = make_cpu_device({.num_threads = num_threads});
    for (Placement placement : {Placement::in_place, Placement::apart}) {
      const std::vector<Tensor> actual = run_on(*device, program, inputs, placement);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const ValueId value = program.outputs[i].value;
        INFO("output " << i << ", value " << value << " " << to_string(expected[i].shape)
                       << ", threads " << num_threads << ", in place "
                       << (placement == Placement::in_place));
        CHECK(relative_error(actual[i], expected[i], 1e-3) <= tolerance);
      }
    }
  }
}

constexpr Optimizer kSgd{.kind = Optimizer::Kind::sgd, .learning_rate = 0.1, .momentum = 0.9};

}  // namespace

TEST_CASE("a training step of a random program equals the reference") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const Program program = training_step(random_forward(seed, 4, 12 + seed % 30), kSgd);
    check_against_reference(program, initial_tensors(program, seed), 2e-3);
  }
}

TEST_CASE("a training step of gpt equals the reference") {
  GptConfig config = gpt_preset("1m");
  config.vocabulary = 160;
  config.sequence = 16;
  const Program program = training_step(gpt_forward(config, 2), kSgd);
  check_against_reference(program, initial_tensors(program, 7), 1e-3);
}

TEST_CASE("an Adam step of gpt in f64 equals the reference") {
  GptConfig config = gpt_preset("1m");
  config.vocabulary = 96;
  config.sequence = 12;
  config.hidden = 32;
  config.dtype = DType::f64;
  const Program program = training_step(gpt_forward(config, 2), {});
  check_against_reference(program, initial_tensors(program, 7), 1e-9);
}
