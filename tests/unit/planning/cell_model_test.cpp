// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "config/imported_model.hpp"
#include "config/micro_batches.hpp"
#include "ir/autodiff.hpp"
#include "models/imported_file.hpp"
#include "planning/cell_inputs.hpp"
#include "planning/choices.hpp"

namespace rhino::test {
namespace {

using Catch::Matchers::Contains;

config::CellSpec imported_cell(const std::string& file) {
  config::CellSpec cell;
  cell.model.id = "hlo";
  cell.model.options = {{"file", std::string(RHINO_TEST_DATA) + "/jax/" + file}};
  return cell;
}

}  // namespace

TEST_CASE("a step written anew for micro-batches is checked against the one that was given") {
  const config::CellSpec cell = imported_cell("masked.hlo.txt");
  const planning::CellModel model = planning::build_model(cell);
  const Program given = models::imported_model(cell.model.id, Options(cell.model.options));
  CHECK_FALSE(model.step == given);
  CHECK(model.reference() == given);
  // Values are told apart by the numbers of their inputs and outputs.
  REQUIRE(model.step.inputs.size() == given.inputs.size());
  for (std::size_t i = 0; i < given.inputs.size(); ++i)
    CHECK(model.step.inputs[i].initializer == given.inputs[i].initializer);
  REQUIRE(model.step.outputs.size() == given.outputs.size());
  for (std::size_t i = 0; i < given.outputs.size(); ++i)
    CHECK(model.step.outputs[i].kind == given.outputs[i].kind);
}

TEST_CASE("a step that may be cut as it is, is what it is checked against") {
  const planning::CellModel model = planning::build_model(imported_cell("mlp.hlo.txt"));
  CHECK_FALSE(model.given.has_value());
  CHECK(&model.reference() == &model.step);
}

TEST_CASE("the backward pass of an import makes anew what is cheap") {
  for (const std::string file : {"gpt.hlo.txt", "llama.hlo.txt"}) {
    CAPTURE(file);
    const config::CellSpec cell = imported_cell(file);
    const Program step = models::imported_model(cell.model.id, Options(cell.model.options));
    CHECK(ir::kept_bytes(ir::recompute_cheap(step)) == ir::kept_bytes(step));
    CHECK(std::ranges::count_if(ir::repeated_ops(step), [](ValueId v) { return v != kNoValue; }) >
          10);
  }
}

TEST_CASE("an import updates one parameter and its states after the other") {
  const config::CellSpec cell = imported_cell("gpt.hlo.txt");
  const Program step = models::imported_model(cell.model.id, Options(cell.model.options));
  std::map<ValueId, std::int32_t> owner_of;  // of what becomes of an input, in order
  for (const Output& output : step.outputs) {
    if (output.kind != OutputKind::updated_state) continue;
    const std::int32_t owner = step.inputs[static_cast<std::size_t>(output.input)].state_of;
    owner_of[output.value] = owner < 0 ? output.input : owner;
  }
  std::set<std::int32_t> done;
  std::int32_t last = -1;
  for (const auto& [value, owner] : owner_of) {
    if (owner != last) CHECK(done.insert(owner).second);
    last = owner;
  }
  CHECK(done.size() < owner_of.size());
}

TEST_CASE("any micro-batches of an imported step are those of its own batch") {
  config::CellSpec cell = imported_cell("mlp.hlo.txt");
  cell.micro_batches = {config::kAnyMicroBatches};
  config::complete_import(cell);
  REQUIRE(cell.global_batch > 1);
  CHECK(cell.micro_batches == config::any_micro_batches(cell.global_batch));
  CHECK(cell.micro_batches.back() == cell.global_batch);
}

TEST_CASE("a loss scale is a normal f32, and so is its inverse") {
  const auto scale_of = [](std::map<std::string, OptionValue> options) {
    config::CellSpec cell;
    cell.model.id = "mlp";
    cell.global_batch = 4;
    cell.optimizer.options = std::move(options);
    const Program step = planning::build_model(cell).step;
    const auto states = std::ranges::count_if(step.inputs, [&](const Input& input) {
      return step.producer(input.value).name == "loss_scale";
    });
    return states;
  };
  const std::string dynamic = "dynamic";
  for (const double scale : {0x1p-126, 1., 0x1p126}) CHECK(scale_of({{"loss_scale", scale}}) == 0);
  for (const double scale : {1., 0x1p126})
    CHECK(scale_of({{"loss_scale", dynamic}, {"initial_scale", scale}}) == 1);
  for (const double scale : {-1., 0., 1e-40, 0x1p-127, 1e38, 0x1p127})
    CHECK_THROWS_WITH(scale_of({{"loss_scale", scale}}),
                      Contains("a number from 2^-126 to 2^126, so that devices divide by it"));
  for (const double scale : {0.5, 0x1p127})
    CHECK_THROWS_WITH(scale_of({{"loss_scale", dynamic}, {"initial_scale", scale}}),
                      Contains("initial_scale must lie between 1 and 2^126"));
}

TEST_CASE("a learning rate is a number from 0 up that f32 holds, and so is a momentum") {
  const auto build = [](const std::string& key, double value) {
    config::CellSpec cell;
    cell.model.id = "mlp";
    cell.global_batch = 4;
    cell.optimizer.id = "sgd";
    cell.optimizer.options = {{key, value}};
    planning::build_model(cell);
  };
  for (const std::string key : {"learning_rate", "momentum"}) {
    for (const double value : {0., 0.9, 3e38}) CHECK_NOTHROW(build(key, value));
    for (const double value : {-1., -1e-30, 1e39, 1e300})
      CHECK_THROWS_WITH(build(key, value),
                        Contains(key + " must be a number from 0 up that f32 can hold"));
  }
}

TEST_CASE("arithmetic that no rate is told of is refused, but on devices that are measured") {
  const auto step_of = [](const std::string& dtype) {
    config::CellSpec cell;
    cell.model = {"gpt", {{"preset", std::string("1m")}, {"dtype", dtype}}, ""};
    cell.global_batch = 4;
    return planning::build_model(cell).step;
  };
  Cluster cluster;
  cluster.models = {{.name = "A", .peak_flops = {{DType::f32, 1e12}}},
                    {.name = "B", .peak_flops = {{DType::bf16, 1e12}}}};
  cluster.model_of = {0, 0};  // of the second there is none
  const Program narrow = step_of("bf16"), step = step_of("f32"), wide = step_of("f64");
  for (const Program* any : {&narrow, &step, &wide}) planning::check_peaks(*any, cluster);
  cluster.model_of = {0, 1};
  planning::check_peaks(narrow, cluster);
  CHECK_THROWS_WITH(planning::check_peaks(step, cluster),
                    "device 'B' has no peak_flops of f32, in which the model computes: give it, or "
                    "another dtype");
  CHECK_THROWS_WITH(planning::check_peaks(wide, cluster),
                    "device 'B' has no peak_flops of f64, in which the model computes, nor of f32, "
                    "which would stand for it: give it, or another dtype");
  cluster.models.back().kind = DeviceKind::cpu;
  planning::check_peaks(step, cluster);
}

}  // namespace rhino::test
