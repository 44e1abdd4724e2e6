// SPDX-License-Identifier: Apache-2.0
#include "launch/guardian.hpp"

#include <poll.h>
#include <pty.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <string>

namespace rhino::launch {
namespace {

using Catch::Matchers::Contains;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A guardian in a process of its own; what it and its children say comes back by a pipe.
class Guarded {
 public:
  using Work = std::function<int(const Guarded&)>;
  enum class Parent { test, launcher, terminal };

  Guarded(GuardOptions options, const Work& work, Parent parent = Parent::test) {
    REQUIRE(pipe(ends_) == 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans become children of the test
    options.tell = [this](const std::string& sentence) { say(sentence + "\n"); };
    started_ = parent == Parent::terminal ? forkpty(&terminal_, nullptr, nullptr, nullptr) : fork();
    if (started_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (const int number : {SIGTERM, SIGINT, SIGABRT}) signal(number, SIG_DFL);  // past Catch
      if (parent != Parent::launcher || fork() == 0) {
        say("guardian " + std::to_string(getpid()) + "\n");
        _exit(guard([&] { return work(*this); }, options));
      }
      for (;;) pause();
    }
    guardian_ = number_behind("guardian ");
  }
  ~Guarded() {
    do {  // whose parent ends becomes a child of this process
      std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
      for (pid_t pid = 0; children >> pid;) kill(pid, SIGKILL);
    } while (waitpid(-1, nullptr, 0) > 0);
    close(ends_[0]);
    close(ends_[1]);
    if (terminal_ >= 0) close(terminal_);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  pid_t guardian() const { return guardian_; }
  pid_t started() const { return started_; }
  int terminal() const { return terminal_; }

  void say(const std::string& text) const {
    REQUIRE(write(ends_[1], text.data(), text.size()) > 0);
  }
  /// The next line within some time, else nothing.
  std::string line(double limit_s = 10) {
    const Clock::time_point begin = Clock::now();
    while (heard_.find('\n') == std::string::npos && seconds_since(begin) < limit_s) {
      pollfd fd{ends_[0], POLLIN, 0};
      char text[256];
      if (poll(&fd, 1, 20) > 0)
        heard_.append(text, static_cast<std::size_t>(read(ends_[0], text, sizeof text)));
    }
    const std::size_t end = heard_.find('\n');
    if (end == std::string::npos) return {};
    const std::string first = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    return first;
  }
  pid_t number_behind(const std::string& word) {
    const std::string text = line();
    REQUIRE(text.starts_with(word));
    return std::stoi(text.substr(word.size()));
  }
  pid_t child() { return number_behind("child "); }
  /// Exit code of the guardian; -1: it has none.
  int end() {
    int status = 0;
    const Clock::time_point begin = Clock::now();
    while (waitpid(guardian_, &status, WNOHANG) != guardian_) {
      REQUIRE(seconds_since(begin) < 10);
      usleep(2000);
    }
    if (started_ == guardian_) started_ = -1;
    guardian_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int ends_[2], terminal_ = -1;
  pid_t started_ = -1, guardian_ = -1;
  std::string heard_;
};

void name_child(const Guarded& to) { to.say("child " + std::to_string(getpid()) + "\n"); }

int wait_forever(const Guarded& guarded) {
  name_child(guarded);
  for (;;) pause();
}

/// Says which signals come; TERM ends it with code 7.
int say_signals(const Guarded& guarded) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) sigaddset(&signals, number);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  name_child(guarded);
  for (int number = 0; sigwait(&signals, &number) == 0 && number != SIGTERM;)
    guarded.say("got " + std::to_string(number) + "\n");
  return 7;
}

int ignore_term(const Guarded& guarded) {
  signal(SIGTERM, SIG_IGN);
  return wait_forever(guarded);
}

bool is_gone(pid_t pid, double limit_s) {
  const Clock::time_point begin = Clock::now();
  while (kill(pid, 0) == 0) {
    if (seconds_since(begin) > limit_s) return false;
    waitpid(pid, nullptr, WNOHANG);
    usleep(2000);
  }
  return true;
}

TEST_CASE("the end of the child is that of its guardian") {
  CHECK(Guarded({}, [](const Guarded&) { return 0; }).end() == 0);
  CHECK(Guarded({}, [](const Guarded&) { return 5; }).end() == 5);
  Guarded crashed({.name = "the agent"}, [](const Guarded&) {
    raise(SIGABRT);
    return 0;
  });
  CHECK(crashed.end() == 128 + SIGABRT);
  CHECK(crashed.line() == "the agent was ended by signal 6 (Aborted)");
}

TEST_CASE("a guardian passes signals on, and an end that was asked for needs no sentence") {
  const auto before = signal(SIGHUP, SIG_DFL);  // which nohup, of the test, ignores
  Guarded guarded({.restarts = true}, say_signals);
  signal(SIGHUP, before);
  guarded.child();
  for (const int number : {SIGINT, SIGHUP}) {
    kill(guarded.guardian(), number);
    CHECK(guarded.line() == "got " + std::to_string(number));
  }
  kill(guarded.guardian(), SIGTERM);
  CHECK(guarded.end() == 7);
  CHECK(guarded.line(0.1).empty());
}

TEST_CASE("a child that was asked to end is not started again") {
  Guarded guarded({.restarts = true}, wait_forever);
  guarded.child();
  kill(guarded.guardian(), SIGTERM);
  CHECK(guarded.end() == 128 + SIGTERM);
  CHECK(guarded.line(0.1).empty());
}

TEST_CASE("what the terminal sends comes once") {
  Guarded guarded({}, say_signals, Guarded::Parent::terminal);
  const pid_t child = guarded.child();
  CHECK(write(guarded.terminal(), "\x03", 1) == 1);
  CHECK(guarded.line() == "got 2");
  kill(child, SIGUSR1);
  CHECK(guarded.line() == "got " + std::to_string(SIGUSR1));  // and no other 2 before it
  kill(guarded.guardian(), SIGTERM);
  CHECK(guarded.end() == 7);
}

TEST_CASE("nohup holds for the child") {
  const auto before = signal(SIGHUP, SIG_IGN);
  Guarded guarded({}, say_signals);
  signal(SIGHUP, before);
  guarded.child();
  kill(guarded.guardian(), SIGHUP);
  kill(guarded.guardian(), SIGINT);
  CHECK(guarded.line() == "got 2");
}

TEST_CASE("the child ends with its guardian") {
  Guarded guarded({}, wait_forever);
  const pid_t child = guarded.child();
  kill(guarded.guardian(), SIGKILL);
  CHECK(is_gone(child, 2));
}

TEST_CASE("when the launcher is gone, so is all that it started") {
  Guarded guarded({.name = "the agent"}, say_signals, Guarded::Parent::launcher);
  const pid_t child = guarded.child();
  kill(guarded.started(), SIGKILL);
  CHECK(guarded.line() == "the launcher is gone: the agent is ended");
  CHECK(is_gone(child, 2));
  CHECK(guarded.end() == 7);
}

TEST_CASE("who does not end when the launcher is gone is killed") {
  Guarded guarded({.kill_after_s = 1}, ignore_term, Guarded::Parent::launcher);
  const pid_t child = guarded.child();
  kill(guarded.started(), SIGKILL);
  CHECK(!is_gone(child, 0.9));
  CHECK(is_gone(child, 2));
  CHECK(guarded.end() == 128 + SIGKILL);
}

TEST_CASE("a child that is stopped is killed, in a job that goes on") {
  Guarded guarded({.name = "the agent", .longest_stop_s = 1}, wait_forever);
  const pid_t child = guarded.child();
  kill(child, SIGSTOP);
  CHECK(!is_gone(child, 0.7));
  CHECK(guarded.end() == 128 + SIGKILL);
  CHECK_THAT(guarded.line(), Contains("the agent was stopped by a signal, and did not go on"));
}

TEST_CASE("a job that is suspended as a whole goes on") {
  Guarded guarded({.longest_stop_s = 1}, say_signals);
  const pid_t child = guarded.child();
  for (int i = 0; i < 2; ++i) {
    for (const pid_t pid : {guarded.guardian(), child}) kill(pid, SIGSTOP);
    usleep(1'500'000);
    for (const pid_t pid : {guarded.guardian(), child}) kill(pid, SIGCONT);
    usleep(300'000);
  }
  kill(child, SIGUSR1);
  CHECK(guarded.line() == "got " + std::to_string(SIGUSR1));
}

TEST_CASE("an agent that is killed is started again, a second later at the soonest") {
  Guarded guarded({.name = "the agent", .restarts = true, .max_restarts = 2}, wait_forever);
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < 2; ++i) {
    kill(guarded.child(), SIGKILL);
    CHECK(guarded.line() == "the agent was ended by signal 9 (Killed): it is started again");
  }
  const pid_t last = guarded.child();
  CHECK(seconds_since(begin) > 1.9);
  kill(last, SIGKILL);
  CHECK(guarded.line() == "the agent was ended by signal 9 (Killed)");
  CHECK(guarded.end() == 128 + SIGKILL);
}

TEST_CASE("an agent that ends by itself is not started again") {
  CHECK(Guarded({.restarts = true}, [](const Guarded&) { return 3; }).end() == 3);
}

}  // namespace
}  // namespace rhino::launch
