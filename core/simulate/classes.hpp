// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cost/cost.hpp"
#include "cost/links.hpp"
#include "plan/execution_plan.hpp"
#include "simulate/collective_sets.hpp"
#include "simulate/network.hpp"

namespace rhino::simulate {

/// Devices of a plan that do the same at the same time, as replicas do: the simulator walks one of
/// each class, and each of its messages stands for those of the whole class.
struct Classes {
  std::vector<DeviceId> representative;  ///< per device: the least of its class
  std::vector<std::int32_t> size;        ///< per device: of its class
  /// Of links alike, those that classes of messages take: the least of the class, and its size.
  std::vector<std::int32_t> link_representative, link_size;

  bool is_walked(DeviceId device) const {
    return representative[static_cast<std::size_t>(device)] == device;
  }
  /// What a message takes that stands for those of its sender's class.
  Network::Route route(const cost::Links& links, DeviceId from, DeviceId to) const;
};

/// Every device alone.
Classes no_classes(const cost::Links& links);

/// The coarsest partition of devices and links that is equitable: devices of a class have the same
/// role and model, links of the same classes, and the same messages in the same order, each of the
/// same bytes to a device of the same class, over links of the same classes, after messages of the
/// same classes; they get equally many messages of each class, and meet devices of the same classes
/// in collectives that load links of the same classes alike. What a device does at a time depends
/// on nothing else (the simulator decides ties by what is a device's own), so by induction over
/// time classes act as one. Found by refining colours, which are hashes: wrong with a chance of
/// 2^-64 per pair of devices.
Classes find_classes(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                     const CollectiveSets& sets);

}  // namespace rhino::simulate
