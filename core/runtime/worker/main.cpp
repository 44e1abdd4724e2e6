// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "rhino/error.hpp"
#include "runtime/device/module.hpp"
#include "runtime/transport/describe_ucx.hpp"
#include "runtime/worker/worker.hpp"

namespace {

std::unique_ptr<rhino::runtime::Device> make_device(const std::string& kind,
                                                    const rhino::runtime::DeviceOptions& options) {
  if (kind == "cpu") return rhino::runtime::make_cpu_device(options);
  if (kind == "reference") return rhino::runtime::make_reference_device(options);
  if (kind == "emulated") return rhino::runtime::make_emulated_device(options);
  if (kind == "cuda") return rhino::runtime::make_device_of_module(kind, options);
  throw rhino::Error("this worker has no device '" + kind +
                     "'; it has cpu, cuda, emulated and reference");
}

/// What `rhino-bench doctor` asks for: devices in one line, transports in the next.
int describe() {
  std::printf("cpu cuda emulated reference\n%s\n", rhino::runtime::describe_ucx().c_str());
  return 0;
}

/// What topology::discover_gpus() asks for.
int gpus() {
  void* entry = rhino::runtime::entry_of_module("cuda", "rhino_find_gpus");
  std::string inventory;
  reinterpret_cast<decltype(&rhino::runtime::rhino_find_gpus)>(entry)(&inventory);
  std::puts(inventory.c_str());
  return 0;
}

int usage() {
  std::fputs(
      "rhino-worker drives one device for rhino-bench, which starts it:\n  rhino-worker serve RANK "
      "NUM_RANKS\n  rhino-worker describe | gpus\n",
      stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string_view verb = argc > 1 ? argv[1] : "";
    if (verb == "serve" && argc == 4)
      return rhino::runtime::serve_session(std::atoi(argv[2]), std::atoi(argv[3]), make_device);
    if (verb == "describe" && argc == 2) return describe();
    if (verb == "gpus" && argc == 2) return gpus();
    return usage();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "rhino-worker: %s\n", failure.what());
    return 1;
  }
}
