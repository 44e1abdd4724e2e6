// SPDX-License-Identifier: Apache-2.0
#include "calibrate/memory.hpp"

#include <algorithm>

#include "rhino/index.hpp"

namespace rhino::calibrate {

MemoryProbes::MemoryProbes(const Sizes& sizes, ProbePlan& plan) {
  for (const std::int64_t bytes : sizes.reuse_bytes) {
    loops_.push_back({static_cast<double>(bytes),
                      plan.add_run(update_probe(bytes / 4), kWarmPasses),
                      plan.add_run(sum_probe(bytes / 8), kWarmPasses),
                      plan.add_run(chain_probe(OpKind::add, bytes / 8, 1), kWarmPasses)});
  }
  if (loops_.empty()) return;
  const std::int64_t size = sizes.extents[1], weight_bytes = 4 * size * size,
                     count = sizes.reuse_bytes[sizes.reuse_bytes.size() / 2] / weight_bytes;
  for (const Layout layout : {Layout::plain, Layout::rows}) {
    products_.push_back(
        {static_cast<double>(count * weight_bytes), static_cast<double>(count),
         plan.add_run(products_probe(sizes.few, size, count, layout, false), kWarmPasses),
         plan.add_run(products_probe(sizes.few, size, count, layout, true), kWarmPasses)});
  }
}

void MemoryProbes::read(const std::function<ProbeSeconds(std::size_t)>& seconds,
                        cost::Calibration& result) const {
  const auto typical = [&](std::size_t probe) {
    return std::max(0.0, seconds(probe).typical - result.kernel_latency_s);
  };
  for (const Loops& own : loops_) {
    const cost::Calibration::Reach near =
        result.reach.empty() ? cost::Calibration::Reach{} : result.reach.back();
    // The sum updates half of the bytes and reads the others, the copy reads half of them, too.
    const double update_s = typical(own.update) / own.bytes,
                 read_s = typical(own.sum) / (own.bytes / 2) - update_s,
                 read_least_s = std::clamp(read_s, 0.0, update_s),
                 write_s = typical(own.copy) / (own.bytes / 2) - read_least_s;
    result.reach.push_back({own.bytes, std::max(near.read_s, read_least_s),
                            std::max({near.write_s, read_least_s, write_s}),
                            std::max(near.update_s, update_s)});
  }
  if (!loops_.empty())
    result.peak_bytes_per_s = std::max(
        result.peak_bytes_per_s, 2 * loops_.back().bytes / seconds(loops_.back().update).best);
  const auto far_share = [&](const Products& own) {
    const double near_s = cost::reach_at(result.reach, own.bytes / own.count).read_s,
                 far_s = cost::reach_at(result.reach, own.bytes).read_s,
                 loop_s = own.bytes * (far_s - near_s);
    if (loop_s <= 0) return 1.0;  // all is as near
    constexpr double kMost = 4;   // of hardly any way
    return std::clamp((seconds(own.far).typical - seconds(own.near).typical) / loop_s, 0.0, kMost);
  };
  if (products_.empty()) return;
  result.far_share_of_dots = far_share(products_.front());
  result.far_share_of_dots_of_rows = far_share(products_.back());
}

}  // namespace rhino::calibrate
