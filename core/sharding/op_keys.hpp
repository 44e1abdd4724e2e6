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

  /// Both are borrowed. Specs stay as they are; ops may be given a chunk later.
  OpKeys(const OpGraph& graph, const Strategy& strategy);
  Key operator()(ValueId id) const;

 private:
  const OpGraph& graph_;
  const Strategy& strategy_;
  std::vector<std::int32_t> spec_number_, sizes_number_;  ///< per value, per chunk: equal ones
};

}  // namespace rhino::sharding
