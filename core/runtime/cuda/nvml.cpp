// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/nvml.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "rhino/error.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr const char* kPurpose = "NVML";
constexpr double kMega = 1e6, kMilli = 1e-3;

/// What a call writes; 0 where it is refused: not every GPU has everything.
template <class T, class... Arguments>
T told(NvmlResult (*call)(Arguments...), auto... arguments) {
  T value{};
  return call(arguments..., &value) == 0 ? value : T{};
}

/// NVML writes a domain of eight digits, CUDA one of four.
std::string bus_of(const std::string& pci_bus_id) {
  const std::size_t colon = pci_bus_id.find(':');
  std::string bus = colon == std::string::npos ? pci_bus_id : pci_bus_id.substr(colon);
  std::ranges::transform(bus, bus.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string domain = pci_bus_id.substr(0, std::min(colon, pci_bus_id.size()));
  const std::size_t digits = domain.find_first_not_of('0');
  return (digits == std::string::npos ? "" : domain.substr(digits)) + bus;
}

/// None: it is of a GPU that this process does not see, or of no GPU.
std::optional<std::int32_t> index_of(const std::vector<topology::Gpu>& gpus,
                                     const std::string& bus_id) {
  const auto found = std::ranges::find_if(
      gpus, [&](const topology::Gpu& gpu) { return bus_of(gpu.pci_bus_id) == bus_of(bus_id); });
  if (found == gpus.end()) return std::nullopt;
  return static_cast<std::int32_t>(found - gpus.begin());
}

/// An NVSwitch is no display controller; its PCI device ids are listed nowhere, and systems with
/// switches hide them behind an address of all ones or zeros, or show another bus.
constexpr std::array kNvSwitchIds = {0x1ac2u, 0x1af1u, 0x22a3u, 0x2901u};

bool is_switch(const NvmlPciInfo& info) {
  const unsigned product = info.device_id >> 16;
  const bool is_hidden = info.device_id == 0 || info.device_id == ~0u;
  return is_hidden || std::ranges::find(kNvSwitchIds, product) != kNvSwitchIds.end();
}

}  // namespace

Nvml::Nvml() : api_(load_table<NvmlApi>({"libnvidia-ml.so.1"}, kPurpose)) {
  if (const NvmlResult result = api_.nvmlInit_v2()) {
    const char* text = api_.nvmlErrorString(result);
    throw Error(std::string("starting NVML failed: ") + (text ? text : "an error without a name") +
                " (code " + std::to_string(result) + ")");
  }
}

Nvml::~Nvml() { api_.nvmlShutdown(); }

std::string Nvml::driver_version() const {
  std::array<char, 96> text{};
  return api_.nvmlSystemGetDriverVersion(text.data(), text.size()) == 0 ? text.data() : "";
}

NvmlDevice Nvml::device(const std::string& pci_bus_id) const {
  NvmlDevice device = nullptr;
  if (const NvmlResult result = api_.nvmlDeviceGetHandleByPciBusId_v2(pci_bus_id.c_str(), &device))
    throw Error("NVML does not know the GPU at " + pci_bus_id + " (code " + std::to_string(result) +
                ")");
  return device;
}

void Nvml::describe(std::vector<topology::Gpu>& gpus, std::size_t index) const {
  topology::Gpu& gpu = gpus.at(index);
  NvmlDevice handle = device(gpu.pci_bus_id);
  gpu.pcie_generation =
      static_cast<std::int32_t>(told<unsigned>(api_.nvmlDeviceGetMaxPcieLinkGeneration, handle));
  gpu.pcie_lanes =
      static_cast<std::int32_t>(told<unsigned>(api_.nvmlDeviceGetMaxPcieLinkWidth, handle));
  const auto most = [&](NvmlClock clock, double otherwise) {
    const auto megahertz = told<unsigned>(api_.nvmlDeviceGetMaxClockInfo, handle, clock);
    return megahertz > 0 ? kMega * megahertz : otherwise;
  };
  gpu.clock_hz = most(kNvmlSmClock, gpu.clock_hz);
  gpu.memory_clock_hz = most(kNvmlMemoryClock, gpu.memory_clock_hz);
  add_nvlinks(handle, gpus, index);
}

void Nvml::add_nvlinks(NvmlDevice handle, std::vector<topology::Gpu>& gpus,
                       std::size_t index) const {
  std::vector<topology::NvLinks>& all = gpus[index].nvlinks;
  for (unsigned link = 0; link < kNvmlMaxLinks; ++link) {
    if (told<int>(api_.nvmlDeviceGetNvLinkState, handle, link) != kNvmlEnabled) continue;
    NvmlPciInfo remote{};
    const bool is_told = api_.nvmlDeviceGetNvLinkRemotePciInfo_v2(handle, link, &remote) == 0;
    const std::optional<std::int32_t> peer = is_told ? index_of(gpus, remote.bus_id) : std::nullopt;
    if (!peer && is_told && !is_switch(remote)) continue;
    const auto version =
        static_cast<std::int32_t>(told<unsigned>(api_.nvmlDeviceGetNvLinkVersion, handle, link));
    const auto same = std::ranges::find_if(
        all, [&](const topology::NvLinks& one) { return one.peer == peer.value_or(-1); });
    if (same != all.end()) ++same->count;
    else all.push_back({.peer = peer.value_or(-1), .count = 1, .version = version});
  }
}

topology::GpuState Nvml::state(NvmlDevice handle) const {
  const auto ecc = [&](NvmlEccError kind) {
    return static_cast<std::int64_t>(
        told<unsigned long long>(api_.nvmlDeviceGetTotalEccErrors, handle, kind, kNvmlSinceBoot));
  };
  const auto reasons =
      told<unsigned long long>(api_.nvmlDeviceGetCurrentClocksThrottleReasons, handle);
  return {
      .clock_hz = kMega * told<unsigned>(api_.nvmlDeviceGetClockInfo, handle, kNvmlSmClock),
      .memory_clock_hz =
          kMega * told<unsigned>(api_.nvmlDeviceGetClockInfo, handle, kNvmlMemoryClock),
      .power_w = kMilli * told<unsigned>(api_.nvmlDeviceGetPowerUsage, handle),
      .power_cap_w = kMilli * told<unsigned>(api_.nvmlDeviceGetEnforcedPowerLimit, handle),
      .celsius = static_cast<double>(
          told<unsigned>(api_.nvmlDeviceGetTemperature, handle, kNvmlGpuSensor)),
      .is_power_capped = (reasons & kNvmlPowerCap) != 0,
      .is_hot = (reasons & (kNvmlSoftwareThermal | kNvmlHardwareThermal)) != 0,
      .is_slowed = (reasons & (kNvmlHardwareSlowdown | kNvmlPowerBrake)) != 0,
      .num_corrected = ecc(kNvmlCorrected),
      .num_uncorrected = ecc(kNvmlUncorrected),
  };
}

}  // namespace rhino::runtime::cuda
