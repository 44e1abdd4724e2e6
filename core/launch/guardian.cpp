// SPDX-License-Identifier: Apache-2.0
#include "launch/guardian.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <optional>

#include "rhino/error.hpp"

namespace rhino::launch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLookS = 0.25;
constexpr std::chrono::seconds kShortestLife{1};  ///< from one start to the next

std::string named(int signal_number) {
  return "signal " + std::to_string(signal_number) + " (" + ::strsignal(signal_number) + ")";
}

bool is_ignored(int signal_number) {
  struct sigaction action {};
  sigaction(signal_number, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

[[noreturn]] void end_with(int code) {
  std::cout.flush();
  std::fflush(nullptr);
  _exit(code);
}

/// What a guardian takes of its process; the child, and whoever comes after it, gets it back.
class Signals {
 public:
  Signals() {
    sigemptyset(&awaited_);
    for (const int number : {SIGCHLD, SIGTERM, SIGINT}) sigaddset(&awaited_, number);
    if (!is_ignored(SIGHUP)) sigaddset(&awaited_, SIGHUP);  // nohup
    sigprocmask(SIG_BLOCK, &awaited_, &mask_);
    struct sigaction normal {
    }, ignored{};
    normal.sa_handler = SIG_DFL;
    ignored.sa_handler = SIG_IGN;
    sigaction(SIGCHLD, &normal, &child_);
    sigaction(SIGPIPE, &ignored, &pipe_);  // who reads what it says may be gone
  }
  ~Signals() { give_back(); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  void give_back() {
    sigaction(SIGCHLD, &child_, nullptr);
    sigaction(SIGPIPE, &pipe_, nullptr);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }

  /// The next one; nothing came within a look where it is 0.
  int next(siginfo_t& info) const {
    const timespec look{0, static_cast<long>(kLookS * 1e9)};
    const int number = sigtimedwait(&awaited_, &info, &look);
    return number > 0 ? number : 0;
  }

 private:
  sigset_t awaited_, mask_;
  struct sigaction child_ {
  }, pipe_{};
};

class Guardian {
 public:
  explicit Guardian(const GuardOptions& options) : options_(options), launcher_(getppid()) {}

  int run(const std::function<int()>& work) {
    for (int starts = 0;; ++starts) {
      start(work);
      while (!status_) look();
      if (!is_to_restart(starts)) return end();
      tell(options_.name + " was ended by " + named(WTERMSIG(*status_)) + ": it is started again");
      while (Clock::now() < since_ + kShortestLife && !is_ending()) look();
      if (is_ending()) return end();
    }
  }

 private:
  void start(const std::function<int()>& work) {
    std::cout.flush();
    std::fflush(nullptr);  // or both would write it
    status_.reset();
    num_stopped_looks_ = 0;
    is_stopped_ = false;
    since_ = Clock::now();
    const pid_t self = getpid();
    child_ = fork();
    if (child_ < 0) throw Error("cannot start " + options_.name + ": " + std::strerror(errno));
    if (child_ > 0) return;
    prctl(PR_SET_PDEATHSIG, options_.signal_when_orphaned);
    if (getppid() != self) _exit(1);
    signals_.give_back();
    [&]() noexcept { end_with(work()); }();
  }

  void look() {
    siginfo_t info{};
    const int number = signals_.next(info);
    if (number != 0 && number != SIGCHLD) pass_on(number, info);
    if (child_ > 0) {
      hear_of_child();
      if (number == 0) watch_stop();
    }
    watch_launcher();
  }

  /// What the terminal sends, it sends to all of the group.
  void pass_on(int number, const siginfo_t& info) {
    is_asked_ = true;
    if (info.si_code != SI_KERNEL) send(number);
  }

  void hear_of_child() {
    int status = 0;
    while (waitpid(child_, &status, WNOHANG | WUNTRACED | WCONTINUED) == child_) {
      is_stopped_ = WIFSTOPPED(status);
      if (is_stopped_ || WIFCONTINUED(status)) continue;
      status_ = status;
      child_ = -1;
      return;
    }
  }

  /// Counted in looks: a job that is suspended as a whole has none.
  void watch_stop() {
    num_stopped_looks_ = is_stopped_ ? num_stopped_looks_ + 1 : 0;
    if (num_stopped_looks_ * kLookS < options_.longest_stop_s) return;
    tell(options_.name + " was stopped by a signal, and did not go on: it is killed");
    send(SIGKILL);
    num_stopped_looks_ = 0;
  }

  /// PR_SET_PDEATHSIG would tell of the end of a thread of the launcher's.
  void watch_launcher() {
    if (!orphaned_ && getppid() != launcher_) {
      orphaned_ = Clock::now();
      tell("the launcher is gone: " + options_.name + " is ended");
      send(SIGTERM);
    }
    if (orphaned_ &&
        Clock::now() - *orphaned_ > std::chrono::duration<double>(options_.kill_after_s))
      send(SIGKILL);
  }

  void send(int number) const {
    if (child_ > 0) kill(child_, number);
  }

  bool is_ending() const { return is_asked_ || orphaned_; }

  bool is_to_restart(int restarts) const {
    return options_.restarts && WIFSIGNALED(*status_) && !is_ending() &&
           restarts < options_.max_restarts;
  }

  int end() const {
    if (WIFEXITED(*status_)) return WEXITSTATUS(*status_);
    const int number = WTERMSIG(*status_);
    if (!is_ending()) tell(options_.name + " was ended by " + named(number));
    return 128 + number;
  }

  void tell(const std::string& sentence) const {
    if (options_.tell) return options_.tell(sentence);
    std::fprintf(stderr, "rhino-bench: %s\n", sentence.c_str());
  }

  const GuardOptions& options_;
  const pid_t launcher_;
  Signals signals_;
  pid_t child_ = -1;  ///< -1: there is none
  std::optional<int> status_;
  Clock::time_point since_{};
  bool is_asked_ = false, is_stopped_ = false;
  int num_stopped_looks_ = 0;
  std::optional<Clock::time_point> orphaned_;
};

}  // namespace

int guard(const std::function<int()>& work, const GuardOptions& options) {
  return Guardian(options).run(work);
}

}  // namespace rhino::launch
