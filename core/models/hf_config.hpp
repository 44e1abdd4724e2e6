// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "rhino/options.hpp"

namespace rhino::models {

/// A built-in model with options, as build_forward() takes them.
struct HfModel {
  std::string model;
  std::map<std::string, OptionValue> options;
};

/// The model that the config.json at `path`, of Hugging Face's transformers, describes: gpt2, bert
/// (with its head of words), llama, mixtral (capacity as a moe's) or t5. `sequence` is the longest
/// that the model was made for. GELU is computed by tanh, whichever form the file names; there is
/// no dropout. Throws Error that names the file: of another model_type, where a field is missing,
/// is not known, or says what the built-in model does not compute.
HfModel read_hf_config(const std::string& path);

}  // namespace rhino::models
