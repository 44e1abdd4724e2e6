// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/yaml_reader.hpp"
#include "rhino/search.hpp"

namespace rhino::config {

/// `pin:` beside a searcher, `{match: "*.attn.qkv.weight", split: heads}`: what a person has
/// decided, all else being searched.
struct PinRule {
  std::vector<std::string> match;  ///< as of a strategy file's rules
  std::vector<std::string> split;  ///< dims, by name or number, that are split, and no others
  std::string place;               ///< file:line
  bool operator==(const PinRule& other) const {
    return match == other.match && split == other.split;
  }
};

std::vector<PinRule> read_pins(const YamlReader& node);
std::string to_string(const PinRule& rule);

/// Of a program, each value once. Throws Error, naming the place: there is no such value or dim, a
/// dim is named twice, or pins of a value contradict each other.
std::vector<Pin> pins_of(const std::vector<PinRule>& rules, const Program& program);

}  // namespace rhino::config
