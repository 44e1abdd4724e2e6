// SPDX-License-Identifier: Apache-2.0
// What this machine offers, one line each, with what follows from it.
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "commands/commands.hpp"
#include "commands/launched.hpp"
#include "plugin/registry.hpp"
#include "report/table.hpp"
#include "rhino/error.hpp"
#include "runtime/agents/agents.hpp"
#include "topology/child_output.hpp"
#include "topology/cores.hpp"
#include "topology/discover.hpp"
#include "topology/emulated_hosts.hpp"
#include "topology/gpus.hpp"
#include "topology/host_report.hpp"
#include "topology/large_pages.hpp"

namespace rhino::commands {
namespace {

namespace fs = std::filesystem;

/// `what` is found to be `value`; `advice` is empty where all is well.
void say(const std::string& what, const std::string& value, const std::string& advice = "") {
  fmt::print("{:<4}  {:<18}  {}{}\n", advice.empty() ? "ok" : "note", what, value,
             advice.empty() ? "" : "; " + advice);
}

std::string first_line(const std::string& path) {
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  return line;
}

void say_cores() {
  const topology::Machine machine = topology::discover_machine();
  say("cores", fmt::format("{}, {}", machine.num_cores, machine.processor),
      machine.num_cores > 1 ? "" : "several workers share it: their cells carry no verdict");
  const std::string shared = topology::describe_cores(topology::discover_cores());
  say("binding", shared.empty() ? "by the numbers of cores" : shared,
      shared.empty() ? "without hwloc, caches and NUMA nodes are not known" : "");
  const auto available = static_cast<double>(machine.memory_bytes);
  say("memory", report::format_bytes(available) + " available",
      available > 2e9 ? "" : "little: larger models end as infeasible");
  const std::int64_t page_kib = topology::shared_page_bytes() >> 10;
  say("pages of workers", fmt::format("{} KiB", page_kib),
      page_kib >= 1024
          ? ""
          : fmt::format("large ones are taken sooner and make steps some percent quicker: Linux "
                        "6.1 grants them, others do (as root: echo advise > {})",
                        topology::kSharedPages));
  double load = 0;
  std::istringstream(first_line("/proc/loadavg")) >> load;
  say("load", fmt::format("{:.2f}", load),
      load < 0.5 ? "" : "other work is going on: measurements will be noisy");
  const std::string governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (!governor.empty())
    say("clock", governor, governor == "performance" ? "" : "'performance' gives steadier numbers");
}

bool say_worker(const CommandLine& line) {
  const std::string worker = (fs::path(line.executable).parent_path() / "rhino-worker").string();
  constexpr double kDeadline_s = 60;
  const topology::ChildOutput child = topology::output_of({worker, "describe"}, kDeadline_s);
  std::istringstream lines(child.output);
  std::string devices, transports;
  std::getline(lines, devices);
  std::getline(lines, transports);
  if (!child.how_it_ended.empty()) {
    say("worker", worker, child.how_it_ended + " " + child.errors);
    return false;
  }
  say("devices", devices);
  const bool shared = transports.find("/memory") != std::string::npos;
  say("transports", transports, shared ? "" : "no shared memory: workers of a host talk over TCP");
  return true;
}

void say_plugins(const CommandLine& line) {
  const plugin::Registry registry(plugin::plugin_folders(line.plugin_dirs, line.executable));
  std::string foreign;
  for (const plugin::PluginInfo& info : registry.plugins()) {
    if (!plugin::abi_refusal(info).empty()) foreign += (foreign.empty() ? "" : ", ") + info.id;
  }
  std::string doubt = foreign.empty() ? "" : "built against other headers: " + foreign;
  for (const std::string& sentence : registry.unreadable())
    doubt += (doubt.empty() ? "" : "; ") + sentence;
  say("plugins", std::to_string(registry.plugins().size()), doubt);
}

/// Who started this process, and where its other ranks are.
void say_launch(const CommandLine& line) {
  if (line.agents == nullptr) return say("launch", "by hand: workers are started on this machine");
  say("launch", line.place);
  for (const topology::FoundHost& host : line.agents->hosts()) say("host", runtime::describe(host));
  const Cluster cluster = topology::cluster_of(line.agents->hosts(), "cpu", 0, 0);
  say("topology cluster", describe_devices(cluster));
}

std::string limit_text(rlim_t limit) {
  return limit == RLIM_INFINITY ? "unlimited" : std::to_string(limit);
}

void say_limits() {
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  say("locked memory", limit_text(limit.rlim_cur),
      limit.rlim_cur >= (rlim_t{64} << 20) ? "" : "RDMA needs more (ulimit -l unlimited)");
  getrlimit(RLIMIT_NOFILE, &limit);
  say("open files", limit_text(limit.rlim_cur),
      limit.rlim_cur >= 1024 ? "" : "few for many workers (ulimit -n 4096)");
  struct statvfs shared {};
  if (statvfs("/dev/shm", &shared) == 0) {
    const double bytes =
        static_cast<double>(shared.f_bavail) * static_cast<double>(shared.f_frsize);
    say("/dev/shm", report::format_bytes(bytes) + " free",
        bytes >= 256e6 ? "" : "small: UCX may fall back to slower transports");
  }
  const std::string scope = first_line("/proc/sys/kernel/yama/ptrace_scope");
  say("ptrace_scope", scope.empty() ? "not restricted" : scope,
      scope.empty() || scope == "0" || geteuid() == 0
          ? ""
          : "workers may not copy from each other's memory (CMA); 0 lets them");
}

void say_emulation() {
  const std::string why = topology::why_not_emulated();
  say("emulated hosts", why.empty() ? "possible" : "not possible",
      why.empty() ? "" : why + " (topologies/emulated_*)");
}

void say_gpus() {
  const topology::GpuInventory& found = topology::discover_gpus();
  if (!found.missing.empty()) return say("GPUs", "none: " + found.missing);
  for (const topology::Gpu& gpu : found.gpus) say("GPU", topology::describe(gpu));
  say("GPUs", fmt::format("{}; `doctor --gpu` checks them", found.gpus.size()));
}

}  // namespace

int doctor_command(const CommandLine& line) {
  if (line.gpu) return doctor_gpu(line);
  say_cores();
  const bool works = say_worker(line);
  say_plugins(line);
  say_launch(line);
  say_limits();
  say_emulation();
  say_gpus();
  say("features", RHINO_FEATURES);
  return works ? kExitOk : kExitCellsFailed;
}

}  // namespace rhino::commands
