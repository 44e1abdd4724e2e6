// SPDX-License-Identifier: Apache-2.0
#include "topology/gpus.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codec/json.hpp"
#include "topology/child_output.hpp"
#include "topology/gpu_libraries.hpp"

namespace rhino::topology {
namespace {

namespace fs = std::filesystem;

struct InventoryStyle {
  using Tables = std::tuple<>;
  static constexpr bool kObjects = true;
};

constexpr double kAskDeadline_s = 60;

/// The last line of what the worker says is its answer.
GpuInventory ask() {
  const std::string worker = worker_beside();
  const ChildOutput answer = output_of({worker, "gpus"}, kAskDeadline_s);
  if (answer.how_it_ended.empty()) {
    try {
      return decode_inventory(answer.output);
    } catch (const Error& error) {
      return {.missing = worker + " gpus: " + error.what()};
    }
  }
  return {.missing = "asking for GPUs failed: " + worker + " gpus " + end_of(answer)};
}

std::string word_in(const fs::path& file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

/// Sorted by name, as directories are in no order.
std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// `400 Gb/sec (4X NDR)` of each port, `4: ACTIVE`.
std::vector<Nic> ports_of_infiniband(const fs::path& sys) {
  std::vector<Nic> nics;
  for (const fs::path& device : entries_of(sys / "class/infiniband")) {
    for (const fs::path& port : entries_of(device / "ports")) {
      if (word_in(port / "state") != "4:") continue;
      double gigabits = 0;
      std::ifstream(port / "rate") >> gigabits;
      if (gigabits > 0)
        nics.push_back(
            {device.filename().string() + ":" + port.filename().string(), gigabits * 1e9 / 8});
    }
  }
  return nics;
}

std::vector<Nic> ethernet_cards(const fs::path& sys) {
  std::vector<Nic> nics;
  for (const fs::path& card : entries_of(sys / "class/net")) {
    std::error_code error;
    if (!fs::exists(card / "device", error) || word_in(card / "operstate") != "up") continue;
    double megabits = 0;
    std::ifstream(card / "speed") >> megabits;  // -1: it does not say
    if (megabits > 0) nics.push_back({card.filename().string(), megabits * 1e6 / 8});
  }
  return nics;
}

std::string describe(const NvLinks& links) {
  std::string text = std::to_string(links.count) + " NVLinks";
  if (links.version > 0) text += " of version " + std::to_string(links.version);
  return text + (links.peer < 0 ? " to switches" : " to GPU " + std::to_string(links.peer));
}

}  // namespace

std::string encode(const GpuInventory& inventory) {
  return codec::JsonWriter<InventoryStyle>().text(inventory);
}

GpuInventory decode_inventory(const std::string& text) {
  const codec::JsonText json(text, "no list of GPUs");
  return codec::JsonReader<InventoryStyle>().read<GpuInventory>(json.root());
}

std::string encode(const GpuLibraries& libraries) {
  return codec::JsonWriter<InventoryStyle>().text(libraries);
}

GpuLibraries decode_libraries(const std::string& text) {
  const codec::JsonText json(text, "no list of libraries");
  return codec::JsonReader<InventoryStyle>().read<GpuLibraries>(json.root());
}

const GpuInventory& discover_gpus() {
  static const GpuInventory inventory = ask();
  return inventory;
}

std::string describe(const Gpu& gpu) {
  std::ostringstream text;
  text << gpu.name << ", sm_" << gpu.architecture << ", " << gpu.num_multiprocessors
       << " multiprocessors, ";
  text.precision(3);
  text << gpu.memory_bytes / 1e9 << " GB";
  for (const NvLinks& links : gpu.nvlinks) text << ", " << describe(links);
  if (gpu.pcie_generation > 0) text << ", PCIe " << gpu.pcie_generation << " x" << gpu.pcie_lanes;
  return text.str();
}

std::vector<Nic> discover_nics(const std::string& sys) {
  const std::vector<Nic> ports = ports_of_infiniband(sys);
  return ports.empty() ? ethernet_cards(sys) : ports;
}

}  // namespace rhino::topology
