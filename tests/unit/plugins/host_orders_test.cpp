// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "common/arrangement.hpp"
#include "common/crossings.hpp"
#include "reshard_cases.hpp"

using namespace rhino;
using namespace rhino::common;

namespace {

std::int64_t pick(std::mt19937& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(high - low + 1));
}

/// Tasks between up to three senders and up to three receivers; at times a host is both.
std::vector<HostTask> random_tasks(std::mt19937& random, std::int64_t most) {
  const auto num_hosts = static_cast<std::int32_t>(pick(random, 2, 5));
  std::vector<HostTask> tasks;
  const std::int64_t count = pick(random, 1, most), largest = pick(random, 1, 6);
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<std::int32_t> hosts;
    for (std::int32_t h = 0; h < num_hosts; ++h) hosts.push_back(h);
    std::shuffle(hosts.begin(), hosts.end(), random);
    const std::int64_t num_senders = pick(random, 1, std::min(num_hosts - 1, 3));
    const std::int64_t num_receivers =
        pick(random, 1, std::min<std::int64_t>(num_hosts - num_senders, 2));
    const auto middle = hosts.begin() + num_senders;
    tasks.push_back(
        {pick(random, 1, largest), {hosts.begin(), middle}, {middle, middle + num_receivers}});
  }
  return tasks;
}

/// The least makespan over all orders and senders of the tasks not yet `done`.
std::int64_t brute_force(const std::vector<HostTask>& tasks, std::vector<bool>& done,
                         const NicTimes& times, std::int64_t end) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (done[t]) continue;
    done[t] = true;
    for (const std::int32_t sender : tasks[t].senders) {
      NicTimes later = times;
      const std::int64_t task_end = later.run(tasks[t], sender);
      best = std::min(best, brute_force(tasks, done, later, std::max(end, task_end)));
    }
    done[t] = false;
  }
  return std::find(done.begin(), done.end(), false) == done.end() ? end : best;
}

std::int64_t brute_force(const std::vector<HostTask>& tasks) {
  std::vector<bool> done(tasks.size(), false);
  return brute_force(tasks, done, NicTimes(num_hosts(tasks)), 0);
}

std::int64_t span(const std::vector<HostTask>& tasks, Order order, std::uint64_t seed = 1) {
  return makespan(tasks, arrange(tasks, {.order = order, .seed = seed}));
}

constexpr Order kOrders[] = {Order::naive, Order::load_balance, Order::greedy, Order::search,
                             Order::ensemble};

}  // namespace

TEST_CASE("branch and bound finds what trying all orders and senders finds") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::vector<HostTask> tasks = random_tasks(random, 5);
    const std::int64_t best = brute_force(tasks);
    CHECK(makespan(tasks, searched_order(tasks, naive_order(tasks), 1000000).schedule) == best);
    CHECK(span(tasks, Order::search) == best);
    CHECK(span(tasks, Order::ensemble) == best);
  }
}

TEST_CASE(
    "by default the search proves the cases of the paper, and eight tasks between eight hosts") {
  for (const NamedProblem& one : many_to_many_cases()) {
    INFO(one.name);
    const std::vector<HostTask> tasks = crossings(one.problem).tasks;
    CHECK(searched_order(tasks, balanced_order(tasks), kNodeBudget).is_proved);
  }
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<HostTask> tasks;
    const std::int64_t largest = std::array{1, 8, 100}[seed % 3];
    for (int t = 0; t < 8; ++t) {
      std::vector<std::int32_t> hosts{0, 1, 2, 3, 4, 5, 6, 7};
      std::shuffle(hosts.begin(), hosts.end(), random);
      const auto middle = hosts.begin() + pick(random, 1, 3);
      tasks.push_back({pick(random, 1, largest),
                       {hosts.begin(), middle},
                       {middle, middle + pick(random, 1, 4)}});
    }
    const SearchedOrder found = searched_order(tasks, balanced_order(tasks), kNodeBudget);
    CHECK(found.is_proved);
    CHECK(makespan(tasks, found.schedule) == span(tasks, Order::ensemble));
  }
}

TEST_CASE("the bound of what remains is never above its optimum") {
  std::int64_t num_tight = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::vector<HostTask> tasks = random_tasks(random, 5);
    const std::vector<TaskKind> kinds = task_kinds(tasks);
    RemainingWork work(kinds);
    NicTimes times(num_hosts(tasks));
    std::vector<bool> done(tasks.size(), false);
    std::int64_t end = 0;
    for (std::size_t run = 0; run < tasks.size(); ++run) {  // one by one, by random senders
      const std::int64_t optimum = brute_force(tasks, done, times, end);
      const std::int64_t bound = std::max(end, work.bound(times));
      CHECK(bound <= optimum);
      num_tight += bound == optimum;
      auto t = static_cast<std::size_t>(pick(random, 0, std::ssize(tasks) - 1));
      while (done[t]) t = (t + 1) % tasks.size();
      done[t] = true;
      const auto index = static_cast<std::int32_t>(t);
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        const std::vector<std::int32_t>& members = kinds[k].members;
        if (std::find(members.begin(), members.end(), index) != members.end()) work.add(k, -1);
      }
      const auto sender =
          static_cast<std::size_t>(pick(random, 0, std::ssize(tasks[t].senders) - 1));
      end = std::max(end, times.run(tasks[t], tasks[t].senders[sender]));
    }
  }
  CHECK(num_tight > 800);  // of about 1200: it bounds, and not by being zero
}

TEST_CASE("every order is a schedule, and better orders are") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::vector<HostTask> tasks = random_tasks(random, 40);
    for (const Order order : kOrders) {
      const HostSchedule schedule = arrange(tasks, {.order = order});
      std::vector<std::int32_t> sorted = schedule.order;
      std::sort(sorted.begin(), sorted.end());
      CHECK(sorted == naive_order(tasks).order);
      for (std::size_t t = 0; t < tasks.size(); ++t) {
        CHECK(std::count(tasks[t].senders.begin(), tasks[t].senders.end(), schedule.sender[t]) ==
              1);
      }
      CHECK(makespan(tasks, schedule) >= makespan_bound(tasks));
    }
    CHECK(span(tasks, Order::ensemble) <= span(tasks, Order::load_balance));
    CHECK(span(tasks, Order::ensemble) <= span(tasks, Order::greedy));
    CHECK(span(tasks, Order::ensemble) <= span(tasks, Order::search));
    CHECK(span(tasks, Order::search) <= span(tasks, Order::load_balance));
  }
}

TEST_CASE("no two tasks of a host overlap in the model") {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::vector<HostTask> tasks = random_tasks(random, 30);
    const HostSchedule schedule = arrange(tasks, {.order = Order::greedy});
    NicTimes times(num_hosts(tasks));
    std::vector<std::int64_t> start(tasks.size());
    for (const std::int32_t index : schedule.order) {
      const auto t = static_cast<std::size_t>(index);
      start[t] = times.run(tasks[t], schedule.sender[t]) - tasks[t].bytes;
    }
    const auto share_a_receiver = [&](std::size_t a, std::size_t b) {
      return std::any_of(tasks[a].receivers.begin(), tasks[a].receivers.end(), [&](auto host) {
        return std::count(tasks[b].receivers.begin(), tasks[b].receivers.end(), host) > 0;
      });
    };
    for (std::size_t a = 0; a < tasks.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (schedule.sender[a] != schedule.sender[b] && !share_a_receiver(a, b)) continue;
        const bool overlap =
            start[a] < start[b] + tasks[b].bytes && start[b] < start[a] + tasks[a].bytes;
        CHECK_FALSE(overlap);
      }
    }
  }
}

TEST_CASE("the same seed gives the same schedule") {
  std::mt19937 random(7);
  const std::vector<HostTask> tasks = random_tasks(random, 60);
  for (const Order order : kOrders)
    CHECK(arrange(tasks, {.order = order, .seed = 5}) ==
          arrange(tasks, {.order = order, .seed = 5}));
  CHECK(greedy_order(tasks, 1) != greedy_order(tasks, 2));
}

TEST_CASE("a search without nodes keeps the schedule that it starts from") {
  std::mt19937 random(3);
  const std::vector<HostTask> tasks = random_tasks(random, 40);
  CHECK(searched_order(tasks, naive_order(tasks), 0).schedule == naive_order(tasks));
}
