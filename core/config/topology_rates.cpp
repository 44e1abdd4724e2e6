// SPDX-License-Identifier: Apache-2.0
#include "config/topology_rates.hpp"

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "config/topology_numbers.hpp"

namespace rhino::config {
namespace {

std::map<DType, double> read_rates(const YamlReader& rates) {
  std::map<DType, double> flops;
  for (const std::string& dtype : rates.keys())
    flops[rates.dtype(dtype)] = checked_rate(rates.at(dtype), rates.at(dtype).number());
  return flops;
}

AttentionRates read_attention(const YamlReader& node) {
  const auto part = [&](const std::string& key) {
    const double value = positive(node, key);
    if (value > 1) node.at(key).fail("it is a part of the peak, at most 1");
    return value;
  };
  const AttentionRates rates{
      part("forward"), part("backward"),
      checked_rate(node.at("exponentials_per_s"), node.at("exponentials_per_s").number())};
  node.finish();
  return rates;
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
  if (node.has("attention")) model.attention = read_attention(node.at("attention"));
}

constexpr std::array<std::pair<const char*, OpKind>, 4> kCollectives{
    {{"all_reduce", OpKind::all_reduce},
     {"all_gather", OpKind::all_gather},
     {"reduce_scatter", OpKind::reduce_scatter},
     {"all_to_all", OpKind::all_to_all}}};

std::vector<CollectiveShare> read_shares(const YamlReader& node) {
  std::vector<CollectiveShare> shares;
  std::pair<std::int64_t, double> last;
  for (const YamlReader& item : node.items()) {
    const double bytes = positive_bytes(item, "bytes"), share = positive(item, "share");
    const std::int64_t members = in_range(item, "members", 0, 0, kMostDevices);
    const std::pair place{members, bytes};
    if (place <= std::exchange(last, place))
      item.fail("members, then bytes are wanted in increasing order");
    if (share > 1) item.at("share").fail("it is a part of the rate, at most 1");
    item.finish();
    shares.push_back({bytes, share, static_cast<std::int32_t>(members)});
  }
  return shares;
}

std::map<OpKind, double> read_collective_issue(const YamlReader& node) {
  std::map<OpKind, double> seconds;
  for (const auto& [name, kind] : kCollectives) {
    if (node.has(name))
      seconds[kind] = checked_latency(node.at(name), node.at(name).number(), "a collective");
  }
  node.finish();
  return seconds;
}

}  // namespace

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

CollectiveShares read_collective_shares(const YamlReader& node) {
  CollectiveShares shares;
  if (!node.is_map()) {
    shares.any = read_shares(node);
    return shares;
  }
  for (const auto& [name, kind] : kCollectives) {
    if (node.has(name)) shares.of_kind[kind] = read_shares(node.at(name));
  }
  node.finish();
  return shares;
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

}  // namespace rhino::config
