// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>

#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "searching.hpp"

/// What tests of searchers begin with. RHINO_TEST_PLUGINS is the folder of the plugins.
namespace rhino::test {

inline const plugin::Registry& plugins() {
  static const plugin::Registry kPlugins({RHINO_TEST_PLUGINS});
  return kPlugins;
}

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct GptSize {
  std::int64_t num_layers = 1, hidden = 24, sequence = 12, batch = 8;
};

/// A training step.
inline Program gpt(const GptSize& size) {
  return ir::training_step(models::gpt_forward({.preset = "toy",
                                                .num_layers = size.num_layers,
                                                .hidden = size.hidden,
                                                .num_heads = 4,
                                                .vocabulary = 64,
                                                .sequence = size.sequence},
                                               size.batch),
                           {});
}

}  // namespace rhino::test
