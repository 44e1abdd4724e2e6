// SPDX-License-Identifier: Apache-2.0
/// Estimates and bounds of steps that train in mixed precision: see estimate_test.cpp.
#include <catch2/catch.hpp>
#include <optional>

#include "drawn_strategy.hpp"
#include "estimate_quality.hpp"

namespace rhino::test {
namespace {

template <Drawn (*kDraw)(Random&)>
std::optional<Pair> mixed_pair(std::uint64_t seed) {
  Random random(seed);
  const Drawn drawn = kDraw(random);
  return pair_of(drawn, drawn.planning->context());
}

}  // namespace

TEST_CASE(
    "bounds by tables hold, estimates are near what is simulated: small programs in mixed "
    "precision") {
  const Quality quality = quality_of(mixed_pair<draw_small_mixed>, "small mixed", 40);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.errors, 0.9) < 0.2);
  // Without copies of what loops make for messages, or with sums freed that are outputs, 0.12.
  CHECK(quantile(quality.peaks, 0.5) < 0.03);
  CHECK(quantile(quality.peaks, 0.9) < 0.1);
  check_spread(quality);
}

/// As if they ran one after the other, each with memory of its own, they were 0.83 and 0.77.
TEST_CASE("updates of several chunks of a mesh are one program, whose memory adds up") {
  for (const std::uint64_t seed : {105, 218}) {
    CAPTURE(seed);
    const std::optional<Pair> pair = mixed_pair<draw_hard_mixed>(seed);
    REQUIRE(pair);
    CHECK(pair->peak() == Approx(1).epsilon(0.1));
  }
}

TEST_CASE(
    "bounds by tables hold, estimates are near what is simulated: large programs in mixed "
    "precision") {
  const Quality quality = quality_of(mixed_pair<draw_large_mixed>, "large mixed", 8);
  CHECK(quantile(quality.bounds, 0.5) > 0.6);
  CHECK(quantile(quality.errors, 0.5) < 0.08);
  CHECK(quantile(quality.peaks, 0.5) < 0.1);
  check_spread(quality, 0.79);  // messages between slow hosts that share links in both directions
}

/// Copies of a flag hide that updates wait for it, from mesh to mesh, behind all gradients: 21 %
/// too short at the worst where they are overlooked.
TEST_CASE("estimates know that updates wait for whether gradients are finite") {
  for (const std::uint64_t seed : {34, 140, 161, 178, 327}) {
    const std::optional<Pair> pair = mixed_pair<draw_large_mixed>(seed);
    REQUIRE(pair);
    CAPTURE(seed, pair->text);
    CHECK(pair->ratio() == Approx(1).margin(0.09));
  }
}

TEST_CASE("bounds hold where hosts issue kernels and passes are cut in mixed precision") {
  quality_of(mixed_pair<draw_hard_mixed>, "hard mixed", 40);
}

}  // namespace rhino::test
