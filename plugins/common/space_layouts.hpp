// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "common/choice/cost_graph.hpp"
#include "rhino/index.hpp"
#include "rhino/strategy_space.hpp"

namespace rhino::common {

/// What the layouts of a space are to each other, each looked up once.
class SpaceLayouts {
 public:
  /// `space` is borrowed. Seconds of reshards count by `reshard_share`.
  SpaceLayouts(const StrategySpace& space, double reshard_share)
      : space_(space), reshard_share_(reshard_share) {}

  /// Whether a partial layout becomes one that is cut along all axes of its sums.
  bool cuts_sums(std::int32_t set, std::int32_t from, std::int32_t to) const {
    const LayoutSet& layouts = space_.layouts[at(set)];
    const ShardingSpec &made = layouts.specs[at(from)], &need = layouts.specs[at(to)];
    const auto is_cut = [&](const Partial& partial) {
      return partial.axis == kMicroAxis ||
             std::ranges::any_of(need.dims, [&](const DimSharding& dim) {
               return std::ranges::count(dim.splits, partial.axis, &AxisSplit::axis) > 0;
             });
    };
    return !made.partial.empty() && std::ranges::all_of(made.partial, is_cut);
  }

  /// Seconds from layout to layout of a set; nothing becomes partial on the way to its reader.
  const std::vector<double>& reshards(std::int32_t set) {
    std::vector<double>& known = reshards_[set];
    if (!known.empty()) return known;
    const LayoutSet& layouts = space_.layouts[at(set)];
    for (std::size_t from = 0; from < layouts.specs.size(); ++from) {
      for (std::size_t to = 0; to < layouts.specs.size(); ++to) {
        const auto is_made = [&](const Partial& partial) {
          return std::ranges::count(layouts.specs[from].partial, partial) > 0;
        };
        const bool may = std::ranges::all_of(layouts.specs[to].partial, is_made);
        known.push_back(may ? reshard_share_ * layouts.reshard_s[from * layouts.specs.size() + to]
                            : choice::kForbidden);
      }
    }
    return known;
  }

  /// Per layout of a set the same in another one; -1: it is not there.
  const std::vector<std::int32_t>& translated(std::int32_t from, std::int32_t to) {
    std::vector<std::int32_t>& known = translations_[{from, to}];
    if (!known.empty()) return known;
    std::vector<ShardingSpec> specs;
    for (const ShardingSpec& spec : space_.layouts[at(to)].specs)
      specs.push_back(without_micro_sums(spec));
    for (const ShardingSpec& spec : space_.layouts[at(from)].specs) {
      const auto found = std::ranges::find(specs, without_micro_sums(spec));
      known.push_back(found == specs.end() ? -1 : static_cast<std::int32_t>(found - specs.begin()));
    }
    return known;
  }

 private:
  static ShardingSpec without_micro_sums(ShardingSpec spec) {
    std::erase_if(spec.partial, [](const Partial& partial) { return partial.axis == kMicroAxis; });
    return spec;
  }

  const StrategySpace& space_;
  double reshard_share_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> translations_;
  std::map<std::int32_t, std::vector<double>> reshards_;
};

}  // namespace rhino::common
