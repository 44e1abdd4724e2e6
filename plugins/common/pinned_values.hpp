// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "rhino/search.hpp"

namespace rhino::common {

/// What a person has decided, and what has to lie like that: the states of a parameter, unless ZeRO
/// may cut them, and what updates make of either.
class PinnedValues {
 public:
  /// `axes` of the mesh.
  PinnedValues(const std::vector<Pin>& pins, std::vector<MeshAxis> axes) : axes_(std::move(axes)) {
    for (const Pin& pin : pins) pins_[pin.value].push_back(pin);
  }

  void follow(const StrategySpace& space, bool zero) {
    if (pins_.empty()) return;
    if (!zero) {
      for (const auto& [parameter, state] : space.states) follow(parameter, state);
    }
    for (const auto& [value, renewed] : space.updates) follow(value, renewed);
  }

  bool empty() const { return pins_.empty(); }
  bool contain(ValueId id) const { return pins_.contains(id); }

  bool allow(ValueId id, const ShardingSpec& spec) const {
    const auto found = pins_.find(id);
    return found == pins_.end() || std::ranges::all_of(found->second, [&](const Pin& pin) {
             return pin.allows(spec, axes_);
           });
  }

  bool are_alike(ValueId a, ValueId b) const { return dims_of(a) == dims_of(b); }

 private:
  void follow(ValueId from, ValueId to) {
    const auto found = pins_.find(from);
    if (found == pins_.end()) return;
    std::vector<Pin> pins = found->second;
    for (Pin& pin : pins) pin.value = to;
    pins_[to].insert(pins_[to].end(), pins.begin(), pins.end());
  }

  std::vector<std::vector<std::int32_t>> dims_of(ValueId id) const {
    std::vector<std::vector<std::int32_t>> dims;
    const auto found = pins_.find(id);
    if (found == pins_.end()) return dims;
    for (const Pin& pin : found->second) dims.push_back(pin.dims);
    return dims;
  }

  std::vector<MeshAxis> axes_;
  std::map<ValueId, std::vector<Pin>> pins_;
};

}  // namespace rhino::common
