// SPDX-License-Identifier: Apache-2.0
#include "models/t5.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "ir/flops.hpp"
#include "ir/initial_values.hpp"
#include "ir/reference.hpp"
#include "ir/training_step.hpp"

using namespace rhino;
using namespace rhino::models;

TEST_CASE("t5 presets have the parameters of the published models") {
  CHECK(t5_num_parameters(t5_preset("small")) == 60'506'624);
  CHECK(t5_num_parameters(t5_preset("base")) == 222'903'552);
  CHECK(t5_num_parameters(t5_preset("large")) == 737'668'096);
  CHECK(t5_num_parameters(t5_preset("3b")) == 2'851'598'336);
  CHECK(t5_num_parameters(t5_preset("11b")) == 11'307'321'344);
}

TEST_CASE("the graph of every t5 has the parameters and FLOPs of the closed formulas") {
  for (const std::string& name : t5_presets())
    for (const bool is_gated : {false, true}) {
      CAPTURE(name, is_gated);
      T5Config config = t5_preset(name);
      config.is_gated = is_gated, config.tied = !is_gated;
      const Program step = ir::training_step(t5_forward(config, 2), {});
      CHECK(ir::num_parameters(step) == t5_num_parameters(config));
      CHECK(ir::dot_flops(step) == Approx(t5_step_flops(config, 2)).epsilon(1e-12));
    }
}

TEST_CASE("distances lie in buckets as the definition has them, in whole numbers") {
  const bool in_two = GENERATE(false, true);
  CAPTURE(in_two);
  constexpr std::int64_t kPositions = 300;
  ir::Builder b("buckets");
  b.output(
      distance_buckets(b, {.queries = kPositions, .keys = kPositions, .in_two_directions = in_two}),
      OutputKind::value);
  const Program program = std::move(b).finish();
  const std::vector<double> found = ir::evaluate(program, std::vector<ir::Tensor>{})[0].elements;
  const std::int64_t count = in_two ? 16 : 32, half = count / 2;
  for (std::int64_t q = 0; q < kPositions; ++q)
    for (std::int64_t k = 0; k < kPositions; ++k) {
      const std::int64_t distance = in_two ? std::abs(k - q) : std::max<std::int64_t>(q - k, 0);
      std::int64_t bucket = std::min(distance, half);
      // Bucket half + i begins at half * (128 / half)^(i / half), and distances are whole: at the
      // first whose power `half` is as large.
      const auto begins = [&](std::int64_t i) {
        return std::pow(static_cast<long double>(distance), half) >=
               std::pow(static_cast<long double>(half), half - i) *
                   std::pow(static_cast<long double>(128), i);
      };
      while (bucket >= half && bucket + 1 < count && begins(bucket + 1 - half)) ++bucket;
      if (in_two && k > q) bucket += count;
      if (found[std::size_t(q * kPositions + k)] != static_cast<double>(bucket)) {
        CAPTURE(q, k);
        CHECK(found[std::size_t(q * kPositions + k)] == static_cast<double>(bucket));
      }
    }
}

TEST_CASE("a t5 writes by all that it reads, and by what it wrote before") {
  const T5Config config = t5_preset("tiny");
  Program program = t5_forward(config, 1);
  for (ValueId id = 0; id < program.size(); ++id)
    if (program.op(id).name == "logits") program.outputs = {{id, OutputKind::value, -1}};
  std::vector<ir::Tensor> inputs = ir::initial_tensors(program, 7);
  const auto logits = [&] { return ir::evaluate(program, inputs, ir::Precision::f64)[0].elements; };
  const std::vector<double> before = logits();
  // Which rows another token at `position` of an input changes.
  const auto changed = [&](const std::string& name, std::int64_t position) {
    std::size_t i = 0;
    while (program.producer(program.inputs[i].value).name != name) ++i;
    double& token = inputs[i].elements.at(std::size_t(position));
    const double old = std::exchange(token, token == 3 ? 4 : 3);
    const std::vector<double> after = logits();
    token = old;
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < config.target_sequence; ++row) {
      const auto begin = row * config.vocabulary;
      if (!std::equal(before.begin() + begin, before.begin() + begin + config.vocabulary,
                      after.begin() + begin))
        rows.push_back(row);
    }
    return rows;
  };
  CHECK(changed("tokens", config.sequence - 1).size() == std::size_t(config.target_sequence));
  CHECK(changed("written", config.target_sequence - 2) ==
        std::vector{config.target_sequence - 2, config.target_sequence - 1});
}

TEST_CASE("sizes of a t5 that do not fit are refused") {
  T5Config config = t5_preset("tiny");
  config.num_buckets = 30;
  CHECK_THROWS_WITH(t5_forward(config, 1),
                    "t5: distances up to 128 do not fill 30 buckets, a multiple of 4");
  config.head_dim = 0;
  CHECK_THROWS_WITH(t5_forward(config, 1), "t5: every size must be at least 1");
}
