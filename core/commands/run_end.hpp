// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "codec/text_file.hpp"
#include "measure/named_cells.hpp"

namespace rhino::commands {

/// Why and how a run ends before its last cell: a signal, its deadline, or no room for its results.
/// One per process, which takes the signals.
class RunEnd {
 public:
  /// Seconds; 0: none.
  explicit RunEnd(double deadline_s);

  bool has_come() const;
  void note(const codec::OutputError& error) { no_room_ = error.what(); }
  /// Says why, and which cells are `left`, and gives the exit code.
  int report(const std::vector<measure::NamedCell>& left, const std::string& folder) const;

 private:
  std::string reason() const;
  bool is_late() const;

  double deadline_s_;
  std::string no_room_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace rhino::commands
