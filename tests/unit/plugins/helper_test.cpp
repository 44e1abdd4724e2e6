// SPDX-License-Identifier: Apache-2.0
#include "common/helper.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

namespace rhino::common {
namespace {

const auto kNothing = [] {};

}  // namespace

TEST_CASE("what a helper is given is done once, in whatever order it is waited for") {
  const auto seed = GENERATE(range<std::uint64_t>(0, 20));
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  Helper helper;
  std::vector<std::atomic<int>> counts(50);
  std::vector<std::unique_ptr<Helper::Task>> tasks;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    tasks.push_back(std::make_unique<Helper::Task>([&counts, i](Helper::By) { ++counts[i]; }));
    helper.give(*tasks.back());
    order.push_back(i);
  }
  std::ranges::shuffle(order, random);
  for (const std::size_t i : order) {
    if (random() % 4 == 0) {
      helper.drop(*tasks[i]);
      CHECK(counts[i] <= 1);
    } else {
      helper.wait(*tasks[i], kNothing);
      CHECK(counts[i] == 1);
    }
  }
}

TEST_CASE("whoever waits does what the helper has not begun") {
  Helper helper;
  std::atomic<bool> is_second_done = false;
  Helper::By first_by{}, second_by{};
  Helper::Task first([&](Helper::By by) {  // ends only if the owner does the second
    first_by = by;
    is_second_done.wait(false);
  });
  Helper::Task second([&](Helper::By by) {
    second_by = by;
    is_second_done = true;
    is_second_done.notify_all();
  });
  helper.give(first);
  while (!helper.is_running(first)) std::this_thread::yield();
  helper.give(second);
  helper.wait(first, kNothing);
  helper.wait(second, kNothing);
  CHECK(first_by == Helper::By::helper);
  CHECK(second_by == Helper::By::owner);
}

TEST_CASE("whoever waits with nothing to do is asked now and then") {
  Helper helper;
  std::atomic<bool> is_asked = false;
  Helper::Task task([&](Helper::By) { is_asked.wait(false); });
  helper.give(task);
  while (!helper.is_running(task)) std::this_thread::yield();
  helper.wait(task, [&] {
    is_asked = true;
    is_asked.notify_all();
  });
  CHECK(is_asked);
}

TEST_CASE("what work throws is for whoever waits for it") {
  Helper helper;
  Helper::Task bad([](Helper::By) { throw std::runtime_error("bad"); });
  bool is_done = false;
  Helper::Task good([&](Helper::By) { is_done = true; });
  helper.give(bad);
  helper.give(good);
  CHECK_THROWS_WITH(helper.wait(bad, kNothing), "bad");
  helper.wait(good, kNothing);
  CHECK(is_done);
}

TEST_CASE("what is dropped before it begins never does") {
  Helper helper;
  std::atomic<bool> is_let_go = false;
  Helper::Task first([&](Helper::By) { is_let_go.wait(false); });
  bool is_begun = false;
  Helper::Task second([&](Helper::By) { is_begun = true; });
  helper.give(first);
  while (!helper.is_running(first)) std::this_thread::yield();
  helper.give(second);
  helper.drop(second);
  is_let_go = true;
  is_let_go.notify_all();
  helper.drop(first);  // once it has ended
  CHECK_FALSE(helper.is_running(first));
  CHECK_FALSE(is_begun);
}

}  // namespace rhino::common
