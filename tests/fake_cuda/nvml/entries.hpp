// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fake {

struct NvmlUnit;  // nvmlDevice_t points to one
struct NvmlPci {
  char legacy_bus_id[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

enum : int {
  kNvmlSuccess = 0,
  kNvmlUninitialized = 1,
  kNvmlInvalidArgument = 2,
  kNvmlNotSupported = 3,
  kNvmlNotFound = 6,
  kNvmlInsufficientSize = 7,
};
inline constexpr unsigned kNvmlMaxLinks = 18;

}  // namespace fake

#define RHINO_FAKE_NVML(X)                                                          \
  X(nvmlInit_v2, int())                                                             \
  X(nvmlShutdown, int())                                                            \
  X(nvmlErrorString, const char*(int))                                              \
  X(nvmlSystemGetDriverVersion, int(char*, unsigned))                               \
  X(nvmlDeviceGetHandleByPciBusId_v2, int(const char*, NvmlUnit**))                 \
  X(nvmlDeviceGetClockInfo, int(NvmlUnit*, int, unsigned*))                         \
  X(nvmlDeviceGetMaxClockInfo, int(NvmlUnit*, int, unsigned*))                      \
  X(nvmlDeviceGetPowerUsage, int(NvmlUnit*, unsigned*))                             \
  X(nvmlDeviceGetEnforcedPowerLimit, int(NvmlUnit*, unsigned*))                     \
  X(nvmlDeviceGetTemperature, int(NvmlUnit*, int, unsigned*))                       \
  X(nvmlDeviceGetCurrentClocksThrottleReasons, int(NvmlUnit*, unsigned long long*)) \
  X(nvmlDeviceGetTotalEccErrors, int(NvmlUnit*, int, int, unsigned long long*))     \
  X(nvmlDeviceGetMaxPcieLinkGeneration, int(NvmlUnit*, unsigned*))                  \
  X(nvmlDeviceGetMaxPcieLinkWidth, int(NvmlUnit*, unsigned*))                       \
  X(nvmlDeviceGetNvLinkState, int(NvmlUnit*, unsigned, int*))                       \
  X(nvmlDeviceGetNvLinkVersion, int(NvmlUnit*, unsigned, unsigned*))                \
  X(nvmlDeviceGetNvLinkRemotePciInfo_v2, int(NvmlUnit*, unsigned, NvmlPci*))

namespace fake::declared {
#define RHINO_FAKE_TYPE(name, ...) using name = __VA_ARGS__;
RHINO_FAKE_NVML(RHINO_FAKE_TYPE)
#undef RHINO_FAKE_TYPE
}  // namespace fake::declared
