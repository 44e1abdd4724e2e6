// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cost/collectives.hpp"
#include "cost/cost.hpp"
#include "plan/execution_plan.hpp"
#include "simulate/network.hpp"

namespace rhino::simulate {

/// The collectives of a plan by how they are made: those of one kind over the same groups differ in
/// bytes only, and in which way is the quickest for them; halos also in what goes which way.
class CollectiveSets {
 public:
  CollectiveSets(const plan::ExecutionPlan& plan, const cost::CostModel& cost);

  /// A way in which a group makes a collective, per byte of the operand.
  struct Manner {
    double latency_s = 0;  ///< whatever the bytes
    double adding_s = 0;   ///< before the links are used
    double core_s = 0;     ///< cost::CostModel::core_s, but for adding up
    double busiest = 0;    ///< bytes of the link that must pass most
    double seconds = 0;    ///< of the links, alone
    cost::SizeEffect by_size;
    Network::Route shares;  ///< of each link, parts of the busiest: whole multiples of 2^-20
  };
  /// Those of one kind over the same groups, of halos those that send alike.
  struct Set {
    plan::CommunicationKind kind{};
    std::vector<std::vector<DeviceId>> groups;
    std::vector<std::vector<Manner>> manners;  ///< per group
    std::vector<std::int32_t> communications;
    double forward = 0;  ///< cost::CollectiveProblem::forward, of halos
  };
  const std::vector<Set>& sets() const { return sets_; }
  std::int32_t num_communications() const { return static_cast<std::int32_t>(set_of_.size()); }
  /// Of a communication; -1: a transfer.
  std::int32_t set_of(std::int32_t communication) const {
    return set_of_[static_cast<std::size_t>(communication)];
  }

  /// What a communication takes a host to be issued, transfers, too.
  double issue_s(std::int32_t communication) const;

  /// The quickest way alone of one group.
  struct Choice {
    std::int32_t manner = 0;
    double latency_s = 0, bytes = 0;  ///< bytes of the busiest link
    double core_s = 0;
  };
  Choice choice(std::int32_t communication, std::size_t group) const;

 private:
  void add(const plan::Communication& communication, const cost::CostModel& cost);
  std::size_t find_or_make(const plan::Communication& communication, const cost::CostModel& cost);
  /// With its manners.
  static Set made(Set set, const cost::CostModel& cost);

  const Cluster& cluster_;
  std::vector<Set> sets_;
  std::vector<std::int32_t> set_of_;  ///< per communication
  std::vector<double> bytes_;         ///< per communication: a device's operand
};

}  // namespace rhino::simulate
