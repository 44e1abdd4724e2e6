// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

#include "check/numerics.hpp"
#include "ir/initial_values.hpp"
#include "ir/reference.hpp"
#include "ir/training_step.hpp"
#include "models/catalog.hpp"
#include "on_cuda_device.hpp"

// Training steps of all models at sizes that divide by nothing, on the cuda device over the fakes:
// every output equals the reference evaluator's.

using namespace rhino;
using namespace rhino::test;

namespace {

using Sizes = std::map<std::string, OptionValue>;

struct Model {
  const char* name;
  std::int64_t batch = 3;
  Sizes sizes;
};

OptionValue n(std::int64_t size) { return size; }
OptionValue tiny() { return std::string("tiny"); }

const std::vector<Model>& all_models() {
  static const std::vector<Model> models{
      {"mlp", 3, {{"inputs", n(13)}, {"width", n(11)}, {"depth", n(2)}, {"classes", n(5)}}},
      {"branching", 3, {{"width", n(7)}, {"depth", n(2)}}},
      {"gpt",
       3,
       {{"preset", std::string("1m")},
        {"num_layers", n(1)},
        {"hidden", n(21)},
        {"num_heads", n(3)},
        {"vocabulary", n(37)},
        {"sequence", n(9)}}},
      {"moe",
       3,
       {{"preset", tiny()},
        {"num_layers", n(2)},
        {"hidden", n(15)},
        {"num_heads", n(3)},
        {"ffn", n(11)},
        {"vocabulary", n(37)},
        {"sequence", n(9)},
        {"experts", n(3)},
        {"group", n(9)}}},
      {"llama",
       3,
       {{"preset", tiny()},
        {"num_layers", n(1)},
        {"hidden", n(36)},
        {"num_heads", n(6)},
        {"num_kv_heads", n(3)},
        {"ffn", n(13)},
        {"vocabulary", n(37)},
        {"sequence", n(9)}}},
      {"bert",
       3,
       {{"preset", tiny()},
        {"num_layers", n(1)},
        {"hidden", n(21)},
        {"num_heads", n(3)},
        {"vocabulary", n(37)},
        {"sequence", n(9)}}},
      {"t5",
       3,
       {{"preset", tiny()},
        {"num_layers", n(1)},
        {"num_decoder_layers", n(1)},
        {"hidden", n(15)},
        {"num_heads", n(3)},
        {"head_dim", n(5)},
        {"ffn", n(11)},
        {"vocabulary", n(37)},
        {"sequence", n(9)},
        {"target_sequence", n(7)}}},
      {"vgg", 3, {{"preset", tiny()}, {"hidden", n(13)}, {"classes", n(5)}}},
      {"wide_resnet", 3, {{"preset", tiny()}, {"norm_batch", n(3)}, {"classes", n(5)}}},
      {"u_transformer", 3, {{"preset", tiny()}}},
  };
  return models;
}

std::vector<check::CheckedTensor> outputs_of(const Program& step, OutputKind kind,
                                             const std::vector<ir::Tensor>& all) {
  std::vector<check::CheckedTensor> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (step.outputs[i].kind != kind) continue;
    check::CheckedTensor tensor{.name = "output " + std::to_string(i), .shape = all[i].shape};
    tensor.elements.assign(all[i].elements.begin(), all[i].elements.end());
    found.push_back(std::move(tensor));
  }
  return found;
}

check::StepValues values_of(const Program& step, const std::vector<ir::Tensor>& all) {
  return {.loss = outputs_of(step, OutputKind::loss, all).front().elements.front(),
          .gradients = outputs_of(step, OutputKind::gradient, all)};
}

/// As the check of a run does it: in 16 bits some gradients are nothing but rounding, as those of
/// keys' biases, and Adam makes steps of full size of them. Gradients may differ as far as they do
/// without that rounding, or with sums in halves, updates are those of the device's own gradients.
void check_narrow(const Program& step, const std::vector<ir::Tensor>& inputs,
                  const std::vector<ir::Tensor>& expected, const std::vector<ir::Tensor>& actual,
                  DType dtype) {
  const check::StepValues values = values_of(step, actual),
                          unrounded =
                              values_of(step, ir::evaluate(step, inputs, ir::Precision::f64)),
                          in_halves = values_of(step, ir::evaluate(ir::halved_sums(step), inputs));
  const check::CheckResult computed =
      check::compare_steps(values_of(step, expected), values, check::check_tolerance(dtype), false,
                           {&unrounded, &in_halves});
  const auto updated = outputs_of(step, OutputKind::updated_state, actual);
  const check::CheckResult result = check::compare_update(
      step, {.seed = 1, .number = 1, .gradients = values.gradients, .updated = updated},
      check::update_tolerance(DType::f32));
  INFO(computed.message << "; " << result.message);
  CHECK(computed.ok);
  CHECK(result.ok);
}

void check_model(const Model& model, DType dtype) {
  CAPTURE(model.name, dtype_name(dtype));
  Program forward =
      models::build_forward(model.name, Options(model.sizes), model.batch, dtype).program;
  const Program step = ir::training_step(
      std::move(forward), {.master_weights = is_narrow(dtype), .wide_gradients = is_narrow(dtype)});
  const std::vector<ir::Tensor> inputs = ir::initial_tensors(step, 1);
  const std::vector<ir::Tensor> expected = ir::evaluate(step, inputs);
  const auto device = runtime::cuda::make_cuda_device({.kernels = lower::kernels_of_gpus(true)});
  const std::vector<ir::Tensor> actual = run_on_device(*device, step, inputs, true);
  if (is_narrow(dtype)) return check_narrow(step, inputs, expected, actual, dtype);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("output " << i << " " << to_string(expected[i].shape));
    CHECK(wrong_part(actual[i], expected[i]) <= 1e-3);
  }
}

}  // namespace

TEST_CASE("steps of models at odd sizes equal the reference on the cuda device") {
  const char* only = std::getenv("RHINO_MODEL");  // one of them, for who looks for a fault
  const bool is_long = only != nullptr || std::getenv("RHINO_ALL_MODELS") != nullptr;
  for (const Model& model : all_models()) {
    const bool is_short = std::string(model.name) == "gpt" || std::string(model.name) == "moe";
    const bool is_named = only != nullptr && std::string(only) == model.name;
    if (only != nullptr ? !is_named : !is_long && !is_short) continue;
    check_model(model, DType::f32);
    if (is_long && !models::has_own_dtypes(model.name)) check_model(model, DType::bf16);
  }
}
