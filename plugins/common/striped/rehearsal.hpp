// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "common/striped/interfaces.hpp"
#include "common/striped/pieces.hpp"

/// How long messages take before anybody sends them.
namespace rhino::common::striped {

/// One message. Its place in a list is its turn.
struct Hop {
  DeviceId from = 0, to = 0;
  std::int32_t parent = -1;  ///< the earlier hop that brings it to `from`; -1: it holds it
  std::int32_t piece = 0;
  std::int32_t after = -1;  ///< an earlier hop that must have ended; -1: none
  bool operator==(const Hop&) const = default;
};

/// How pieces get to all who lack them.
struct Journey {
  std::vector<Piece> pieces;
  std::vector<Hop> hops;
};

/// Hops of bundles, `hops[h].piece` being a bundle, by their turns, piece by piece. A turn comes
/// after that of the parent.
inline Journey in_turn(Cargo cargo, const std::vector<Hop>& hops,
                       const std::vector<double>& turns) {
  std::vector<std::int32_t> order(hops.size()), place(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return turns[at(a)] < turns[at(b)]; });
  Journey journey{std::move(cargo.pieces), {}};
  for (const std::int32_t h : order) {
    place[at(h)] = static_cast<std::int32_t>(journey.hops.size());
    Hop hop = hops[at(h)];
    const Bundle& bundle = cargo.bundles[at(hop.piece)];
    if (hop.parent >= 0) hop.parent = place[at(hop.parent)];
    for (std::size_t p = bundle.first; p < bundle.last; ++p) {
      hop.piece = static_cast<std::int32_t>(p);
      journey.hops.push_back(hop);
      if (hop.parent >= 0) ++hop.parent;
    }
  }
  return journey;
}

/// Plays hops through on a cluster as transports send them (see TransferPlan): small messages at
/// once, others in portions by their turns, two under way of a device inside its host and two out
/// of it; relays pass portions on; messages from one device to another follow each other, the
/// others share links and interfaces max-min fairly. Once for one list of hops.
class Rehearsal {
 public:
  Rehearsal(const Cluster& cluster, const std::vector<Piece>& pieces, const std::vector<Hop>& hops)
      : cluster_(cluster),
        interfaces_(cluster),
        pieces_(pieces),
        hops_(hops),
        states_(hops.size()),
        served_s_(num_devices(), 0),
        queues_(2 * num_devices()) {
    const auto add_lines = [this](std::size_t count, const auto& link_of) {
      for (std::size_t i = 0; i < 2 * count; ++i)
        lines_.push_back({link_of(i % count).bytes_per_s, 0, 0});
    };
    add_lines(num_devices(), [&](std::size_t d) { return cluster.inside(cluster.host_of[d]); });
    add_lines(interfaces_.links.size(), [&](std::size_t i) { return interfaces_.links[i]; });
    for (const Link& own : interfaces_.own_links) lines_.push_back({own.bytes_per_s, 0, 0});
    for (std::size_t h = 0; h < hops.size(); ++h) {
      State& state = states_[h];
      state.takes_turn = portions(hops[h]).bytes >= kTurnBytes;
      state.num_parts = portions(hops[h]).count;
      for (const std::int32_t before : {hops[h].parent, hops[h].after})
        if (before >= 0) states_[at(before)].children.push_back(index(h));
    }
  }

  /// Seconds until all has arrived; infinity where that is `limit_s` or later.
  double seconds(double limit_s = kNever) {
    for (std::size_t h = 0; h < hops_.size(); ++h) make_ready(index(h));
    while (now_s_ < limit_s) {
      const double launch_s = launches_.empty() ? kNever : launches_.top().time_s;
      const double arrival_s = next_arrival_s();
      if (!called_.empty() && std::min(launch_s, arrival_s) > now_s_) send_ready();
      else if (launch_s == kNever && arrival_s == kNever) return now_s_;
      else if (launch_s <= arrival_s) launch();
      else arrive_at(arrival_s);
    }
    return kNever;
  }

  /// After seconds(): when devices have all that they are sent, their mean.
  double mean_served_s() const {
    double sum_s = 0, count = 0;
    for (const double served_s : served_s_) {
      sum_s += served_s;
      count += served_s > 0 ? 1 : 0;
    }
    return count > 0 ? sum_s / count : 0;
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr std::int64_t kTurnBytes = 32 << 10;
  static constexpr std::int32_t kWindow = 2;

  struct State {
    bool takes_turn = false;
    std::int32_t num_parts = 1, num_ready = 0, num_arrived = 0;
    double first_s = 0;  ///< when the first part is past the latency
    std::vector<std::int32_t> children;
  };
  using Part = std::pair<std::int32_t, std::int32_t>;  ///< hop, portion of its message
  struct Launch {
    double time_s = 0;
    std::int64_t order = 0;
    Part part;
    bool operator>(const Launch& other) const {
      return std::tie(time_s, order) > std::tie(other.time_s, other.order);
    }
  };
  struct Queue {
    std::priority_queue<Part, std::vector<Part>, std::greater<>> waiting;
    std::vector<Part> under_way;
    bool is_called = false;
  };
  /// Parts that follow each other; the first one moves.
  struct Connection {
    std::size_t out = 0, in = 0;  ///< lines; one where it is a link of their own
    std::deque<Part> parts;
    double left = 0, rate = 1, end_s = 0;  ///< of the first part
  };
  /// One direction of a device's link or of an interface.
  struct Line {
    double bytes_per_s = 0, left = 0;
    std::int32_t num_open = 0;
  };

  static std::int32_t index(std::size_t i) { return static_cast<std::int32_t>(i); }
  const Portions& portions(const Hop& hop) const { return pieces_[at(hop.piece)].portions; }
  std::size_t num_devices() const { return cluster_.host_of.size(); }
  std::size_t host(DeviceId device) const { return at(cluster_.host_of[at(device)]); }
  std::size_t interface(DeviceId device) const { return interfaces_.of[at(device)]; }
  bool crosses(const Hop& hop) const { return host(hop.from) != host(hop.to); }
  Queue& queue_of(const Hop& hop) { return queues_[2 * at(hop.from) + (crosses(hop) ? 1 : 0)]; }
  static bool has_ended(const State& state) { return state.num_arrived == state.num_parts; }
  void make_ready(std::int32_t h) {
    const Hop& hop = hops_[at(h)];
    State& state = states_[at(h)];
    if (hop.after >= 0 && !has_ended(states_[at(hop.after)])) return;
    std::int32_t most = std::min(state.num_parts, state.num_arrived + kWindow);
    if (hop.parent >= 0) most = std::min(most, states_[at(hop.parent)].num_arrived);
    for (; state.num_ready < most; ++state.num_ready) {
      if (!state.takes_turn) {
        depart({h, 0});
        continue;
      }
      queue_of(hop).waiting.push({h, state.num_ready});
      call(queue_of(hop));
    }
  }

  void call(Queue& queue) {
    if (!std::exchange(queue.is_called, true)) called_.push_back(&queue);
  }
  void send_ready() {
    for (Queue* queue : std::exchange(called_, {})) {
      queue->is_called = false;
      while (queue->under_way.size() < 2 && !queue->waiting.empty()) {
        Part part = queue->waiting.top();
        queue->waiting.pop();
        // Of another message, if one is ready.
        if (!queue->under_way.empty() && queue->under_way.front().first == part.first &&
            !queue->waiting.empty()) {
          const Part other = queue->waiting.top();
          queue->waiting.pop();
          queue->waiting.push(std::exchange(part, other));
        }
        queue->under_way.push_back(part);
        depart(part);
      }
    }
  }

  void depart(const Part& part) {
    const Hop& hop = hops_[at(part.first)];
    State& state = states_[at(part.first)];
    if (part.second == 0) state.first_s = now_s_ + cluster_.link(hop.from, hop.to).latency_s;
    launches_.push({std::max(now_s_, state.first_s), num_launches_++, part});
  }

  void launch() {
    const Part part = launches_.top().part;
    move_on(launches_.top().time_s);
    launches_.pop();
    const Hop& hop = hops_[at(part.first)];
    DeviceId to = hop.to;
    if (!states_[at(part.first)].takes_turn) to = crosses(hop) ? -2 : -1;
    const auto [found, is_new] = numbers_.try_emplace({hop.from, to}, connections_.size());
    if (is_new) connections_.emplace_back();
    Connection& connection = connections_[found->second];
    connection.parts.push_back(part);
    if (connection.parts.size() > 1) return;
    begin(connection);
    is_shared_ = false;
    active_.push_back(found->second);
  }
  /// The first part of a connection: at the rate of the one before where it takes the same way.
  void begin(Connection& connection) {
    const Part& part = connection.parts.front();
    const Hop& hop = hops_[at(part.first)];
    const bool out = crosses(hop);
    std::size_t from = out ? 2 * num_devices() + interface(hop.from) : at(hop.from),
                to = out ? 2 * num_devices() + interfaces_.links.size() + interface(hop.to)
                         : num_devices() + at(hop.to);
    const std::int32_t own = interfaces_.own(hop.from, hop.to);
    if (own >= 0) from = to = 2 * (num_devices() + interfaces_.links.size()) + at(own);
    connection.left = portions(hop).size(part.second);
    connection.end_s = now_s_ + connection.left / connection.rate;
    if (std::exchange(connection.out, from) != from) is_shared_ = false;
    if (std::exchange(connection.in, to) != to) is_shared_ = false;
  }

  void move_on(double time_s) {
    if (time_s > now_s_) share();
    for (const std::size_t c : active_)
      connections_[c].left -= connections_[c].rate * (time_s - now_s_);
    now_s_ = time_s;
  }
  double next_arrival_s() {
    share();
    double least_s = kNever;
    for (const std::size_t c : active_) least_s = std::min(least_s, connections_[c].end_s);
    return least_s;
  }
  void arrive_at(double time_s) {
    move_on(time_s);
    std::vector<Part> arrived;
    for (const std::size_t c : active_) {
      Connection& connection = connections_[c];
      if (connection.end_s > time_s) continue;
      arrived.push_back(connection.parts.front());
      connection.parts.pop_front();
      if (!connection.parts.empty()) begin(connection);
    }
    if (std::erase_if(active_, [&](std::size_t c) { return connections_[c].parts.empty(); }) > 0)
      is_shared_ = false;
    for (const Part& part : arrived) arrive(part);
  }
  void arrive(const Part& part) {
    State& state = states_[at(part.first)];
    ++state.num_arrived;
    if (has_ended(state)) served_s_[at(hops_[at(part.first)].to)] = now_s_;
    if (state.takes_turn) {
      Queue& queue = queue_of(hops_[at(part.first)]);
      std::erase(queue.under_way, part);
      call(queue);
      make_ready(part.first);
    }
    for (const std::int32_t child : state.children) make_ready(child);
  }

  /// Water-filling: the line with the least left per connection fixes the rates of those.
  void share() {
    if (std::exchange(is_shared_, true)) return;
    std::vector<std::size_t> open = active_, used;
    const auto for_lines = [](const Connection& connection, const auto& visit) {
      visit(connection.out);
      if (connection.in != connection.out) visit(connection.in);
    };
    for (const std::size_t c : open) {
      for_lines(connections_[c], [&](std::size_t l) {
        if (lines_[l].num_open++ > 0) return;
        used.push_back(l);
        lines_[l].left = lines_[l].bytes_per_s;
      });
    }
    while (!open.empty()) {
      std::erase_if(used, [&](std::size_t l) { return lines_[l].num_open == 0; });
      const std::size_t least =
          *std::min_element(used.begin(), used.end(), [&](std::size_t a, std::size_t b) {
            return lines_[a].left / lines_[a].num_open < lines_[b].left / lines_[b].num_open;
          });
      const double rate = lines_[least].left / lines_[least].num_open;
      std::erase_if(open, [&](std::size_t c) {
        Connection& connection = connections_[c];
        if (connection.out != least && connection.in != least) return false;
        connection.rate = rate;
        connection.end_s = now_s_ + std::max(0.0, connection.left) / rate;
        for_lines(connection, [&](std::size_t l) {
          lines_[l].left = std::max(0.0, lines_[l].left - rate);
          --lines_[l].num_open;
        });
        return true;
      });
    }
  }

  const Cluster& cluster_;
  const Interfaces interfaces_;
  const std::vector<Piece>& pieces_;
  const std::vector<Hop>& hops_;
  std::vector<State> states_;
  std::vector<double> served_s_;  ///< per device, its last message so far
  std::vector<Queue> queues_;     ///< per device: inside its host, out of it
  std::vector<Queue*> called_;
  std::priority_queue<Launch, std::vector<Launch>, std::greater<>> launches_;
  std::int64_t num_launches_ = 0;
  std::vector<Line> lines_;  ///< devices out, in, interfaces out, in, links of their own
  std::vector<Connection> connections_;
  std::map<std::pair<DeviceId, DeviceId>, std::size_t> numbers_;
  std::vector<std::size_t> active_;
  bool is_shared_ = true;
  double now_s_ = 0;
};

}  // namespace rhino::common::striped
