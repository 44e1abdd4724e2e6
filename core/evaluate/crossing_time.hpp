// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "evaluate/tables.hpp"
#include "rhino/resharding.hpp"

namespace rhino::evaluate {

/// What crosses from one mesh to others together.
struct Boundary {
  const Mesh* source = nullptr;
  std::vector<const Mesh*> targets;
  /// Each tensor as it leaves the source and as it arrives on each target; -1: not there.
  struct Tensor {
    FormId leaving = -1;
    std::vector<FormId> arriving;
    auto operator<=>(const Tensor&) const = default;
  };
  std::vector<Tensor> tensors;
};

/// What a boundary takes, alone on the network, however often it stands between meshes alike.
struct CrossingPrice {
  struct Target {
    double seconds = 0;  ///< until all of it has arrived
    /// By axes of the mesh, a bit each: until a first group of devices along them has all that it
    /// gets.
    std::vector<double> first_s;
    double period_s = 0;   ///< that much later each, where several follow each other
    double latency_s = 0;  ///< no device gets anything sooner
    /// Behind that, by axes of the mesh, a bit each: until the first group of devices along them
    /// has all that it waits for. No execution of these messages is quicker.
    std::vector<double> busy_s;
  };
  /// Seconds of a link, by where it is.
  struct Load {
    std::size_t mesh = 0;   ///< 0: the source; else 1 + target
    std::size_t rank = 0;   ///< of its device there
    std::size_t place = 0;  ///< in cost::Links::of(device)
    double seconds = 0;
  };
  std::vector<Target> targets;
  std::vector<Load> loads;
};

/// Prices boundaries: the resharding algorithm is asked as plans ask it and its plan simulated,
/// once for all that are alike.
class CrossingTimes {
 public:
  /// Both must outlive it.
  CrossingTimes(Tables& tables, Resharding& resharding, std::string resharding_id = {})
      : tables_(tables), resharding_(resharding), resharding_id_(std::move(resharding_id)) {}

  /// The reference stays valid.
  const CrossingPrice& price(const Boundary& boundary);

 private:
  Tables& tables_;
  Resharding& resharding_;
  const std::string resharding_id_;  ///< for messages
  std::map<std::pair<std::vector<Boundary::Tensor>, std::vector<std::int32_t>>, CrossingPrice>
      known_;
};

}  // namespace rhino::evaluate
