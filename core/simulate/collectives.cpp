// SPDX-License-Identifier: Apache-2.0
#include "simulate/collectives.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "plan/shares.hpp"
#include "rhino/index.hpp"

namespace rhino::simulate {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

OpKind op_of(plan::CommunicationKind kind) {
  switch (kind) {
    case plan::CommunicationKind::all_reduce: return OpKind::all_reduce;
    case plan::CommunicationKind::all_gather: return OpKind::all_gather;
    case plan::CommunicationKind::reduce_scatter: return OpKind::reduce_scatter;
    default: return OpKind::all_to_all;
  }
}

}  // namespace

std::vector<double> group_seconds(const plan::ExecutionPlan& plan,
                                  const plan::Communication& communication,
                                  const cost::CostModel& cost) {
  const std::vector<std::vector<DeviceId>>& groups =
      plan::stated_by(plan.communications, communication).groups;
  double bytes = 0;
  for (const Shape& part : communication.parts) bytes += static_cast<double>(num_bytes(part));
  const std::int32_t num_sharing = cost::groups_per_host(groups, cost.cluster());
  std::vector<double> seconds;
  for (const std::vector<DeviceId>& group : groups)
    seconds.push_back(cost.collective_s(op_of(communication.kind), bytes, group, num_sharing));
  return seconds;
}

Collectives::Collectives(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                         const Classes& classes)
    : free_s_(plan.cluster.host_of.size(), 0) {
  for (const plan::Communication& communication : plan.communications) {
    Wiring& wiring = wirings_.emplace_back();
    const std::vector<double> seconds = group_seconds(plan, communication, cost);
    for (std::size_t g = 0; g < seconds.size(); ++g) {
      Group group{{}, seconds[g]};
      for (const DeviceId device : plan::stated_by(plan.communications, communication).groups[g])
        group.members.push_back(classes.representative[at(device)]);
      std::sort(group.members.begin(), group.members.end());
      group.members.erase(std::unique(group.members.begin(), group.members.end()),
                          group.members.end());
      if (wiring.group_of.contains(group.members.front())) continue;  // another of its class
      for (const DeviceId member : group.members) wiring.group_of[member] = wiring.groups.size();
      wiring.groups.push_back(std::move(group));
    }
  }
}

std::int32_t Collectives::add(std::int32_t communication) {
  if (free_uses_.empty()) {
    free_uses_.push_back(static_cast<std::int32_t>(uses_.size()));
    uses_.emplace_back();
  }
  const std::int32_t number = free_uses_.back();
  free_uses_.pop_back();
  Use& use = uses_[at(number)];
  use.wiring = &wirings_[at(communication)];
  use.num_started.assign(use.wiring->groups.size(), 0);
  use.end_s.assign(use.wiring->groups.size(), kNever);
  return number;
}

void Collectives::remove(std::int32_t use) { free_uses_.push_back(use); }

void Collectives::start(std::int32_t number, DeviceId device, std::int64_t place) {
  Use& use = uses_[at(number)];
  const auto found = use.wiring->group_of.find(device);
  if (found == use.wiring->group_of.end()) return;
  const std::size_t group = found->second;
  if (++use.num_started[group] == use.wiring->groups[group].members.size())
    complete_.push_back({place, number, group});
}

double Collectives::end_s(std::int32_t number, DeviceId device) const {
  const Use& use = uses_[at(number)];
  const auto found = use.wiring->group_of.find(device);
  return found == use.wiring->group_of.end() ? 0 : use.end_s[found->second];
}

std::vector<Collectives::Part> Collectives::begin(double now_s) {
  std::vector<Complete> complete = std::exchange(complete_, {});
  std::stable_sort(complete.begin(), complete.end(),
                   [](const Complete& a, const Complete& b) { return a.place < b.place; });
  std::vector<Part> parts;
  for (const Complete& one : complete) {
    Use& use = uses_[at(one.use)];
    const Group& group = use.wiring->groups[one.group];
    double begin_s = now_s;
    for (const DeviceId device : group.members) begin_s = std::max(begin_s, free_s_[at(device)]);
    const double end_s = use.end_s[one.group] = begin_s + group.seconds;
    for (const DeviceId device : group.members) {
      free_s_[at(device)] = end_s;
      parts.push_back({one.use, device, group.seconds, end_s});
    }
  }
  return parts;
}

}  // namespace rhino::simulate
