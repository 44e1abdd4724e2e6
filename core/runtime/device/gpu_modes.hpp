// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

namespace rhino::runtime {

/// How a GPU is driven, as an experiment says: `device: {cuda: {dot: simple, sync: each}}`. Safe
/// modes tell which part is at fault where something is.
struct GpuModes {
  enum class Dots : std::uint8_t {
    library,  ///< cuBLASLt, the first algorithm of its heuristics
    timed,    ///< cuBLASLt, the quickest of the first ones; ranks may differ in last bits
    simple,   ///< kernels of our own, as where there is no cuBLASLt
  } dots = Dots::library;
  /// Of those that the heuristics name, the last where there are fewer: for checks of each.
  int algorithm = 0;
  bool uses_tf32 = false;         ///< f32 products round their factors to 19 bits
  bool waits_each = false;        ///< the host waits for each kernel, so that an error names it
  bool keeps_scores = false;      ///< attention by dots and loops, with its scores in memory
  bool uses_graphs = false;       ///< what is enqueued again in each step is given at once
  bool convolves_simply = false;  ///< kernels of our own, as where there is no cuDNN
  bool stages_messages = false;   ///< through pinned memory, also where UCX would take the GPU's
  bool operator==(const GpuModes&) const = default;
};
/// So many first ones `timed` chooses among.
inline constexpr int kTimedAlgorithms = 4;
constexpr int num_values(GpuModes::Dots) { return 3; }
constexpr auto members(const GpuModes*) {
  using M = GpuModes;
  return std::tuple(&M::dots, &M::algorithm, &M::uses_tf32, &M::waits_each, &M::keeps_scores,
                    &M::uses_graphs, &M::convolves_simply, &M::stages_messages);
}

/// `dot simple, sync each`; empty: as it is without a word.
inline std::string to_string(const GpuModes& modes) {
  static constexpr const char* kDots[] = {"", ", dot timed", ", dot simple"};
  std::string text = kDots[static_cast<std::size_t>(modes.dots)];
  if (modes.uses_tf32) text += ", tf32";
  if (modes.waits_each) text += ", sync each";
  if (modes.keeps_scores) text += ", attention simple";
  if (modes.uses_graphs) text += ", graphs on";
  if (modes.convolves_simply) text += ", convolution simple";
  if (modes.stages_messages) text += ", messages staged";
  return text.empty() ? text : text.substr(2);
}

}  // namespace rhino::runtime
