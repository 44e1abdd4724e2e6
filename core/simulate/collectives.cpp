// SPDX-License-Identifier: Apache-2.0
#include "simulate/collectives.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::simulate {

Collectives::Collectives(const CollectiveSets& sets, const Classes& classes, Transfers& transfers)
    : sets_(sets), classes_(classes), transfers_(transfers) {
  for (std::int32_t c = 0; c < sets.num_communications(); ++c) wirings_.push_back(wire(c));
}

Collectives::Wiring Collectives::wire(std::int32_t communication) {
  Wiring wiring;
  const std::int32_t set = sets_.set_of(communication);
  if (set < 0) return wiring;
  const std::vector<std::vector<DeviceId>>& groups = sets_.sets()[at(set)].groups;
  const auto first_alike = std::ranges::find(sets_.sets(), groups, &CollectiveSets::Set::groups);
  const auto communicator = std::distance(sets_.sets().begin(), first_alike);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::set<DeviceId> members;
    for (const DeviceId device : groups[g]) members.insert(classes_.representative[at(device)]);
    if (wiring.group_of.contains(*members.begin())) continue;  // another of its class
    for (const DeviceId member : members) wiring.group_of[member] = wiring.groups.size();
    Group& group = wiring.groups.emplace_back();
    group.members.assign(members.begin(), members.end());
    group.choice = sets_.choice(communication, g);
    const auto [flow, is_new] = flows_.try_emplace({set, group.members.front()}, 0);
    if (is_new) flow->second = transfers_.add_flow();
    group.flow = flow->second;
    group.queue = &queues_[{communicator, group.members.front()}];
    Network::Route& route = routes_[{group.flow, group.choice.manner}];
    if (route.empty()) route = route_of(set, g, group.choice.manner);
    group.route = &route;
  }
  return wiring;
}

/// That of all groups of the class of group `g`: as many as share out the devices of a class of
/// which each has a known number of members.
Network::Route Collectives::route_of(std::int32_t set, std::size_t g, std::int32_t manner) const {
  const CollectiveSets::Set& own = sets_.sets()[at(set)];
  const DeviceId first = own.groups[g].front();
  const auto num_alike =
      std::count_if(own.groups[g].begin(), own.groups[g].end(), [&](DeviceId device) {
        return classes_.representative[at(device)] == classes_.representative[at(first)];
      });
  const double num_groups =
      static_cast<double>(classes_.size[at(first)]) / static_cast<double>(num_alike);
  std::map<std::int32_t, double> weights;
  for (const Network::Share& share : own.manners[g][at(manner)].shares)
    weights[classes_.link_representative[at(share.link)]] += share.weight;
  Network::Route route;
  for (const auto& [link, weight] : weights)
    route.push_back({link, weight * num_groups / classes_.link_size[at(link)]});
  return route;
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
    complete_.push_back({place, {number, group}});
}

double Collectives::end_s(std::int32_t number, DeviceId device) const {
  const Use& use = uses_[at(number)];
  const auto found = use.wiring->group_of.find(device);
  return found == use.wiring->group_of.end() ? 0 : use.end_s[found->second];
}

const Collectives::Group& Collectives::group_of(const Ready& ready) const {
  return uses_[at(ready.use)].wiring->groups[ready.group];
}

void Collectives::begin(double now_s) {
  auto complete = std::exchange(complete_, {});
  std::ranges::stable_sort(complete, {}, &std::pair<std::int64_t, Ready>::first);
  for (const auto& [place, ready] : complete) {
    std::deque<Ready>& queue = *group_of(ready).queue;
    queue.push_back(ready);
    if (queue.size() == 1) begin(ready, now_s);
  }
}

void Collectives::begin(const Ready& ready, double now_s) {
  const Group& group = group_of(ready);
  running_[group.flow] = {ready, now_s};
  const CollectiveSets::Choice& choice = group.choice;
  transfers_.send_flow(group.flow, {*group.route, choice.bytes, choice.latency_s}, now_s);
}

void Collectives::add_to(State& state, const std::vector<std::int32_t>& uses) const {
  std::vector<std::int64_t> place(uses_.size(), -1);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    place[at(uses[i])] = static_cast<std::int64_t>(i);
    const Use& use = uses_[at(uses[i])];
    for (std::size_t g = 0; g < use.end_s.size(); ++g) {
      state.add(static_cast<std::int64_t>(use.num_started[g]));
      state.add(use.end_s[g] < kNever ? 1.0 : 0.0);
    }
  }
  const auto add_ready = [&](const Ready& ready) {
    state.add(place[at(ready.use)]);
    state.add(static_cast<std::int64_t>(ready.group));
  };
  for (const auto& [communicator, queue] : queues_) {
    state.add(std::ssize(queue));
    for (const Ready& ready : queue) add_ready(ready);
  }
  for (const auto& [flow, running] : running_) {
    state.add(std::int64_t{flow});
    add_ready(running.ready);
    state.add_time(running.begin_s);
  }
}

std::vector<Collectives::Part> Collectives::end(std::int32_t flow, double now_s) {
  const auto [ready, begin_s] = running_.at(flow);
  running_.erase(flow);
  uses_[at(ready.use)].end_s[ready.group] = now_s;
  const Group& group = group_of(ready);
  std::vector<Part> parts;
  for (const DeviceId member : group.members)
    parts.push_back({ready.use, member, now_s - begin_s, group.choice.core_s});
  group.queue->pop_front();
  if (!group.queue->empty()) begin(group.queue->front(), now_s);
  return parts;
}

}  // namespace rhino::simulate
