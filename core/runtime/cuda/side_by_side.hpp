// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rhino::runtime::cuda {

/// How each of several codes is made.
struct CodeMaker {
  /// Code `i`; none where `waits` and another process is just making it, which is asked for again.
  /// [any thread] [may throw]
  std::function<std::optional<std::string>(std::size_t i, bool waits)> code;
  /// The longest are made first.
  std::function<std::size_t(std::size_t i)> size;
  /// Called behind each. [any thread, one at a time]
  std::function<void()> moves_on;
};

/// All of `count` codes, made by `num_threads` threads, the calling one among them. Throws what the
/// first one throws, by number, that cannot be made.
std::vector<std::string> side_by_side(std::size_t count, int num_threads, const CodeMaker& maker);

}  // namespace rhino::runtime::cuda
