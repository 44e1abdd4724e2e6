// SPDX-License-Identifier: Apache-2.0
#include "config/pins.hpp"

#include <catch2/catch.hpp>

#include "config/experiment.hpp"
#include "temporary_file.hpp"

using namespace rhino;
using namespace rhino::config;
using Catch::Matchers::Contains;

TEST_CASE("a search is pinned by patterns of values and the dims that are split") {
  const auto with = [](const std::string& search) {
    const TemporaryFile file(
        "name: x\ncases:\n  - {topology: two, model: branching, batch: {global: 8}, search: " +
        search + "}\n");
    return read_experiment(file.path(), {}).cells.front();
  };
  const CellSpec cell =
      with("{search/grid: {}, pin: [{match: '*.weight', split: heads}, {match: '%1', split: []}]}");
  Program program;
  program.ops = {{.kind = OpKind::parameter, .shape = {DType::f32, {8, 4}}, .name = "h0.weight"},
                 {.kind = OpKind::tanh, .shape = {DType::f32, {8}}, .operands = {0}}};
  program.inputs = {{.value = 0, .dim_names = {"hidden", "heads"}}};
  CHECK(pins_of(cell.pins, program) == std::vector<Pin>{{0, {1}}, {1, {}}});
  CHECK(cell_id(cell) != cell_id(with("search/grid")));
  CHECK_THROWS_WITH(with("{search/grid: {}, pins: {match: '*', split: heads}}"),
                    Contains("beside it may stand budget, pin"));
  const auto pins = [&](const std::string& pin) {
    return pins_of(with("{search/grid: {}, pin: " + pin + "}").pins, program);
  };
  CHECK(pins("{match: h0.weight, split: [heads, hidden]}") == std::vector<Pin>{{0, {0, 1}}});
  CHECK_THROWS_WITH(pins("{match: h1.weight, split: heads}"),
                    Contains(":3: pattern 'h1.weight' matches no value of the program"));
  CHECK_THROWS_WITH(pins("{match: '*', split: ffn}"),
                    Contains(":3: 'h0.weight' f32[8,4] has no dim 'ffn'"));
  CHECK_THROWS_WITH(pins("{match: '*', splits: heads}"), Contains("'split'"));
  CHECK_THROWS_WITH(pins("{match: '*', split: [heads, 1]}"),
                    Contains(":3: dim 1 of 'h0.weight' is to be split twice"));
  CHECK(pins("[{match: h0.weight, split: 0}, {match: '*', split: hidden}]") ==
        std::vector<Pin>{{0, {0}}});
  CHECK_THROWS_WITH(pins("[{match: h0.weight, split: 0}, {match: '*', split: []}]"),
                    Contains(":3: 'h0.weight' is pinned otherwise at "));
}
