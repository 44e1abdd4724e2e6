// SPDX-License-Identifier: Apache-2.0
#include "evaluate/fallbacks.hpp"

#include <algorithm>
#include <limits>

namespace rhino::evaluate {
namespace {

/// Of the whole program.
struct Bytes {
  double parameters = 0, optimizer = 0;
  /// Of a device; gradients have the bytes of parameters.
  double least(const Fallback& one) const {
    const auto parts = static_cast<double>(one.num_parts);
    const double of_optimizer = optimizer / (one.zero_stage > 0 ? parts : 1),
                 gradients = parameters / (one.zero_stage > 1 ? parts : 1),
                 own = parameters / (one.zero_stage > 2 ? parts : 1);
    return (own + gradients + of_optimizer) / static_cast<double>(one.num_stages);
  }
};

Bytes bytes_of(const Program& program) {
  Bytes bytes;
  for (const Input& input : program.inputs) {
    const auto size = static_cast<double>(num_bytes(program.shape(input.value)));
    if (input.kind == InputKind::parameter) bytes.parameters += size;
    if (input.kind == InputKind::optimizer_state) bytes.optimizer += size;
  }
  return bytes;
}

bool divides(const Program& program, std::int64_t parts) {
  return std::ranges::all_of(program.inputs, [&](const Input& input) {
    const Shape& shape = program.shape(input.value);
    return input.kind != InputKind::batch || shape.dims.empty() || shape.dims[0] % parts == 0;
  });
}

}  // namespace

std::vector<Fallback> fallbacks(const Program& program, const Cluster& cluster,
                                const std::vector<std::int64_t>& micro_batch_counts,
                                double memory_limit_bytes) {
  const Bytes bytes = bytes_of(program);
  const double most_bytes =
      memory_limit_bytes > 0 ? memory_limit_bytes : std::numeric_limits<double>::infinity();
  std::vector<Fallback> all;
  const std::int64_t num_devices = cluster.num_devices();
  for (std::int64_t stages = 1; stages <= num_devices; ++stages) {
    if (num_devices % stages != 0) continue;
    const std::int64_t parts = num_devices / stages;
    for (auto count = micro_batch_counts.rbegin(); count != micro_batch_counts.rend(); ++count) {
      if (!divides(program, *count * parts)) continue;
      for (const std::int32_t zero_stage : {0, 1, 2, 3}) {
        const Fallback one{stages, parts, *count, zero_stage};
        const bool is_other = zero_stage == 0 || parts > 1;
        if (is_other && bytes.least(one) <= most_bytes) all.push_back(one);
      }
    }
  }
  return all;
}

}  // namespace rhino::evaluate
