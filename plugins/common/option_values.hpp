// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "rhino/error.hpp"
#include "rhino/options.hpp"

namespace rhino::common {

/// Whole numbers that an option may be; `most`: none is too large.
struct Range {
  std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
};

/// An option that counts something. Throws Error that says what it may be where it is not.
inline std::int64_t whole_option(const Options& options, const std::string& key,
                                 std::int64_t fallback, const Range& range) {
  const auto value = options.get<std::int64_t>(key, fallback);
  if (value >= range.least && value <= range.most) return value;
  const bool is_open = range.most == Range().most;
  throw Error("option '" + key + "' is " + std::to_string(value) + "; it must be " +
              (is_open ? "at least " : "from ") + std::to_string(range.least) +
              (is_open ? "" : " to " + std::to_string(range.most)));
}

/// An option that is one of some words, of which there are two at least.
inline std::string word_option(const Options& options, const std::string& key,
                               const std::string& fallback, const std::vector<std::string>& words) {
  const auto value = options.get<std::string>(key, fallback);
  if (std::ranges::find(words, value) != words.end()) return value;
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i)
    text += (i + 1 < words.size() ? ", " : " or ") + words[i];
  throw Error("option '" + key + "' is '" + value + "'; it must be " + text);
}

}  // namespace rhino::common
