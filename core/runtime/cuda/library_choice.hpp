// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runtime/cuda/nvrtc_api.hpp"

/// Which of several versions of a library of CUDA is taken: code of CUDA 13 is for drivers of 13,
/// and for GPUs from sm_75 on.
namespace rhino::runtime::cuda {

/// NVRTC's names that a driver takes code of, the newest first.
std::vector<const char*> nvrtc_sonames(int driver_version);
/// cuBLASLt's, the first to be tried first. `architecture`: 70, of sm_70.
std::vector<const char*> cublaslt_sonames(int driver_version, int architecture);

/// Whether it compiles for some architecture that a GPU of `architecture` runs.
bool compiles_for(const NvrtcApi& api, int architecture);
/// "NVRTC (/a, /b) compiles for no GPU as old as `gpu` (sm_70)".
std::string too_new(const std::vector<std::string>& paths, const std::string& gpu,
                    int architecture);
/// The first that is there and compiles for the GPU. Throws Error where none is, and one that names
/// all that were tried where none of them does.
NvrtcApi load_nvrtc(int driver_version, int architecture, const std::string& gpu);

}  // namespace rhino::runtime::cuda
