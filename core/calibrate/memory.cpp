// SPDX-License-Identifier: Apache-2.0
#include "calibrate/memory.hpp"

#include <algorithm>

#include "cost/loop_price.hpp"
#include "rhino/index.hpp"

namespace rhino::calibrate {

MemoryProbes::MemoryProbes(const Sizes& sizes, ProbePlan& plan) {
  constexpr std::int64_t kShort = 4'000'000;  // bytes, that a core passes over in 0.1 ms or so
  for (const std::int64_t bytes : sizes.reuse_bytes) {
    const Turns turns{.warm = kWarmPasses, .timed = bytes <= kShort ? 16 : 0};
    loops_.push_back({static_cast<double>(bytes), plan.add_run(update_probe(bytes / 4), turns),
                      plan.add_run(sum_probe(bytes / 8), turns),
                      plan.add_run(chain_probe(OpKind::add, bytes / 8, 1), turns)});
  }
  if (loops_.empty()) return;
  const std::int64_t paused_bytes = sizes.reuse_bytes[sizes.reuse_bytes.size() / 2 - 1];
  paused_bytes_ = static_cast<double>(paused_bytes);
  const std::int64_t near = sizes.heads[2];
  for (const int num_others : {4, 16, 64, 256})
    paused_.push_back(plan.add_paused_run(update_probe(paused_bytes / 4),
                                          dot_probe({1, near, near, near, 0}, DType::f32),
                                          num_others, kWarmPasses));
  const std::int64_t size = sizes.extents[1], weight_bytes = 4 * size * size;
  for (const std::int64_t bytes :
       {sizes.reuse_bytes[sizes.reuse_bytes.size() / 2], sizes.reuse_bytes.back()}) {
    const std::int64_t count = bytes / weight_bytes;
    Products& own = products_.emplace_back(static_cast<double>(count * weight_bytes));
    for (const Layout layout : {Layout::plain, Layout::rows}) {
      for (const bool is_far : {false, true}) {
        own.probes[layout == Layout::rows][is_far] = plan.add_run(
            products_probe(sizes.few, size, count, layout, is_far), {.warm = kWarmPasses});
      }
    }
  }
}

void MemoryProbes::read(const std::function<ProbeSeconds(std::size_t)>& seconds,
                        cost::Calibration& result) const {
  if (loops_.empty()) return;
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
  result.peak_bytes_per_s = std::max(result.peak_bytes_per_s,
                                     2 * loops_.back().bytes / seconds(loops_.back().update).best);
  const double near_s = paused_bytes_ * cost::reach_at(result, paused_bytes_).update_s,
               far_s = paused_bytes_ * result.reach.back().update_s;
  constexpr double kMost = 2;  // more than all: the tables of small pages are forgotten, too
  for (const Paused& own : paused_) {
    const double before = result.forgotten.empty() ? 0 : result.forgotten.back().share;
    const double share = far_s > near_s ? (typical(own.probe) - near_s) / (far_s - near_s) : 0;
    result.forgotten.push_back(
        {paused_bytes_, seconds(own.pause).typical, std::clamp(share, before, kMost)});
  }
  for (const Products& own : products_) {
    const auto read_s = [&](const std::array<std::size_t, 2>& probes) {
      const double near_s = seconds(probes[0]).typical, far_s = seconds(probes[1]).typical;
      return cost::read_s_of_dot(near_s, far_s) / own.bytes;
    };
    const cost::Calibration::FarRead nearer = result.far_reads_of_dots.empty()
                                                  ? cost::Calibration::FarRead{}
                                                  : result.far_reads_of_dots.back();
    result.far_reads_of_dots.push_back({own.bytes, std::max(nearer.plain_s, read_s(own.probes[0])),
                                        std::max(nearer.of_rows_s, read_s(own.probes[1]))});
  }
}

}  // namespace rhino::calibrate
