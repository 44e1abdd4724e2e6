// SPDX-License-Identifier: Apache-2.0
#include "commands/run_end.hpp"

#include <fmt/core.h>
#include <signal.h>

#include <cstring>

#include "commands/commands.hpp"

namespace rhino::commands {
namespace {

volatile sig_atomic_t end_signal = 0;
void on_signal(int number) { end_signal = number; }

}  // namespace

RunEnd::RunEnd(double deadline_s) : deadline_s_(deadline_s) {
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    const bool is_nohup = number == SIGHUP && before.sa_handler == SIG_IGN;
    if (!is_nohup) sigaction(number, &action, nullptr);
  }
}

bool RunEnd::has_come() const { return end_signal != 0 || is_late() || !no_room_.empty(); }

int RunEnd::report(const std::vector<measure::NamedCell>& left, const std::string& folder) const {
  fmt::print(stderr, "rhino-bench: {}; --resume --out {} runs the rest:\n", reason(), folder);
  for (const measure::NamedCell& cell : left) fmt::print(stderr, "  {}\n", cell.name);
  if (end_signal != 0) return kExitSignal + end_signal;
  return no_room_.empty() ? kExitDeadline : kExitOutput;
}

std::string RunEnd::reason() const {
  if (end_signal != 0) return fmt::format("ended by SIG{}", sigabbrev_np(end_signal));
  if (!no_room_.empty()) return no_room_;
  return fmt::format("the deadline of {} s is over", deadline_s_);
}

bool RunEnd::is_late() const {
  const auto since = std::chrono::steady_clock::now() - begin_;
  return deadline_s_ > 0 && std::chrono::duration<double>(since).count() > deadline_s_;
}

}  // namespace rhino::commands
