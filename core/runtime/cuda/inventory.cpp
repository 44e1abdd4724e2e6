// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/inventory.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>

#include "rhino/error.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/nvml.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr double kKilo = 1e3;

void add_nvml(topology::GpuInventory& inventory) {
  try {
    const Nvml nvml;
    inventory.driver = nvml.driver_version();
    for (std::size_t i = 0; i < inventory.gpus.size(); ++i) nvml.describe(inventory.gpus, i);
  } catch (const Error& error) {
    inventory.nvml_missing = error.what();
  }
}

}  // namespace

static topology::Gpu describe_gpu(const DriverLibrary& driver, int ordinal) {
  CuDevice device = 0;
  driver.check(driver->cuDeviceGet(&device, ordinal), "opening GPU " + std::to_string(ordinal));
  std::array<char, 256> name{}, bus{};
  driver.check(driver->cuDeviceGetName(name.data(), static_cast<int>(name.size()), device),
               "asking a GPU for its name");
  driver.check(driver->cuDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device),
               "asking a GPU where it is plugged in");
  std::size_t bytes = 0;
  driver.check(driver->cuDeviceTotalMem_v2(&bytes, device), "asking a GPU for its memory");
  const auto attribute = [&](CuDeviceAttribute which) { return driver.attribute(device, which); };
  return {.name = name.data(),
          .pci_bus_id = bus.data(),
          .architecture =
              attribute(kCuComputeCapabilityMajor) * 10 + attribute(kCuComputeCapabilityMinor),
          .num_multiprocessors = attribute(kCuMultiprocessorCount),
          .memory_bytes = static_cast<double>(bytes),
          .clock_hz = kKilo * attribute(kCuClockKilohertz),
          .memory_clock_hz = kKilo * attribute(kCuMemoryClockKilohertz),
          .memory_bus_bits = attribute(kCuMemoryBusBits)};
}

topology::GpuInventory find_gpus() {
  topology::GpuInventory inventory;
  try {
    const DriverLibrary driver;
    inventory.cuda_version = driver.version();
    for (int i = 0; i < driver.num_devices(); ++i)
      inventory.gpus.push_back(describe_gpu(driver, i));
    add_nvml(inventory);
  } catch (const Error& error) {
    return {.missing = error.what()};
  }
  return inventory;
}

topology::GpuRounds watch_gpus(const std::vector<std::string>& pci_bus_ids, double every_s) {
  const Nvml nvml;
  std::vector<NvmlDevice> devices;
  for (const std::string& id : pci_bus_ids) devices.push_back(nvml.device(id));
  std::vector<std::vector<topology::GpuState>> states(devices.size());
  const auto look = [&] {
    for (std::size_t i = 0; i < devices.size(); ++i) states[i].push_back(nvml.state(devices[i]));
  };
  look();
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (::poll(&input, 1, static_cast<int>(every_s * 1000)) == 0) look();
  look();
  topology::GpuRounds rounds;
  for (const auto& of_one : states) rounds.gpus.push_back(topology::summary(of_one));
  return rounds;
}

}  // namespace rhino::runtime::cuda
