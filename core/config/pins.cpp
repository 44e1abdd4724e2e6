// SPDX-License-Identifier: Apache-2.0
#include "config/pins.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "config/value_pattern.hpp"
#include "rhino/error.hpp"

namespace rhino::config {
namespace {

std::vector<std::string> words(const YamlReader& node) {
  std::vector<std::string> words;
  for (const YamlReader& item : node.items()) words.push_back(item.string());
  return words;
}

Pin pin_of(const PinRule& rule, const Program& program, ValueId value) {
  Pin pin{value, {}};
  for (const std::string& dim : rule.split) {
    pin.dims.push_back(dim_number(program, value, dim));
    const Op& op = program.producer(value);
    if (pin.dims.back() < 0)
      throw Error(rule.place + ": '" + op.name + "' " + rhino::to_string(op.shape) +
                  " has no dim '" + dim + "'");
  }
  std::ranges::sort(pin.dims);
  if (const auto twice = std::ranges::adjacent_find(pin.dims); twice != pin.dims.end())
    throw Error(rule.place + ": dim " + std::to_string(*twice) + " of '" +
                program.producer(value).name + "' is to be split twice");
  return pin;
}

}  // namespace

std::vector<PinRule> read_pins(const YamlReader& node) {
  std::vector<PinRule> rules;
  for (const YamlReader& item : node.items()) {
    rules.push_back({words(item.at("match")), words(item.at("split")), item.place()});
    item.finish();
  }
  return rules;
}

std::string to_string(const PinRule& rule) {
  std::string text = "pin";
  for (const std::string& pattern : rule.match) text += " " + pattern;
  text += " split";
  for (const std::string& dim : rule.split) text += " " + dim;
  return text;
}

std::vector<Pin> pins_of(const std::vector<PinRule>& rules, const Program& program) {
  std::vector<Pin> pins;
  std::map<ValueId, const PinRule*> first;  // that pins it
  const auto add = [&](const PinRule& rule, Pin pin) {
    const auto [known, is_new] = first.emplace(pin.value, &rule);
    if (is_new) return pins.push_back(std::move(pin));
    if (std::ranges::find(pins, pin) == pins.end())
      throw Error(rule.place + ": '" + program.producer(pin.value).name +
                  "' is pinned otherwise at " + known->second->place);
  };
  for (const PinRule& rule : rules) {
    for (const std::string& pattern : rule.match) {
      std::vector<ValueId> values = matching_values(program, pattern, true);
      const std::vector<ValueId> others = matching_values(program, pattern, false);
      values.insert(values.end(), others.begin(), others.end());
      if (values.empty())
        throw Error(rule.place + ": pattern '" + pattern + "' matches no value of the program");
      for (const ValueId value : values) add(rule, pin_of(rule, program, value));
    }
  }
  return pins;
}

}  // namespace rhino::config
