// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace rhino::commands {

/// What the run is doing: one line that is overwritten on a terminal, nothing elsewhere. Finished
/// lines stay.
class Progress {
 public:
  Progress();
  void set_count(std::int64_t done, std::int64_t total);
  void show(const std::string& what);
  void clear();
  /// A line that stays.
  void print(const std::string& line);

 private:
  bool terminal_;
  std::int64_t done_ = 0, total_ = 0;
};

}  // namespace rhino::commands
