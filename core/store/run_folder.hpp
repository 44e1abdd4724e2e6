// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/record.hpp"
#include "store/run_owner.hpp"

namespace rhino::store {

/// A run's folder: `records.jsonl` (one line per cell, appended whole as its case ends), `plans/`,
/// `traces/`, `logs/`, and `owner`, which says who writes here and is locked as long as that
/// process lives.
class RunFolder {
 public:
  /// Makes `path`, or takes it up again where `resume` is set: the torn last line of a killed run
  /// is set aside in a file of its own. A folder with records is refused otherwise; one that
  /// another run writes, or with lines that cannot be read, always. Throws Error.
  RunFolder(const std::string& path, bool resume);

  /// Records that are there already.
  const std::vector<Record>& finished() const { return finished_; }

  /// Appends a record and forces it to disk. Throws codec::OutputError.
  void append(const Record& record);

  /// Notes, in `rounds.jsonl`, what a cell has come to after each of its rounds, until the records
  /// of its case are appended. Throws codec::OutputError.
  void journal(const Record& record);
  void forget_rounds();
  /// What an earlier session of the run noted last of this cell; nullptr: nothing.
  const Record* journalled(const std::string& cell_id, std::int32_t case_index) const;

  /// Writes `text` to a file in the folder and returns its path relative to it. Throws
  /// codec::OutputError.
  std::string write(const std::string& name, const std::string& text);
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::vector<Record> take_up(const std::string& name);

  std::string path_;
  std::optional<RunOwner> owner_;
  std::vector<Record> finished_;
  std::map<std::pair<std::string, std::int32_t>, Record> journalled_;
};

/// All records of a run, a torn last line left out. Throws Error where there is no such run.
std::vector<Record> read_records(const std::string& folder);
/// What it noted of cases that it has not recorded; none: there is no such file.
std::vector<Record> read_journal(const std::string& folder);
/// Of that the last of each cell, in the order of their first rounds: what a case that goes on, or
/// was cut, has come to so far.
std::vector<Record> read_unfinished(const std::string& folder);

}  // namespace rhino::store
