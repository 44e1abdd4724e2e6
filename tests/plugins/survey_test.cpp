// SPDX-License-Identifier: Apache-2.0
// Which configurations search/rhino looks at.
#include "common/survey.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "toys.hpp"

namespace rhino::test {

// Stages that do equal parts wait by so much in a plain schedule, and in some for less.
TEST_CASE("what is left out of a survey is looked at again unless its dots alone take too long") {
  const Program step = gpt({});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    common::Cutting cutting(problem, strategies, {.level = common::Cutting::segments});
    const common::Configuration staged{4, {1}, 1};
    REQUIRE(staged.fill() == 4);
    const double alone_s = cutting.least_steps().of(staged);
    const std::vector<common::Candidate> surveyed{
        {.configuration = {1, {4}, 1}, .strategy = {}, .table_s = alone_s / 2}};
    for (const double share : {0.9, 2.0}) {
      CAPTURE(share);
      const std::vector<common::Candidate> found =
          common::Survey(cutting).left_out({staged}, surveyed, share * alone_s);
      CHECK(std::ssize(found) == (share > 1 ? 1 : 0));
    }
  });
}

}  // namespace rhino::test
