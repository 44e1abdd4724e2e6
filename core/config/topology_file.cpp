// SPDX-License-Identifier: Apache-2.0
#include "config/topology_file.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/topology_numbers.hpp"
#include "config/topology_rates.hpp"
#include "config/yaml_reader.hpp"
#include "topology/emulated_hosts.hpp"

namespace rhino::config {
namespace {

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
  /// See read_topology().
  HostClass(const YamlReader& node, std::int64_t num_hosts, std::int64_t devices_per_host)
      : node_(node) {
    num_hosts_of_file_ = in_range(node, "hosts", std::nullopt, 1, kMostDevices);
    num_hosts_ = num_hosts > 0 ? num_hosts : num_hosts_of_file_;
    per_host_ = in_range(node, "devices_per_host", std::nullopt, 1, kMostDevices);
    if (num_hosts_ * per_host_ > kMostDevices)
      node.at("hosts").fail("between 1 and 65536 devices are wanted");
    host_.num_interfaces =
        static_cast<std::int32_t>(in_range(node, "interfaces_per_host", 1, 1, per_host_));
    per_host_of_file_ = per_host_;
    if (devices_per_host > 0) take_first(devices_per_host);
    model_ = read_device(node.at("device"));
  }

  std::int64_t num_hosts() const { return num_hosts_; }
  /// Whatever a case takes of them.
  std::int64_t num_hosts_of_file() const { return num_hosts_of_file_; }
  std::int64_t per_host_of_file() const { return per_host_of_file_; }
  const DeviceModel& model() const { return model_; }
  void finish() const { node_.finish(); }

  std::optional<CollectiveShares> own_shares() const {
    if (!node_.has("collective_shares")) return std::nullopt;
    return read_collective_shares(node_.at("collective_shares"));
  }

  /// `is_alone`: the cluster is this one host.
  void add_to(Cluster& cluster, bool is_alone) {
    read_links(cluster, is_alone);
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

  void read_links(Cluster& cluster, bool is_alone) {
    const YamlReader links = node_.at("links");
    const Link inside = read_link(links.at("intra_host"));
    Link between = inside;
    if (cluster.is_emulated())
      between = read_emulated_link(links.at("inter_host"), cluster.emulated);
    else if (!is_alone || links.has("inter_host")) between = read_link(links.at("inter_host"));
    links.finish();
    if (cluster.hosts.empty()) cluster.intra_host = inside, cluster.inter_host = between;
    if (inside != cluster.intra_host) host_.inside = inside;
    if (between != cluster.inter_host) host_.interface = between;
  }

  YamlReader node_;
  std::int64_t num_hosts_ = 0, per_host_ = 0, num_hosts_of_file_ = 0, per_host_of_file_ = 0;
  Host host_;
  DeviceModel model_;
};

/// Per leaf so many hosts, one after the other, whose interfaces together are `oversubscription`
/// times as fast as the uplinks. The last leaf, which may be the only one, can have room for more.
void read_switches(const YamlReader& node, Cluster& cluster) {
  const std::int64_t per_leaf = in_range(node, "hosts_per_leaf", std::nullopt, 1, kMostDevices);
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

/// Hosts and devices as the file numbers them, and hosts beyond where a case takes more. Host h of
/// the cluster is host h here; of its devices it may have the first alone.
class FileIds {
 public:
  explicit FileIds(const std::vector<HostClass>& classes) {
    for (const HostClass& hosts : classes) {
      num_hosts_ += hosts.num_hosts_of_file();
      num_devices_ += hosts.num_hosts_of_file() * hosts.per_host_of_file();
      most_per_host_ = std::max(most_per_host_, hosts.per_host_of_file());
      const std::int64_t count = std::max(hosts.num_hosts(), hosts.num_hosts_of_file());
      for (std::int64_t h = 0; h < count; ++h)
        first_.push_back(first_.back() + hosts.per_host_of_file());
    }
  }

  std::int64_t num_hosts() const { return num_hosts_; }
  std::int64_t num_devices() const { return num_devices_; }
  std::int64_t most_per_host() const { return most_per_host_; }
  /// Per host its first device, and the end.
  const std::vector<std::int64_t>& first() const { return first_; }

  /// Its index in the cluster; -1: a case leaves it out.
  std::int32_t host(std::int64_t host, const Cluster& cluster) const {
    return host < std::ssize(cluster.hosts) ? static_cast<std::int32_t>(host) : -1;
  }
  std::int32_t device(std::int64_t device, const Cluster& cluster) const {
    const auto next = std::ranges::upper_bound(first_, device);
    const std::int32_t host = this->host(next - first_.begin() - 1, cluster);
    if (host < 0) return -1;
    const std::vector<DeviceId>& devices = cluster.hosts[static_cast<std::size_t>(host)].devices;
    const std::int64_t place = device - *std::prev(next);
    return place < std::ssize(devices) ? devices[static_cast<std::size_t>(place)] : -1;
  }

 private:
  std::int64_t num_hosts_ = 0, num_devices_ = 0, most_per_host_ = 0;
  std::vector<std::int64_t> first_ = {0};
};

/// Of a link of its own, as the file numbers them.
using Ends = std::pair<std::int64_t, std::int64_t>;

Ends read_pair(const YamlReader& list, std::int64_t count, const std::string& what) {
  std::vector<std::int64_t> ends;
  for (const YamlReader& end : list.items()) ends.push_back(end.integer());
  if (ends.size() != 2 || ends[0] == ends[1] || std::min(ends[0], ends[1]) < 0 ||
      std::max(ends[0], ends[1]) >= count)
    list.fail("two of the " + std::to_string(count) + " " + what + " are wanted, from 0");
  return {ends[0], ends[1]};
}

/// Of every host, but for those that have fewer devices.
std::vector<Ends> pairs_of_each_host(const YamlReader& list, const FileIds& ids) {
  std::vector<Ends> all;
  const std::vector<YamlReader> pairs = list.items();
  if (pairs.empty()) list.fail("pairs of devices are wanted here");
  for (const YamlReader& pair : pairs) {
    const auto [a, b] = read_pair(pair, ids.most_per_host(), "devices of a host");
    for (std::size_t h = 0; h + 1 < ids.first().size(); ++h) {
      const std::int64_t first = ids.first()[h];
      if (first + std::max(a, b) < ids.first()[h + 1]) all.emplace_back(first + a, first + b);
    }
  }
  return all;
}

/// Those whose ends a case takes. All that look for a link take the first: those of devices go
/// before those of their hosts.
std::vector<OwnLink> read_own_links(const YamlReader& list, const Cluster& cluster,
                                    const FileIds& ids) {
  std::vector<OwnLink> links;
  std::set<std::pair<bool, Ends>> pairs;
  for (const YamlReader& node : list.items()) {
    std::vector<Ends> entry;
    const bool is_of_each_host = node.has("pairs_of_each_host");
    const bool between_hosts = !is_of_each_host && node.has("hosts");
    if (is_of_each_host) entry = pairs_of_each_host(node.at("pairs_of_each_host"), ids);
    else if (between_hosts) entry = {read_pair(node.at("hosts"), ids.num_hosts(), "hosts")};
    else entry = {read_pair(node.at("devices"), ids.num_devices(), "devices")};
    const Link link = link_of(node);
    node.finish();
    for (const auto& [first, second] : entry) {
      if (!pairs.emplace(between_hosts, std::minmax(first, second)).second)
        node.fail((between_hosts ? "hosts " : "devices ") + std::to_string(first) + " and " +
                  std::to_string(second) + " have a link of their own already");
      const auto kept = [&](std::int64_t id) {
        return between_hosts ? ids.host(id, cluster) : ids.device(id, cluster);
      };
      const std::int32_t a = kept(first), b = kept(second);
      if (a >= 0 && b >= 0) links.push_back({between_hosts, a, b, link});
    }
  }
  std::ranges::stable_partition(links, [](const OwnLink& own) { return !own.between_hosts; });
  return links;
}

/// The name of the first devices that are not so; none: all are.
template <class Predicate>
std::optional<std::string> unlike(const std::vector<HostClass>& classes, const Predicate& is_so) {
  for (const HostClass& hosts : classes) {
    if (!is_so(hosts.model().kind)) return hosts.model().name;
  }
  return std::nullopt;
}

EmulatedNetwork emulated_network(const YamlReader& node, const std::vector<HostClass>& classes,
                                 std::int64_t num_hosts) {
  const auto works = [](DeviceKind kind) {
    return kind == DeviceKind::cpu || kind == DeviceKind::emulated;
  };
  if (const auto name = unlike(classes, works))
    node.fail("only devices of kind cpu or emulated work on an emulated network, and '" + *name +
              "' is of another");
  if (num_hosts < 2 || num_hosts > 64) node.fail("an emulated network joins 2 to 64 hosts");
  return read_emulated(node);
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

/// Those of a class are in place of those of the file.
void read_shares(const YamlReader& root, const std::vector<HostClass>& classes, Cluster& cluster) {
  if (root.has("collective_shares"))
    cluster.collective_shares = read_collective_shares(root.at("collective_shares"));
  if (!root.has("classes")) return;
  std::vector<CollectiveShares> shares;
  for (const HostClass& hosts : classes)
    shares.push_back(hosts.own_shares().value_or(cluster.collective_shares));
  const bool differ = std::ranges::count(shares, cluster.collective_shares) < std::ssize(shares);
  if (differ) cluster.shares_of_model = std::move(shares);
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
  std::int64_t all_hosts = 0;
  for (const HostClass& hosts : classes) all_hosts += hosts.num_hosts();
  if (root.has("emulated"))
    cluster.emulated = emulated_network(root.at("emulated"), classes, all_hosts);
  for (HostClass& hosts : classes) hosts.add_to(cluster, all_hosts == 1);
  read_shares(root, classes, cluster);
  if (root.has("software")) {
    const auto is_modelled = [](DeviceKind kind) { return kind != DeviceKind::cpu; };
    if (const auto name = unlike(classes, is_modelled))
      root.at("software")
          .fail("workers of this machine issue what they are measured to, and '" + *name +
                "' is of kind cpu");
    cluster.software = read_software(root.at("software"));
  }
  if (root.has("switches")) read_switches(root.at("switches"), cluster);
  if (root.has("own_links"))
    cluster.own_links = read_own_links(root.at("own_links"), cluster, FileIds(classes));
  for (const HostClass& hosts : classes) hosts.finish();
  root.finish();
  return cluster;
}

}  // namespace rhino::config
