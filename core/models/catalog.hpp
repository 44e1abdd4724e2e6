// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/options.hpp"
#include "rhino/program.hpp"

namespace rhino::models {

/// The forward pass of a model at global batch, and what records say of it.
struct Forward {
  Program program;
  std::int64_t tokens_per_sample = 0;  ///< 0: it has none
  /// What model FLOPs count.
  std::string flops_formula = "dots of the graph";
};

/// The built-in models, by the word that stands in an experiment: `gpt`, `branching`, ...
std::vector<std::string> model_names();

/// Whether `model` has dtypes of its own, so that `dtype`, `parameters` and `gradients` are no
/// options of it.
bool has_own_dtypes(const std::string& model);

/// Reads all options of `model`, one of model_names(), but those of its dtypes, and builds it.
/// Throws Error.
Forward build_forward(const std::string& model, const Options& options, std::int64_t batch,
                      DType dtype);

}  // namespace rhino::models
