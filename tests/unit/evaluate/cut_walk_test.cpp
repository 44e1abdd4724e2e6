// SPDX-License-Identifier: Apache-2.0
#include "evaluate/cut_walk.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace rhino::test {
namespace {

using evaluate::Collective;
using evaluate::CutUnits;
using evaluate::CutWalk;

/// A second of links inside hosts per byte.
evaluate::LinkUse by_bytes(const Collective& collective) { return {0, {collective.bytes, 0}}; }

const std::vector<std::int32_t> kNothing;

/// Dots a and b, an all-reduce of a over so many seconds, and c of what it yields.
struct OnePass {
  CutUnits units;
  CutWalk walk{units};
  std::int32_t a, b, sum, c;
  OnePass(double a_s, double b_s, double sum_s, double c_s) {
    units.clear(1);
    a = units.add({.seconds = a_s, .is_worth = true}, kNothing);
    b = units.add({.seconds = b_s, .is_worth = true}, kNothing);
    sum = units.add(Collective{OpKind::all_reduce, 1, sum_s}, {}, a);
    c = units.add({.seconds = c_s, .is_worth = true}, std::vector{sum});
    units.depart(0, c);
  }
};

}  // namespace

TEST_CASE("what a collective needs runs first, and what does not wait for it meanwhile") {
  const double b_s = GENERATE(2.0, 5.0, 9.0);
  OnePass pass(3, b_s, 5, 4);
  const CutWalk::Result result = pass.walk.run(0, {}, by_bytes);
  CHECK(result.end_s == 3 + std::max(b_s, 5.0) + 4);
  CHECK(result.departs_s == std::vector{result.end_s});
  CHECK(result.num_messages == 1);
}

/// Its order is found once, for all runs until something changes.
TEST_CASE("a pass that has been changed is played anew") {
  OnePass pass(3, 2, 5, 4);
  CHECK(pass.walk.run(0, {}, by_bytes).end_s == 12);
  pass.units.unit(pass.b).seconds = 9;
  CHECK(pass.walk.run(0, {}, by_bytes).end_s == 16);
  pass.units.unit(pass.c).not_before = pass.units.add({.seconds = 1}, kNothing);
  CHECK(pass.walk.run(0, {}, by_bytes).end_s == 17);
  CHECK(pass.walk.run_sure(0, by_bytes).end_s == 5);
}

TEST_CASE("an arrival is waited for when nothing else is left, and delays what needs it alone") {
  OnePass pass(3, 2, 5, 4);
  const std::int32_t own = pass.units.add({.seconds = 7, .is_worth = true, .arrival = 0}, kNothing);
  pass.units.add({.seconds = 1, .is_worth = true}, std::vector{own});
  CHECK(pass.walk.run(0, {}, by_bytes).end_s == 3 + 5 + 4 + 8);
  const CutWalk::Result late = pass.walk.run(100, {}, by_bytes);
  CHECK(late.end_s == 108);
  CHECK(late.departs_s == std::vector{12.0});
}

/// As plans cut an update: see the test of plan/cut.hpp of the same name.
TEST_CASE("collectives are waited for in the order in which they began") {
  CutUnits units;
  units.clear(0);
  units.begin_before(1);
  CutWalk walk(units);
  std::vector<CutWalk::Item> items;
  walk.record(&items);
  const std::int32_t own = units.add(Collective{OpKind::all_reduce, 1, 10}, {}, -1);
  units.add({.seconds = 1, .is_worth = true}, std::vector{own});
  for (const std::int32_t arrival : {0, 2, 1})
    units.add({.seconds = 1, .is_worth = true, .arrival = arrival}, kNothing);
  walk.make_late(2);
  CHECK(walk.run(30, {}, by_bytes).end_s == 30 + 3);
  std::vector<std::int32_t> waits;
  for (const CutWalk::Item& item : items) {
    if (item.kind == plan::CutItem::Kind::arrive) waits.push_back(item.number);
    if (item.kind == plan::CutItem::Kind::wait) waits.push_back(-1);
  }
  CHECK(waits == std::vector{1, 2, -1, 0});
  SECTION("over the same links they end after each other") {
    walk.make_late(2, {true, false});
    CHECK(walk.run(30, {}, by_bytes).end_s == 30 + 10 + 2);
  }
  SECTION("over others they do not") {
    walk.make_late(2, {false, true});
    CHECK(walk.run(30, {}, by_bytes).end_s == 30 + 3);
  }
}

TEST_CASE("loops of one kernel are launched once for each time that something comes between") {
  CutUnits units;
  units.clear(0);
  CutWalk walk(units);
  const std::int32_t a = units.add({.launch = 0}, kNothing);
  const std::int32_t b = units.add({.launch = 0, .write_s = 2, .read_s = 3}, std::vector{a});
  SECTION("nothing does") {
    units.add({.launch = 0}, std::vector{b});
    const CutWalk::Result result = walk.run(0, {.latency_s = 1}, by_bytes);
    CHECK(result.num_launches == 1);
    CHECK(result.end_s == 1);
  }
  SECTION("a collective does: what both sides need goes through memory") {
    const std::int32_t sum = units.add(Collective{OpKind::all_reduce, 1, 10}, {}, b);
    units.add({.launch = 0}, std::vector{sum, b});
    const CutWalk::Result result = walk.run(0, {.latency_s = 1}, by_bytes);
    CHECK(result.num_launches == 2);
    CHECK(result.end_s == 1 + 10 + 1 + 2 + 3);
  }
}

TEST_CASE("collectives alike that are ready together are one message, others go side by side") {
  CutUnits units;
  units.clear(0);
  CutWalk walk(units);
  const auto axes = GENERATE(1u, 2u);
  for (const std::uint32_t own : {1u, axes}) {
    const std::int32_t made = units.add({.seconds = 1, .is_worth = true}, kNothing);
    units.add(Collective{OpKind::all_reduce, own, 10}, {}, made);
  }
  CHECK(walk.run(0, {}, by_bytes).num_messages == (axes == 1 ? 1 : 2));
  // They share links from the first on, where that does not wait for the other.
  CHECK(walk.run(0, {}, by_bytes).end_s == Approx(axes == 1 ? 2 + 20 : 1 + 20));
  const auto on_links_of_their_own = [](const Collective& collective) {
    const double inside = collective.axes == 1 ? collective.bytes : 0;
    return evaluate::LinkUse{0, {inside, collective.bytes - inside}};
  };
  CHECK(walk.run(0, {}, on_links_of_their_own).end_s == Approx(axes == 1 ? 2 + 20 : 2 + 10));
}

TEST_CASE("collectives share links evenly, those over the same axes one after the other") {
  evaluate::SharedLinks links;
  links.clear();
  for (const std::uint32_t axes : {1u, 2u, 4u}) links.start(axes, {0, {axes * 1.0, 0}}, 0);
  CHECK(links.end_s(0) == Approx(3));  // a third of the link until then, then half of it
  CHECK(links.end_s(1) == Approx(5));
  CHECK(links.end_s(2) == Approx(7));
  links.clear();
  for (int i = 0; i < 2; ++i) links.start(1, {1, {2, 0}}, 0);
  CHECK(links.end_s(1) == Approx(6));
  links.clear();
  links.start(1, {0, {4, 1}}, 0);
  links.start(2, {0, {0, 3}}, 1);  // has three quarters of the links between hosts
  CHECK(links.end_s(0) == Approx(4));
  CHECK(links.end_s(1) == Approx(5).margin(0.3));
}

TEST_CASE("a gather that is held back is under way while the one before it is used") {
  CutUnits units;
  units.clear(0);
  CutWalk walk(units);
  std::vector<CutUnits::HeldBack> gathers;
  std::int32_t dot = -1;
  for (int layer = 0; layer < 4; ++layer) {
    gathers.push_back({units.add(Collective{OpKind::all_gather, 1, 5}, {.bytes = 5}, -1), 5});
    dot = units.add({.seconds = 3, .is_worth = true, .is_heavy = true},
                    std::vector{dot, gathers.back().unit});
  }
  const bool is_much = GENERATE(true, false);
  units.hold_back(gathers, {}, is_much ? 4 : 20);
  const CutWalk::Result result = walk.run(0, {}, by_bytes);
  CHECK(result.num_messages == (is_much ? 4 : 1));
  CHECK(result.end_s == (is_much ? 4 * 5 + 3 : 4 * 5 + 4 * 3));
  CHECK(walk.memory().between == (is_much ? 2 * 5 : 4 * 5));
}

TEST_CASE("a gather of which nothing heavy is made is not held back") {
  CutUnits units;
  units.clear(0);
  CutWalk walk(units);
  std::vector<CutUnits::HeldBack> gathers;
  std::int32_t dot = -1;
  for (int layer = 0; layer < 4; ++layer) {
    gathers.push_back({units.add(Collective{OpKind::all_gather, 1, 5}, {}, -1), 5});
    dot = units.add({.seconds = 3, .is_worth = true, .is_heavy = true},
                    std::vector{dot, gathers.back().unit});
  }
  gathers.push_back({units.add(Collective{OpKind::all_gather, 1, 5}, {}, -1), 5});
  const std::int32_t light = gathers.back().unit;
  units.add({.seconds = 1}, std::vector{light, dot});
  units.hold_back(gathers, {}, 4);
  std::vector<CutWalk::Item> items;
  walk.record(&items);
  walk.run(0, {}, by_bytes);
  const auto waits = std::ranges::find(items, plan::CutItem::Kind::wait, &CutWalk::Item::kind);
  const bool is_soon = std::any_of(items.begin(), waits, [&](const CutWalk::Item& item) {
    return item.kind == plan::CutItem::Kind::start && item.units == std::vector{light};
  });
  CHECK(is_soon);
}

TEST_CASE("a result that is held back is waited for before the next one starts") {
  CutUnits units;
  units.clear(0);
  CutWalk walk(units);
  std::vector<CutUnits::HeldBack> results;
  for (int layer = 0; layer < 3; ++layer) {
    const std::int32_t dot =
        units.add({.seconds = 3, .is_worth = true, .is_heavy = true, .bytes = 5}, kNothing);
    results.push_back({units.add(Collective{OpKind::reduce_scatter, 1, 5}, {}, dot), 5});
  }
  const bool is_much = GENERATE(true, false);
  units.hold_back({}, results, is_much ? 4 : 15);
  const CutWalk::Result result = walk.run(0, {}, by_bytes);
  CHECK(result.end_s == (is_much ? 3 + 3 * 5 : 3 * 3 + 3 * 5));
  CHECK(walk.memory().between == (is_much ? 2 * 5 : 3 * 5));
}

TEST_CASE("what ends in a pass makes room for what it leaves") {
  CutUnits units;
  units.clear(0);
  CutWalk walk(units);
  const std::int32_t first =
      units.add({.seconds = 1, .is_worth = true, .is_heavy = true, .bytes = 5}, kNothing);
  const std::int32_t sum = units.add(Collective{OpKind::all_reduce, 1, 5}, {.bytes = 5}, first);
  const std::int32_t last = units.add(
      {.seconds = 1, .is_worth = true, .is_heavy = true, .leaves = true, .left_bytes = 20},
      std::vector{sum});
  walk.run(0, {}, by_bytes);
  // 10 and 30 bytes are there, 5 are made in place of their sum, 20 are left.
  CHECK(walk.memory().freed == 0);
  CHECK(walk.memory(std::vector<CutWalk::Ending>{{10, {first}}, {30, {last}}}).freed == 10);
  CHECK(walk.memory(std::vector<CutWalk::Ending>{{10, {first}}, {30, {first}}}).freed == 20);
  CHECK(walk.memory(std::vector<CutWalk::Ending>{{10, {last}}, {30, {first, last}}}).freed == 0);
  CHECK(walk.memory(std::vector<CutWalk::Ending>{{10, {sum}}, {30, {first}}}).freed == 20);
}

TEST_CASE("kernels run no sooner than their host has issued them, one after the other") {
  CutUnits units;
  units.clear(0);
  CutWalk walk(units);
  for (int i = 0; i < 3; ++i)
    units.add({.seconds = 1, .num_kernels = 1, .is_worth = true}, kNothing);
  CHECK(walk.run(0, {.issue_s = 2}, by_bytes).end_s == 3 * 2 + 1);
  CHECK(walk.run(0, {.issue_s = 0.5}, by_bytes).end_s == 0.5 + 3 * 1);
  CHECK(walk.run(0, {.issue_s = 2}, by_bytes).issued_s == 6);
  // Behind an arrival, for which the host waits, too.
  units.add({.seconds = 1, .num_kernels = 1, .arrival = 0}, kNothing);
  CHECK(walk.run(10, {.issue_s = 2}, by_bytes).end_s == 10 + 2 + 1);
}

TEST_CASE("a host issues collectives of a kind in the time that they take it") {
  CutUnits units;
  units.clear(0);
  CutWalk walk(units);
  const std::int32_t first =
      units.add({.seconds = 1, .num_kernels = 1, .is_worth = true}, kNothing);
  const std::int32_t sum = units.add(Collective{OpKind::all_reduce, 1, 4}, {}, first);
  units.add({.seconds = 1, .num_kernels = 1, .is_worth = true}, std::vector{sum});
  const Software software{.kernel_issue_s = 2, .collective_issue_s = {{OpKind::all_reduce, 50}}};
  const CutWalk::Costs plain{.issue_s = 2}, own{.issue_s = 2, .software = &software};
  CHECK(walk.run(0, plain, by_bytes).issued_s == 2 + 2 + 2);
  CHECK(walk.run(0, plain, by_bytes).end_s == 2 + 2 + 4 + 1);  // it begins when it is issued
  CHECK(walk.run(0, own, by_bytes).issued_s == 2 + 50 + 2);
  CHECK(walk.run(0, own, by_bytes).end_s == 2 + 50 + 4 + 1);
}

TEST_CASE("results take memory from where they are made to where they are last read") {
  CutUnits units;
  units.clear(0);
  CutWalk walk(units);
  const std::int32_t a = units.add({.seconds = 1, .bytes = 8}, kNothing);
  const std::int32_t view = units.add({.shows = a}, std::vector{a});
  const std::int32_t b = units.add({.seconds = 1, .bytes = 4}, std::vector{view});
  const std::int32_t joined = units.add({.launch = 1, .bytes = 2}, std::vector{b});
  units.add({.launch = 1}, std::vector{joined});
  walk.run(0, {}, by_bytes);
  CHECK(walk.memory().between == 0);
  CHECK(walk.memory().within == 12);  // what one loop makes and reads is nowhere
  const std::int32_t sum = units.add(Collective{OpKind::all_reduce, 1, 3}, {.bytes = 16}, b);
  units.add({.seconds = 1}, std::vector{sum, view});
  walk.run(0, {}, by_bytes);
  CHECK(walk.memory().between == 8 + 4 + 16);
  CHECK(walk.memory().within == 0);
}

/// Of a mean that is spread over all it was made of, within one loop.
TEST_CASE("a view within a loop reads nothing from memory") {
  CutUnits units;
  units.clear(0);
  CutWalk walk(units);
  const std::int32_t mean = units.add({.launch = 1, .bytes = 8}, kNothing);
  const std::int32_t spread = units.add({.shows = mean}, std::vector{mean});
  units.add({.launch = 1, .bytes = 16}, std::vector{spread});
  walk.run(0, {}, by_bytes);
  CHECK(walk.memory().within == 0);
  // Another loop does.
  units.add({.launch = 2, .bytes = 4}, std::vector{spread});
  walk.run(0, {}, by_bytes);
  CHECK(walk.memory().within == 8);
  CHECK(walk.memory().at_once == 8);
}

}  // namespace rhino::test
