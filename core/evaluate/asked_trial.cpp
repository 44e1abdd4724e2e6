// SPDX-License-Identifier: Apache-2.0
#include "evaluate/asked_trial.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// What of a spec says how micro-batches cut the value, and whether they add to it. Of a spec with
/// other dims it is said elsewhere that it does not fit.
bool has_same_micro_axis(const ShardingSpec& a, const ShardingSpec& b) {
  const auto split_of = [](const DimSharding& dim) {
    const auto found = std::ranges::find(dim.splits, kMicroAxis, &AxisSplit::axis);
    return found == dim.splits.end() ? AxisSplit{} : *found;
  };
  const auto term_of = [](const ShardingSpec& spec) {
    const auto found = std::ranges::find(spec.partial, kMicroAxis, &Partial::axis);
    return found == spec.partial.end() ? Partial{} : *found;
  };
  return a.dims.size() != b.dims.size() ||
         (std::ranges::equal(a.dims, b.dims, {}, split_of, split_of) && term_of(a) == term_of(b));
}

}  // namespace

void AskedTrial::set(ValueId value, const ShardingSpec& spec) {
  const std::vector<ShardingSpec>& specs = strategy().specs;
  if (value < 0 || at(value) >= specs.size())
    throw Error("there is no value " + std::to_string(value) + " of " +
                std::to_string(specs.size()));
  if (!has_same_micro_axis(spec, specs[at(value)]))
    throw Error("the spec for value " + std::to_string(value) +
                " says otherwise than the strategy how micro-batches cut it or add to it");
  inner_->set(value, spec);
}

}  // namespace rhino::evaluate
