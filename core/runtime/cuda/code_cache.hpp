// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace rhino::runtime::cuda {

/// Compiled code in files of a folder. What is not there, damaged or cannot be written is compiled
/// again. Processes may keep and find the same at once: a file is put in its place whole.
class CodeCache {
 public:
  /// Empty: keeps nothing.
  explicit CodeCache(std::string folder) : folder_(std::move(folder)) {}
  bool keeps() const { return !folder_.empty(); }
  /// `key`: all that the code depends on.
  std::optional<std::string> find(const std::string& key) const;
  void keep(const std::string& key, const std::string& code) const;
  /// What is kept, else what `make` returns, which is kept from then on. Of processes and threads
  /// that want the same at once one makes it, as far as files can tell whose turn it is. For the
  /// others nothing comes meanwhile if they wait, and `make` is theirs, too, if they do not.
  std::optional<std::string> code(const std::string& key, bool waits,
                                  const std::function<std::string()>& make) const;

 private:
  std::string path_of(const std::string& key) const;
  std::string folder_;
};

}  // namespace rhino::runtime::cuda
