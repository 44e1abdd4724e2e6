// SPDX-License-Identifier: Apache-2.0
#include "common/first_looks.hpp"

#include <catch2/catch.hpp>

namespace rhino::common {
namespace {

Candidate look(std::int64_t count, double table_s, double bound_s, std::size_t num_axes = 1) {
  return {
      .configuration = {.axes = std::vector<std::int64_t>(num_axes, 2), .num_micro_batches = count},
      .strategy = {},
      .table_s = table_s,
      .table_bound_s = bound_s};
}

}  // namespace

TEST_CASE("looks at fewer micro-batches end where they take longer") {
  FirstLooks looks;
  CHECK(looks.add(look(8, 10, 10), 5));
  CHECK(looks.add(look(4, 10.9, 10.9), 5));  // nearly as cheap
  CHECK(looks.best_s() == 10);
  CHECK(looks.add(look(2, 9, 9), 5));
  CHECK(looks.best_s() == 9);
  CHECK_FALSE(looks.add(look(1, 10, 10), 5));
}

TEST_CASE("a look that ends far above its bound ends none of one axis") {
  FirstLooks one, several, settled, hopeless;
  for (FirstLooks* looks : {&one, &settled, &hopeless}) REQUIRE(looks->add(look(8, 10, 10), 5));
  REQUIRE(several.add(look(8, 10, 10, 2), 5));
  // Twice as long as one before, and maybe as quick.
  CHECK(one.add(look(4, 20, 10), 5));
  CHECK(one.best_s() == 10);
  CHECK(one.add(look(2, 9, 9), 5));
  CHECK(one.best_s() == 9);
  CHECK_FALSE(several.add(look(4, 20, 10, 2), 5));  // looks take long
  CHECK_FALSE(settled.add(look(4, 20, 19.9), 5));   // it takes as long as it says
  CHECK_FALSE(hopeless.add(look(4, 20, 12), 5));    // its bound, too, is above
}

TEST_CASE("what takes too long in dots alone is not looked at") {
  FirstLooks looks;
  CHECK(looks.may_be_quickest(1e9, 1e9));
  CHECK_FALSE(looks.may_be_quickest(1.1, 1));
  looks.add(look(8, 10, 10), 4);
  CHECK(looks.may_be_quickest(5, 1e9));
  CHECK_FALSE(looks.may_be_quickest(5.1, 1e9));
}

TEST_CASE("a second look that ends worse does not replace the first") {
  Candidate first = look(4, 10, 8);
  take_better(first, look(2, 10.1, 9));
  CHECK(first.configuration.num_micro_batches == 4);
  take_better(first, look(2, 9.9, 9));
  CHECK(first.configuration.num_micro_batches == 2);
  CHECK(first.table_s == 9.9);
}

TEST_CASE("whether fewer micro-batches are likely to be looked at is told before a look is known") {
  const auto waiting = [](std::int64_t stages, std::int64_t count, std::size_t num_axes = 1) {
    Candidate one = look(count, 10, 10, num_axes);
    one.configuration.num_stages = stages;
    return one;
  };
  FirstLooks one, several;
  CHECK(one.is_likely_to_go_on(waiting(8, 32).configuration));
  one.add(waiting(8, 32), 5);
  CHECK_FALSE(one.is_likely_to_go_on(waiting(8, 16).configuration));  // 23/16 of a step, not 39/32
  CHECK(one.is_likely_to_go_on(waiting(1, 16).configuration));
  CHECK(several.is_likely_to_go_on(waiting(1, 32, 2).configuration));
  several.add(waiting(1, 32, 2), 5);
  CHECK_FALSE(several.is_likely_to_go_on(waiting(1, 16, 2).configuration));
}

}  // namespace rhino::common
