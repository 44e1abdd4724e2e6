// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/few.hpp"

/// StableHLO text as written, pretty and generic forms alike, before any of it has a meaning.
/// Everything is a view into the text, which must outlive it.
namespace rhino::ir::stablehlo {

/// A few `key = value`, found by looking through them. Of equal keys the first one counts.
class Pairs {
 public:
  /// What stands for `key`; empty without it.
  std::string_view operator[](std::string_view key) const {
    for (const auto& [held, value] : pairs_) {
      if (held == key) return value;
    }
    return {};
  }
  bool contains(std::string_view key) const {
    return std::ranges::any_of(pairs_, [&](const auto& pair) { return pair.first == key; });
  }
  void add(std::string_view key, std::string_view value) { pairs_.push_back({key, value}); }
  void add(const Pairs& more) {
    for (const auto& pair : more.pairs_) pairs_.push_back(pair);
  }

 private:
  Few<std::pair<std::string_view, std::string_view>, 2> pairs_;
};

struct Region;
using Types = Few<std::string_view, 2>;

/// `%r:2 = stablehlo.name %a, %b, key = value, WORD [..] (regions) : (types) -> types loc(..)`
struct Op {
  std::string_view name;                       ///< without dialect quotes: `stablehlo.add`
  std::string_view result;                     ///< without `%`; empty: none
  std::vector<std::string_view> more_results;  ///< of `%values, %indices = ...`
  Few<std::string_view, 3> operands;           ///< without `%`, with `#k`
  Pairs attributes;
  Few<std::string_view, 1> words;  ///< `LT`, `applies`, `dense<..>`, `@callee`, `[..]`
  Types operand_types, result_types;
  std::vector<Region> regions;
  std::string_view location;  ///< `#loc3`, or what stands between the parentheses
  std::int32_t line = 0, column = 0;
};

struct Argument {
  std::string_view name, type, attributes, location;
};

struct Region {
  std::vector<Argument> arguments;
  std::vector<Op> ops;
};

struct Function {
  std::string_view name;
  bool is_private = false;
  Region body;
  std::int32_t line = 0, column = 0;
};

struct Module {
  std::string_view name;
  std::vector<Function> functions;
  std::map<std::string_view, std::string_view> locations;  ///< `#loc3` to what it stands for
};

/// Throws Error `file:line:column: ...`.
Module parse_module(std::string_view text, const std::string& file);

/// Pieces between commas outside of brackets and strings, trimmed.
std::vector<std::string_view> split_list(std::string_view text);
/// `key = value` pairs of a list of such, or what stands in `#stablehlo.x<...>` or braces.
Pairs read_pairs(std::string_view text);

}  // namespace rhino::ir::stablehlo
