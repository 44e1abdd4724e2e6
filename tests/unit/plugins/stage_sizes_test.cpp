// SPDX-License-Identifier: Apache-2.0
#include "common/stage_sizes.hpp"

#include <catch2/catch.hpp>

#include "common/counter_random.hpp"

namespace rhino::test {
namespace {

using common::StageSizes;

struct Case {
  std::vector<StageSizes::Size> sizes;
  std::int64_t num_devices = 1, devices_per_host = 1, num_micro_batches = 1;
};

Case drawn(std::uint64_t seed) {
  common::CounterRandom random(seed);
  const auto draw = [&](std::int64_t count) {
    return static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(count));
  };
  Case one;
  one.devices_per_host = 1 + draw(4);
  one.num_devices = one.devices_per_host * (1 + draw(2));
  one.num_micro_batches = 1 + draw(8);
  const std::int64_t num_units = 1 + draw(6), num_sizes = 1 + draw(4);
  for (std::int64_t s = 0; s < num_sizes; ++s) {
    StageSizes::Size& size = one.sizes.emplace_back();
    size.num_devices = 1 + draw(one.num_devices);
    for (std::int64_t u = 0; u < num_units; ++u)
      size.work_s.push_back(static_cast<double>(1 + draw(20)));
  }
  return one;
}

/// The least step of all ways to go on from there; infinite: there is none.
double least_step(const Case& one, std::size_t unit, std::int64_t device, double sum,
                  double busiest) {
  const std::size_t num_units = one.sizes.front().work_s.size();
  const auto m = static_cast<double>(one.num_micro_batches);
  if (unit == num_units && device == one.num_devices) return (sum + (m - 1) * busiest) / m;
  double least = std::numeric_limits<double>::infinity();
  for (const StageSizes::Size& size : one.sizes) {
    const std::int64_t first = device % one.devices_per_host;
    const bool fits = size.num_devices <= one.devices_per_host
                          ? first + size.num_devices <= one.devices_per_host
                          : first == 0;
    if (!fits || device + size.num_devices > one.num_devices) continue;
    double work = 0;
    for (std::size_t end = unit; end < num_units; ++end) {
      work += size.work_s[end];
      least = std::min(least, least_step(one, end + 1, device + size.num_devices, sum + work,
                                         std::max(busiest, work)));
    }
  }
  return least;
}

}  // namespace

TEST_CASE("stages and their devices are the best of all ways to choose both") {
  int num_found = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Case one = drawn(seed);
    const StageSizes stages(one.sizes, one.num_devices, one.devices_per_host,
                            one.num_micro_batches);
    const std::vector<StageSizes::Plan> plans = stages.run();
    const double least = least_step(one, 0, 0, 0, 0);
    if (plans.empty()) {
      CHECK(least == std::numeric_limits<double>::infinity());
      continue;
    }
    ++num_found;
    CHECK(plans.front().step_s == Approx(least));
    std::size_t unit = 0;
    std::int64_t device = 0;
    for (const StageSizes::Stage& stage : plans.front().stages) {
      CHECK(stage.begin == unit);
      CHECK(stage.end > stage.begin);
      unit = stage.end;
      device += one.sizes[stage.size].num_devices;
    }
    CHECK(unit == one.sizes.front().work_s.size());
    CHECK(device == one.num_devices);
  }
  CHECK(num_found > 100);
}

}  // namespace rhino::test
