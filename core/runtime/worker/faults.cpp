// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/faults.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string_view>
#include <thread>

#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {

constexpr std::array<std::string_view, 10> kKinds = {"kill", "stop",  "segv", "abort", "hang",
                                                     "exit", "throw", "slow", "lag",   "corrupt"};

std::map<std::string, std::string> parse_pairs(const std::string& text) {
  std::map<std::string, std::string> pairs;
  std::istringstream fields(text);
  for (std::string field; std::getline(fields, field, ',');) {
    const std::size_t equals = field.find('=');
    if (equals == std::string::npos) throw Error("RHINO_FAULTS: '" + field + "' is not key=value");
    pairs[field.substr(0, equals)] = field.substr(equals + 1);
  }
  return pairs;
}

int number(const std::map<std::string, std::string>& pairs, const std::string& key, int fallback) {
  const auto found = pairs.find(key);
  return found == pairs.end() ? fallback : std::atoi(found->second.c_str());
}

std::string environment(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

}  // namespace

Fault::Fault(std::int32_t rank) : Fault(environment("RHINO_FAULTS"), rank) {}

Fault::Fault(const std::string& text, std::int32_t rank) {
  const std::map<std::string, std::string> pairs = parse_pairs(text);
  if (pairs.empty() || number(pairs, "rank", 0) != rank) return;
  const auto cell = pairs.find("cell");
  if (cell != pairs.end() && cell->second != environment("RHINO_CELL")) return;
  const auto kind = pairs.find("kind");
  if (kind == pairs.end()) throw Error("RHINO_FAULTS names no kind");
  kind_ = kind->second;
  const auto is_known = [this](std::string_view known) { return kind_ == known; };
  if (std::none_of(kKinds.begin(), kKinds.end(), is_known)) {
    throw Error("RHINO_FAULTS: there is no kind '" + kind_ + "'");
  }
  const auto phase = pairs.find("phase");
  if (kind_ == "slow") {
    slowdown_ = number(pairs, "percent", 0) / 100.0;
    return;
  }
  if (kind_ == "lag") {
    lag_s_ = number(pairs, "ms", 0) / 1000.0;
    return;
  }
  prepare_ = phase != pairs.end() && phase->second == "prepare";
  if (prepare_) return;
  step_ = number(pairs, "step", 1);
  instruction_ = number(pairs, "instruction", 0);
}

void Fault::linger(double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() <
         seconds) {
  }
}

void Fault::rest(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

void Fault::strike() const {
  if (kind_ == "kill") std::raise(SIGKILL);
  if (kind_ == "stop") std::raise(SIGSTOP);
  if (kind_ == "segv") {
    std::signal(SIGSEGV, SIG_DFL);  // past sanitizers
    std::raise(SIGSEGV);
  }
  if (kind_ == "abort") std::abort();
  if (kind_ == "exit") ::_exit(0);
  if (kind_ == "throw") throw Error("a fault on purpose");
  while (kind_ == "hang") ::pause();
}

}  // namespace rhino::runtime
