// SPDX-License-Identifier: Apache-2.0
#include "store/run_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

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
Found read_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || !fs::is_regular_file(file)) throw Error(file + ": cannot be read");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) throw Error(file + ": cannot be read");
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

void write_through(const std::string& file, int flags, const std::string& text) {
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644);
  if (fd < 0) throw Error(file + ": cannot be written: " + std::strerror(errno));
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const std::string reason = std::strerror(errno);
      close(fd);
      throw Error(file + ": cannot be written: " + reason);
    }
    done += static_cast<std::size_t>(count);
  }
  fsync(fd);
  close(fd);
}

}  // namespace

RunFolder::RunFolder(const std::string& path, bool resume) : path_(path) {
  std::error_code error;
  fs::create_directories(path, error);
  for (const char* name : {"plans", "traces", "logs"})
    fs::create_directories(path + "/" + name, error);
  if (error) throw Error(path + ": cannot be made: " + error.message());
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
  Found found = read_file(file);
  if (found.lacks_newline) write_through(file, O_APPEND, "\n");
  if (!found.torn.empty()) {
    write_through(file + ".torn", O_APPEND, found.torn + "\n");
    fs::resize_file(file, found.whole_bytes);
  }
  return std::move(found.records);
}

void RunFolder::journal(const Record& record) {
  write_through(path(kRounds), O_APPEND, encode(record) + "\n");
}

const Record* RunFolder::journalled(const std::string& cell_id, std::int32_t case_index) const {
  const auto found = journalled_.find({cell_id, case_index});
  return found == journalled_.end() ? nullptr : &found->second;
}

void RunFolder::forget_rounds() { fs::remove(path(kRounds)); }

void RunFolder::append(const Record& record) {
  write_through(path(kRecords), O_APPEND, encode(record) + "\n");
}

std::string RunFolder::write(const std::string& name, const std::string& text) {
  write_through(path(name), O_TRUNC, text);
  return name;
}

std::vector<Record> read_records(const std::string& folder) {
  const std::string file = folder + "/records.jsonl";
  if (!fs::exists(file)) throw Error(folder + ": holds no run (no records.jsonl)");
  return read_file(file).records;
}

}  // namespace rhino::store
