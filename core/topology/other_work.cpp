// SPDX-License-Identifier: Apache-2.0
#include "topology/other_work.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace rhino::topology {
namespace {

struct Process {
  pid_t parent = 0;
  double seconds = 0;
};

double tick_s() {
  static const double seconds = 1 / static_cast<double>(sysconf(_SC_CLK_TCK));
  return seconds;
}

double now_s() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// user, nice, system, (idle, iowait, irq, softirq,) steal; guests are in user already, and
/// interrupts, apart, serve the traffic of our own workers as well.
CpuTime machine_time() {
  std::ifstream file("/proc/stat");
  std::string name;
  double value = 0;
  CpuTime time;
  file >> name;
  for (int i = 0; i < 8 && file >> value; ++i) {
    if (i < 3 || i == 7) time.all_s += value * tick_s();
    if (i == 5 || i == 6) time.interrupts_s += value * tick_s();
  }
  return time;
}

/// From /proc/PID/stat; the second word, a name in parentheses, may hold anything.
Process read_process(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream words(line.substr(std::min(line.size(), line.rfind(')') + 1)));
  Process process;
  std::string state, skipped;
  double user = 0, system = 0, of_children = 0, of_children_system = 0;
  words >> state >> process.parent;
  for (int i = 0; i < 9; ++i) words >> skipped;
  words >> user >> system >> of_children >> of_children_system;
  process.seconds = (user + system + of_children + of_children_system) * tick_s();
  return process;
}

std::map<pid_t, Process> read_processes() {
  std::map<pid_t, Process> processes;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ptr == name.data()) continue;
    processes[pid] = read_process(name);
  }
  return processes;
}

bool descends(const std::map<pid_t, Process>& processes, pid_t pid, pid_t root) {
  while (pid != root) {
    const auto found = processes.find(pid);
    if (found == processes.end() || found->second.parent <= 0) return false;
    pid = found->second.parent;
  }
  return true;
}

}  // namespace

CpuTime cpu_time(pid_t root) {
  CpuTime time = machine_time();
  const std::map<pid_t, Process> processes = read_processes();
  for (const auto& [pid, process] : processes) {
    if (descends(processes, pid, root)) time.own_s += process.seconds;
  }
  return time;
}

OtherWork::OtherWork(pid_t root)
    : root_(root == 0 ? getpid() : root), begin_s_(now_s()), begin_(cpu_time(root_)) {}

double OtherWork::busy_cores() const {
  const CpuTime now = cpu_time(root_);
  const double elapsed_s = std::max(tick_s(), now_s() - begin_s_);
  return std::max(0.0, now.all_s - begin_.all_s - (now.own_s - begin_.own_s)) / elapsed_s;
}

}  // namespace rhino::topology
