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

namespace rhino::test {
namespace {

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

}  // namespace rhino::test
