// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "evaluate/tables.hpp"
#include "rhino/resharding.hpp"

namespace rhino::evaluate {

/// Prices what crosses from one mesh to another, alone on the network: the resharding algorithm is
/// asked and its plan simulated, once for all boundaries alike.
class CrossingTimes {
 public:
  /// Both must outlive it.
  CrossingTimes(const Tables& tables, Resharding& resharding)
      : tables_(tables), resharding_(resharding) {}

  /// Tensors that cross together: each as it leaves `source` and as it arrives on `target`.
  using Tensors = std::vector<std::pair<FormId, FormId>>;
  double seconds(const Tensors& tensors, const Mesh& source, const Mesh& target);

 private:
  const Tables& tables_;
  Resharding& resharding_;
  std::map<std::pair<Tensors, std::pair<DeviceId, DeviceId>>, double> known_s_;
};

}  // namespace rhino::evaluate
