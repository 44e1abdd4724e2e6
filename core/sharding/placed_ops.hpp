// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <vector>

#include "sharding/step_graph.hpp"

namespace rhino::sharding {

/// The ops of every chunk program, by place, in order. Forward values that are recomputed occur in
/// the backward program again, or in the weight program that alone reads them, each group in front
/// of what first reads it: so nothing is made before it is needed.
class PlacedOps {
 public:
  /// Of all ops that are not copied. `graph` must outlive it.
  explicit PlacedOps(const StepGraph& graph);

  const std::map<Place, std::vector<ValueId>>& programs() const { return programs_; }
  /// Whether the program at `place` makes a forward value anew.
  bool repeats(const Place& place, ValueId id) const;
  /// Whether the weight program at `place` gets a forward value from the backward program of its
  /// chunk, which has made it anew.
  bool comes_anew(const Place& place, ValueId id) const;

 private:
  void find_crossing();
  void repeat_forward(const Place& place, std::vector<ValueId>& program);
  void find_repeated(const Place& place, ValueId reader, std::vector<ValueId>& group);
  bool is_made_before(const Place& place, ValueId id) const;
  bool is_smaller_before(ValueId id) const;

  const StepGraph& graph_;
  const Program& program_;
  std::map<Place, std::vector<ValueId>> programs_;
  std::map<Place, std::set<ValueId>> repeated_;
  std::vector<bool> crosses_;  ///< per value: another chunk or an output of the Program reads it
};

}  // namespace rhino::sharding
