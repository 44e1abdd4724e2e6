// SPDX-License-Identifier: Apache-2.0
#include "child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace fake_test {
namespace {

std::string take(const std::string& path) {
  std::ifstream in(path);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  unlink(path.c_str());
  return text;
}

[[noreturn]] void be_child(const Settings& settings, const std::function<std::string()>& body,
                           const std::string& out) {
  for (const auto& [name, value] : settings) setenv(name.c_str(), value.c_str(), 1);
  if (!std::freopen((out + ".err").c_str(), "w", stderr)) _exit(3);
  // The handlers of the tests' own library are for its process.
  for (int s : {SIGSEGV, SIGABRT, SIGTERM}) std::signal(s, SIG_DFL);
  std::string result;
  try {
    result = body();
  } catch (const std::exception& e) {
    result = e.what();
  }
  std::ofstream(out) << result;
  _exit(0);
}

}  // namespace

std::vector<Outcome> in_children(int count, const Settings& settings,
                                 const std::function<std::string(int)>& body) {
  std::vector<std::pair<pid_t, std::string>> started;
  for (int rank = 0; rank < count; ++rank) {
    std::string path = std::filesystem::temp_directory_path() / "fake_test_XXXXXX";
    close(mkstemp(path.data()));
    const pid_t pid = fork();
    if (pid == 0) {
      be_child(
          settings, [&] { return body(rank); }, path);
    }
    started.emplace_back(pid, path);
  }
  std::vector<Outcome> outcomes;
  for (const auto& [pid, path] : started) {
    Outcome outcome;
    waitpid(pid, &outcome.status, 0);
    outcome.result = take(path);
    outcome.said = take(path + ".err");
    outcomes.push_back(outcome);
  }
  return outcomes;
}

Outcome in_child(const Settings& settings, const std::function<std::string()>& body) {
  return in_children(1, settings, [&](int) { return body(); })[0];
}

}  // namespace fake_test
