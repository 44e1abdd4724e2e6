// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "simulate/classes.hpp"
#include "simulate/transfers.hpp"

namespace rhino::simulate {

/// The collectives of a plan under way: one begins when the last member of its group has come and
/// the earlier ones of that group are over, as on a stream of its own per group; those of other
/// groups, and Runs, go on beside it. It goes through the network of the transfers as one message
/// that takes all its links at once (cost::CollectiveFlow), and so shares them with all else.
/// Members are those that are walked; a message is that of all groups of its class.
class Collectives {
 public:
  /// All must live as long.
  Collectives(const CollectiveSets& sets, const Classes& classes, Transfers& transfers);

  /// A new use of a communication; returns its number.
  std::int32_t add(std::int32_t communication);
  /// A use is over and its number free.
  void remove(std::int32_t use);
  /// `device` begins its part of a use; of what becomes complete at the same time, the least
  /// `place` of a device comes first.
  void start(std::int32_t use, DeviceId device, std::int64_t place);
  /// When a device's part of a use has ended; infinity: not yet. 0 where it has none.
  double end_s(std::int32_t use, DeviceId device) const;

  bool is_complete() const { return !complete_.empty(); }
  /// Begins what is complete, or lets it wait for its members, once all else at this time has
  /// happened.
  void begin(double now_s);
  /// A device's part of a use that has ended.
  struct Part {
    std::int32_t use = 0;
    DeviceId device = 0;
    double seconds = 0;
    double core_s = 0;  ///< of them its core works on it
  };
  /// A flow of Transfers has ended; what waited for its members begins.
  std::vector<Part> end(std::int32_t flow, double now_s);

  /// As Transfers::add_to.
  void add_to(State& state, const std::vector<std::int32_t>& uses) const;

 private:
  /// A group of a use that all members have come to.
  struct Ready {
    std::int32_t use = 0;
    std::size_t group = 0;
  };
  struct Group {
    std::vector<DeviceId> members;
    std::int32_t flow = 0;  ///< of Transfers
    CollectiveSets::Choice choice;
    const Network::Route* route = nullptr;
    std::deque<Ready>* queue = nullptr;  ///< the first one runs
  };
  struct Wiring {
    std::unordered_map<DeviceId, std::size_t> group_of;
    std::vector<Group> groups;
  };
  struct Use {
    const Wiring* wiring = nullptr;
    std::vector<std::size_t> num_started;  ///< per group: members that came
    std::vector<double> end_s;             ///< per group
  };
  struct Running {
    Ready ready;
    double begin_s = 0;
  };

  Wiring wire(std::int32_t communication);
  Network::Route route_of(std::int32_t set, std::size_t group, std::int32_t manner) const;
  const Group& group_of(const Ready& ready) const;
  void begin(const Ready& ready, double now_s);

  const CollectiveSets& sets_;
  const Classes& classes_;
  Transfers& transfers_;
  std::map<std::pair<std::int32_t, std::int32_t>, Network::Route> routes_;  ///< by flow and manner
  std::vector<Wiring> wirings_;                                             ///< per communication
  std::vector<Use> uses_;
  std::vector<std::int32_t> free_uses_;
  std::vector<std::pair<std::int64_t, Ready>> complete_;  ///< with the place
  /// By the first set of the same groups and the first member.
  std::map<std::pair<std::ptrdiff_t, DeviceId>, std::deque<Ready>> queues_;
  std::map<std::pair<std::int32_t, DeviceId>, std::int32_t> flows_;  ///< by set and first member
  std::map<std::int32_t, Running> running_;                          ///< by flow
};

}  // namespace rhino::simulate
