// SPDX-License-Identifier: Apache-2.0
#include "topology/gpus.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "config/topology_file.hpp"
#include "topology/child_output.hpp"
#include "topology/gpu_state.hpp"

using namespace rhino;
using namespace rhino::topology;

// Oracle: the files of topologies/, whose numbers are of data sheets and others' measurements.

namespace {

Gpu v100() {
  return {.name = "V100",
          .architecture = 70,
          .num_multiprocessors = 80,
          .memory_bytes = 16e9,
          .clock_hz = 1.53e9,
          .memory_clock_hz = 877e6,
          .memory_bus_bits = 4096,
          .pcie_generation = 3,
          .pcie_lanes = 16};
}

Gpu a100() {
  return {.name = "A100",
          .architecture = 80,
          .num_multiprocessors = 108,
          .memory_bytes = 80e9,
          .clock_hz = 1.41e9,
          .memory_clock_hz = 1593e6,
          .memory_bus_bits = 5120,
          .nvlinks = {{.peer = -1, .count = 12, .version = 3}}};
}

Gpu h100() {
  return {.name = "H100",
          .architecture = 90,
          .num_multiprocessors = 132,
          .memory_bytes = 80e9,
          .clock_hz = 1.98e9,
          .memory_clock_hz = 2619e6,
          .memory_bus_bits = 5120,
          .nvlinks = {{.peer = -1, .count = 18, .version = 4}}};
}

/// As in a p3.8xlarge: links of 1, 1 and 2 to the three others.
GpuInventory four_v100() {
  GpuInventory inventory;
  for (std::int32_t i = 0; i < 4; ++i) {
    Gpu gpu = v100();
    for (std::int32_t peer = 0; peer < 4; ++peer)
      if (peer != i) gpu.nvlinks.push_back({peer, (peer ^ i) == 3 ? 2 : 1, 2});
    inventory.gpus.push_back(gpu);
  }
  return inventory;
}

Cluster file(const std::string& name) {
  return config::read_topology(std::string(RHINO_SOURCE) + "/topologies/" + name, 1, 0);
}

void check_near(double actual, double expected) { CHECK(actual == Approx(expected).epsilon(0.02)); }

void check_like(const Cluster& found, const Cluster& known) {
  const DeviceModel &a = found.models.front(), &b = known.models.front();
  INFO(known.name);
  for (const auto& [dtype, flops] : b.peak_flops) {
    INFO(dtype_name(dtype));
    check_near(a.peak_flops.at(dtype), flops);
  }
  for (const auto& [dtype, flops] : b.sustained_flops)
    check_near(a.sustained_flops.at(dtype), flops);
  check_near(a.memory_bytes_per_s, b.memory_bytes_per_s);
  check_near(a.stream_bytes_per_s, b.stream_bytes_per_s);
  check_near(a.cache_bytes_per_s, b.cache_bytes_per_s);
  CHECK(a.kernel_latency_s == b.kernel_latency_s);
  CHECK(a.num_multiprocessors == b.num_multiprocessors);
  CHECK(found.num_devices() == known.num_devices());
  check_near(found.intra_host.bytes_per_s, known.intra_host.bytes_per_s);
  CHECK(found.collectives == known.collectives);
}

}  // namespace

TEST_CASE("what GPUs say of themselves comes to the clusters of topologies/") {
  check_like(gpu_cluster(four_v100(), 0), file("p3_8xlarge.yaml"));
  check_like(gpu_cluster({.gpus = std::vector(8, a100())}, 0), file("dgx_a100.yaml"));
  check_like(gpu_cluster({.gpus = std::vector(8, h100())}, 0), file("dgx_h100.yaml"));
}

TEST_CASE("GPUs without NVLink talk over PCIe") {
  GpuInventory two{.gpus = {v100(), v100()}};
  CHECK(gpu_cluster(two, 0).intra_host.bytes_per_s == Approx(12e9));
  for (Gpu& gpu : two.gpus) gpu.pcie_generation = 4, gpu.pcie_lanes = 8;
  CHECK(gpu_cluster(two, 0).intra_host.bytes_per_s == Approx(12e9));
  two.gpus[1].pcie_generation = 1;  // the slowest counts
  CHECK(gpu_cluster(two, 0).intra_host.bytes_per_s == Approx(1.5e9));
}

TEST_CASE("pairs with a bridge have links of their own beside PCIe") {
  GpuInventory four{.gpus = std::vector(4, v100())};
  for (std::int32_t i = 0; i < 4; ++i)
    four.gpus[static_cast<std::size_t>(i)].nvlinks = {{i ^ 1, 4, 2}};
  const Cluster all = gpu_cluster(four, 0);
  CHECK(all.intra_host.bytes_per_s == Approx(12e9));
  CHECK(all.link(0, 1).bytes_per_s == Approx(80e9));
  CHECK(all.link(2, 3).bytes_per_s == Approx(80e9));
  CHECK(all.link(1, 2).bytes_per_s == Approx(12e9));
  const Cluster pair = gpu_cluster(four, 2);
  CHECK(pair.intra_host.bytes_per_s == Approx(80e9));
  CHECK(pair.own_links.empty());
}

TEST_CASE("more devices than GPUs share their memory") {
  const Cluster shared = gpu_cluster({.gpus = {h100(), h100()}}, 4);
  CHECK(shared.num_devices() == 4);
  CHECK(shared.device(3).memory_bytes == Approx(37.8e9));
  CHECK(shared.source.find("4 devices share 2 GPUs") != std::string::npos);
}

TEST_CASE("contexts, loaded code and libraries take memory that no plan gets") {
  CHECK(gpu_cluster({.gpus = {h100()}}, 0).device(0).memory_bytes == Approx(79e9));
  CHECK(gpu_cluster({.gpus = {h100()}}, 4).device(3).memory_bytes == Approx(17.8e9));
  CHECK(gpu_cluster({.gpus = {h100()}}, 1, true).device(0).memory_bytes == Approx(77.8e9));
  Gpu small = h100();
  small.memory_bytes = 1e9;
  CHECK(gpu_cluster({.gpus = {small}}, 0).device(0).memory_bytes == Approx(0.75e9));
}

TEST_CASE("unlike GPUs are models of their own") {
  const Cluster mixed = gpu_cluster({.gpus = {a100(), h100(), a100()}}, 0);
  CHECK(mixed.models.size() == 2);
  CHECK(mixed.model_of == std::vector<std::int32_t>{0, 1, 0});
}

TEST_CASE("an inventory is the same after being written and read") {
  GpuInventory inventory = four_v100();
  inventory.driver = "580.65.06";
  inventory.cuda_version = 13000;
  CHECK(decode_inventory(encode(inventory)) == inventory);
  CHECK(decode_inventory(encode(GpuInventory{.missing = "no driver"})).missing == "no driver");
  CHECK_THROWS(decode_inventory("fake cuda: no"));
}

TEST_CASE("of a child that fails the last line of its errors tells why") {
  const auto end = [](const char* script) {
    return end_of(output_of({"/bin/sh", "-c", script}, 60));
  };
  CHECK(end("echo first >&2; echo no driver >&2; exit 3") == "ended with exit code 3: no driver");
  CHECK(end("exit 3") == "ended with exit code 3");
}

TEST_CASE("network interfaces are those that are up") {
  namespace fs = std::filesystem;
  const fs::path sys = fs::temp_directory_path() / ("rhino_nics_" + std::to_string(::getpid()));
  const auto put = [&](const char* path, const char* text) {
    fs::create_directories((sys / path).parent_path());
    std::ofstream(sys / path) << text << "\n";
  };
  put("class/net/eth0/operstate", "up");
  put("class/net/eth0/speed", "25000");
  put("class/net/lo/operstate", "unknown");
  fs::create_directories(sys / "class/net/eth0/device");
  CHECK(discover_nics(sys) == std::vector<Nic>{{"eth0", 25e9 / 8}});
  put("class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE");
  put("class/infiniband/mlx5_0/ports/1/rate", "400 Gb/sec (4X NDR)");
  put("class/infiniband/mlx5_1/ports/1/state", "1: DOWN");
  put("class/infiniband/mlx5_1/ports/1/rate", "400 Gb/sec (4X NDR)");
  CHECK(discover_nics(sys) == std::vector<Nic>{{"mlx5_0:1", 50e9}});
  fs::remove_all(sys);
  CHECK(discover_nics(sys).empty());
}

TEST_CASE("a round is throttled by heat, by the hardware, or by lost bits, not by the power cap") {
  const GpuState calm{.clock_hz = 1.9e9, .power_w = 400, .power_cap_w = 700, .num_uncorrected = 3};
  const auto round = [&](GpuState changed) { return summary({calm, changed, calm, changed}); };
  CHECK_FALSE(is_throttled(round(calm)));
  GpuState state = calm;
  state.is_power_capped = true;
  state.clock_hz = 1.4e9;
  CHECK_FALSE(is_throttled(round(state)));
  CHECK(round(state).capped == Approx(0.5));
  CHECK(round(state).mean_clock_hz == Approx(1.65e9));
  CHECK(round(state).most_clock_hz == Approx(1.9e9));
  for (bool GpuState::*reason : {&GpuState::is_hot, &GpuState::is_slowed}) {
    state = calm;
    state.*reason = true;
    CHECK(is_throttled(round(state)));
  }
  state = calm;
  state.num_uncorrected = 4;
  CHECK(is_throttled(round(state)));
  state = calm;
  state.num_corrected = 9;
  CHECK_FALSE(is_throttled(round(state)));
  CHECK(decode_rounds(encode(GpuRounds{{round(state)}})).gpus.front() == round(state));
}
