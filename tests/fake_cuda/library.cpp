// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

namespace fake_test {

Machine::Machine(int device) {
  check(cuInit(0));
  fake::Context* context = nullptr;
  check(cuDevicePrimaryCtxRetain(&context, device));
  check(cuCtxSetCurrent(context));
  check(cuStreamCreate(&a, fake::kStreamNonBlocking));
  check(cuStreamCreate(&b, fake::kStreamNonBlocking));
}

fake::DevicePtr Machine::allocate(std::size_t bytes) const {
  fake::DevicePtr at = 0;
  check(cuMemAlloc_v2(&at, bytes), "cuMemAlloc_v2");
  return at;
}

fake::Library* Machine::load(const std::string& source, const std::string& architecture,
                             const char* contraction) const {
  FakeProgram* program = nullptr;
  check(nvrtcCreateProgram(&program, source.c_str(), "test.cu", 0, nullptr, nullptr));
  const std::string option = "--gpu-architecture=" + architecture;
  const char* options[] = {option.c_str(), "--std=c++17", contraction};
  if (nvrtcCompileProgram(program, 3, options)) {
    std::size_t size = 0;
    check(nvrtcGetProgramLogSize(program, &size));
    std::string log(size, '\0');
    check(nvrtcGetProgramLog(program, log.data()));
    throw std::runtime_error(log.c_str());
  }
  const bool is_virtual = architecture.rfind("compute", 0) == 0;
  std::size_t size = 0;
  check(is_virtual ? nvrtcGetPTXSize(program, &size) : nvrtcGetCUBINSize(program, &size));
  std::string image(size, '\0');
  check(is_virtual ? nvrtcGetPTX(program, image.data()) : nvrtcGetCUBIN(program, image.data()));
  check(nvrtcDestroyProgram(&program));
  fake::Library* library = nullptr;
  check(cuLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        "cuLibraryLoadData");
  return library;
}

fake::Kernel* Machine::kernel(fake::Library* library, const char* name) const {
  fake::Kernel* kernel = nullptr;
  check(cuLibraryGetKernel(&kernel, library, name), name);
  return kernel;
}

int Machine::launch(fake::Kernel* kernel, unsigned blocks, unsigned threads,
                    std::vector<void*> parameters, fake::Stream* stream, unsigned shared) const {
  return cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, shared, stream ? stream : a,
                        parameters.data(), nullptr);
}

}  // namespace fake_test
