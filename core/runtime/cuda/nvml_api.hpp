// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>

#include "runtime/cuda/entry_points.hpp"

/// What is called of NVML, which comes with the driver, needs no context and so leaves a GPU to
/// others; declared anew by the names that every release since 11 has.
namespace rhino::runtime::cuda {

using NvmlResult = int;  ///< 0: it went well
using NvmlDevice = struct NvmlDeviceTag*;

inline constexpr unsigned kNvmlMaxLinks = 18;
inline constexpr NvmlResult kNvmlNotSupported = 3;
enum NvmlClock : int { kNvmlSmClock = 1, kNvmlMemoryClock = 2 };
enum NvmlEccError : int { kNvmlCorrected = 0, kNvmlUncorrected = 1 };
inline constexpr int kNvmlSinceBoot = 0, kNvmlGpuSensor = 0, kNvmlEnabled = 1;
/// Bits of reasons why clocks are low. Idle, and clocks that an application or a group has set, are
/// no throttling.
enum NvmlThrottle : unsigned long long {
  kNvmlPowerCap = 0x4,
  kNvmlHardwareSlowdown = 0x8,
  kNvmlSoftwareThermal = 0x20,
  kNvmlHardwareThermal = 0x40,
  kNvmlPowerBrake = 0x80,
};

struct NvmlPciInfo {
  char legacy_bus_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

struct NvmlApi {
  std::string path;  ///< of the library
  NvmlResult (*nvmlInit_v2)() = nullptr;
  NvmlResult (*nvmlShutdown)() = nullptr;
  const char* (*nvmlErrorString)(NvmlResult result) = nullptr;
  NvmlResult (*nvmlSystemGetDriverVersion)(char* text, unsigned size) = nullptr;
  NvmlResult (*nvmlDeviceGetHandleByPciBusId_v2)(const char* id, NvmlDevice* device) = nullptr;
  NvmlResult (*nvmlDeviceGetClockInfo)(NvmlDevice device, NvmlClock clock,
                                       unsigned* megahertz) = nullptr;
  NvmlResult (*nvmlDeviceGetMaxClockInfo)(NvmlDevice device, NvmlClock clock,
                                          unsigned* megahertz) = nullptr;
  NvmlResult (*nvmlDeviceGetPowerUsage)(NvmlDevice device, unsigned* milliwatts) = nullptr;
  NvmlResult (*nvmlDeviceGetEnforcedPowerLimit)(NvmlDevice device, unsigned* milliwatts) = nullptr;
  NvmlResult (*nvmlDeviceGetTemperature)(NvmlDevice device, int sensor,
                                         unsigned* celsius) = nullptr;
  NvmlResult (*nvmlDeviceGetCurrentClocksThrottleReasons)(NvmlDevice device,
                                                          unsigned long long* bits) = nullptr;
  NvmlResult (*nvmlDeviceGetTotalEccErrors)(NvmlDevice device, NvmlEccError kind, int counter,
                                            unsigned long long* count) = nullptr;
  NvmlResult (*nvmlDeviceGetMaxPcieLinkGeneration)(NvmlDevice device, unsigned* number) = nullptr;
  NvmlResult (*nvmlDeviceGetMaxPcieLinkWidth)(NvmlDevice device, unsigned* lanes) = nullptr;
  NvmlResult (*nvmlDeviceGetNvLinkState)(NvmlDevice device, unsigned link, int* state) = nullptr;
  NvmlResult (*nvmlDeviceGetNvLinkVersion)(NvmlDevice device, unsigned link,
                                           unsigned* version) = nullptr;
  NvmlResult (*nvmlDeviceGetNvLinkRemotePciInfo_v2)(NvmlDevice device, unsigned link,
                                                    NvmlPciInfo* info) = nullptr;
};

constexpr auto entries(const NvmlApi*) {
  using A = NvmlApi;
  return std::tuple(
      Entry{"nvmlInit_v2", &A::nvmlInit_v2}, Entry{"nvmlShutdown", &A::nvmlShutdown},
      Entry{"nvmlErrorString", &A::nvmlErrorString},
      Entry{"nvmlSystemGetDriverVersion", &A::nvmlSystemGetDriverVersion},
      Entry{"nvmlDeviceGetHandleByPciBusId_v2", &A::nvmlDeviceGetHandleByPciBusId_v2},
      Entry{"nvmlDeviceGetClockInfo", &A::nvmlDeviceGetClockInfo},
      Entry{"nvmlDeviceGetMaxClockInfo", &A::nvmlDeviceGetMaxClockInfo},
      Entry{"nvmlDeviceGetPowerUsage", &A::nvmlDeviceGetPowerUsage},
      Entry{"nvmlDeviceGetEnforcedPowerLimit", &A::nvmlDeviceGetEnforcedPowerLimit},
      Entry{"nvmlDeviceGetTemperature", &A::nvmlDeviceGetTemperature},
      Entry{"nvmlDeviceGetCurrentClocksThrottleReasons",
            &A::nvmlDeviceGetCurrentClocksThrottleReasons},
      Entry{"nvmlDeviceGetTotalEccErrors", &A::nvmlDeviceGetTotalEccErrors},
      Entry{"nvmlDeviceGetMaxPcieLinkGeneration", &A::nvmlDeviceGetMaxPcieLinkGeneration},
      Entry{"nvmlDeviceGetMaxPcieLinkWidth", &A::nvmlDeviceGetMaxPcieLinkWidth},
      Entry{"nvmlDeviceGetNvLinkState", &A::nvmlDeviceGetNvLinkState},
      Entry{"nvmlDeviceGetNvLinkVersion", &A::nvmlDeviceGetNvLinkVersion},
      Entry{"nvmlDeviceGetNvLinkRemotePciInfo_v2", &A::nvmlDeviceGetNvLinkRemotePciInfo_v2});
}

}  // namespace rhino::runtime::cuda
