// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "../common/faults.hpp"
#include "../common/settings.hpp"
#include "entries.hpp"

namespace fake {

/// A GPU of the fake driver: as many, at the same places.
struct NvmlUnit {
  int index = 0;
};

namespace {

bool initialised = false;
constexpr int kSmClock = 1, kMemoryClock = 2, kUncorrected = 1;
constexpr unsigned kSwitchId = 0x22a310de, kGpuId = 0x233010de;

/// A setting by FAKE_NVML_FILE, lines of NAME=number that are read again each time, else by the
/// environment: states change while a program runs.
std::int64_t setting(const char* name, std::int64_t otherwise) {
  std::ifstream file(text_setting("FAKE_NVML_FILE", ""));
  const std::string key = std::string(name) + "=";
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) == 0) return std::stoll(line.substr(key.size()));
  }
  return number_setting(name, otherwise);
}

std::vector<NvmlUnit>& units() {
  static auto* const all = new std::vector<NvmlUnit>;
  while (std::ssize(*all) < number_setting("FAKE_CUDA_DEVICES", 4))
    all->push_back({static_cast<int>(all->size())});
  return *all;
}

/// "pairs": 0 and 1, 2 and 3 are linked; "all": each to each other; "switch"; "none".
std::optional<int> peer_of(int index, unsigned link) {
  const auto count = static_cast<int>(units().size());
  const auto links = static_cast<unsigned>(setting("FAKE_NVML_NVLINKS", 18));
  const std::string how = text_setting("FAKE_NVML_LINKED", "switch");
  if (link >= links || how == "none") return std::nullopt;
  if (how == "switch") return -1;
  if (how == "pairs") return (index ^ 1) < count ? std::optional(index ^ 1) : std::nullopt;
  if (how != "all") refuse("FAKE_NVML_LINKED is pairs, all, switch or none, not '" + how + "'");
  if (count < 2) return std::nullopt;
  const int others = static_cast<int>(link) % (count - 1);
  return others < index ? others : others + 1;
}

std::optional<int> injected(const std::string& entry) {
#define RHINO_FAKE_NAME(name, ...) #name,
  static auto* const faults = new Faults("nvml", {RHINO_FAKE_NVML(RHINO_FAKE_NAME)});
#undef RHINO_FAKE_NAME
  return faults->next(entry);
}

template <class Body>
int call(const char* entry, Body body) {
  if (const auto code = injected(entry)) return *code;
  if (!initialised) return kNvmlUninitialized;
  return body();
}

template <class T>
int give(const char* entry, NvmlUnit* unit, T* to, std::int64_t value) {
  return call(entry, [&] {
    if (!unit || !to) return int{kNvmlInvalidArgument};
    *to = static_cast<T>(value);
    return int{kNvmlSuccess};
  });
}

std::int64_t clock(int which, bool highest) {
  const bool is_memory = which == kMemoryClock;
  const std::int64_t most =
      is_memory ? setting("FAKE_NVML_MAX_MEMORY_MHZ", 2619) : setting("FAKE_NVML_MAX_MHZ", 1980);
  if (highest) return most;
  return is_memory ? setting("FAKE_NVML_MEMORY_MHZ", most) : setting("FAKE_NVML_MHZ", most);
}

}  // namespace
}  // namespace fake

using namespace fake;

#pragma GCC visibility push(default)
extern "C" {
#define RHINO_FAKE_DECLARE(name, ...) fake::declared::name name;
RHINO_FAKE_NVML(RHINO_FAKE_DECLARE)
#undef RHINO_FAKE_DECLARE

int nvmlInit_v2() {
  if (const auto code = injected(__func__)) return *code;
  initialised = true;
  return kNvmlSuccess;
}
int nvmlShutdown() {
  return call(__func__, [] {
    initialised = false;
    return int{kNvmlSuccess};
  });
}
const char* nvmlErrorString(int code) {
  return code == kNvmlNotSupported ? "fake: Not Supported" : "fake: an error";
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return call(__func__, [&] {
    const int wanted =
        std::snprintf(text, size, "%s", text_setting("FAKE_NVML_DRIVER", "fake").c_str());
    return int{wanted < static_cast<int>(size) ? kNvmlSuccess : kNvmlInsufficientSize};
  });
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* id, NvmlUnit** device) {
  return call(__func__, [&] {
    unsigned domain = 0, bus = 0;
    if (std::sscanf(id, "%x:%x:", &domain, &bus) != 2) return int{kNvmlInvalidArgument};
    if (bus < 1 || bus > units().size()) return int{kNvmlNotFound};
    *device = &units()[bus - 1];
    return int{kNvmlSuccess};
  });
}
int nvmlDeviceGetClockInfo(NvmlUnit* device, int which, unsigned* megahertz) {
  return give(__func__, device, megahertz, clock(which, false));
}
int nvmlDeviceGetMaxClockInfo(NvmlUnit* device, int which, unsigned* megahertz) {
  return give(__func__, device, megahertz, clock(which, true));
}
int nvmlDeviceGetPowerUsage(NvmlUnit* device, unsigned* milliwatts) {
  return give(__func__, device, milliwatts, 1000 * setting("FAKE_NVML_WATTS", 400));
}
int nvmlDeviceGetEnforcedPowerLimit(NvmlUnit* device, unsigned* milliwatts) {
  return give(__func__, device, milliwatts, 1000 * setting("FAKE_NVML_CAP_WATTS", 700));
}
int nvmlDeviceGetTemperature(NvmlUnit* device, int, unsigned* celsius) {
  return give(__func__, device, celsius, setting("FAKE_NVML_CELSIUS", 50));
}
int nvmlDeviceGetCurrentClocksThrottleReasons(NvmlUnit* device, unsigned long long* bits) {
  return give(__func__, device, bits, setting("FAKE_NVML_THROTTLE", 0));
}
int nvmlDeviceGetTotalEccErrors(NvmlUnit* device, int kind, int, unsigned long long* count) {
  if (setting("FAKE_NVML_ECC", 1) == 0) return kNvmlNotSupported;
  return give(__func__, device, count,
              kind == kUncorrected ? setting("FAKE_NVML_UNCORRECTED", 0)
                                   : setting("FAKE_NVML_CORRECTED", 0));
}
int nvmlDeviceGetMaxPcieLinkGeneration(NvmlUnit* device, unsigned* number) {
  return give(__func__, device, number, setting("FAKE_NVML_PCIE", 5));
}
int nvmlDeviceGetMaxPcieLinkWidth(NvmlUnit* device, unsigned* lanes) {
  return give(__func__, device, lanes, setting("FAKE_NVML_PCIE_LANES", 16));
}
/// As of a GPU without NVLinks: not supported.
int nvmlDeviceGetNvLinkState(NvmlUnit* device, unsigned link, int* state) {
  if (text_setting("FAKE_NVML_LINKED", "switch") == "none") return kNvmlNotSupported;
  if (link >= kNvmlMaxLinks) return kNvmlInvalidArgument;
  return give(__func__, device, state, device && peer_of(device->index, link).has_value());
}
int nvmlDeviceGetNvLinkVersion(NvmlUnit* device, unsigned, unsigned* version) {
  return give(__func__, device, version, setting("FAKE_NVML_NVLINK_VERSION", 4));
}
int nvmlDeviceGetNvLinkRemotePciInfo_v2(NvmlUnit* device, unsigned link, NvmlPci* info) {
  return call(__func__, [&] {
    const std::optional<int> peer = peer_of(device->index, link);
    if (!peer) return int{kNvmlNotSupported};
    *info = {};
    info->bus = static_cast<unsigned>(*peer < 0 ? 0xa0 : *peer + 1);
    info->device_id = *peer < 0 ? kSwitchId : kGpuId;
    std::snprintf(info->bus_id, sizeof info->bus_id, "00000000:%02X:00.0", info->bus);
    return int{kNvmlSuccess};
  });
}
}
#pragma GCC visibility pop
