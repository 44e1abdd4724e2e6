// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "common/striped/exchange.hpp"
#include "rhino/work_division.hpp"

/// Who sends how much, so that the busiest link is done first.
///
/// For a demand of b bytes with holders N and takers M, any loads e >= 0 of N and M with sum |M| b,
/// at least b of them on N, are those of a mixture of relay trees (core/cost/reshard_bound.md,
/// section 2). So b bytes are work that N may share, (|M| - 1) b work that N and M may share, and
/// the least load of the busiest node is a flow.
namespace rhino::common::striped {

/// Loads of one demand: its holders, then its takers, where they send anything.
using Loads = std::vector<WorkDivision::Share>;

struct Balance {
  std::vector<Loads> loads;        ///< per demand
  std::int64_t busiest_bytes = 0;  ///< in or out of any one node
};

namespace detail {

struct Work {
  std::int64_t amount = 0;
  std::vector<std::int32_t> nodes;
};

/// The least capacity at which works can be divided (Hall's theorem; Dinkelbach).
inline std::int64_t least_capacity(const std::vector<Work>& works, std::int32_t num_nodes) {
  const auto within = [&](const std::vector<bool>& inside) {
    std::int64_t amount = 0;
    for (const Work& work : works) {
      if (std::all_of(work.nodes.begin(), work.nodes.end(),
                      [&](std::int32_t v) { return inside[at(v)]; }))
        amount += work.amount;
    }
    return amount;
  };
  std::vector<bool> used(at(num_nodes), false);
  for (const Work& work : works) {
    for (const std::int32_t v : work.nodes) used[at(v)] = true;
  }
  const auto ceil_ratio = [&](const std::vector<bool>& inside) {
    const auto count = std::max<std::int64_t>(1, std::count(inside.begin(), inside.end(), true));
    return (within(inside) + count - 1) / count;
  };
  std::int64_t capacity = ceil_ratio(used);
  WorkDivision division(num_nodes, capacity);
  for (const Work& work : works) division.add(work.amount, work.nodes);
  while (!division.divide()) {
    std::vector<bool> inside(at(num_nodes), false);
    for (const std::int32_t v : division.overloaded()) inside[at(v)] = true;
    capacity = ceil_ratio(inside);
    division.raise_capacity(capacity);
  }
  return capacity;
}

inline std::int64_t busiest_ingress(const Exchange& exchange) {
  std::vector<std::int64_t> bytes(at(exchange.num_nodes), 0);
  for (const Demand& demand : exchange.demands) {
    for (const std::int32_t taker : demand.takers) bytes[at(taker)] += demand.bytes;
  }
  return bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end());
}

inline std::vector<std::int32_t> holders_and_takers(const Demand& demand) {
  std::vector<std::int32_t> nodes = demand.holders;
  nodes.insert(nodes.end(), demand.takers.begin(), demand.takers.end());
  return nodes;
}

inline std::int64_t least_egress(const Exchange& exchange, bool relays) {
  std::vector<Work> works;
  for (const Demand& demand : exchange.demands) {
    const std::int64_t copies = std::ssize(demand.takers);
    works.push_back({relays ? demand.bytes : copies * demand.bytes, demand.holders});
    if (relays && copies > 1)
      works.push_back({(copies - 1) * demand.bytes, holders_and_takers(demand)});
  }
  return least_capacity(works, exchange.num_nodes);
}

}  // namespace detail

/// Holders send all they can within the least time of the exchange, as evenly as they can; what is
/// more than that is relayed.
inline Balance balance(const Exchange& exchange) {
  const std::int64_t ingress = detail::busiest_ingress(exchange);
  const std::int64_t direct = detail::least_egress(exchange, false);
  const bool relays = direct > ingress;
  const std::int64_t egress = relays ? detail::least_egress(exchange, true) : direct;
  const std::int64_t capacity = relays ? std::max(ingress, egress) : direct;

  // Capacity grows step by step, so that no node fills up while another one rests.
  constexpr std::int64_t kSteps = 8;
  WorkDivision division(exchange.num_nodes, 0);
  for (const Demand& demand : exchange.demands) {
    division.add(demand.bytes, demand.holders);
    division.add((std::ssize(demand.takers) - 1) * demand.bytes, demand.holders);
  }
  for (std::int64_t step = 1; step <= kSteps; ++step) {
    division.raise_capacity(capacity * step / kSteps);
    division.divide();
  }
  for (std::size_t d = 0; relays && d < exchange.demands.size(); ++d) {
    for (const std::int32_t taker : exchange.demands[d].takers) division.allow(2 * d + 1, taker);
  }
  if (relays) division.divide();

  Balance balance{{}, std::max(ingress, egress)};
  for (std::size_t d = 0; d < exchange.demands.size(); ++d) {
    Loads loads = division.shares(2 * d);
    const Loads& copies = division.shares(2 * d + 1);
    for (std::size_t k = 0; k < copies.size(); ++k) {
      if (k < loads.size()) loads[k].amount += copies[k].amount;
      else loads.push_back(copies[k]);
    }
    std::erase_if(loads, [](const auto& share) { return share.amount == 0; });
    balance.loads.push_back(std::move(loads));
  }
  return balance;
}

}  // namespace rhino::common::striped
