// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "store/record.hpp"

namespace rhino::store {

/// A run's folder: `records.jsonl` (one line per cell, appended whole as each cell ends), `plans/`,
/// `traces/`, `logs/`.
class RunFolder {
 public:
  /// Makes `path`, or takes it up again where `resume` is set. A folder with records is refused
  /// otherwise. Throws Error.
  RunFolder(const std::string& path, bool resume);

  /// Records that are there already; the torn last line of a killed run is dropped.
  const std::vector<Record>& finished() const { return finished_; }

  /// Appends a record and forces it to disk.
  void append(const Record& record);

  /// Writes `text` to a file in the folder and returns its path relative to it.
  std::string write(const std::string& name, const std::string& text);
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::vector<Record> finished_;
};

/// All records of a run, torn last line dropped. Throws Error where there is no such run.
std::vector<Record> read_records(const std::string& folder);

}  // namespace rhino::store
