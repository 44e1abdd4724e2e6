// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "codec/json.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "topology/child_output.hpp"
#include "topology/gpu_state.hpp"

namespace rhino::topology {
namespace {

struct RoundStyle {
  using Tables = std::tuple<>;
  static constexpr bool kObjects = true;
};

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

}  // namespace

GpuRound summary(const std::vector<GpuState>& states) {
  GpuRound round{.num_states = std::ssize(states)};
  if (states.empty()) return round;
  const double each = 1.0 / static_cast<double>(states.size());
  for (const GpuState& state : states) {
    round.most_clock_hz = std::max(round.most_clock_hz, state.clock_hz);
    round.mean_clock_hz += each * state.clock_hz;
    round.most_memory_clock_hz = std::max(round.most_memory_clock_hz, state.memory_clock_hz);
    round.mean_power_w += each * state.power_w;
    round.most_power_w = std::max(round.most_power_w, state.power_w);
    round.most_celsius = std::max(round.most_celsius, state.celsius);
    round.capped += state.is_power_capped ? each : 0;
    round.hot += state.is_hot ? each : 0;
    round.slowed += state.is_slowed ? each : 0;
  }
  round.power_cap_w = states.back().power_cap_w;
  round.num_corrected = states.back().num_corrected - states.front().num_corrected;
  round.num_uncorrected = states.back().num_uncorrected - states.front().num_uncorrected;
  return round;
}

std::string encode(const GpuRounds& rounds) { return codec::JsonWriter<RoundStyle>().text(rounds); }

GpuRounds decode_rounds(const std::string& text) {
  const codec::JsonText json(text, "no states of GPUs");
  return codec::JsonReader<RoundStyle>().read<GpuRounds>(json.root());
}

bool is_throttled(const GpuRound& round) {
  return round.hot > 0 || round.slowed > 0 || round.num_uncorrected > 0;
}

GpuWatch::GpuWatch(const std::vector<std::string>& pci_bus_ids) {
  std::array<int, 2> there{-1, -1}, back{-1, -1};
  if (::pipe2(there.data(), O_CLOEXEC) != 0) return;
  if (::pipe2(back.data(), O_CLOEXEC) != 0) {
    close_fd(there[0]);
    close_fd(there[1]);
    return;
  }
  std::vector<std::string> words{worker_beside(), "gpu-watch"};
  words.insert(words.end(), pci_bus_ids.begin(), pci_bus_ids.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, there[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, back[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (::posix_spawn(&child_, words.front().c_str(), &actions, nullptr, arguments.data(), environ))
    child_ = -1;
  posix_spawn_file_actions_destroy(&actions);
  close_fd(there[0]);
  close_fd(back[1]);
  to_child_ = there[1];
  from_child_ = back[0];
}

GpuWatch::~GpuWatch() { end(); }

std::vector<GpuRound> GpuWatch::end() {
  close_fd(to_child_);
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t count = 0; from_child_ >= 0; text.append(buffer.data(), at(count))) {
    count = ::read(from_child_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) count = 0;
    else if (count <= 0) break;
  }
  close_fd(from_child_);
  if (child_ > 0) {
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  child_ = -1;
  if (text.empty()) return {};
  try {
    return decode_rounds(text).gpus;
  } catch (const Error&) {
    return {};  // it was cut short: nothing is known
  }
}

}  // namespace rhino::topology
