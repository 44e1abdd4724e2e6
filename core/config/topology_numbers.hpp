// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "config/yaml_reader.hpp"
#include "plugin/suggest.hpp"

/// Numbers of a topology, within the limits of each kind. All throw Error with the place.
namespace rhino::config {

inline constexpr std::int64_t kMostDevices = 65536;
/// Within these, times of a plan can be added up.
inline constexpr double kLeastRate = 1e-3, kMostRate = 1e30, kMostLatency_s = 1e6,
                        kMostFactor = 1e6;

inline double checked_positive(const YamlReader& node, double value) {
  if (value <= 0) node.fail("it must be greater than 0");
  return value;
}

inline double positive(const YamlReader& node, const std::string& key) {
  return checked_positive(node.at(key), node.at(key).number());
}

/// Of bytes, or of bytes per second.
inline double positive_bytes(const YamlReader& node, const std::string& key) {
  return checked_positive(node.at(key), node.at(key).bytes());
}

inline double checked_rate(const YamlReader& node, double value) {
  if (!(checked_positive(node, value) >= kLeastRate && value <= kMostRate))
    node.fail("a rate is from 1e-3 to 1e30 per second");
  return value;
}

/// Of bytes.
inline double rate(const YamlReader& node, const std::string& key) {
  return checked_rate(node.at(key), node.at(key).bytes());
}

/// `what` takes it.
inline double checked_latency(const YamlReader& node, double value, const std::string& what) {
  if (!(value >= 0)) node.fail(what + " takes no time below 0");
  if (!(value <= kMostLatency_s)) node.fail(what + " takes at most 1e6 seconds");
  return value;
}

inline double latency(const YamlReader& node, const std::string& key, double fallback,
                      const std::string& what) {
  return node.has(key) ? checked_latency(node.at(key), node.at(key).number(), what) : fallback;
}

/// 1 where it is missing.
inline double factor(const YamlReader& node, const std::string& key, const std::string& why = "") {
  const double value = node.number(key, 1);
  if (!(value >= 1)) node.at(key).fail("it must be 1 or more" + why);
  if (!(value <= kMostFactor)) node.at(key).fail("it must be 1e6 or less");
  return value;
}

inline std::int64_t in_range(const YamlReader& node, const std::string& key,
                             const std::optional<std::int64_t>& fallback, std::int64_t least,
                             std::int64_t most) {
  if (fallback && !node.has(key)) return *fallback;
  return node.at(key).integer_in(least, most);
}

/// Which of `names` a key says; the first where it is missing.
template <std::size_t kCount>
std::size_t choice(const YamlReader& node, const std::string& key,
                   const std::array<const char*, kCount>& names, const std::string& fallback) {
  const std::string word = node.string(key, fallback);
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end())
    node.at(key).fail("unknown " + key + " '" + word + "'" +
                      plugin::suggestion(word, {names.begin(), names.end()}));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace rhino::config
