// SPDX-License-Identifier: Apache-2.0
#include "commands/progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace rhino::commands {
namespace {
constexpr const char* kClearLine = "\r\033[K";
}

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::set_count(std::int64_t done, std::int64_t total) {
  done_ = done;
  total_ = total;
}

void Progress::show(const std::string& what) {
  if (!terminal_) return;
  std::fprintf(stderr, "%s[%lld/%lld] %s", kClearLine, static_cast<long long>(done_),
               static_cast<long long>(total_), what.c_str());
  std::fflush(stderr);
}

void Progress::clear() {
  if (terminal_) std::fputs(kClearLine, stderr);
}

void Progress::print(const std::string& line) {
  std::printf("[%lld/%lld] %s\n", static_cast<long long>(done_), static_cast<long long>(total_),
              line.c_str());
  std::fflush(stdout);
}

}  // namespace rhino::commands
