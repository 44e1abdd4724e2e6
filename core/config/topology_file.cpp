// SPDX-License-Identifier: Apache-2.0
#include "config/topology_file.hpp"

#include <array>

#include "config/yaml_reader.hpp"
#include "plugin/suggest.hpp"
#include "topology/emulated_hosts.hpp"

namespace rhino::config {
namespace {

double positive(const YamlReader& node, const std::string& key) {
  const double value = node.at(key).number();
  if (value <= 0) node.at(key).fail("it must be greater than 0");
  return value;
}

DeviceModel read_device(const YamlReader& node) {
  DeviceModel model;
  const std::string kind = node.string("kind", "modelled");
  constexpr std::array kKinds = {"cpu", "cuda", "emulated", "modelled"};
  bool known = false;
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (kind == kKinds[i]) model.kind = static_cast<DeviceKind>(i), known = true;
  }
  if (!known)
    node.at("kind").fail("unknown kind '" + kind + "'" +
                         plugin::suggestion(kind, {kKinds.begin(), kKinds.end()}));
  model.name = node.at("name").string();
  model.memory_bytes = positive(node, "memory_bytes");
  model.memory_bytes_per_s = positive(node, "memory_bytes_per_s");
  model.kernel_latency_s = node.number("kernel_latency_s", 5e-6);
  const YamlReader peaks = node.at("peak_flops");
  for (const std::string& dtype : peaks.keys())
    model.peak_flops[peaks.dtype(dtype)] = positive(peaks, dtype);
  node.finish();
  return model;
}

Link read_link(const YamlReader& node) {
  const Link link{positive(node, "bytes_per_s"), node.at("latency_s").number(),
                  node.number("burst_bytes", 0)};
  if (node.has("shared_by")) {
    if (node.at("shared_by").string() != "host")
      node.at("shared_by").fail("only 'host' can share a link");
  }
  node.finish();
  return link;
}

double within(const YamlReader& node, const std::string& key, double least, double most,
              const std::string& sentence) {
  const double value = node.at(key).number();
  if (!(value >= least && value <= most)) node.at(key).fail(sentence);
  return value;
}

EmulatedNetwork read_emulated(const YamlReader& node) {
  EmulatedNetwork network;
  network.rate_bits_per_s = within(node, "rate_bits_per_s", 1e6, 1e10,
                                   "an emulated network takes 1e6 to 1e10 bits per second");
  network.burst_bytes = within(node, "burst_bytes", 131072, 16777216,
                               "an emulated network takes bursts of 128 KiB to 16 MiB");
  node.finish();
  return network;
}

/// The rate of an emulated link follows from the network; its latency is a measurement.
Link read_emulated_link(const YamlReader& node, const EmulatedNetwork& network) {
  if (node.has("bytes_per_s"))
    node.at("bytes_per_s").fail("it follows from rate_bits_per_s of the emulated network");
  const Link link{topology::goodput_bytes_per_s(network), positive(node, "latency_s"),
                  network.burst_bytes};
  node.finish();
  return link;
}

}  // namespace

Cluster read_topology(const std::string& path) {
  const YamlReader root = YamlReader::file(path);
  Cluster cluster;
  cluster.name = root.at("name").string();
  cluster.source = root.at("source").string();
  const std::int64_t num_hosts = root.at("hosts").integer();
  const std::int64_t per_host = root.at("devices_per_host").integer();
  if (num_hosts < 1 || per_host < 1 || num_hosts * per_host > 65536)
    root.at("hosts").fail("between 1 and 65536 devices are wanted");
  cluster.models = {read_device(root.at("device"))};
  const YamlReader links = root.at("links");
  cluster.intra_host = read_link(links.at("intra_host"));
  if (root.has("emulated")) {
    const YamlReader emulated = root.at("emulated");
    if (cluster.models[0].kind != DeviceKind::cpu)
      emulated.fail("only devices of kind cpu work on an emulated network");
    if (num_hosts < 2 || num_hosts > 64)
      root.at("hosts").fail("an emulated network joins 2 to 64 hosts");
    cluster.emulated = read_emulated(emulated);
  }
  if (cluster.is_emulated())
    cluster.inter_host = read_emulated_link(links.at("inter_host"), cluster.emulated);
  else if (num_hosts > 1 || links.has("inter_host"))
    cluster.inter_host = read_link(links.at("inter_host"));
  else cluster.inter_host = cluster.intra_host;
  links.finish();
  root.finish();
  for (std::int32_t host = 0; host < num_hosts; ++host) {
    cluster.hosts.push_back({"host" + std::to_string(host), {}});
    for (std::int32_t i = 0; i < per_host; ++i) {
      cluster.hosts.back().devices.push_back(cluster.num_devices());
      cluster.host_of.push_back(host);
      cluster.model_of.push_back(0);
    }
  }
  return cluster;
}

}  // namespace rhino::config
