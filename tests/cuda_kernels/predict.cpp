// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codec/text_file.hpp"
#include "config/topology_file.hpp"
#include "cost/cost.hpp"
#include "ir/training_step.hpp"
#include "kernel_class.hpp"
#include "models/catalog.hpp"
#include "store/calibration_file.hpp"

// Prints what a training step's kernels are predicted to take on the device of a topology, by
// class: predict_kernels TOPOLOGY MODEL PRESET BATCH [CALIBRATION], a file of what one was measured
// to reach. For tables in documents; no check, and no GPU's time.

namespace {

using namespace rhino;

struct Share {
  int kernels = 0;
  double seconds = 0, flops = 0, bytes = 0;
};

int run(int num_words, char** words) {
  const Cluster cluster = config::read_topology(words[1], 1, 1);
  std::optional<cost::Calibration> calibration;
  if (num_words == 6) calibration = store::decode_calibration(codec::read_file(words[5]));
  const cost::CostModel cost(cluster, calibration ? &*calibration : nullptr);
  const Options options({{"preset", std::string(words[3])}});
  Program forward =
      models::build_forward(words[2], options, std::atoll(words[4]), DType::bf16).program;
  const lower::LoweredProgram lowered = lower::lower(
      ir::training_step(std::move(forward), {.master_weights = true, .wide_gradients = true}),
      lower::kernels_of_gpus(true));
  std::map<std::string, Share> shares;
  double total = 0;
  for (const lower::KernelGroup& group : lowered.groups) {
    Share& share = shares[cuda_kernels::class_of(lowered, group)];
    const double seconds = cost.group_s(lowered, group);
    share.kernels += 1, share.seconds += seconds, share.flops += group.flops;
    share.bytes += group.bytes, total += seconds;
  }
  std::vector<std::pair<std::string, Share>> order(shares.begin(), shares.end());
  std::ranges::sort(order, {}, [](const auto& entry) { return -entry.second.seconds; });
  std::printf("%-34s %7s %9s %6s %9s %8s\n", "class", "groups", "ms", "share", "TFLOP/s", "GB/s");
  for (const auto& [name, share] : order) {
    std::printf("%-34s %7d %9.2f %5.1f%% %9.1f %8.0f\n", name.c_str(), share.kernels,
                share.seconds * 1e3, share.seconds / total * 100,
                share.flops / share.seconds * 1e-12, share.bytes / share.seconds * 1e-9);
  }
  std::printf("%-34s %7zu %9.2f\n", "all, one after the other", lowered.groups.size(), total * 1e3);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 5 || argc == 6) return run(argc, argv);
    std::fprintf(stderr, "usage: predict_kernels TOPOLOGY MODEL PRESET BATCH [CALIBRATION]\n");
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
