// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "store/record.hpp"

namespace rhino::commands {

/// What the run is doing. On a terminal: one line that is overwritten, and the table of the case at
/// hand, whose rows tighten as rounds come in. Elsewhere a line per cell, as its first round ends
/// and as its case ends.
class Progress {
 public:
  /// Lines that stay go to `out`.
  explicit Progress(std::FILE* out);
  void set_total(std::int64_t num_cells) { total_ = num_cells; }
  void show(const std::string& what);
  /// The records of the case at hand, one of which has news.
  void show_rows(const std::vector<store::Record>& records, std::size_t news);
  /// Those that it came to; none: it was cut.
  void keep_rows(const std::vector<store::Record>& records);

 private:
  void clear();
  void print(const store::Record& record);

  std::FILE* out_;
  const bool has_line_, has_table_;  ///< standard error, `out` is a terminal
  std::int64_t done_ = 0, total_ = 0;
  std::int64_t table_lines_ = 0;
};

}  // namespace rhino::commands
