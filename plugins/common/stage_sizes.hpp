// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "rhino/index.hpp"

namespace rhino::common {

/// Stages of a pipeline with the devices of each, chosen together (Alpa's outer program): runs of
/// units, in order, on meshes that stand in order on the devices. A step of m micro-batches takes
/// (sum of all stages + (m - 1) x the busiest one) / m, where stages are as long as all their
/// micro-batches take.
class StageSizes {
 public:
  /// A mesh that a stage may have.
  struct Size {
    std::int64_t num_devices = 1;
    std::vector<double> work_s;  ///< per unit, of all micro-batches
  };
  struct Stage {
    std::size_t begin = 0, end = 0;  ///< units
    std::size_t size = 0;            ///< in the list of sizes
    bool operator==(const Stage&) const = default;
  };
  struct Plan {
    std::vector<Stage> stages;
    double step_s = 0;
  };

  /// `devices_per_host`: meshes lie on as few hosts as they can. Of `num_devices` all are used.
  StageSizes(std::vector<Size> sizes, std::int64_t num_devices, std::int64_t devices_per_host,
             std::int64_t num_micro_batches)
      : sizes_(std::move(sizes)),
        num_devices_(at(num_devices)),
        devices_per_host_(at(devices_per_host)),
        num_micro_batches_(static_cast<double>(num_micro_batches)) {
    for (const Size& size : sizes_) {
      std::vector<double>& sums = sums_.emplace_back(1, 0.0);
      for (const double work_s : size.work_s) sums.push_back(sums.back() + work_s);
    }
    num_units_ = sizes_.empty() ? 0 : sizes_.front().work_s.size();
  }

  /// The quickest first, no two of them with as long a busiest stage: per such the least sum.
  /// Empty: no meshes of these sizes fill the devices.
  std::vector<Plan> run() const {
    std::vector<Plan> plans;
    double most_s = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kMostPlans; ++i) {
      const std::vector<Stage> stages = least_sum(most_s);
      if (stages.empty()) break;
      double sum_s = 0, busiest_s = 0;
      for (const Stage& stage : stages) {
        sum_s += seconds(stage);
        busiest_s = std::max(busiest_s, seconds(stage));
      }
      plans.push_back(
          {stages, (sum_s + (num_micro_batches_ - 1) * busiest_s) / num_micro_batches_});
      most_s = busiest_s;
    }
    std::ranges::stable_sort(plans, {}, &Plan::step_s);
    return plans;
  }

  double seconds(const Stage& stage) const {
    return sums_[stage.size][stage.end] - sums_[stage.size][stage.begin];
  }

 private:
  static constexpr int kMostPlans = 200;

  bool fits(std::size_t first_device, std::int64_t count) const {
    const std::size_t in_host = first_device % devices_per_host_;
    return at(count) <= devices_per_host_ ? in_host + at(count) <= devices_per_host_ : in_host == 0;
  }

  /// Of all whose stages take less than `most_s` the one whose stages take the least together.
  std::vector<Stage> least_sum(double most_s) const {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    // [units done][devices taken], the last stage of the best way there.
    const std::size_t width = num_devices_ + 1;
    std::vector<double> least((num_units_ + 1) * width, kNever);
    std::vector<Stage> last(least.size());
    least[0] = 0;
    for (std::size_t end = 1; end <= num_units_; ++end) {
      for (std::size_t size = 0; size < sizes_.size(); ++size) {
        const std::size_t count = at(sizes_[size].num_devices);
        for (std::size_t begin = end; begin-- > 0;) {
          const Stage stage{begin, end, size};
          if (!(seconds(stage) < most_s)) break;
          for (std::size_t taken = count; taken <= num_devices_; ++taken) {
            const double sum_s = least[begin * width + taken - count] + seconds(stage);
            if (!fits(taken - count, sizes_[size].num_devices)) continue;
            if (sum_s < least[end * width + taken])
              least[end * width + taken] = sum_s, last[end * width + taken] = stage;
          }
        }
      }
    }
    std::vector<Stage> stages;
    if (num_units_ == 0 || least[num_units_ * width + num_devices_] == kNever) return stages;
    for (std::size_t end = num_units_, taken = num_devices_; end > 0;) {
      const Stage& stage = last[end * width + taken];
      stages.push_back(stage);
      taken -= at(sizes_[stage.size].num_devices);
      end = stage.begin;
    }
    std::ranges::reverse(stages);
    return stages;
  }

  std::vector<Size> sizes_;
  std::vector<std::vector<double>> sums_;  ///< per size, of the first so many units
  std::size_t num_units_ = 0, num_devices_, devices_per_host_;
  double num_micro_batches_;
};

}  // namespace rhino::common
