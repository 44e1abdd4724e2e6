// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include "runtime/cuda/entry_points.hpp"

namespace rhino::runtime::cuda {

using NvrtcResult = int;  ///< 0: it went well
using NvrtcProgram = struct NvrtcProgramTag*;

/// What is called of NVRTC, which compiles CUDA C++ at run time, with or without a driver.
struct NvrtcApi {
  std::string path;  ///< of the library
  NvrtcResult (*nvrtcVersion)(int* major, int* minor) = nullptr;
  const char* (*nvrtcGetErrorString)(NvrtcResult result) = nullptr;
  NvrtcResult (*nvrtcGetNumSupportedArchs)(int* count) = nullptr;
  NvrtcResult (*nvrtcGetSupportedArchs)(int* architectures) = nullptr;  ///< ascending: 75, 80, ...
  NvrtcResult (*nvrtcCreateProgram)(NvrtcProgram* program, const char* source, const char* name,
                                    int num_headers, const char* const* headers,
                                    const char* const* include_names) = nullptr;
  NvrtcResult (*nvrtcDestroyProgram)(NvrtcProgram* program) = nullptr;
  NvrtcResult (*nvrtcCompileProgram)(NvrtcProgram program, int num_options,
                                     const char* const* options) = nullptr;
  NvrtcResult (*nvrtcGetCUBINSize)(NvrtcProgram program, std::size_t* size) = nullptr;
  NvrtcResult (*nvrtcGetCUBIN)(NvrtcProgram program, char* code) = nullptr;
  NvrtcResult (*nvrtcGetPTXSize)(NvrtcProgram program, std::size_t* size) = nullptr;
  NvrtcResult (*nvrtcGetPTX)(NvrtcProgram program, char* code) = nullptr;
  NvrtcResult (*nvrtcGetProgramLogSize)(NvrtcProgram program, std::size_t* size) = nullptr;
  NvrtcResult (*nvrtcGetProgramLog)(NvrtcProgram program, char* log) = nullptr;
};

constexpr auto entries(const NvrtcApi*) {
  using A = NvrtcApi;
  return std::tuple(
      Entry{"nvrtcVersion", &A::nvrtcVersion},
      Entry{"nvrtcGetErrorString", &A::nvrtcGetErrorString},
      Entry{"nvrtcGetNumSupportedArchs", &A::nvrtcGetNumSupportedArchs},
      Entry{"nvrtcGetSupportedArchs", &A::nvrtcGetSupportedArchs},
      Entry{"nvrtcCreateProgram", &A::nvrtcCreateProgram},
      Entry{"nvrtcDestroyProgram", &A::nvrtcDestroyProgram},
      Entry{"nvrtcCompileProgram", &A::nvrtcCompileProgram},
      Entry{"nvrtcGetCUBINSize", &A::nvrtcGetCUBINSize}, Entry{"nvrtcGetCUBIN", &A::nvrtcGetCUBIN},
      Entry{"nvrtcGetPTXSize", &A::nvrtcGetPTXSize}, Entry{"nvrtcGetPTX", &A::nvrtcGetPTX},
      Entry{"nvrtcGetProgramLogSize", &A::nvrtcGetProgramLogSize},
      Entry{"nvrtcGetProgramLog", &A::nvrtcGetProgramLog});
}

}  // namespace rhino::runtime::cuda
