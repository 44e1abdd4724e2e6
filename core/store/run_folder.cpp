// SPDX-License-Identifier: Apache-2.0
#include "store/run_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "rhino/error.hpp"

namespace rhino::store {
namespace {

namespace fs = std::filesystem;

/// Lines of a file that end in a newline; `whole_bytes` is where the last of them ends.
std::vector<std::string> whole_lines(const std::string& file, std::uintmax_t& whole_bytes) {
  std::vector<std::string> lines;
  std::ifstream stream(file, std::ios::binary);
  whole_bytes = 0;
  for (std::string line; std::getline(stream, line) && !stream.eof();) {
    whole_bytes += line.size() + 1;
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
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
  const std::string records = this->path("records.jsonl");
  if (!fs::exists(records)) return;
  if (!resume)
    throw Error(path + ": holds a run already; give another folder with --out, or --resume");
  std::uintmax_t whole_bytes = 0;
  for (const std::string& line : whole_lines(records, whole_bytes))
    finished_.push_back(decode_record(line, records));
  fs::resize_file(records, whole_bytes);
}

void RunFolder::append(const Record& record) {
  write_through(path("records.jsonl"), O_APPEND, encode(record) + "\n");
}

std::string RunFolder::write(const std::string& name, const std::string& text) {
  write_through(path(name), O_TRUNC, text);
  return name;
}

std::vector<Record> read_records(const std::string& folder) {
  const std::string file = folder + "/records.jsonl";
  if (!fs::exists(file)) throw Error(folder + ": holds no run (no records.jsonl)");
  std::uintmax_t whole_bytes = 0;
  std::vector<Record> records;
  for (const std::string& line : whole_lines(file, whole_bytes))
    records.push_back(decode_record(line, file));
  return records;
}

}  // namespace rhino::store
