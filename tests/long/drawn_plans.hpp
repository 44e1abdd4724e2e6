// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <utility>

#include "gpt_plans.hpp"
#include "ir/training_step.hpp"
#include "models/catalog.hpp"
#include "models/models.hpp"

/// Plans of two workers, of models that are drawn, or named.
namespace rhino {

using Random = std::mt19937_64;

/// Below `bound`.
inline std::int64_t draw(Random& random, std::int64_t bound) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
}

inline std::int64_t from_environment(const char* name, std::int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoll(text, nullptr, 10);
}

template <class T>
T one_of(Random& random, std::initializer_list<T> values) {
  return std::data(values)[draw(random, static_cast<std::int64_t>(values.size()))];
}

struct Drawn {
  std::string label;
  plan::ExecutionPlan plan;
};

/// NAME OPTION=VALUE ...
inline Drawn named_plan(const std::string& text, std::int64_t num_micro_batches) {
  std::istringstream words(text);
  std::string model, word;
  words >> model;
  std::map<std::string, OptionValue> options;
  while (words >> word) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    const bool is_number = value.find_first_not_of("0123456789") == std::string::npos;
    options[key] =
        is_number && key != "preset" ? OptionValue(std::stol(value)) : OptionValue(value);
  }
  const std::int64_t batch = from_environment("RHINO_BATCH", 32);
  const models::Forward forward = models::build_forward(model, Options(options), batch, DType::f32);
  return {fmt::format("{}, batch {} in {}", text, batch, num_micro_batches),
          plan_of(kData, num_micro_batches, ir::training_step(forward.program, {}))};
}

/// As predictions_test.py draws its cells.
inline Drawn draw_plan(Random& random) {
  Split split;
  const std::int64_t num_micro_batches = one_of<std::int64_t>(random, {2, 4});
  if (const char* model = std::getenv("RHINO_MODEL")) return named_plan(model, num_micro_batches);
  std::string label;
  Program forward;
  if (draw(random, 3) > 0) {
    models::GptConfig gpt;
    gpt.num_heads = one_of<std::int64_t>(random, {4, 6, 10});
    gpt.hidden = gpt.num_heads * one_of<std::int64_t>(random, {40, 48, 56});
    gpt.num_layers = 2 + draw(random, 3);
    gpt.sequence = one_of<std::int64_t>(random, {96, 160, 224});
    gpt.vocabulary = one_of<std::int64_t>(random, {1500, 3000, 5000});
    const std::int64_t batch = one_of<std::int64_t>(random, {8, 16});
    forward = models::gpt_forward(gpt, batch);
    split = one_of(random, {kData, kTensor, kStage});
    label = fmt::format("gpt of {} x {}, {} heads, sequence {}, {} words, batch {} in {}",
                        gpt.num_layers, gpt.hidden, gpt.num_heads, gpt.sequence, gpt.vocabulary,
                        batch, num_micro_batches);
  } else {
    const std::int64_t width = one_of<std::int64_t>(random, {320, 448, 576, 704}),
                       depth = 3 + draw(random, 6),
                       batch = one_of<std::int64_t>(random, {192, 384});
    forward = models::branching_forward(batch, width, depth);
    split = kData;
    label =
        fmt::format("branching of {} x {}, batch {} in {}", depth, width, batch, num_micro_batches);
  }
  for (const auto& [name, value] : split.sizes)
    label += fmt::format(", {} {}", name, std::get<std::int64_t>(value));
  return {label + ", " + split.strategy,
          plan_of(split, num_micro_batches, ir::training_step(forward, {}))};
}

}  // namespace rhino
