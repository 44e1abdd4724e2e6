// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "common/configurations.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/search.hpp"

namespace rhino::common {

/// How large the tables of spaces of several axes are, judged by spaces of one axis each, which
/// take little: an op that one axis cuts in 20 ways two axes cut in nearly 400, and a table has the
/// ways of two ops. Ops on images that become sequences, as those of a U-Net, have strides of many
/// periods.
class SpaceWidth {
 public:
  /// Of the graph of a configuration; 8 bytes each, and while it is solved some times as many.
  static constexpr double kMostEntries = 2e7;

  /// Both are borrowed.
  SpaceWidth(const Program& program, Strategies& strategies)
      : program_(program), strategies_(strategies) {}

  bool is_wide(const Configuration& one, bool strided) {
    return one.axes.size() > 1 && num_entries(one, strided) > kMostEntries;
  }

 private:
  double num_entries(const Configuration& one, bool strided) {
    const auto [found, is_new] = known_.try_emplace({one.axes, one.num_micro_batches, strided});
    if (is_new) found->second = counted(one, strided);
    return found->second;
  }

  double counted(const Configuration& one, bool strided) {
    std::vector<const StrategySpace*> spaces;
    try {
      for (const std::int64_t size : one.axes) {
        const Configuration alone{.axes = {size}, .num_micro_batches = one.num_micro_batches};
        spaces.push_back(
            &strategies_.space({.mesh = strategies_.chunks(1, alone.mesh_axes()).front().mesh,
                                .num_micro_batches = one.num_micro_batches,
                                .strided = strided}));
      }
    } catch (const Error&) {  // the batch does not divide: nor will it where it is looked at
      return 0;
    }
    const auto num_ways = [&](ValueId id) {
      double ways = 1;
      for (const StrategySpace* space : spaces) {
        const std::int32_t own = space->class_of[at(id)];
        if (own >= 0) ways *= static_cast<double>(space->classes[at(own)].strategies.size());
      }
      return ways;
    };
    const std::vector<std::int32_t>& class_of = spaces.front()->class_of;
    std::set<std::array<std::int32_t, 3>> tables;
    double entries = 0;
    for (ValueId reader = 0; reader < program_.size(); ++reader) {
      if (class_of[at(reader)] < 0) continue;
      std::int32_t index = 0;
      for (const ValueId read : program_.op(reader).operands) {
        const bool is_new = class_of[at(read)] >= 0 &&
                            tables.insert({class_of[at(read)], class_of[at(reader)], index}).second;
        if (is_new) entries += num_ways(read) * num_ways(reader);
        ++index;
      }
    }
    return entries;
  }

  const Program& program_;
  Strategies& strategies_;
  std::map<std::tuple<std::vector<std::int64_t>, std::int64_t, bool>, double> known_;
};

}  // namespace rhino::common
