// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "rhino/strategy.hpp"
#include "sharding/op_graph.hpp"

namespace rhino::sharding {

/// Which ops of a strategy are cut alike: those with equal keys are of one class, and what they
/// read and yield has equal specs on meshes of equal sizes.
class OpKeys {
 public:
  using Key = std::vector<std::int32_t>;
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  /// What is worked out once for all ops alike.
  template <class T>
  using Known = std::unordered_map<Key, T, Hash>;

  /// All are borrowed. Specs stay as they are; `chunk_of` may change: ops may be given one later.
  OpKeys(const OpGraph& graph, const Strategy& strategy, const std::vector<std::int32_t>& chunk_of);
  Key operator()(ValueId id) const;

 private:
  const OpGraph& graph_;
  const std::vector<std::int32_t>& chunk_of_;
  std::vector<std::int32_t> spec_number_, sizes_number_;  ///< per value, per chunk: equal ones
};

}  // namespace rhino::sharding
