// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/compiler.hpp"

#include <array>
#include <vector>

#include "rhino/error.hpp"
#include "runtime/cuda/taken_out.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr const char* kCompilerPurpose = "NVRTC, the compiler of CUDA kernels,";
/// The first driver that takes code of NVRTC 13.
constexpr int kDriverOfNvrtc13 = 13000;

NvrtcApi load_nvrtc(int driver_version) {
  if (driver_version >= kDriverOfNvrtc13)
    return load_table<NvrtcApi>({"libnvrtc.so.13", "libnvrtc.so.12"}, kCompilerPurpose);
  return load_table<NvrtcApi>({"libnvrtc.so.12"}, kCompilerPurpose);
}

}  // namespace

KernelLibrary::KernelLibrary(const Driver& driver, const std::string& code) : driver_(driver) {
  driver_.check(
      driver_->cuLibraryLoadData(&library_, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
      "loading kernels");
}

KernelLibrary::~KernelLibrary() { driver_->cuLibraryUnload(library_); }

CuFunction KernelLibrary::kernel(const std::string& name) const {
  CuKernel kernel = nullptr;
  driver_.check(driver_->cuLibraryGetKernel(&kernel, library_, name.c_str()),
                "finding kernel " + name);
  return reinterpret_cast<CuFunction>(kernel);  // the driver takes one for the other
}

Compiler::Compiler(const Driver& driver) : driver_(driver), api_(load_nvrtc(driver.version())) {}

void Compiler::check(NvrtcResult result, const std::string& what) const {
  if (result != 0) throw Error(what + " failed: " + api_.nvrtcGetErrorString(result));
}

std::unique_ptr<KernelLibrary> Compiler::compile(const std::string& source) const {
  return std::make_unique<KernelLibrary>(driver_, code_of(mutated(source)));
}

std::string Compiler::code_of(const std::string& source) const {
  NvrtcProgram program = nullptr;
  check(api_.nvrtcCreateProgram(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr),
        "giving kernels to NVRTC");
  const auto destroy = [&](NvrtcProgram* made) { api_.nvrtcDestroyProgram(made); };
  const std::unique_ptr<NvrtcProgram, decltype(destroy)> owner(&program, destroy);
  const std::string architecture =
      "--gpu-architecture=sm_" + std::to_string(driver_.architecture());
  const std::array<const char*, 2> options{architecture.c_str(), "--std=c++17"};
  const NvrtcResult compiled =
      api_.nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  std::size_t size = 0;
  if (compiled != 0) {
    check(api_.nvrtcGetProgramLogSize(program, &size), "reading NVRTC's log");
    std::string log(size, '\0');
    check(api_.nvrtcGetProgramLog(program, log.data()), "reading NVRTC's log");
    throw Error("NVRTC (" + api_.path + ") refuses kernels for " + driver_.name() + " (" +
                architecture + "): " + log.c_str());
  }
  check(api_.nvrtcGetCUBINSize(program, &size), "taking code from NVRTC");
  std::string code(size, '\0');
  check(api_.nvrtcGetCUBIN(program, code.data()), "taking code from NVRTC");
  return code;
}

}  // namespace rhino::runtime::cuda
