// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/libraries.hpp"

#include <array>
#include <functional>
#include <vector>

#include "rhino/error.hpp"
#include "runtime/cuda/cublaslt_api.hpp"
#include "runtime/cuda/cudnn_api.hpp"
#include "runtime/cuda/dnn_library.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/library_choice.hpp"
#include "runtime/cuda/nccl_api.hpp"
#include "runtime/cuda/nvml_api.hpp"
#include "runtime/cuda/nvrtc_api.hpp"

namespace rhino::runtime::cuda {
namespace {

/// `thousands` is what a major version is worth: 12040 is 12.4, 21903 is 2.19.3.
std::string dotted(int version, int thousands) {
  std::string text = std::to_string(version / thousands);
  version %= thousands;
  const int minor = thousands / 100;
  text += "." + std::to_string(version / minor);
  return version % minor > 0 ? text + "." + std::to_string(version % minor) : text;
}

/// Asks a library for its version where it has the entry point for that.
template <class Table, class Ask>
topology::GpuLibrary examine(const std::string& name, const std::vector<const char*>& sonames,
                             Ask ask_version) {
  topology::GpuLibrary found{.name = name};
  try {
    Table table;
    void* library = open_library(sonames, name, &found.path);
    const auto fill = [&](const auto& entry) {
      using Function = std::remove_reference_t<decltype(table.*entry.member)>;
      table.*entry.member = reinterpret_cast<Function>(find_entry_or_null(library, entry.name));
      if (table.*entry.member == nullptr) found.lacks.push_back(entry.name);
    };
    std::apply([&](const auto&... each) { (fill(each), ...); },
               entries(static_cast<const Table*>(nullptr)));
    found.version = ask_version(table);
  } catch (const Error& error) {
    found.missing = error.what();
  }
  return found;
}

template <class Function>
std::string asked(Function ask, int thousands) {
  int version = 0;
  return ask != nullptr && ask(&version) == 0 ? dotted(version, thousands) : "";
}

using Sonames = std::vector<const char*>;

/// The oldest of this host's.
struct OldestGpu {
  std::string name;
  int architecture = 0;  ///< 0: there is none
};

OldestGpu oldest_gpu() {
  OldestGpu oldest;
  try {
    const DriverLibrary driver;
    for (int i = 0; i < driver.num_devices(); ++i) {
      CuDevice device = 0;
      std::array<char, 256> name{};
      driver.check(driver->cuDeviceGet(&device, i), "opening a GPU");
      driver.check(driver->cuDeviceGetName(name.data(), static_cast<int>(name.size()), device),
                   "asking a GPU for its name");
      const int architecture = driver.attribute(device, kCuComputeCapabilityMajor) * 10 +
                               driver.attribute(device, kCuComputeCapabilityMinor);
      if (oldest.architecture == 0 || architecture < oldest.architecture)
        oldest = {name.data(), architecture};
    }
  } catch (const Error&) {  // doctor says it where it looks for GPUs
  }
  return oldest;
}

/// `compiles`: whether it does for the oldest GPU, or nobody can tell.
topology::GpuLibrary examine_nvrtc(const Sonames& sonames, int architecture, bool& compiles) {
  compiles = true;
  return examine<NvrtcApi>("NVRTC", sonames, [&](const NvrtcApi& api) {
    if (architecture > 0 && api.nvrtcGetNumSupportedArchs && api.nvrtcGetSupportedArchs)
      compiles = compiles_for(api, architecture);
    int major = 0, minor = 0;
    if (api.nvrtcVersion == nullptr || api.nvrtcVersion(&major, &minor) != 0) return std::string();
    return std::to_string(major) + "." + std::to_string(minor);
  });
}

/// The one that compilers of this host's GPUs take.
topology::GpuLibrary choose_nvrtc(const Sonames& sonames, const OldestGpu& oldest) {
  std::vector<std::string> tried;
  bool compiles = false;
  for (const char* soname : sonames) {
    const topology::GpuLibrary found = examine_nvrtc({soname}, oldest.architecture, compiles);
    if (!found.missing.empty()) continue;
    if (compiles) return found;
    tried.push_back(found.path);
  }
  topology::GpuLibrary none = examine_nvrtc(sonames, oldest.architecture, compiles);
  if (!tried.empty()) none.missing = too_new(tried, oldest.name, oldest.architecture);
  return none;
}

topology::GpuLibrary examine_cublaslt(const Sonames& sonames) {
  return examine<CublasLtApi>("cuBLASLt", sonames, [](const CublasLtApi& api) {
    return api.cublasLtGetVersion ? std::to_string(api.cublasLtGetVersion()) : std::string();
  });
}

std::string describe_cudnn(const CudnnApi& api) {
  if (!api.cudnnGetVersion || !api.cudnnGetCudartVersion) return {};
  return dnn_version(api.cudnnGetVersion()) + " for CUDA " +
         std::to_string(api.cudnnGetCudartVersion() / 1000);
}

}  // namespace

topology::GpuLibraries list_libraries() {
  constexpr int kCuda = 1000, kNccl = 10000, kCuda13 = 13000, kNewest = 1000;
  int driver_version = 0;
  const topology::GpuLibrary driver =
      examine<DriverApi>("the NVIDIA driver", {"libcuda.so.1"}, [&](const DriverApi& api) {
        if (api.cuDriverGetVersion) api.cuDriverGetVersion(&driver_version);
        return driver_version > 0 ? "for CUDA " + dotted(driver_version, kCuda) : std::string();
      });
  const OldestGpu oldest = oldest_gpu();
  const int version = driver_version == 0 ? kCuda13 : driver_version;
  const int architecture = oldest.architecture == 0 ? kNewest : oldest.architecture;
  return {{
      driver,
      choose_nvrtc(nvrtc_sonames(version), oldest),
      examine_cublaslt(cublaslt_sonames(version, architecture)),
      examine<CudnnApi>("cuDNN", {"libcudnn.so.9", "libcudnn.so.8"}, describe_cudnn),
      examine<NcclApi>("NCCL", {"libnccl.so.2"},
                       [](const NcclApi& api) { return asked(api.ncclGetVersion, kNccl); }),
      examine<NvmlApi>("NVML", {"libnvidia-ml.so.1"}, [](const NvmlApi&) { return std::string(); }),
  }};
}

}  // namespace rhino::runtime::cuda
