// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace rhino {

/// The one exception of the project: a sentence for the user that names the place (`file:line: ...`
/// where there is one). A plugin throws it where it cannot answer. The sentence, with the plugin's
/// id in front, becomes the message of its cell, which has failed, or, while a searcher prices
/// strategies, the reason why that one is infeasible; all other cells run. Any other exception of
/// a plugin fails its cell, whoever asked, in less helpful words.
///
/// Inline with default visibility, so that one thrown inside a plugin is caught outside of it.
class __attribute__((visibility("default"))) Error : public std::runtime_error {
 public:
  /// `sentence`: without a full stop, since callers put their place or plugin in front of it.
  explicit Error(const std::string& sentence) : std::runtime_error(sentence) {}
};

}  // namespace rhino
