// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/strategy_file.hpp"
#include "sharding/complete.hpp"

namespace rhino::config {

/// A strategy that a file shall say: what has been written of it so far is asked for what it
/// completes to. Program and strategy must outlive it.
class DescribedStrategy {
 public:
  DescribedStrategy(const Program& program, const Strategy& strategy);

  /// On the strategy's own chunks; nothing where rules contradict each other.
  std::optional<Strategy> completed(const StrategyFile& file) const;
  /// Values that the file does not complete to their spec; all where it cannot be completed.
  std::vector<ValueId> wrong_values(const StrategyFile& file) const;
  /// So much has been asked for that what is wrong is better said value by value.
  bool is_worked_out() const { return num_completed_ > kMostWork; }
  /// The pattern that matches this value and no other.
  std::string alone(ValueId id) const;

  const Program& program;
  const Strategy& strategy;
  std::vector<bool> in_shard, is_parameter;  ///< per value; `shard:` names inputs but for states

 private:
  static constexpr std::int64_t kMostWork = 4'000'000;

  const sharding::Completer completer_;
  mutable std::int64_t num_completed_ = 0;  ///< ops, of all that was asked for
};

/// The axis that splits the batch, by its name in the file; kMicroAxis: none.
AxisId batch_axis(const StrategyFile& file);

/// Finds rules with which `file`, whose sizes, chunks and ZeRO stage are given, completes to the
/// strategy: adds the one that sets most right as long as something is wrong, then drops those that
/// the others imply. Returns what is still wrong when no rule helps any more.
std::vector<ValueId> find_rules(const DescribedStrategy& described, StrategyFile& file);

}  // namespace rhino::config
