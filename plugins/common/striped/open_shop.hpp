// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/striped/relay_trees.hpp"

/// The order in which pieces go: whoever has most left to send or to receive goes first, each node
/// with one piece at a time in each direction (an open shop, longest remaining time first). Senders
/// so rotate over receivers, and relays follow what they relay.
namespace rhino::common::striped {

class OpenShop {
 public:
  OpenShop(const Exchange& exchange, const Traffic& traffic)
      : traffic_(traffic),
        senders_(at(exchange.num_nodes)),
        receivers_(at(exchange.num_nodes)),
        children_(traffic.crossings.size()) {
    for (const std::int32_t c : by_progress()) {
      const Crossing& crossing = traffic.crossings[at(c)];
      Pair& pair = pairs_[pair_of(crossing.from, crossing.to)];
      const std::int64_t bytes = bytes_of(c);
      pair.bytes += bytes;
      pair.left += bytes;
      senders_[at(crossing.from)].left += bytes;
      receivers_[at(crossing.to)].left += bytes;
      if (crossing.parent >= 0) children_[at(crossing.parent)].push_back(c);
      else pair.ready.push_back(c);
    }
  }

  /// Crossings in the order in which they begin.
  std::vector<std::int32_t> run() {
    std::vector<std::int32_t> order;
    order.reserve(children_.size());
    for (std::size_t v = 0; v < senders_.size(); ++v) {
      free_.push_back({false, static_cast<std::int32_t>(v)});
      free_.push_back({true, static_cast<std::int32_t>(v)});
    }
    while (true) {
      match(order);
      if (running_.empty()) return order;
      // What ends at nearly the same time ends together: a node that came a moment too early would
      // find but one other free, the one it has just been with, over and over again.
      const std::int64_t end = running_.top().first + traffic_.piece_bytes / 4;
      while (!running_.empty() && running_.top().first <= end) {
        now_ = running_.top().first;
        finish(running_.top().second);
      }
    }
  }

 private:
  struct Pair {
    std::int32_t from = 0, to = 0;
    std::int64_t bytes = 0, left = 0;  ///< in all, not yet begun
    std::vector<std::int32_t> ready;   ///< relays and first pieces, first come first served
    std::size_t next = 0;
    bool has_ready() const { return next < ready.size(); }
  };
  /// One direction of a node.
  struct Port {
    std::int64_t left = 0;
    bool busy = false;
    std::vector<std::size_t> pairs;  ///< with something left
    mutable std::size_t next = 0;    ///< where to look first
  };
  struct PortId {
    bool receives = false;
    std::int32_t node = 0;
  };

  std::int64_t bytes_of(std::int32_t crossing) const {
    return traffic_.pieces[at(traffic_.crossings[at(crossing)].piece)].portions.bytes;
  }

  /// Parcels of a demand advance side by side, and each from its beginning to its end.
  std::vector<std::int32_t> by_progress() const {
    std::vector<std::int32_t> order(traffic_.crossings.size());
    std::iota(order.begin(), order.end(), 0);
    const auto progress = [&](std::int32_t c) {
      const Piece& piece = traffic_.pieces[at(traffic_.crossings[at(c)].piece)];
      return static_cast<double>(2 * piece.part + 1) / static_cast<double>(piece.num_parts);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int32_t a, std::int32_t b) { return progress(a) < progress(b); });
    return order;
  }

  std::size_t pair_of(std::int32_t from, std::int32_t to) {
    const auto [found, is_new] =
        pair_index_.try_emplace((std::int64_t{from} << 32) | to, pairs_.size());
    if (is_new) {
      pairs_.push_back({from, to, 0, 0, {}, 0});
      senders_[at(from)].pairs.push_back(found->second);
      receivers_[at(to)].pairs.push_back(found->second);
    }
    return found->second;
  }

  /// Lets free ports begin, those with most left first.
  void match(std::vector<std::int32_t>& order) {
    const auto port = [&](const PortId& id) -> const Port& {
      return id.receives ? receivers_[at(id.node)] : senders_[at(id.node)];
    };
    std::erase_if(free_, [&](const PortId& id) { return port(id).left == 0; });
    std::stable_sort(free_.begin(), free_.end(),
                     [&](const PortId& a, const PortId& b) { return port(a).left > port(b).left; });
    for (const PortId& id : free_) {
      if (port(id).busy) continue;
      const std::int64_t best = best_pair(port(id), id.receives);
      if (best >= 0) begin(pairs_[at(best)], order);
    }
    std::erase_if(free_, [&](const PortId& id) { return port(id).busy; });
  }

  /// Each pair goes in two runs: long runs keep a sender's few messages in flight on one way, two
  /// let all pairs advance alike. Of the pairs that may begin one with most runs left, among those
  /// one whose other end has most left, then the next one after the node itself in a circle.
  std::int64_t best_pair(const Port& port, bool receives) const {
    std::int64_t best = -1;
    std::tuple<std::int64_t, std::int64_t, std::int64_t> best_key;
    const auto count = static_cast<std::int64_t>(senders_.size());
    int num_seen = 0;
    for (std::size_t i = 0; i < port.pairs.size() && num_seen < kMostSeen; ++i) {
      const std::size_t p = port.pairs[(port.next + i) % port.pairs.size()];
      const Pair& pair = pairs_[p];
      const Port& far = receives ? senders_[at(pair.from)] : receivers_[at(pair.to)];
      if (far.busy || !pair.has_ready()) continue;
      ++num_seen;
      const std::tuple key(kRuns * pair.left / pair.bytes, far.left,
                           (pair.from - pair.to + count) % count);
      if (best >= 0 && key <= best_key) continue;
      best = static_cast<std::int64_t>(p);
      best_key = key;
    }
    port.next += static_cast<std::size_t>(num_seen);
    return best;
  }

  void begin(Pair& pair, std::vector<std::int32_t>& order) {
    const std::int32_t crossing = pair.ready[pair.next++];
    const std::int64_t bytes = bytes_of(crossing);
    pair.left -= bytes;
    for (Port* port : {&senders_[at(pair.from)], &receivers_[at(pair.to)]}) {
      port->left -= bytes;
      port->busy = true;
      if (pair.left == 0) std::erase(port->pairs, static_cast<std::size_t>(&pair - pairs_.data()));
    }
    order.push_back(crossing);
    running_.push({now_ + bytes, crossing});
  }

  void finish(std::int32_t c) {
    running_.pop();
    const Crossing& crossing = traffic_.crossings[at(c)];
    senders_[at(crossing.from)].busy = receivers_[at(crossing.to)].busy = false;
    free_.push_back({false, crossing.from});
    free_.push_back({true, crossing.to});
    for (const std::int32_t child : children_[at(c)]) {
      const Crossing& next = traffic_.crossings[at(child)];
      pairs_[pair_of(next.from, next.to)].ready.push_back(child);
    }
  }

  static constexpr std::int64_t kRuns = 2;
  static constexpr int kMostSeen = 16;  ///< of hundreds of pairs, a few alternatives are enough
  using Running = std::pair<std::int64_t, std::int32_t>;  // when it ends, crossing

  const Traffic& traffic_;
  std::vector<Pair> pairs_;
  std::unordered_map<std::int64_t, std::size_t> pair_index_;
  std::vector<Port> senders_, receivers_;
  std::vector<std::vector<std::int32_t>> children_;
  std::vector<PortId> free_;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
  std::int64_t now_ = 0;  ///< in bytes at the rate of a link
};

}  // namespace rhino::common::striped
