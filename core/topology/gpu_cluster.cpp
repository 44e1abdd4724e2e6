// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "rhino/index.hpp"
#include "topology/gpus.hpp"

namespace rhino::topology {
namespace {

/// What one multiprocessor does per clock, a multiply-add counted as two, and what is reached of
/// it. topologies/README.md says where the shares were measured; 0.7 and 0.85 where nobody has.
struct Architecture {
  int number;
  double f32, f64, f16, bf16;
  double most_tensor_clock_hz;  ///< at which the data sheet counts dots of 16 bits; 0: the highest
  double sustained, stream;     ///< shares of the peaks of 16 bits, and of memory
  double cache_bytes;           ///< of operands; 0: not known
  double nvlink_bytes_per_s;    ///< each, one way, as NCCL's collectives reach it
};
constexpr std::array kArchitectures = {
    Architecture{60, 128, 64, 256, 128, 0, 0.7, 0.85, 0, 18e9},
    Architecture{70, 128, 64, 1024, 128, 0, 0.664, 0.878, 17.6, 20e9},
    Architecture{75, 128, 4, 1024, 128, 0, 0.7, 0.85, 0, 20e9},
    Architecture{80, 128, 128, 2048, 2048, 0, 0.822, 0.834, 32.6, 235e9 / 12},
    Architecture{86, 256, 4, 1024, 1024, 0, 0.7, 0.85, 0, 235e9 / 12},
    Architecture{89, 256, 4, 1024, 1024, 0, 0.7, 0.85, 0, 235e9 / 12},
    Architecture{90, 256, 256, 4096, 4096, 1.83e9, 0.695, 0.886, 38.9, 20.6e9},
    Architecture{100, 256, 128, 8192, 8192, 1.856e9, 0.631, 0.75, 0, 680e9 / 18},
    Architecture{120, 256, 4, 1024, 1024, 0, 0.7, 0.85, 0, 680e9 / 18},
};
constexpr double kKernelLatency_s = 3e-6, kLinkLatency_s = 12e-6, kNetworkLatency_s = 22e-6;
constexpr double kNetworkShare = 0.96;
/// What a rank takes of a GPU besides its plan: its context with all kernels loaded at once (0.6 GB
/// on an H100, read there), the workspace of cuBLASLt, up to 32 MiB, and cuDNN's; NCCL where there
/// are others (1.1 GB in two communicators of three and four ranks, by sockets).
constexpr double kReserveBytes = 1e9, kNcclBytes = 1.2e9;
/// Of memory so small that only fakes have it.
constexpr double kLargestReserve = 0.25;
/// NCCL's rate of a lane of PCIe 3; each generation doubles it.
constexpr double kPcieLane3_bytes_per_s = 12e9 / 16;

/// The newest that is no newer.
const Architecture& architecture_of(const Gpu& gpu) {
  const Architecture* found = &kArchitectures.front();
  for (const Architecture& one : kArchitectures)
    if (one.number <= gpu.architecture) found = &one;
  return *found;
}

double pcie_bytes_per_s(const Gpu& gpu) {
  const int generation = gpu.pcie_generation > 0 ? gpu.pcie_generation : 3;
  const int lanes = gpu.pcie_lanes > 0 ? gpu.pcie_lanes : 16;
  double rate = kPcieLane3_bytes_per_s * lanes;
  for (int i = 3; i < generation; ++i) rate *= 2;
  for (int i = generation; i < 3; ++i) rate /= 2;
  return rate;
}

/// Of a GPU that `num_ranks` share, each with a context of its own.
double plan_bytes(double memory_bytes, std::int32_t num_ranks, bool has_peers) {
  const double share = memory_bytes / num_ranks;
  const double reserve = kReserveBytes + (has_peers ? kNcclBytes : 0);
  return share - std::min(reserve, kLargestReserve * share);
}

bool has_switches(const GpuInventory& inventory) {
  return std::ranges::all_of(inventory.gpus, [](const Gpu& gpu) {
    return std::ranges::any_of(gpu.nvlinks, [](const NvLinks& links) { return links.peer < 0; });
  });
}

/// Whether NVLinks alone lead from every GPU of the first `count` to every other.
bool are_linked(const GpuInventory& inventory, std::size_t count) {
  if (count < 2 || has_switches(inventory)) return true;
  std::set<std::size_t> reached{0};
  for (std::vector<std::size_t> next{0}; !next.empty();) {
    const std::size_t from = next.back();
    next.pop_back();
    for (const NvLinks& links : inventory.gpus[from].nvlinks) {
      const auto to = static_cast<std::size_t>(links.peer);
      if (links.peer >= 0 && to < count && reached.insert(to).second) next.push_back(to);
    }
  }
  return reached.size() == count;
}

/// Of a GPU to those of the first `count`, over all its NVLinks.
double nvlink_bytes_per_s(const Gpu& gpu, std::size_t count) {
  double rate = 0;
  for (const NvLinks& links : gpu.nvlinks) {
    if (links.peer < static_cast<std::int32_t>(count))
      rate += links.count * architecture_of(gpu).nvlink_bytes_per_s;
  }
  return rate;
}

/// Links between pairs, where the rest goes over PCIe.
std::vector<OwnLink> linked_pairs(const GpuInventory& inventory, std::size_t count) {
  std::vector<OwnLink> pairs;
  for (std::size_t a = 0; a < count; ++a) {
    for (const NvLinks& links : inventory.gpus[a].nvlinks) {
      if (links.peer <= static_cast<std::int32_t>(a) ||
          links.peer >= static_cast<std::int32_t>(count))
        continue;
      const double rate = links.count * architecture_of(inventory.gpus[a]).nvlink_bytes_per_s;
      pairs.push_back({.between_hosts = false,
                       .a = static_cast<std::int32_t>(a),
                       .b = links.peer,
                       .link = {.bytes_per_s = rate, .latency_s = kLinkLatency_s}});
    }
  }
  return pairs;
}

void add_links(const GpuInventory& inventory, std::size_t count, Cluster& cluster) {
  const bool linked = are_linked(inventory, count);
  double rate = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Gpu& gpu = inventory.gpus[i];
    double own = linked ? nvlink_bytes_per_s(gpu, count) : 0;
    if (own == 0) own = pcie_bytes_per_s(gpu);
    rate = i == 0 ? own : std::min(rate, own);
  }
  cluster.intra_host = {.bytes_per_s = rate, .latency_s = kLinkLatency_s};
  if (!linked) cluster.own_links = linked_pairs(inventory, count);
  const bool adds_up = has_switches(inventory) && inventory.gpus.front().architecture >= 90;
  cluster.collectives = adds_up ? CollectiveLibrary::nccl_nvls : CollectiveLibrary::nccl;
}

void add_network(Cluster& cluster) {
  const std::vector<Nic> nics = discover_nics("/sys");
  cluster.inter_host = {.bytes_per_s = 1.25e9, .latency_s = kNetworkLatency_s};
  if (nics.empty()) return;
  const auto slower = [](const Nic& a, const Nic& b) { return a.bytes_per_s < b.bytes_per_s; };
  const double best = std::ranges::max_element(nics, slower)->bytes_per_s;
  cluster.inter_host.bytes_per_s = kNetworkShare * best;
  const auto as_good =
      std::ranges::count_if(nics, [&](const Nic& nic) { return nic.bytes_per_s == best; });
  cluster.hosts.front().num_interfaces =
      std::min(static_cast<std::int32_t>(as_good), cluster.num_devices());
}

}  // namespace

DeviceModel gpu_model(const Gpu& gpu) {
  const Architecture& how = architecture_of(gpu);
  const double clocks = gpu.clock_hz * gpu.num_multiprocessors;
  const double tensor_hz = how.most_tensor_clock_hz > 0
                               ? std::min(gpu.clock_hz, how.most_tensor_clock_hz)
                               : gpu.clock_hz;
  const double tensor = tensor_hz * gpu.num_multiprocessors;
  const double memory = 2 * gpu.memory_clock_hz * gpu.memory_bus_bits / 8;  // twice per clock
  DeviceModel model{.kind = DeviceKind::cuda,
                    .name = gpu.name,
                    .memory_bytes = gpu.memory_bytes,
                    .memory_bytes_per_s = memory,
                    .kernel_latency_s = kKernelLatency_s,
                    .peak_flops = {{DType::f32, how.f32 * clocks},
                                   {DType::f64, how.f64 * clocks},
                                   {DType::f16, how.f16 * tensor},
                                   {DType::bf16, how.bf16 * tensor}},
                    .stream_bytes_per_s = how.stream * memory,
                    .sustained_flops = {{DType::f16, how.sustained * how.f16 * tensor}},
                    .num_multiprocessors = gpu.num_multiprocessors,
                    .cache_bytes_per_s = how.cache_bytes * tensor};
  if (how.bf16 == how.f16) model.sustained_flops[DType::bf16] = model.sustained_flops[DType::f16];
  return model;
}

Cluster gpu_cluster(const GpuInventory& inventory, std::int32_t num_devices, bool has_peers) {
  const auto there = static_cast<std::int32_t>(inventory.gpus.size());
  if (num_devices <= 0) num_devices = there;
  const std::int32_t per_gpu = (num_devices + there - 1) / there;
  Cluster cluster{.name = "local",
                  .source = "discovered; rates of data sheets",
                  .hosts = {{"localhost", {}}},
                  .host_of = std::vector<std::int32_t>(at(num_devices), 0),
                  .models = {},
                  .model_of = {},
                  .intra_host = {},
                  .inter_host = {},
                  .emulated = {}};
  for (DeviceId device = 0; device < num_devices; ++device) {
    DeviceModel model = gpu_model(inventory.gpus[at(device % there)]);
    model.memory_bytes = plan_bytes(model.memory_bytes, per_gpu, has_peers || num_devices > 1);
    const auto known = std::ranges::find(cluster.models, model);
    cluster.model_of.push_back(static_cast<std::int32_t>(known - cluster.models.begin()));
    if (known == cluster.models.end()) cluster.models.push_back(std::move(model));
    cluster.hosts[0].devices.push_back(device);
  }
  add_links(inventory, at(std::min(num_devices, there)), cluster);
  add_network(cluster);
  if (per_gpu > 1)
    cluster.source += "; " + std::to_string(num_devices) + " devices share " +
                      std::to_string(there) + (there == 1 ? " GPU" : " GPUs");
  return cluster;
}

}  // namespace rhino::topology
