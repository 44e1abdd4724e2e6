// SPDX-License-Identifier: Apache-2.0
#include "commands/progress.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "report/table.hpp"

namespace rhino::commands {
namespace {

constexpr const char* kClearLine = "\r\033[K";

/// Lines that a text takes on a terminal.
std::int64_t num_lines(const std::string& text, const winsize& window) {
  std::int64_t count = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    count += 1 + (std::ssize(line) - 1) / std::max<std::int64_t>(1, window.ws_col);
  return count;
}

}  // namespace

Progress::Progress(std::FILE* out)
    : out_(out), has_line_(isatty(STDERR_FILENO) == 1), has_table_(isatty(fileno(out)) == 1) {}

void Progress::show(const std::string& what) {
  if (!has_line_) return;
  fmt::print(stderr, "{}[{}/{}] {}", kClearLine, std::min(done_ + 1, total_), total_, what);
  std::fflush(stderr);
}

void Progress::clear() {
  if (has_line_) std::fputs(kClearLine, stderr);
  if (table_lines_ > 0) fmt::print(out_, "\033[{}A\033[J", table_lines_);
  std::fflush(out_);
  table_lines_ = 0;
}

void Progress::show_rows(const std::vector<store::Record>& records, std::size_t news) {
  if (!has_table_) {
    const store::Record& record = records[news];
    if (record.rounds.size() <= 1 && record.twin_rounds.empty()) print(record);
    return;
  }
  clear();
  winsize window{};
  ioctl(fileno(out_), TIOCGWINSZ, &window);
  const std::string text = report::result_table(records);
  const std::int64_t lines = num_lines(text, window);
  if (lines >= window.ws_row) return;  // what has left the screen cannot be overwritten
  fmt::print(out_, "{}", text);
  std::fflush(out_);
  table_lines_ = lines;
}

void Progress::keep_rows(const std::vector<store::Record>& records) {
  clear();
  for (const store::Record& record : records) {
    ++done_;
    if (has_table_ || record.rounds.size() > 1) print(record);
  }
}

void Progress::print(const store::Record& record) {
  if (has_line_) std::fputs(kClearLine, stderr);
  fmt::print(out_, "{}\n", report::result_line(record));
  std::fflush(out_);
}

}  // namespace rhino::commands
