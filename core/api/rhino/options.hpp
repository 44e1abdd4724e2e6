// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rhino/error.hpp"

namespace rhino {

/// A value as YAML gives it, by its look: `8`, `8KiB` and `8e9` are integers, `8.0` is a number,
/// `yes` and whatever is quoted a string.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

/// The typed options of one plugin, as the experiment gives them:
///
///     search: {search/grid: {max_results: 8}}
///     options.get<std::int64_t>("max_results", 4)    in the constructor of Grid: 8
///
/// A plugin reads all of them in its constructor, whether it will need them or not. Reading one
/// marks it; one that was given and is unmarked when the constructor returns is an error of the
/// user's, who is told the nearest name that was asked for. The object is valid in the constructor
/// only: keep the values, not a reference.
class Options {
 public:
  Options() = default;
  explicit Options(std::map<std::string, OptionValue> values) : values_(std::move(values)) {}

  /// The option `key`, or `fallback` where it is not given. T: bool, std::int64_t, double (an
  /// integer will do) or std::string; write it out, since a literal is of another type (int, char
  /// array). Throws Error when the value has another type. Whether it makes sense is the plugin's
  /// to check: it throws an Error that says what is allowed.
  template <class T>
  T get(const std::string& key, T fallback) const {
    const auto found = values_.find(key);
    read_.insert(key);
    if (found == values_.end()) return fallback;
    if (const T* value = std::get_if<T>(&found->second)) return *value;
    if constexpr (std::is_same_v<T, double>) {
      if (const auto* whole = std::get_if<std::int64_t>(&found->second))
        return static_cast<double>(*whole);
    }
    throw Error("option '" + key + "' has the wrong type; it must be " +
                type_name(OptionValue(fallback)));
  }

  /// Keys that were given and never read, in order. [called by the loader, after the constructor]
  std::vector<std::string> unread() const {
    std::vector<std::string> keys;
    for (const auto& [key, value] : values_) {
      if (!read_.contains(key)) keys.push_back(key);
    }
    return keys;
  }

  /// Keys that were asked for, given or not: the candidates of a "did you mean".
  const std::set<std::string>& asked() const { return read_; }
  /// All that was given.
  const std::map<std::string, OptionValue>& values() const { return values_; }

 private:
  /// In the order of OptionValue, for people.
  static std::string type_name(const OptionValue& value) {
    constexpr const char* kNames[] = {"true or false", "an integer", "a number", "a string"};
    return kNames[value.index()];
  }

  std::map<std::string, OptionValue> values_;
  mutable std::set<std::string> read_;  ///< asking is const for the plugin
};

}  // namespace rhino
