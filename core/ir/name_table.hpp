// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace rhino::ir {

/// Numbers names in the order in which they come: 0, 1, ... The texts must outlive it. One
/// allocation for many names, where a map takes one for each.
class NameTable {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  explicit NameTable(std::size_t expected = 8) {
    std::size_t places = 16;
    while (places < 2 * expected) places *= 2;
    places_.resize(places);
    names_.reserve(expected);
  }

  std::size_t size() const { return names_.size(); }
  /// kNone: there is none of that name.
  std::size_t find(std::string_view name) const { return places_[place_of(name)] - std::size_t{1}; }
  /// The number of `name`, new where it is size() - 1 afterwards and was not before.
  std::size_t insert(std::string_view name) {
    if (2 * names_.size() >= places_.size()) grow();
    std::size_t& place = places_[place_of(name)];
    if (place != 0) return place - 1;
    names_.push_back(name);
    place = names_.size();
    return place - 1;
  }

 private:
  /// Of short names all bytes at once.
  static std::size_t hash(std::string_view name) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    if (name.size() > kWord) return std::hash<std::string_view>()(name);
    std::uint64_t bits = 0;
    for (const char c : name) bits = bits << 8 | static_cast<unsigned char>(c);
    bits *= 0x9E3779B97F4A7C15;
    return static_cast<std::size_t>(bits ^ bits >> 32);
  }

  /// Where `name` is, or would be.
  std::size_t place_of(std::string_view name) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = hash(name) & mask;
    while (places_[place] != 0 && names_[places_[place] - 1] != name) place = (place + 1) & mask;
    return place;
  }

  void grow() {
    places_.assign(2 * places_.size(), 0);
    for (std::size_t i = 0; i < names_.size(); ++i) places_[place_of(names_[i])] = i + 1;
  }

  std::vector<std::string_view> names_;
  std::vector<std::size_t> places_;  ///< number + 1 of the name there; 0: free
};

}  // namespace rhino::ir
