// SPDX-License-Identifier: Apache-2.0
#include "sharding/op_keys.hpp"

#include <algorithm>
#include <utility>

#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::sharding {

std::size_t OpKeys::Hash::operator()(const Key& key) const {
  std::size_t hash = key.size();
  for (const std::int32_t number : key)
    hash ^= static_cast<std::size_t>(number) + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
  return hash;
}

OpKeys::OpKeys(const OpGraph& graph, const Strategy& strategy,
               const std::vector<std::int32_t>& chunk_of)
    : graph_(graph), chunk_of_(chunk_of), spec_number_(strategy.specs.size()) {
  std::unordered_multimap<std::size_t, std::int32_t> first_of;  // by hash
  std::vector<std::int32_t> last_of(at(graph.num_classes()), -1);
  for (std::size_t value = 0; value < strategy.specs.size(); ++value) {
    const ShardingSpec& spec = strategy.specs[value];
    std::int32_t& alike = last_of[at(graph.class_of(static_cast<ValueId>(value)))];
    const std::int32_t before = std::exchange(alike, static_cast<std::int32_t>(value));
    if (before >= 0 && strategy.specs[at(before)] == spec) {
      spec_number_[value] = spec_number_[at(before)];
      continue;
    }
    const std::size_t hash = hash_of(spec);
    const auto [first, last] = first_of.equal_range(hash);
    const auto same = std::find_if(
        first, last, [&](const auto& other) { return strategy.specs[at(other.second)] == spec; });
    spec_number_[value] = same == last ? static_cast<std::int32_t>(value) : same->second;
    if (same == last) first_of.emplace(hash, spec_number_[value]);
  }
  for (const Chunk& chunk : strategy.chunks) {
    const auto same = std::ranges::find_if(strategy.chunks, [&](const Chunk& other) {
      return std::ranges::equal(other.mesh.axes, chunk.mesh.axes, {}, &MeshAxis::size,
                                &MeshAxis::size);
    });
    sizes_number_.push_back(static_cast<std::int32_t>(same - strategy.chunks.begin()));
  }
}

OpKeys::Key OpKeys::operator()(ValueId id) const {
  const std::vector<ValueId>& operands = graph_.op(id).operands;
  Key key;
  key.reserve(3 + 2 * operands.size());
  key.push_back(graph_.class_of(id));
  const auto add = [&](ValueId value) {
    key.push_back(spec_number_[at(value)]);
    key.push_back(sizes_number_[at(std::max(chunk_of_[at(value)], 0))]);
  };
  add(id);
  std::ranges::for_each(operands, add);
  return key;
}

}  // namespace rhino::sharding
