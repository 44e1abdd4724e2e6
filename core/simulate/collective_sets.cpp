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

/// A device's operand.
double bytes_of(const plan::Communication& communication) {
  double bytes = 0;
  for (const Shape& part : communication.parts) bytes += static_cast<double>(num_bytes(part));
  return bytes;
}

/// The part of so many bytes that goes to the next rank; 0 of all but halos.
double forward_of(const plan::Communication& communication, double bytes) {
  if (communication.kind != plan::CommunicationKind::halo_exchange || bytes == 0) return 0;
  double forward = 0;
  for (const Shape& part : communication.parts) {
    const std::int64_t entries = std::max<std::int64_t>(1, part.dims.front());
    forward += static_cast<double>(num_bytes(part)) * static_cast<double>(communication.before) /
               static_cast<double>(entries);
  }
  return forward / bytes;
}

/// Sums of such weights are exact in any order, so classes get the very rates of their members.
double exact(double weight) { return std::ldexp(std::round(std::ldexp(weight, 20)), -20); }

CollectiveSets::Manner manner_of(const cost::CollectiveFlow& flow, const cost::Links& links) {
  CollectiveSets::Manner manner{
      .latency_s = flow.latency_s, .seconds = flow.transfer_s(links), .by_size = flow.by_size};
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

void CollectiveSets::add(const plan::Communication& communication, const cost::CostModel& cost) {
  bytes_.push_back(bytes_of(communication));
  const auto index = static_cast<std::int32_t>(set_of_.size());
  set_of_.push_back(-1);
  if (communication.kind == plan::CommunicationKind::transfer) return;
  const std::size_t set = find_or_make(communication, cost);
  set_of_.back() = static_cast<std::int32_t>(set);
  sets_[set].communications.push_back(index);
}

/// Groups that are stated once are those of one set, but for halos that send otherwise.
std::size_t CollectiveSets::find_or_make(const plan::Communication& communication,
                                         const cost::CostModel& cost) {
  const double forward = forward_of(communication, bytes_.back());
  const bool is_like = communication.like >= 0;
  const std::size_t stated = is_like ? at(set_of(communication.like)) : sets_.size();
  if (is_like && sets_[stated].forward == forward) return stated;
  const auto groups = is_like ? sets_[stated].groups : communication.groups;
  const auto same = std::ranges::find_if(sets_, [&](const Set& set) {
    return set.kind == communication.kind && set.forward == forward && set.groups == groups;
  });
  const auto found = static_cast<std::size_t>(same - sets_.begin());
  if (same == sets_.end())
    sets_.push_back(made({communication.kind, groups, {}, {}, forward}, cost));
  return found;
}

CollectiveSets::Set CollectiveSets::made(Set set, const cost::CostModel& cost) {
  const OpKind op = op_of(set.kind);
  for (const std::vector<DeviceId>& group : set.groups) {
    std::vector<Manner>& manners = set.manners.emplace_back();
    const cost::CollectiveProblem problem{op, 1, group, set.forward};
    for (const cost::CollectiveFlow& flow :
         cost::collective_flows(problem, cost.cluster(), cost.links())) {
      manners.push_back(manner_of(flow, cost.links()));
      manners.back().adding_s = cost.adding_s(op, 1, group.size());
      manners.back().core_s = cost.core_s(problem) - manners.back().adding_s;
    }
  }
  return set;
}

double CollectiveSets::issue_s(std::int32_t communication) const {
  const std::int32_t set = set_of(communication);
  return set < 0 ? cluster_.software.kernel_issue_s
                 : cluster_.software.issue_s(op_of(sets_[at(set)].kind));
}

CollectiveSets::Choice CollectiveSets::choice(std::int32_t communication, std::size_t group) const {
  const Set& set = sets_[at(set_of(communication))];
  const std::vector<Manner>& manners = set.manners[group];
  const double bytes = bytes_[at(communication)];
  // Manners are those of one byte.
  const OpKind op = op_of(set.kind);
  const double all_slowdown = cost::collective_slowdown(op, bytes, set.groups[group], cluster_) /
                              cost::collective_slowdown(op, 1, set.groups[group], cluster_);
  const auto slowdown_of = [&](const Manner& manner) {
    return all_slowdown * manner.by_size.slowdown(bytes);
  };
  const auto latency_s = [&](const Manner& manner) {
    return manner.latency_s + manner.by_size.latency_s(bytes);
  };
  const auto alone_s = [&](const Manner& manner) {
    return latency_s(manner) + (manner.adding_s + slowdown_of(manner) * manner.seconds) * bytes;
  };
  const auto quickest =
      std::min_element(manners.begin(), manners.end(),
                       [&](const Manner& a, const Manner& b) { return alone_s(a) < alone_s(b); });
  const double slowdown = slowdown_of(*quickest);
  return {.manner = static_cast<std::int32_t>(quickest - manners.begin()),
          .latency_s = latency_s(*quickest) + quickest->adding_s * bytes,
          .bytes = slowdown * quickest->busiest * bytes,
          .core_s = (quickest->adding_s + slowdown * quickest->core_s) * bytes};
}

}  // namespace rhino::simulate
