// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rhino/index.hpp"
#include "rhino/program.hpp"

/// Forward ops in the order of the program, cut into stages.
namespace rhino::common {

class LinearStages {
 public:
  /// `seconds`: per value what its op takes in a step. A forward op counts with all that derives
  /// from it.
  LinearStages(const Program& program, const std::vector<double>& seconds)
      : program_(program), place_(at(program.size()), -1) {
    for (ValueId id = 0; id < program.size(); ++id) {
      const Op& op = program.op(id);
      if (op.phase != Phase::forward || op.operands.empty()) continue;
      place_[at(id)] = static_cast<std::int32_t>(ops_.size());
      ops_.push_back(id);
    }
    add_work(seconds);
    add_bytes();
  }

  static constexpr double kEqual = 1.03;

  /// Of all cuts whose busiest stage takes at most `most` times what it must one over whose borders
  /// the fewest bytes go. Per value the stage; -1: no forward op. Empty: there are too few ops.
  std::vector<std::int32_t> cut(std::int64_t num_stages, double most = kEqual) const {
    if (std::ssize(ops_) < num_stages) return {};
    const double most_s = most * least_busiest_s(num_stages);
    const auto count = ops_.size();
    constexpr double kNever = std::numeric_limits<double>::infinity();
    // [stages so far][ops in them]: bytes that cross, and where the last stage begins.
    std::vector<std::vector<double>> bytes(at(num_stages) + 1,
                                           std::vector<double>(count + 1, kNever));
    std::vector<std::vector<std::size_t>> begins(at(num_stages) + 1,
                                                 std::vector<std::size_t>(count + 1));
    bytes[0][0] = 0;
    for (std::size_t stage = 1; stage <= at(num_stages); ++stage) {
      for (std::size_t end = 1; end <= count; ++end) {
        for (std::size_t begin = end; begin-- > 0 && work_[end] - work_[begin] <= most_s;) {
          const double sum = bytes[stage - 1][begin] + bytes_[begin];
          if (sum < bytes[stage][end]) bytes[stage][end] = sum, begins[stage][end] = begin;
        }
      }
    }
    std::vector<std::int32_t> stage_of(place_.size(), -1);
    std::size_t end = count;
    for (std::size_t stage = at(num_stages); stage > 0; end = begins[stage--][end]) {
      for (std::size_t i = begins[stage][end]; i < end; ++i)
        stage_of[at(ops_[i])] = static_cast<std::int32_t>(stage) - 1;
    }
    return stage_of;
  }

  /// Forward ops that are cut, in order.
  const std::vector<ValueId>& ops() const { return ops_; }
  /// Of the ops from one place to another, with all that derives from them.
  double work(std::size_t begin, std::size_t end) const { return work_[end] - work_[begin]; }

  /// Places between ops, the ends among them, with about equal work from one to the next: where
  /// the fewest bytes cross.
  std::vector<std::size_t> borders(std::size_t most) const {
    std::vector<std::size_t> borders{0};
    const double share = work_.back() / static_cast<double>(most);
    for (std::size_t i = 1; i < ops_.size(); ++i) {
      const auto part = [&](std::size_t place) { return std::floor(work_[place] / share); };
      const bool is_new = borders.back() == 0 || part(i) > part(borders.back());
      if (is_new) borders.push_back(i);
      else if (bytes_[i] < bytes_[borders.back()]) borders.back() = i;
    }
    if (!ops_.empty()) borders.push_back(ops_.size());
    return borders;
  }

 private:
  void add_work(const std::vector<double>& seconds) {
    work_.assign(ops_.size() + 1, 0);
    for (ValueId id = 0; id < program_.size(); ++id) {
      const ValueId origin = program_.op(id).phase == Phase::forward ? id : program_.op(id).origin;
      if (origin >= 0 && place_[at(origin)] >= 0)
        work_[at(place_[at(origin)]) + 1] += seconds[at(id)];
    }
    for (std::size_t i = 1; i < work_.size(); ++i) work_[i] += work_[i - 1];
  }

  /// A value crosses each border between its maker and its last reader.
  void add_bytes() {
    std::vector<double> change(ops_.size() + 2);
    std::vector<std::int32_t> last(place_.size(), -1);
    for (const ValueId id : ops_) {
      for (const ValueId operand : program_.op(id).operands)
        last[at(operand)] = std::max(last[at(operand)], place_[at(id)]);
    }
    for (const ValueId id : ops_) {
      if (last[at(id)] < 0) continue;
      const auto bytes = static_cast<double>(num_bytes(program_.shape(id)));
      change[at(place_[at(id)]) + 1] += bytes;
      change[at(last[at(id)]) + 1] -= bytes;
    }
    bytes_.assign(ops_.size() + 1, 0);
    for (std::size_t i = 1; i < bytes_.size(); ++i) bytes_[i] = bytes_[i - 1] + change[i];
  }

  double least_busiest_s(std::int64_t num_stages) const {
    double low = 0, high = work_.back();
    for (int i = 0; i < 50; ++i) {
      const double middle = (low + high) / 2;
      (num_needed(middle) <= num_stages ? high : low) = middle;
    }
    return high;
  }

  /// Stages of at most so much; more than there are ops where one alone takes more.
  std::int64_t num_needed(double most_s) const {
    std::int64_t count = 1;
    double begin_s = 0;
    for (std::size_t i = 1; i < work_.size(); ++i) {
      if (work_[i] - work_[i - 1] > most_s) return std::ssize(work_);
      if (work_[i] - begin_s <= most_s) continue;
      begin_s = work_[i - 1];
      ++count;
    }
    return count;
  }

  const Program& program_;
  std::vector<ValueId> ops_;         ///< that are cut
  std::vector<std::int32_t> place_;  ///< per value in ops_; -1: not there
  std::vector<double> work_;         ///< of the first so many ops
  std::vector<double> bytes_;        ///< that cross a border behind so many
};

}  // namespace rhino::common
