// SPDX-License-Identifier: Apache-2.0
#include "config/topology_file.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "config/yaml_reader.hpp"
#include "plugin/suggest.hpp"
#include "topology/emulated_hosts.hpp"

namespace rhino::config {
namespace {

double checked_positive(const YamlReader& node, double value) {
  if (value <= 0) node.fail("it must be greater than 0");
  return value;
}

double positive(const YamlReader& node, const std::string& key) {
  return checked_positive(node.at(key), node.at(key).number());
}

/// Of bytes, or of bytes per second.
double positive_bytes(const YamlReader& node, const std::string& key) {
  return checked_positive(node.at(key), node.at(key).bytes());
}

/// Within these, times of a plan can be added up.
constexpr double kLeastRate = 1e-3, kMostRate = 1e30, kMostLatency_s = 1e6, kMostFactor = 1e6;

double checked_rate(const YamlReader& node, double value) {
  if (!(checked_positive(node, value) >= kLeastRate && value <= kMostRate))
    node.fail("a rate is from 1e-3 to 1e30 per second");
  return value;
}

/// Of bytes.
double rate(const YamlReader& node, const std::string& key) {
  return checked_rate(node.at(key), node.at(key).bytes());
}

/// `what` takes it.
double checked_latency(const YamlReader& node, double value, const std::string& what) {
  if (!(value >= 0)) node.fail(what + " takes no time below 0");
  if (!(value <= kMostLatency_s)) node.fail(what + " takes at most 1e6 seconds");
  return value;
}

double latency(const YamlReader& node, const std::string& key, double fallback,
               const std::string& what) {
  return node.has(key) ? checked_latency(node.at(key), node.at(key).number(), what) : fallback;
}

/// 1 where it is missing.
double factor(const YamlReader& node, const std::string& key, const std::string& why = "") {
  const double value = node.number(key, 1);
  if (!(value >= 1)) node.at(key).fail("it must be 1 or more" + why);
  if (!(value <= kMostFactor)) node.at(key).fail("it must be 1e6 or less");
  return value;
}

std::int64_t in_range(const YamlReader& node, const std::string& key,
                      const std::optional<std::int64_t>& fallback, std::int64_t least,
                      std::int64_t most) {
  if (fallback && !node.has(key)) return *fallback;
  return node.at(key).integer_in(least, most);
}

/// Which of `names` a key says; the first where it is missing.
template <std::size_t kCount>
std::size_t choice(const YamlReader& node, const std::string& key,
                   const std::array<const char*, kCount>& names, const std::string& fallback) {
  const std::string word = node.string(key, fallback);
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end())
    node.at(key).fail("unknown " + key + " '" + word + "'" +
                      plugin::suggestion(word, {names.begin(), names.end()}));
  return static_cast<std::size_t>(found - names.begin());
}

std::map<DType, double> read_rates(const YamlReader& rates) {
  std::map<DType, double> flops;
  for (const std::string& dtype : rates.keys())
    flops[rates.dtype(dtype)] = checked_rate(rates.at(dtype), rates.at(dtype).number());
  return flops;
}

/// What kernels reach of what the data sheet says.
void read_reached(const YamlReader& node, DeviceModel& model) {
  if (node.has("stream_bytes_per_s")) {
    model.stream_bytes_per_s = rate(node, "stream_bytes_per_s");
    if (model.stream_bytes_per_s > model.memory_bytes_per_s)
      node.at("stream_bytes_per_s").fail("it is more than memory_bytes_per_s");
  }
  if (node.has("sustained_flops")) model.sustained_flops = read_rates(node.at("sustained_flops"));
  for (const auto& [dtype, flops] : model.sustained_flops) {
    const auto peak = model.peak_flops.find(dtype);
    if (peak == model.peak_flops.end() || flops > peak->second)
      node.at("sustained_flops")
          .at(dtype_name(dtype))
          .fail("it is more than peak_flops says of the dtype");
  }
  model.num_multiprocessors =
      static_cast<std::int32_t>(in_range(node, "num_multiprocessors", 0, 0, 65536));
  if (node.has("cache_bytes_per_s")) model.cache_bytes_per_s = rate(node, "cache_bytes_per_s");
}

DeviceModel read_device(const YamlReader& node) {
  DeviceModel model;
  constexpr std::array kKinds = {"cpu", "cuda", "emulated", "modelled"};
  model.kind = static_cast<DeviceKind>(choice(node, "kind", kKinds, "modelled"));
  model.name = node.at("name").line();
  model.memory_bytes = positive_bytes(node, "memory_bytes");
  model.memory_bytes_per_s = rate(node, "memory_bytes_per_s");
  model.kernel_latency_s = latency(node, "kernel_latency_s", 5e-6, "a kernel");
  model.peak_flops = read_rates(node.at("peak_flops"));
  read_reached(node, model);
  node.finish();
  return model;
}

/// Rate, latency and burst; the caller finishes the node.
Link link_of(const YamlReader& node) {
  const YamlReader latency_s = node.at("latency_s");
  const Link link{rate(node, "bytes_per_s"),
                  checked_latency(latency_s, latency_s.number(), "a link"),
                  node.bytes("burst_bytes", 0)};
  if (link.burst_bytes < 0) node.at("burst_bytes").fail("a link takes no time below 0");
  return link;
}

Link read_link(const YamlReader& node) {
  const Link link = link_of(node);
  if (node.has("shared_by") && node.at("shared_by").string() != "host")
    node.at("shared_by").fail("only 'host' can share a link");
  node.finish();
  return link;
}

double within(const YamlReader& node, double value, double least, double most,
              const std::string& sentence) {
  if (!(value >= least && value <= most)) node.fail(sentence);
  return value;
}

EmulatedNetwork read_emulated(const YamlReader& node) {
  EmulatedNetwork network;
  const YamlReader rate = node.at("rate_bits_per_s"), burst = node.at("burst_bytes");
  network.rate_bits_per_s = within(rate, rate.number(), 1e6, 1e10,
                                   "an emulated network takes 1e6 to 1e10 bits per second");
  network.burst_bytes = within(burst, burst.bytes(), 131072, 16777216,
                               "an emulated network takes bursts of 128 KiB to 16 MiB");
  node.finish();
  return network;
}

/// The rate of an emulated link follows from the network; its latency is a measurement.
Link read_emulated_link(const YamlReader& node, const EmulatedNetwork& network) {
  if (node.has("bytes_per_s"))
    node.at("bytes_per_s").fail("it follows from rate_bits_per_s of the emulated network");
  const Link link{topology::goodput_bytes_per_s(network),
                  checked_latency(node.at("latency_s"), positive(node, "latency_s"), "a link"),
                  network.burst_bytes};
  node.finish();
  return link;
}

/// Hosts alike: all of a file, or one of its classes. The first sets the cluster's links.
class HostClass {
 public:
  static constexpr std::int64_t kMostDevices = 65536;

  /// See read_topology().
  HostClass(const YamlReader& node, std::int64_t num_hosts, std::int64_t devices_per_host)
      : node_(node) {
    num_hosts_ = in_range(node, "hosts", std::nullopt, 1, kMostDevices);
    if (num_hosts > 0) num_hosts_ = num_hosts;
    per_host_ = in_range(node, "devices_per_host", std::nullopt, 1, kMostDevices);
    if (num_hosts_ * per_host_ > kMostDevices)
      node.at("hosts").fail("between 1 and 65536 devices are wanted");
    host_.num_interfaces =
        static_cast<std::int32_t>(in_range(node, "interfaces_per_host", 1, 1, per_host_));
    if (devices_per_host > 0) take_first(devices_per_host);
    model_ = read_device(node.at("device"));
  }

  std::int64_t num_hosts() const { return num_hosts_; }
  const DeviceModel& model() const { return model_; }
  void finish() const { node_.finish(); }

  void add_to(Cluster& cluster) {
    read_links(cluster);
    const auto model = static_cast<std::int32_t>(cluster.models.size());
    cluster.models.push_back(model_);
    for (std::int64_t h = 0; h < num_hosts_; ++h) {
      const auto index = static_cast<std::int32_t>(cluster.hosts.size());
      Host& host = cluster.hosts.emplace_back(host_);
      host.name = "host" + std::to_string(index);
      for (std::int64_t i = 0; i < per_host_; ++i) {
        host.devices.push_back(cluster.num_devices());
        cluster.host_of.push_back(index);
        cluster.model_of.push_back(model);
      }
    }
    if (cluster.num_devices() > kMostDevices)
      node_.at("hosts").fail("between 1 and 65536 devices are wanted");
  }

 private:
  void take_first(std::int64_t devices) {
    if (devices > per_host_)
      node_.at("devices_per_host")
          .fail("a host has " + std::to_string(per_host_) + ", fewer than the " +
                std::to_string(devices) + " that are wanted");
    const std::int64_t last = (devices - 1) * host_.num_interfaces / per_host_;
    host_.num_interfaces = static_cast<std::int32_t>(last + 1);
    per_host_ = devices;
  }

  void read_links(Cluster& cluster) {
    const YamlReader links = node_.at("links");
    const Link inside = read_link(links.at("intra_host"));
    Link between = inside;
    if (cluster.is_emulated())
      between = read_emulated_link(links.at("inter_host"), cluster.emulated);
    else if (num_hosts_ > 1 || links.has("inter_host")) between = read_link(links.at("inter_host"));
    links.finish();
    if (cluster.hosts.empty()) cluster.intra_host = inside, cluster.inter_host = between;
    if (inside != cluster.intra_host) host_.inside = inside;
    if (between != cluster.inter_host) host_.interface = between;
  }

  YamlReader node_;
  std::int64_t num_hosts_ = 0, per_host_ = 0;
  Host host_;
  DeviceModel model_;
};

/// Per leaf so many hosts, one after the other, whose interfaces together are `oversubscription`
/// times as fast as the uplinks. The last leaf, which may be the only one, can have room for more.
void read_switches(const YamlReader& node, Cluster& cluster) {
  const std::int64_t per_leaf =
      in_range(node, "hosts_per_leaf", std::nullopt, 1, HostClass::kMostDevices);
  const double oversubscription = factor(node, "oversubscription");
  const double latency_s = latency(node, "latency_s", 0, "a switch");
  node.finish();
  for (std::int32_t h = 0; h < std::ssize(cluster.hosts); ++h) {
    if (h % per_leaf == 0) cluster.uplinks.push_back({0, latency_s, 0});
    cluster.hosts[static_cast<std::size_t>(h)].leaf =
        static_cast<std::int32_t>(cluster.uplinks.size()) - 1;
    cluster.uplinks.back().bytes_per_s += cluster.host_link(h).bytes_per_s / oversubscription;
  }
}

OwnLink read_own_link(const YamlReader& node, const Cluster& cluster) {
  OwnLink own{.between_hosts = node.has("hosts")};
  const char* key = own.between_hosts ? "hosts" : "devices";
  const std::int64_t count = own.between_hosts ? std::ssize(cluster.hosts) : cluster.num_devices();
  std::vector<std::int64_t> ends;
  for (const YamlReader& end : node.at(key).items()) ends.push_back(end.integer());
  if (ends.size() != 2 || ends[0] == ends[1] || std::min(ends[0], ends[1]) < 0 ||
      std::max(ends[0], ends[1]) >= count)
    node.at(key).fail("two of the " + std::to_string(count) + " " + key + " are wanted, from 0");
  own.a = static_cast<std::int32_t>(ends[0]);
  own.b = static_cast<std::int32_t>(ends[1]);
  own.link = link_of(node);
  node.finish();
  return own;
}

std::vector<OwnLink> read_own_links(const YamlReader& list, const Cluster& cluster) {
  std::vector<OwnLink> links;
  std::set<std::tuple<bool, std::int32_t, std::int32_t>> pairs;
  for (const YamlReader& node : list.items()) {
    const OwnLink& own = links.emplace_back(read_own_link(node, cluster));
    const auto [low, high] = std::minmax(own.a, own.b);
    if (!pairs.emplace(own.between_hosts, low, high).second)
      node.fail((own.between_hosts ? "hosts " : "devices ") + std::to_string(own.a) + " and " +
                std::to_string(own.b) + " have a link of their own already");
  }
  return links;
}

EmulatedNetwork emulated_network(const YamlReader& node, const HostClass& hosts) {
  if (hosts.model().kind != DeviceKind::cpu && hosts.model().kind != DeviceKind::emulated)
    node.fail("only devices of kind cpu or emulated work on an emulated network");
  if (hosts.num_hosts() < 2 || hosts.num_hosts() > 64)
    node.fail("an emulated network joins 2 to 64 hosts");
  return read_emulated(node);
}

constexpr std::array<std::pair<const char*, OpKind>, 4> kCollectives{
    {{"all_reduce", OpKind::all_reduce},
     {"all_gather", OpKind::all_gather},
     {"reduce_scatter", OpKind::reduce_scatter},
     {"all_to_all", OpKind::all_to_all}}};

std::map<OpKind, double> read_collective_issue(const YamlReader& node) {
  std::map<OpKind, double> seconds;
  for (const auto& [name, kind] : kCollectives) {
    if (node.has(name))
      seconds[kind] = checked_latency(node.at(name), node.at(name).number(), "a collective");
  }
  node.finish();
  return seconds;
}

Software read_software(const YamlReader& node) {
  Software software;
  software.kernel_issue_s =
      checked_latency(node.at("kernel_issue_s"), positive(node, "kernel_issue_s"), "a kernel");
  software.kernels_per_loop = factor(node, "kernels_per_loop", ": ours are fused");
  software.passes_per_loop = factor(node, "passes_per_loop", ": ours are fused");
  software.attention = node.boolean("attention", false);
  if (node.has("collective_issue_s"))
    software.collective_issue_s = read_collective_issue(node.at("collective_issue_s"));
  node.finish();
  return software;
}

std::vector<CollectiveShare> read_shares(const YamlReader& node) {
  std::vector<CollectiveShare> shares;
  std::pair<std::int64_t, double> last;
  for (const YamlReader& item : node.items()) {
    const double bytes = positive_bytes(item, "bytes"), share = positive(item, "share");
    const std::int64_t members = in_range(item, "members", 0, 0, HostClass::kMostDevices);
    const std::pair place{members, bytes};
    if (place <= std::exchange(last, place))
      item.fail("members, then bytes are wanted in increasing order");
    if (share > 1) item.at("share").fail("it is a part of the rate, at most 1");
    item.finish();
    shares.push_back({bytes, share, static_cast<std::int32_t>(members)});
  }
  return shares;
}

/// A list is of all collectives; else each kind has its own.
void add_shares(const YamlReader& node, Cluster& cluster) {
  if (!node.is_map()) return void(cluster.collective_shares = read_shares(node));
  for (const auto& [name, kind] : kCollectives) {
    if (node.has(name)) cluster.shares_of_kind[kind] = read_shares(node.at(name));
  }
  node.finish();
}

std::vector<HostClass> read_classes(const YamlReader& root, std::int64_t num_hosts,
                                    std::int64_t devices_per_host) {
  std::vector<HostClass> classes;
  if (!root.has("classes")) return {HostClass(root, num_hosts, devices_per_host)};
  if (num_hosts > 0) root.at("classes").fail("its classes say how many hosts there are");
  for (const YamlReader& node : root.at("classes").items())
    classes.emplace_back(node, 0, devices_per_host);
  if (classes.empty()) root.at("classes").fail("at least one class of hosts is wanted");
  return classes;
}

}  // namespace

Cluster read_topology(const std::string& path, std::int64_t num_hosts,
                      std::int64_t devices_per_host) {
  const YamlReader root = YamlReader::file(path);
  Cluster cluster;
  cluster.name = root.at("name").line();
  if (cluster.name.empty()) root.at("name").fail("a name is wanted here");
  cluster.source = root.at("source").string();
  constexpr std::array kLibraries = {"plain", "nccl", "nccl_nvls"};
  cluster.collectives =
      static_cast<CollectiveLibrary>(choice(root, "collectives", kLibraries, "plain"));
  std::vector<HostClass> classes = read_classes(root, num_hosts, devices_per_host);
  if (root.has("emulated"))
    cluster.emulated = emulated_network(root.at("emulated"), classes.front());
  for (HostClass& hosts : classes) hosts.add_to(cluster);
  if (root.has("collective_shares")) add_shares(root.at("collective_shares"), cluster);
  if (root.has("software")) {
    if (classes.front().model().kind == DeviceKind::cpu)
      root.at("software").fail("workers of this machine issue what they are measured to");
    cluster.software = read_software(root.at("software"));
  }
  if (root.has("switches")) read_switches(root.at("switches"), cluster);
  if (root.has("own_links")) cluster.own_links = read_own_links(root.at("own_links"), cluster);
  for (const HostClass& hosts : classes) hosts.finish();
  root.finish();
  return cluster;
}

}  // namespace rhino::config
