// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "evaluation.hpp"
#include "ir/hlo_text.hpp"
#include "rhino/error.hpp"

/// Imports of HLO text that tests write.
namespace rhino::testing {

using Numbers = std::vector<double>;

inline Program import(const std::string& instructions, const std::string& computations = "",
                      const ir::ImportOptions& options = {}) {
  return ir::parse_hlo("HloModule m\n" + computations + "ENTRY %main {\n" + instructions + "}\n",
                       "m.hlo", options);
}

inline void refuses(const std::string& instructions, const std::string& words,
                    const std::string& computations = "", const ir::ImportOptions& options = {}) {
  CHECK_THROWS_WITH(import(instructions, computations, options), Catch::Matchers::Contains(words));
}

/// Elements of output `output`.
inline Numbers output_of(const Program& program, const std::vector<ir::Tensor>& inputs,
                         std::size_t output = 0) {
  return ir::evaluate(program, inputs)[output].elements;
}

inline bool has(const Program& program, OpKind kind) {
  return std::ranges::any_of(program.ops, [&](const Op& op) { return op.kind == kind; });
}

/// Whole numbers from `low` to below `high`.
inline Numbers draw(std::mt19937& random, std::size_t count, int low, int high) {
  Numbers numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(low + static_cast<int>(random() % static_cast<unsigned>(high - low)));
  }
  return numbers;
}

}  // namespace rhino::testing
