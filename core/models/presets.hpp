// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rhino/error.hpp"

namespace rhino::models {

/// The entry of `presets`, configurations that have a name in `preset`, that is called `name`.
/// Throws Error with the known names.
template <class Config, std::size_t num>
Config find_preset(const Config (&presets)[num], const std::string& model,
                   const std::string& name) {
  std::string known;
  for (const Config& preset : presets) {
    if (preset.preset == name) return preset;
    known += (known.empty() ? "" : ", ") + preset.preset;
  }
  throw Error("no " + model + " preset '" + name + "'; known: " + known);
}

template <class Config, std::size_t num>
std::vector<std::string> preset_names(const Config (&presets)[num]) {
  std::vector<std::string> names;
  for (const Config& preset : presets) names.push_back(preset.preset);
  return names;
}

/// Of a model, by its preset if it is of one.
inline std::string program_name(const std::string& model, const std::string& preset) {
  return model + (preset.empty() ? "" : "-" + preset);
}

}  // namespace rhino::models
