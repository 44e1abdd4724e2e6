// SPDX-License-Identifier: Apache-2.0
#include "simulate/collective_sets.hpp"

#include <algorithm>
#include <cmath>

#include "rhino/index.hpp"

namespace rhino::simulate {
namespace {

OpKind op_of(plan::CommunicationKind kind) {
  switch (kind) {
    case plan::CommunicationKind::all_reduce: return OpKind::all_reduce;
    case plan::CommunicationKind::all_gather: return OpKind::all_gather;
    case plan::CommunicationKind::reduce_scatter: return OpKind::reduce_scatter;
    case plan::CommunicationKind::halo_exchange: return OpKind::halo_exchange;
    default: return OpKind::all_to_all;
  }
}

/// Of a device's operand; of halos twice the larger one, as if both were.
double priced_bytes(const plan::Communication& communication, const Shape& part) {
  const auto bytes = static_cast<double>(num_bytes(part));
  if (communication.kind != plan::CommunicationKind::halo_exchange) return bytes;
  const std::int64_t entries = part.dims.front(), before = communication.before;
  const std::int64_t larger = std::max(before, entries - before);
  return bytes * 2 * static_cast<double>(larger) /
         static_cast<double>(std::max<std::int64_t>(1, entries));
}

/// Sums of such weights are exact in any order, so classes get the very rates of their members.
double exact(double weight) { return std::ldexp(std::round(std::ldexp(weight, 20)), -20); }

CollectiveSets::Manner manner_of(const cost::CollectiveFlow& flow, const cost::Links& links) {
  CollectiveSets::Manner manner{.latency_s = flow.latency_s, .seconds = flow.transfer_s(links)};
  for (const cost::CollectiveFlow::Load& load : flow.loads)
    manner.busiest = std::max(manner.busiest, load.bytes);
  for (const cost::CollectiveFlow::Load& load : flow.loads) {
    const double weight = exact(load.bytes / manner.busiest);
    if (weight > 0) manner.shares.push_back({load.link, weight});
  }
  return manner;
}

}  // namespace

CollectiveSets::CollectiveSets(const plan::ExecutionPlan& plan, const cost::CostModel& cost)
    : cluster_(cost.cluster()) {
  for (const plan::Communication& communication : plan.communications) add(communication, cost);
}

/// Groups that are stated once are those of one set.
void CollectiveSets::add(const plan::Communication& communication, const cost::CostModel& cost) {
  double bytes = 0;
  for (const Shape& part : communication.parts) bytes += priced_bytes(communication, part);
  bytes_.push_back(bytes);
  const auto index = static_cast<std::int32_t>(set_of_.size());
  set_of_.push_back(-1);
  if (communication.kind == plan::CommunicationKind::transfer) return;
  const auto same =
      communication.like >= 0
          ? sets_.begin() + set_of(communication.like)
          : std::find_if(sets_.begin(), sets_.end(), [&](const Set& set) {
              return set.kind == communication.kind && set.groups == communication.groups;
            });
  set_of_.back() = static_cast<std::int32_t>(same - sets_.begin());
  if (same != sets_.end()) return same->communications.push_back(index);
  Set& set = sets_.emplace_back(Set{communication.kind, communication.groups, {}, {index}});
  const OpKind op = op_of(communication.kind);
  for (const std::vector<DeviceId>& group : set.groups) {
    std::vector<Manner>& manners = set.manners.emplace_back();
    for (const cost::CollectiveFlow& flow :
         cost::collective_flows({op, 1, group}, cost.cluster(), cost.links())) {
      manners.push_back(manner_of(flow, cost.links()));
      manners.back().adding_s = cost.adding_s(op, 1, group.size());
      manners.back().core_s = cost.core_s({op, 1, group});
    }
  }
}

CollectiveSets::Choice CollectiveSets::choice(std::int32_t communication, std::size_t group) const {
  const Set& set = sets_[at(set_of(communication))];
  const std::vector<Manner>& manners = set.manners[group];
  const double bytes = bytes_[at(communication)];
  // Manners are those of one byte.
  const double slowdown = cost::collective_slowdown(bytes, set.groups[group], cluster_) /
                          cost::collective_slowdown(1, set.groups[group], cluster_);
  const auto alone_s = [&](const Manner& manner) {
    return manner.latency_s + (manner.adding_s + slowdown * manner.seconds) * bytes;
  };
  const auto quickest =
      std::min_element(manners.begin(), manners.end(),
                       [&](const Manner& a, const Manner& b) { return alone_s(a) < alone_s(b); });
  return {.manner = static_cast<std::int32_t>(quickest - manners.begin()),
          .latency_s = quickest->latency_s + quickest->adding_s * bytes,
          .bytes = slowdown * quickest->busiest * bytes,
          .core_s = quickest->core_s * bytes};
}

}  // namespace rhino::simulate
