// SPDX-License-Identifier: Apache-2.0
#include "evaluate/known_estimates.hpp"

#include <algorithm>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::evaluate {

std::optional<KnownEstimates::Key> KnownEstimates::key(const Strategy& strategy) try {
  check_devices(context_.cost.cluster(), strategy);
  sharding::check_structure(context_.program, strategy);
  Key key{.chunk_of = strategy.chunk_of,
          .chunks = strategy.chunks,
          .recompute = strategy.recompute,
          .num_micro_batches = strategy.num_micro_batches,
          .gradient_sums = strategy.gradient_sums};
  std::vector<std::int32_t> kinds;
  for (const Chunk& chunk : strategy.chunks) kinds.push_back(tables_.kind_of(chunk.mesh));
  key.forms.reserve(strategy.specs.size());
  for (ValueId id = 0; id < context_.program.size(); ++id) {
    const std::int32_t kind = kinds[at(std::max(strategy.chunk_of[at(id)], 0))];
    key.forms.push_back(
        tables_.form_of(id, strategy.specs[at(id)], kind, strategy.num_micro_batches));
  }
  return key;
} catch (const Error&) {
  return std::nullopt;
}

const Estimate* KnownEstimates::find(const Key& key) const {
  const auto found = std::ranges::find(known_, key, &std::pair<Key, Estimate>::first);
  return found == known_.end() ? nullptr : &found->second;
}

void KnownEstimates::add(Key key, const Estimate& estimate) {
  constexpr std::size_t kMostValues = 1 << 22;  // some bytes each
  num_values_ += key.forms.size();
  known_.emplace_back(std::move(key), estimate);
  for (; num_values_ > kMostValues; known_.pop_front())
    num_values_ -= known_.front().first.forms.size();
}

}  // namespace rhino::evaluate
