// SPDX-License-Identifier: Apache-2.0
#include "simulate/network.hpp"

#include <algorithm>
#include <utility>

namespace rhino::simulate {
namespace {

/// Rates that are kept: 4 MB of them.
constexpr std::size_t kMostKnown = std::size_t{1} << 18;

/// A pseudo-random number for a connection on a route.
std::uint64_t key_of(std::int32_t connection, const Network::Route* route) {
  std::uint64_t x = static_cast<std::uint64_t>(connection) * 0x9e3779b97f4a7c15U +
                    reinterpret_cast<std::uintptr_t>(route);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

Network::Network(const std::vector<double>& bytes_per_s, const Grid& grid) : grid_(grid) {
  links_.reserve(bytes_per_s.size());
  for (const double rate : bytes_per_s) links_.emplace_back().bytes_per_s = rate;
}

std::int32_t Network::add_connection() {
  connections_.emplace_back();
  return static_cast<std::int32_t>(connections_.size()) - 1;
}

void Network::send(const Message& message, double now_s) {
  move_to(now_s);
  Connection& own = connection(message.connection);
  own.messages.push(message);
  if (own.messages.size() == 1) begin_message(message.connection);
}

double Network::next_arrival_s() {
  settle();
  drop_outdated();
  return arrivals_.empty() ? kNever : std::get<0>(arrivals_.top());
}

bool Network::is_due(double now_s) {
  drop_outdated();
  return !arrivals_.empty() && std::get<0>(arrivals_.top()) <= now_s;
}

void Network::drop_outdated() {
  while (!arrivals_.empty()) {
    const auto& [time_s, index, version] = arrivals_.top();
    if (connection(index).version == version) return;
    arrivals_.pop();
  }
}

const std::vector<std::int32_t>& Network::take_arrived(double now_s) {
  move_to(now_s);
  arrived_.clear();
  freed_.clear();
  while (is_due(now_s)) {
    freed_.push_back(std::get<1>(arrivals_.top()));
    arrivals_.pop();
    Connection& own = connection(freed_.back());
    ++own.version;
    arrived_.push_back(own.messages.front().id);
    own.messages.pop();
  }
  for (const std::int32_t index : freed_) {
    if (connection(index).messages.empty()) change(index);
    else begin_message(index);
  }
  std::sort(arrived_.begin(), arrived_.end());
  return arrived_;
}

/// What has joined and left until now shares the links from now on.
void Network::move_to(double now_s) {
  if (now_s == now_s_) return;
  settle();
  now_s_ = now_s;
}

/// The first message takes over the place in the shares where that has been kept, and is the same.
void Network::begin_message(std::int32_t index) {
  Connection& own = connection(index);
  own.left = own.messages.front().bytes;
  own.since_s = now_s_;
  if (own.route == own.messages.front().route) expect(index);
  else change(index);
}

void Network::change(std::int32_t index) {
  if (!std::exchange(connection(index).is_changed, true)) changed_.push_back(index);
}

/// Once for all that joins and leaves at the same time: who leaves and joins again has not left.
void Network::settle() {
  if (changed_.empty()) return;
  for (const std::int32_t index : changed_) reroute(index);
  changed_.clear();
  for (const std::int32_t index : dirty_) {
    if (!std::exchange(link(index).is_dirty, false) || link(index).users.empty()) continue;
    find_component(index);
    share_out();
  }
  dirty_.clear();
}

void Network::reroute(std::int32_t index) {
  Connection& own = connection(index);
  own.is_changed = false;
  const Route* route = own.messages.empty() ? nullptr : own.messages.front().route;
  if (route == own.route) return;
  if (own.route != nullptr) {
    for (const Share& share : *own.route) {
      std::erase_if(link(share.link).users, [&](const auto& user) { return user.first == index; });
      make_dirty(share.link);
    }
  }
  own.route = route;
  own.rate = 0;
  if (route == nullptr) return;
  own.key = key_of(index, route);
  for (const Share& share : *route) {
    link(share.link).users.push_back({index, share.weight});
    make_dirty(share.link);
  }
}

void Network::make_dirty(std::int32_t index) {
  if (!std::exchange(link(index).is_dirty, true)) dirty_.push_back(index);
}

void Network::find_component(std::int32_t first) {
  auto& [links, connections, key] = component_;
  links.assign(1, first);
  connections.clear();
  key = 0;
  link(first).is_found = true;
  for (std::size_t l = 0; l < links.size(); ++l) {
    for (const auto& [user, weight] : link(links[l]).users) {
      if (std::exchange(connection(user).is_found, true)) continue;
      connections.push_back(user);
      key += connection(user).key;
      for (const Share& share : *connection(user).route) {
        if (!std::exchange(link(share.link).is_found, true)) links.push_back(share.link);
      }
    }
  }
  for (const std::int32_t l : links) link(l).is_found = link(l).is_dirty = false;
  for (const std::int32_t c : connections) connection(c).is_found = false;
}

/// Pipelines come back to few sets of connections: what these get is worked out once. A key stands
/// for another set with a chance of 2^-64 per pair.
const Network::Rates& Network::rates() {
  Found& found = found_[component_.key % found_.size()];
  if (found.key == component_.key && found.rates != nullptr) return *found.rates;
  if (num_known_ > kMostKnown) {
    known_.clear();
    found_.assign(found_.size(), {});
    num_known_ = 0;
  }
  const auto [known, is_new] = known_.try_emplace(component_.key);
  if (is_new) known->second = fill_up();
  if (is_new) num_known_ += known->second.size() + 1;
  found = {component_.key, &known->second};
  return known->second;
}

void Network::share_out() {
  for (const auto& [index, rate] : rates()) set_rate(index, rate);
}

/// Water-filling: the links with the least left per connection fix the rate of their connections;
/// repeat with what is left. Links that are level but for rounding are so in one round, whatever
/// their order.
Network::Rates Network::fill_up() {
  for (const std::int32_t l : component_.links) {
    Link& own = link(l);
    own.left = own.bytes_per_s;
    own.num_open = 0;
    for (const auto& [user, weight] : own.users) own.num_open += weight;
    if (open(l)) least_.push({own.share, l});
  }
  for (const std::int32_t c : component_.connections) connection(c).new_rate = 0;
  while (drop_outdated_shares()) {
    const double rate = least_.top().first;
    for (; !least_.empty() && least_.top().first <= rate * (1 + 1e-12); least_.pop()) {
      if (is_current(least_.top())) fill(least_.top().second, rate);
    }
    for (const std::int32_t l : filled_) {
      Link& own = link(l);
      own.left = std::max(0.0, own.left - rate * own.num_filled);
      own.num_open -= std::exchange(own.num_filled, 0);
      if (open(l)) least_.push({own.share, l});
    }
    filled_.clear();
  }
  Rates rates;
  for (const std::int32_t c : component_.connections) rates.push_back({c, connection(c).new_rate});
  return rates;
}

bool Network::is_current(const Least& least) {
  const Link& own = link(least.second);
  return own.num_open > 0 && own.share == least.first;
}

/// Whether anything is left.
bool Network::drop_outdated_shares() {
  while (!least_.empty() && !is_current(least_.top())) least_.pop();
  return !least_.empty();
}

/// Whether any of its connections lacks a rate; then what each of them would get.
bool Network::open(std::int32_t index) {
  Link& own = link(index);
  if (own.num_open <= 0) return false;
  own.share = own.left / own.num_open;
  return true;
}

void Network::fill(std::int32_t index, double rate) {
  for (const auto& [user, weight] : link(index).users) {
    Connection& own = connection(user);
    if (own.new_rate > 0) continue;
    own.new_rate = rate;
    for (const Share& share : *own.route) {
      if (link(share.link).num_filled == 0) filled_.push_back(share.link);
      link(share.link).num_filled += share.weight;
    }
  }
}

void Network::set_rate(std::int32_t index, double rate) {
  Connection& own = connection(index);
  if (rate == own.rate) return;
  own.left = std::max(0.0, own.left - own.rate * (now_s_ - own.since_s));
  own.since_s = now_s_;
  own.rate = rate;
  expect(index);
}

/// Its first message to arrive at its rate.
void Network::expect(std::int32_t index) {
  Connection& own = connection(index);
  arrivals_.push({own.since_s + grid_(own.left / own.rate), index, ++own.version});
}

}  // namespace rhino::simulate
