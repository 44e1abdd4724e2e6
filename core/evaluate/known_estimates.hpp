// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "evaluate/planner.hpp"
#include "evaluate/tables.hpp"
#include "rhino/search.hpp"

namespace rhino::evaluate {

/// Estimates of strategies asked for last: searches come to one and the same by several ways.
class KnownEstimates {
 public:
  /// Both must outlive it.
  KnownEstimates(const PlanContext& context, Tables& tables) : context_(context), tables_(tables) {}

  /// All of a strategy that its estimate depends on.
  struct Key {
    std::vector<FormId> forms;  ///< per value
    std::vector<std::int32_t> chunk_of;
    std::vector<Chunk> chunks;
    std::vector<ValueId> recompute;
    std::int64_t num_micro_batches = 1;
    GradientSums gradient_sums;
    bool operator==(const Key&) const = default;
  };
  /// None of what is no strategy for the program: whoever prices it says why.
  std::optional<Key> key(const Strategy& strategy);
  /// nullptr: it is not known.
  const Estimate* find(const Key& key) const;
  void add(Key key, const Estimate& estimate);

 private:
  const PlanContext& context_;
  Tables& tables_;
  std::deque<std::pair<Key, Estimate>> known_;
  std::size_t num_values_ = 0;  ///< of all that is known
};

}  // namespace rhino::evaluate
