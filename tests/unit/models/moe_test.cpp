// SPDX-License-Identifier: Apache-2.0
#include "models/moe.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "ir/autodiff.hpp"
#include "ir/flops.hpp"
#include "ir/reference.hpp"
#include "ir/training_step.hpp"
#include "models/gating.hpp"

using namespace rhino;
using namespace rhino::models;

namespace {

/// Logits of one group [tokens][experts], sent as GShard's algorithm 1 says, in plain loops.
struct PlainGating {
  std::vector<std::vector<double>> logits;
  std::int64_t capacity;
  double imbalance = 0;
  /// [token][expert][slot].
  std::vector<std::vector<std::vector<double>>> combine;

  void run() {
    const std::size_t tokens = logits.size(), experts = logits[0].size();
    combine.assign(tokens, {experts, std::vector<double>(static_cast<std::size_t>(capacity))});
    std::vector<std::int64_t> taken(experts);
    std::vector<double> mean(experts), firsts(experts);
    std::vector<std::array<std::size_t, 2>> choices;
    for (const std::vector<double>& row : logits) {
      const std::vector<double> gates = softmax(row);
      for (std::size_t e = 0; e < experts; ++e) mean[e] += gates[e] / double(tokens);
      std::vector<std::size_t> order(experts);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return gates[a] > gates[b]; });
      choices.push_back({order[0], order[1]});
      firsts[order[0]] += 1.0 / double(tokens);
    }
    for (const int choice : {0, 1}) {
      for (std::size_t t = 0; t < tokens; ++t) {
        const std::size_t expert = choices[t][std::size_t(choice)];
        const std::int64_t slot = taken[expert]++;
        if (slot >= capacity) continue;
        const std::vector<double> gates = softmax(logits[t]);
        combine[t][expert][std::size_t(slot)] =
            gates[expert] / (gates[choices[t][0]] + gates[choices[t][1]]);
      }
    }
    for (std::size_t e = 0; e < experts; ++e) imbalance += double(experts) * mean[e] * firsts[e];
  }

  static std::vector<double> softmax(std::vector<double> x) {
    double sum = 0;
    for (double& element : x) sum += element = std::exp(element);
    for (double& element : x) element /= sum;
    return x;
  }
};

}  // namespace

TEST_CASE("top-2 gating sends tokens as plain loops do") {
  const int seed = GENERATE(1, 2, 3, 4, 5, 6, 7, 8);
  CAPTURE(seed);
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  const std::int64_t groups = 2, tokens = 5 + seed, experts = 2 + seed % 4,
                     capacity = 1 + std::int64_t(random() % 4);
  ir::Builder b("gating");
  const ValueId logits =
      b.input(InputKind::parameter, {DType::f64, {groups, tokens, experts}}, {}, "logits");
  const Gating gating = top2_gating(b, logits, capacity);
  for (const ValueId value : {gating.dispatch, gating.combine, gating.imbalance})
    b.output(value, OutputKind::value);
  const Program program = std::move(b).finish();
  // Few distinct numbers, so that gates are equal at times.
  ir::Tensor input{program.shape(logits), {}};
  for (std::int64_t i = 0; i < groups * tokens * experts; ++i)
    input.elements.push_back(0.5 * double(random() % 6));
  const std::vector<ir::Tensor> found =
      ir::evaluate(program, std::vector{input}, ir::Precision::f64);
  double imbalance = 0;
  std::size_t next = 0;
  for (std::int64_t g = 0; g < groups; ++g) {
    PlainGating plain{{}, capacity};
    for (std::int64_t t = 0; t < tokens; ++t) {
      const auto row = input.elements.begin() + (g * tokens + t) * experts;
      plain.logits.emplace_back(row, row + experts);
    }
    plain.run();
    imbalance += plain.imbalance;
    for (const auto& token : plain.combine)
      for (const auto& slots : token)
        for (const double weight : slots) {
          CHECK(found[0].elements[next] == (weight > 0 ? 1 : 0));
          CHECK(found[1].elements[next++] == Approx(weight).margin(1e-12));
        }
  }
  CHECK(next == found[1].elements.size());
  CHECK(found[2].elements.at(0) == Approx(imbalance));
}

TEST_CASE("the graph of every moe preset has the parameters and FLOPs of the closed formulas") {
  for (const std::string& name : moe_presets()) {
    CAPTURE(name);
    const MoeConfig config = moe_preset(name);
    const Program step = ir::training_step(moe_forward(config, 4), {});
    CHECK(ir::num_parameters(step) == moe_num_parameters(config));
    CHECK(ir::dot_flops(step) == Approx(moe_step_flops(config, 4)).epsilon(1e-12));
    CHECK(config.capacity == 2 * config.group / config.experts);
  }
}

TEST_CASE("moe presets are as large as their published names say") {
  const std::pair<const char*, double> published[] = {
      {"380m", 380e6}, {"690m", 690e6}, {"1.3b", 1.3e9}, {"2.4b", 2.4e9},
      {"10b", 10e9},   {"27b", 27e9},   {"70b", 70e9}};
  CHECK(std::size(published) + 2 == moe_presets().size());
  for (const auto& [name, count] : published) {
    CAPTURE(name);
    CHECK(double(moe_num_parameters(moe_preset(name))) == Approx(count).epsilon(0.04));
  }
}

TEST_CASE("sizes of a moe that do not fit are refused") {
  MoeConfig config = moe_preset("tiny");
  config.group = 48;
  CHECK_THROWS_WITH(moe_forward(config, 3),
                    "moe: groups of 48 tokens are no whole samples of 32, nor whole parts of one");
  config.group = 64;
  CHECK_THROWS_WITH(moe_forward(config, 3), Catch::Contains("do not divide into groups of 64"));
  config.experts = 1;
  CHECK_THROWS_WITH(moe_forward(config, 2), Catch::Contains("two experts"));
}
