// SPDX-License-Identifier: Apache-2.0
#include "store/run_folder.hpp"

#include <algorithm>
#include <filesystem>

#include "codec/text_file.hpp"
#include "rhino/error.hpp"

namespace rhino::store {
namespace {

namespace fs = std::filesystem;

constexpr const char *kRecords = "records.jsonl", *kRounds = "rounds.jsonl";

/// A file of records as it was found.
struct Found {
  std::vector<Record> records;
  std::uintmax_t whole_bytes = 0;  ///< of the lines that end
  std::string torn;                ///< what a killed run left of its last line
  bool lacks_newline = false;      ///< behind a last record that is whole
};

/// Throws Error where it, or a line that ends, cannot be read.
Found find_records(const std::string& file) {
  const std::string text = codec::read_file(file);
  Found found;
  int number = 1;
  for (std::size_t end; (end = text.find('\n', found.whole_bytes)) != std::string::npos; ++number) {
    const std::string line = text.substr(found.whole_bytes, end - found.whole_bytes);
    if (!line.empty())
      found.records.push_back(decode_record(line, file + ":" + std::to_string(number)));
    found.whole_bytes = end + 1;
  }
  const std::string rest = text.substr(found.whole_bytes);
  if (rest.empty()) return found;
  try {
    found.records.push_back(decode_record(rest, file));
    found.lacks_newline = true;
  } catch (const Error&) {
    found.torn = rest;
  }
  return found;
}

}  // namespace

RunFolder::RunFolder(const std::string& path, bool resume) : path_(path) {
  std::error_code error;
  fs::create_directories(path, error);
  for (const char* name : {"plans", "traces", "logs"})
    fs::create_directories(path + "/" + name, error);
  if (error) throw Error(path + ": cannot be made: " + error.message());
  owner_.emplace(path);
  if (!resume && (fs::exists(this->path(kRecords)) || fs::exists(this->path(kRounds))))
    throw Error(path + ": holds a run already; give another folder with --out, or --resume");
  finished_ = take_up(kRecords);
  for (Record& record : take_up(kRounds))
    journalled_[{record.cell_id, record.case_index}] = std::move(record);
}

/// Nothing is lost: what is torn is set aside.
std::vector<Record> RunFolder::take_up(const std::string& name) {
  const std::string file = path(name);
  if (!fs::exists(file)) return {};
  Found found = find_records(file);
  if (found.lacks_newline) codec::append_to_file(file, "\n");
  if (!found.torn.empty()) {
    codec::append_to_file(file + ".torn", found.torn + "\n");
    fs::resize_file(file, found.whole_bytes);
  }
  return std::move(found.records);
}

void RunFolder::journal(const Record& record) {
  codec::append_to_file(path(kRounds), encode(record) + "\n");
}

const Record* RunFolder::journalled(const std::string& cell_id, std::int32_t case_index) const {
  const auto found = journalled_.find({cell_id, case_index});
  return found == journalled_.end() ? nullptr : &found->second;
}

void RunFolder::forget_rounds() { fs::remove(path(kRounds)); }

void RunFolder::append(const Record& record) {
  codec::append_to_file(path(kRecords), encode(record) + "\n");
}

std::string RunFolder::write(const std::string& name, const std::string& text) {
  codec::write_file(path(name), text);
  return name;
}

std::vector<Record> read_records(const std::string& folder) {
  const std::string file = folder + "/records.jsonl";
  if (!fs::exists(file)) throw Error(folder + ": holds no run (no records.jsonl)");
  return find_records(file).records;
}

std::vector<Record> read_journal(const std::string& folder) {
  const std::string file = folder + "/" + kRounds;
  return fs::exists(file) ? find_records(file).records : std::vector<Record>();
}

std::vector<Record> read_unfinished(const std::string& folder) {
  const auto find_in = [](std::vector<Record>& all, const Record& one) {
    return std::ranges::find_if(all, [&](const Record& other) {
      return other.cell_id == one.cell_id && other.case_index == one.case_index;
    });
  };
  std::vector<Record> journal = read_journal(folder), recorded, last;
  const std::string file = folder + "/" + kRecords;
  if (!journal.empty() && fs::exists(file)) recorded = find_records(file).records;
  for (Record& noted : journal) {
    if (find_in(recorded, noted) != recorded.end()) continue;
    const auto known = find_in(last, noted);
    if (known == last.end()) last.push_back(std::move(noted));
    else *known = std::move(noted);
  }
  return last;
}

}  // namespace rhino::store
