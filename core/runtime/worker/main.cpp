// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string_view>

#include "codec/binary.hpp"
#include "codec/json.hpp"
#include "codec/text_file.hpp"
#include "rhino/error.hpp"
#include "runtime/device/module.hpp"
#include "runtime/transport/describe_ucx.hpp"
#include "runtime/worker/device_check.hpp"
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

/// Prints what the module of GPUs says through one of its entries.
int say_of_gpus(const char* entry) {
  std::string text;
  void* at = rhino::runtime::entry_of_module("cuda", entry);
  reinterpret_cast<decltype(&rhino::runtime::rhino_find_gpus)>(at)(&text);
  std::puts(text.c_str());
  return 0;
}

int watch_gpus(const std::vector<std::string>& pci_bus_ids) {
  std::string text;
  void* at = rhino::runtime::entry_of_module("cuda", "rhino_watch_gpus");
  reinterpret_cast<decltype(&rhino::runtime::rhino_watch_gpus)>(at)(&pci_bus_ids, &text);
  std::puts(text.c_str());
  return 0;
}

int check_memory(int ordinal, std::int64_t num_bytes) {
  rhino::runtime::check_memory(*make_device("cuda", {.ordinal = ordinal}), num_bytes);
  return 0;
}

struct ResultStyle {
  using Tables = std::tuple<>;
  static constexpr bool kObjects = true;
};

/// Runs the cases of a file, as doctor --gpu writes them, from number `first` on: a line for each
/// as it ends. What fails may have spoilt the context: the next one is another process's.
int run_cases(int ordinal, const char* file, std::size_t first) {
  const std::string bytes = rhino::codec::read_file(file);
  rhino::runtime::DeviceCases all;
  rhino::codec::BinaryReader(bytes).get(all);
  std::unique_ptr<rhino::runtime::Device> device;
  std::optional<rhino::runtime::GpuModes> modes;
  for (std::size_t i = first; i < all.cases.size(); ++i) {
    if (modes != all.cases[i].gpu) {
      modes = all.cases[i].gpu;
      device.reset();
      device =
          make_device("cuda", {.ordinal = ordinal,
                               .gpu = *modes,
                               .kernels = rhino::lower::kernels_of_gpus(!modes->keeps_scores)});
    }
    const auto result = rhino::runtime::run_case(*device, all.cases[i]);
    std::puts(rhino::codec::JsonWriter<ResultStyle>().text(result).c_str());
    std::fflush(stdout);
    if (!result.failure.empty() && !result.is_wrong) std::_Exit(0);
  }
  return 0;
}

int usage() {
  std::fputs(
      "rhino-worker drives one device for rhino-bench, which starts it:\n  rhino-worker serve RANK "
      "NUM_RANKS\n  rhino-worker describe | gpus | gpu-libraries | gpu-watch PCI_ID...\n  "
      "rhino-worker gpu-memory "
      "ORDINAL BYTES\n  rhino-worker gpu-cases ORDINAL FILE FIRST\n",
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
    if (verb == "gpus" && argc == 2) return say_of_gpus("rhino_find_gpus");
    if (verb == "gpu-libraries" && argc == 2) return say_of_gpus("rhino_list_libraries");
    if (verb == "gpu-watch") return watch_gpus({argv + 2, argv + argc});
    if (verb == "gpu-memory" && argc == 4)
      return check_memory(std::atoi(argv[2]), std::atoll(argv[3]));
    if (verb == "gpu-cases" && argc == 5)
      return run_cases(std::atoi(argv[2]), argv[3], std::strtoull(argv[4], nullptr, 10));
    return usage();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "rhino-worker: %s\n", failure.what());
    return 1;
  }
}
