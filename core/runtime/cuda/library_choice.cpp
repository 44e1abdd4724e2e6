// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/library_choice.hpp"

#include <algorithm>

#include "rhino/error.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr int kDriverOfCuda13 = 13000, kOldestOfCuda13 = 75;
constexpr const char* kNvrtcPurpose = "NVRTC, the compiler of CUDA kernels,";

}  // namespace

std::vector<const char*> nvrtc_sonames(int driver_version) {
  if (driver_version >= kDriverOfCuda13) return {"libnvrtc.so.13", "libnvrtc.so.12"};
  return {"libnvrtc.so.12"};
}

std::vector<const char*> cublaslt_sonames(int driver_version, int architecture) {
  if (driver_version < kDriverOfCuda13) return {"libcublasLt.so.12"};
  if (architecture < kOldestOfCuda13) return {"libcublasLt.so.12", "libcublasLt.so.13"};
  return {"libcublasLt.so.13", "libcublasLt.so.12"};
}

bool compiles_for(const NvrtcApi& api, int architecture) {
  int count = 0;
  if (api.nvrtcGetNumSupportedArchs(&count) != 0) return false;
  std::vector<int> known(static_cast<std::size_t>(count));
  return api.nvrtcGetSupportedArchs(known.data()) == 0 &&
         std::ranges::any_of(known, [&](int one) { return one <= architecture; });
}

std::string too_new(const std::vector<std::string>& paths, const std::string& gpu,
                    int architecture) {
  std::string all;
  for (const std::string& path : paths) all += (all.empty() ? "" : ", ") + path;
  return "NVRTC (" + all + ") compiles for no GPU as old as " + gpu + " (sm_" +
         std::to_string(architecture) + ")";
}

NvrtcApi load_nvrtc(int driver_version, int architecture, const std::string& gpu) {
  const std::vector<const char*> sonames = nvrtc_sonames(driver_version);
  std::vector<std::string> tried;
  for (const char* soname : sonames) {
    if (!is_library_here(soname)) continue;
    NvrtcApi api = load_table<NvrtcApi>({soname}, kNvrtcPurpose);
    if (compiles_for(api, architecture)) return api;
    tried.push_back(api.path);
  }
  if (tried.empty()) open_library(sonames, kNvrtcPurpose);  // says what is not here
  throw Error(too_new(tried, gpu, architecture));
}

}  // namespace rhino::runtime::cuda
