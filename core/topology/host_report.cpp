// SPDX-License-Identifier: Apache-2.0
#include "topology/host_report.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "codec/fingerprint.hpp"
#include "codec/text_file.hpp"
#include "rhino/error.hpp"
#include "topology/discover.hpp"

namespace rhino::topology {
namespace {

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string boot_id() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  return id;
}

/// What tells containers of one machine apart.
std::string namespaces() {
  std::string text;
  for (const char* kind : {"ipc", "net", "pid", "mnt"}) {
    struct stat status {};
    if (::stat((std::string("/proc/self/ns/") + kind).c_str(), &status) == 0)
      text += (text.empty() ? "" : "/") + std::to_string(status.st_ino);
  }
  return text;
}

bool may_have_gpus() { return ::access("/dev/nvidiactl", F_OK) == 0; }

void add_cores(const HostReport& more, HostReport& report) {
  for (const Core& core : more.cores) {
    if (std::ranges::find(report.cores, core) == report.cores.end()) report.cores.push_back(core);
  }
  std::ranges::sort(report.cores, {}, [](const Core& core) {
    return std::tuple(core.package, core.node, core.cache, core.number);
  });
}

std::string what_differs(const HostReport& first, const HostReport& other) {
  if (first.engine != other.engine)
    return "versions differ: " + first.engine + " on " + first.name + ", " + other.engine + " on " +
           other.name;
  if (first.binaries != other.binaries)
    return "binaries of version " + first.engine + " differ: " + first.binaries + " on " +
           first.name + ", " + other.binaries + " on " + other.name;
  return "";
}

/// How many devices each host has: `per_host`, else as cluster_of() says.
std::vector<std::int32_t> num_devices_of(const std::vector<FoundHost>& hosts, bool are_gpus,
                                         std::int64_t per_host) {
  const bool several =
      std::ranges::any_of(hosts, [](const FoundHost& host) { return host.ranks.size() > 1; });
  std::vector<std::int32_t> counts;
  for (const FoundHost& host : hosts) {
    const std::size_t own = several ? host.ranks.size() : host.report.cores.size();
    counts.push_back(static_cast<std::int32_t>(
        per_host > 0 || are_gpus ? per_host : static_cast<std::int64_t>(own)));
  }
  return counts;
}

/// Devices of equal processors with equally many cores are alike, with the memory of those that
/// have least of it just now: containers of one machine share its.
std::vector<DeviceModel> cpu_models(const std::vector<FoundHost>& hosts,
                                    const std::vector<std::int32_t>& counts) {
  std::map<std::int32_t, std::int32_t> on_machine;
  for (std::size_t h = 0; h < hosts.size(); ++h) on_machine[hosts[h].machine] += counts[h];
  std::vector<DeviceModel> models;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    const HostReport& report = hosts[h].report;
    models.push_back(nominal_cpu(
        report.processor, std::max(1.0, static_cast<double>(report.cores.size()) / counts[h]),
        report.memory_bytes / on_machine[hosts[h].machine]));
  }
  for (DeviceModel& one : models) {
    for (const DeviceModel& other : models) {
      if (other.name == one.name && other.peak_flops == one.peak_flops)
        one.memory_bytes = std::min(one.memory_bytes, other.memory_bytes);
    }
  }
  return models;
}

Cluster gpu_host(const FoundHost& host, std::int32_t num_devices) {
  const GpuInventory& gpus = host.report.gpus;
  if (gpus.gpus.empty())
    throw Error("host " + host.report.name + " has no GPU: " +
                (gpus.missing.empty() ? "there is no /dev/nvidiactl" : gpus.missing));
  return gpu_cluster(gpus, num_devices, true);
}

/// Behind the hosts that are in `cluster`.
void add_host(const FoundHost& found, Cluster one, Cluster& cluster) {
  const DeviceId first = cluster.num_devices();
  const auto host = static_cast<std::int32_t>(cluster.hosts.size());
  Host& made = cluster.hosts.emplace_back(std::move(one.hosts.front()));
  made.name = found.report.name;
  for (DeviceId& device : made.devices) device += first;
  if (one.intra_host != cluster.intra_host) made.inside = one.intra_host;
  if (one.inter_host != cluster.inter_host) made.interface = one.inter_host;
  for (const std::int32_t index : one.model_of) {
    const DeviceModel& model = one.models[static_cast<std::size_t>(index)];
    const auto known = std::ranges::find(cluster.models, model);
    cluster.host_of.push_back(host);
    cluster.model_of.push_back(static_cast<std::int32_t>(known - cluster.models.begin()));
    if (known == cluster.models.end()) cluster.models.push_back(model);
  }
  for (OwnLink link : one.own_links) {
    link.a += first;
    link.b += first;
    cluster.own_links.push_back(link);
  }
}

std::vector<FoundHost>& known_hosts() {
  static std::vector<FoundHost> hosts;
  return hosts;
}

}  // namespace

HostReport report_host(const std::string& engine, const std::vector<std::string>& binaries) {
  const Machine machine = discover_machine();
  std::string bytes;
  for (const std::string& file : binaries) bytes += codec::fingerprint(codec::read_file(file));
  HostReport report{.name = host_name(),
                    .boot = boot_id(),
                    .container = namespaces(),
                    .engine = engine,
                    .binaries = codec::fingerprint(bytes),
                    .processor = machine.processor,
                    .memory_bytes = static_cast<double>(machine.memory_bytes),
                    .total_memory_bytes = static_cast<double>(machine.total_memory_bytes),
                    .cache_bytes = machine.cache_bytes,
                    .cores = discover_cores(),
                    .cores_there = static_cast<std::int32_t>(::sysconf(_SC_NPROCESSORS_ONLN)),
                    .has_rdma = ::access("/sys/class/infiniband", F_OK) == 0};
  if (may_have_gpus()) report.gpus = discover_gpus();
  return report;
}

double interface_rate(const std::string& name) {
  double megabits = 0;
  std::ifstream("/sys/class/net/" + name + "/speed") >> megabits;
  return megabits > 0 ? megabits * 1e6 / 8 : 0;
}

std::vector<FoundHost> group_hosts(std::vector<HostReport> reports) {
  std::ranges::sort(reports, {}, &HostReport::rank);
  std::vector<FoundHost> hosts;
  std::map<std::string, std::int32_t> machines;
  for (HostReport& report : reports) {
    if (const std::string why = what_differs(reports.front(), report); !why.empty())
      throw Error(why);
    const auto same = std::ranges::find_if(hosts, [&](const FoundHost& host) {
      return host.report.boot == report.boot && host.report.container == report.container;
    });
    if (same == hosts.end()) {
      const std::int32_t rank = report.rank;
      const auto machine =
          machines.try_emplace(report.boot, static_cast<std::int32_t>(machines.size())).first;
      hosts.push_back({report, {rank}, machine->second});
    } else {
      same->ranks.push_back(report.rank);
      add_cores(report, same->report);
    }
  }
  return hosts;
}

Cluster cluster_of(const std::vector<FoundHost>& hosts, const std::string& device,
                   std::int64_t num_hosts, std::int64_t devices_per_host) {
  const auto there = static_cast<std::int64_t>(hosts.size());
  if (num_hosts > there)
    throw Error("there are " + std::to_string(there) + " hosts, not " + std::to_string(num_hosts));
  const std::vector<FoundHost> used(hosts.begin(),
                                    num_hosts > 0 ? hosts.begin() + num_hosts : hosts.end());
  const bool are_gpus = device == "cuda";
  const std::vector<std::int32_t> counts = num_devices_of(used, are_gpus, devices_per_host);
  const std::vector<DeviceModel> models =
      are_gpus ? std::vector<DeviceModel>{} : cpu_models(used, counts);
  Cluster cluster;
  for (std::size_t h = 0; h < used.size(); ++h) {
    Cluster one = are_gpus ? gpu_host(used[h], counts[h]) : discover_local(counts[h]);
    if (!are_gpus) one.models = {models[h]};
    if (h == 0) {
      cluster.intra_host = one.intra_host;
      cluster.inter_host = one.inter_host;
      cluster.collectives = one.collectives;
    }
    add_host(used[h], std::move(one), cluster);
  }
  const double interface = used.front().report.interface_bytes_per_s;
  if (interface > 0 && !are_gpus) cluster.inter_host.bytes_per_s = interface;
  cluster.name = "cluster";
  cluster.source = "told by the agents of its hosts; nominal rates";
  return cluster;
}

const std::vector<FoundHost>* found_hosts() {
  return known_hosts().empty() ? nullptr : &known_hosts();
}

void set_found_hosts(std::vector<FoundHost> hosts) { known_hosts() = std::move(hosts); }

}  // namespace rhino::topology
