// SPDX-License-Identifier: Apache-2.0
#include "topology/discover.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "topology/cores.hpp"

namespace rhino::topology {
namespace {

/// The text behind "key" and a colon on its first line in a file of /proc.
std::string proc_field(const char* file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t colon = line.find(':');
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

std::int64_t memory_field(const std::string& key) {
  std::istringstream text(proc_field("/proc/meminfo", key));
  std::int64_t kibibytes = 0;
  text >> kibibytes;
  return kibibytes * 1024;
}

/// The memory limit of the control group, or `otherwise`.
std::int64_t memory_limit(std::int64_t otherwise) {
  std::int64_t limit = 0;
  std::ifstream("/sys/fs/cgroup/memory.max") >> limit;
  return limit > 0 ? std::min(limit, otherwise) : otherwise;
}

std::int32_t usable_cores() {
  return std::max(1, static_cast<std::int32_t>(discover_cores().size()));
}

/// As if no two cores shared any.
double cache_bytes(std::int32_t num_cores) {
  const long shared = ::sysconf(_SC_LEVEL3_CACHE_SIZE), own = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (shared <= 0 || own <= 0) return 0x1p30;
  return static_cast<double>(num_cores) * static_cast<double>(shared + own);
}

}  // namespace

Machine discover_machine() {
  Machine machine;
  machine.processor = proc_field("/proc/cpuinfo", "model name");
  if (machine.processor.empty()) machine.processor = "unknown processor";
  machine.num_cores = usable_cores();
  machine.total_memory_bytes = memory_field("MemTotal");
  machine.memory_bytes = memory_limit(memory_field("MemAvailable"));
  machine.cache_bytes = cache_bytes(machine.num_cores);
  return machine;
}

std::int64_t num_memory_kills() {
  std::ifstream counters("/proc/vmstat");
  std::int64_t count = 0;
  for (std::string key; counters >> key >> count;) {
    if (key == "oom_kill") return count;
  }
  return 0;
}

DeviceModel nominal_cpu(const std::string& processor, double num_cores, double memory_bytes) {
  return {.kind = DeviceKind::cpu,
          .name = processor,
          .memory_bytes = memory_bytes,
          .memory_bytes_per_s = 10e9 * num_cores,
          .kernel_latency_s = 2e-6,
          .peak_flops = {{DType::f32, 96e9 * num_cores}, {DType::f64, 48e9 * num_cores}}};
}

Cluster discover_local(std::int32_t num_devices) {
  const Machine machine = discover_machine();
  if (num_devices <= 0) num_devices = machine.num_cores;
  const double cores_per_device =
      std::max(1.0, static_cast<double>(machine.num_cores) / num_devices);
  DeviceModel model = nominal_cpu(machine.processor, cores_per_device,
                                  static_cast<double>(machine.memory_bytes) / num_devices);
  Cluster cluster{.name = "local",
                  .source = "discovered; nominal rates",
                  .hosts = {{"localhost", {}}},
                  .host_of = std::vector<std::int32_t>(static_cast<std::size_t>(num_devices), 0),
                  .models = {std::move(model)},
                  .model_of = std::vector<std::int32_t>(static_cast<std::size_t>(num_devices), 0),
                  .intra_host = {.bytes_per_s = 8e9, .latency_s = 5e-6},
                  .inter_host = {.bytes_per_s = 8e9, .latency_s = 5e-6}};
  for (DeviceId device = 0; device < num_devices; ++device)
    cluster.hosts[0].devices.push_back(device);
  return cluster;
}

}  // namespace rhino::topology
