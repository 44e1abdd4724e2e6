// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/greedy_order.hpp"
#include "common/searched_order.hpp"
#include "common/simple_orders.hpp"
#include "rhino/error.hpp"

namespace rhino::common {

/// How to choose senders and order of tasks.
enum class Order : std::uint8_t { naive, load_balance, greedy, search, ensemble };

/// Throws Error where there is no such order.
inline Order order_named(const std::string& name) {
  constexpr const char* kNames[] = {"naive", "load_balance", "greedy", "search", "ensemble"};
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<Order>(i);
  }
  throw Error("option 'order' is '" + name +
              "'; it must be naive, load_balance, greedy, search or ensemble");
}

/// Proves nearly all that eight tasks between eight hosts can be, in milliseconds.
inline constexpr std::int64_t kNodeBudget = 30000;

struct ArrangementOptions {
  Order order = Order::ensemble;
  std::int64_t node_budget = kNodeBudget;  ///< of the search
  std::uint64_t seed = 1;                  ///< of the greedy one
};

/// `search` starts from the load-balanced schedule, `ensemble` from the better one of that and the
/// greedy one: it is as good as each of the three.
inline HostSchedule arrange(const std::vector<HostTask>& tasks, const ArrangementOptions& options) {
  if (options.order == Order::naive) return naive_order(tasks);
  if (options.order == Order::greedy) return greedy_order(tasks, options.seed);
  HostSchedule schedule = balanced_order(tasks);
  if (options.order == Order::load_balance) return schedule;
  if (options.order == Order::ensemble) {
    HostSchedule greedy = greedy_order(tasks, options.seed);
    if (makespan(tasks, greedy) < makespan(tasks, schedule)) schedule = std::move(greedy);
  }
  return searched_order(tasks, std::move(schedule), options.node_budget).schedule;
}

}  // namespace rhino::common
