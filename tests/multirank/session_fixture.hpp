// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/session.hpp"

namespace rhino {

/// A folder that vanishes with it.
class RunDir {
 public:
  RunDir() {
    std::string path = (std::filesystem::temp_directory_path() / "rhino-test-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot make a folder");
    path_ = path;
  }
  ~RunDir() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Two ranks on whatever cores there are, impatient enough for tests.
inline runtime::SessionOptions quick_options(const RunDir& dir) {
  const char* worker = std::getenv("RHINO_WORKER");
  if (worker == nullptr) throw std::runtime_error("RHINO_WORKER does not name the worker");
  runtime::SessionOptions options;
  options.worker = worker;
  options.run_dir = dir.path();
  options.device = "reference";
  options.oversubscribed = true;
  options.seed = 7;
  options.start_deadline_s = 20;
  options.step_deadline_s = 20;
  return options;
}

/// Sets RHINO_FAULTS for the sessions that start while it lives.
class FaultRequest {
 public:
  explicit FaultRequest(const std::string& text) { ::setenv("RHINO_FAULTS", text.c_str(), 1); }
  ~FaultRequest() { ::unsetenv("RHINO_FAULTS"); }
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// No child of this process is left, dead or alive.
inline bool no_child_left() { return ::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

inline bool group_is_gone(std::int32_t group) { return ::kill(-group, 0) < 0 && errno == ESRCH; }

}  // namespace rhino
