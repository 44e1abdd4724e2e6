// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace rhino::runtime::cuda {

/// Compiled code in files of a folder. What is not there, damaged or cannot be written is compiled
/// again. Processes may keep and find the same at once: a file is put in its place whole.
class CodeCache {
 public:
  /// Empty: keeps nothing.
  explicit CodeCache(std::string folder) : folder_(std::move(folder)) {}
  /// `key`: all that the code depends on.
  std::optional<std::string> find(const std::string& key) const;
  void keep(const std::string& key, const std::string& code) const;

 private:
  std::string path_of(const std::string& key) const;
  std::string folder_;
};

}  // namespace rhino::runtime::cuda
