// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "common/striped/pieces.hpp"
#include "common/striped/relay_loads.hpp"

/// Cuts parcels into pieces and gives each piece a tree of crossings, so that in sum nodes send
/// what their loads say.
namespace rhino::common::striped {

struct Crossing {
  std::int32_t piece = 0;
  std::int32_t from = 0, to = 0;  ///< nodes
  std::int32_t parent = -1;       ///< the crossing that brought it to `from`; -1: it holds it
};

struct Traffic {
  std::int64_t piece_bytes = 0;
  std::vector<Piece> pieces;
  std::vector<Crossing> crossings;  ///< those of one piece follow each other, parents first
};

namespace detail {

/// How many more bytes a node should have been given by now.
class Debts {
 public:
  explicit Debts(std::int32_t num_nodes) : of_node_(at(num_nodes), 0) {}

  /// Piece by piece of one demand: who sends how many copies, per entry of `loads`; at least one
  /// is sent by one of the holders, which are the first `num_holders`.
  void begin(const Loads& loads) { of_demand_.assign(loads.size(), 0); }
  std::vector<std::int32_t> copies(const Demand& demand, const Loads& loads,
                                   std::size_t num_holders, std::int64_t bytes) {
    const double part = static_cast<double>(bytes) / static_cast<double>(demand.bytes);
    for (std::size_t k = 0; k < loads.size(); ++k)
      pay(k, loads[k], -part * static_cast<double>(loads[k].amount));
    std::vector<std::int32_t> count(loads.size(), 0);
    for (std::size_t copy = 0; copy < demand.takers.size(); ++copy) {
      const std::size_t sender = most_indebted(loads, copy == 0 ? num_holders : loads.size());
      ++count[sender];
      pay(sender, loads[sender], static_cast<double>(bytes));
    }
    return count;
  }

 private:
  void pay(std::size_t k, const WorkDivision::Share& share, double bytes) {
    of_demand_[k] -= bytes;
    of_node_[at(share.node)] -= bytes;
  }
  std::size_t most_indebted(const Loads& loads, std::size_t count) const {
    const auto debt = [&](std::size_t k) { return of_demand_[k] + of_node_[at(loads[k].node)]; };
    std::size_t best = 0;
    for (std::size_t k = 1; k < count; ++k) {
      if (debt(k) > debt(best) + 0.5) best = k;
    }
    return best;
  }

  std::vector<double> of_demand_, of_node_;
};

/// For the next piece, a tree in which node loads[k].node sends count[k] copies: nodes that send on
/// are served first, those that send most before others.
inline void add_tree(const Demand& demand, const Loads& loads,
                     const std::vector<std::int32_t>& count, std::size_t num_holders,
                     Traffic& traffic) {
  struct Sender {
    std::int32_t node = 0, parent = -1, left = 0;
  };
  std::vector<Sender> senders;
  std::vector<std::pair<std::int32_t, std::int32_t>> order;  // copies to send on, taker
  for (std::size_t k = 0; k < num_holders; ++k)
    if (count[k] > 0) senders.push_back({loads[k].node, -1, count[k]});
  for (const std::int32_t taker : demand.takers) {
    std::int32_t copies = 0;
    for (std::size_t k = num_holders; k < loads.size(); ++k)
      if (loads[k].node == taker) copies = count[k];
    order.push_back({copies, taker});
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Crossing>& crossings = traffic.crossings;
  const std::int32_t piece = crossings.empty() ? 0 : crossings.back().piece + 1;
  std::size_t next = 0;
  for (const auto& [copies, taker] : order) {
    while (senders[next].left == 0) ++next;
    Sender& sender = senders[next];
    --sender.left;
    crossings.push_back({piece, sender.node, taker, sender.parent});
    if (copies > 0)
      senders.push_back({taker, static_cast<std::int32_t>(crossings.size()) - 1, copies});
  }
}

}  // namespace detail

inline Traffic traffic(const Exchange& exchange, const Balance& balance,
                       const std::vector<Parcel>& parcels, std::int64_t piece_bytes) {
  Traffic traffic{piece_bytes, {}, {}};
  detail::Debts debts(exchange.num_nodes);
  for (std::size_t d = 0; d < exchange.demands.size(); ++d) {
    const Demand& demand = exchange.demands[d];
    const Loads& loads = balance.loads[d];
    std::size_t num_holders = 0;
    while (
        num_holders < loads.size() &&
        std::binary_search(demand.holders.begin(), demand.holders.end(), loads[num_holders].node))
      ++num_holders;
    debts.begin(loads);
    for (const std::int32_t index : demand.parcels) {
      std::size_t p = traffic.pieces.size();
      cut(parcels, index, piece_bytes, traffic.pieces);
      for (; p < traffic.pieces.size(); ++p) {
        const std::int64_t bytes = traffic.pieces[p].portions.bytes;
        detail::add_tree(demand, loads, debts.copies(demand, loads, num_holders, bytes),
                         num_holders, traffic);
      }
    }
  }
  return traffic;
}

}  // namespace rhino::common::striped
