// SPDX-License-Identifier: Apache-2.0
#include "measure/verdict.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "measure/compare_runs.hpp"

using namespace rhino;
using namespace rhino::measure;
using Catch::Matchers::Contains;

namespace {

constexpr Looks kLooks{.first = 5, .most = 12};

using Noise = std::function<double(std::mt19937_64&)>;

Noise normal(double spread) {
  return [spread](std::mt19937_64& random) {
    return std::normal_distribution<double>(0, spread)(random);
  };
}

/// One in five pairs is hit by other work, either of its turns.
double disturbed(std::mt19937_64& random) {
  const double calm = normal(0.02)(random);
  return random() % 5 == 0 ? calm + std::uniform_real_distribution<double>(-0.7, 0.7)(random)
                           : calm;
}

/// The verdict that a case comes to: it stops where there is one, or at the last look.
std::string sequential_verdict(double log_ratio, const Noise& noise, std::mt19937_64& random) {
  std::vector<double> pairs;
  while (std::ssize(pairs) < kLooks.most) {
    pairs.push_back(log_ratio + noise(random));
    const std::string verdict = judge_pairs(pairs, 0, kLooks).verdict;
    if (verdict != "inconclusive") return verdict;
  }
  return "inconclusive";
}

/// How often in 4000 cases it is one of `verdicts`.
double share_of(const std::string& verdicts, double log_ratio, const Noise& noise) {
  constexpr int kTrials = 4000;
  std::mt19937_64 random(Catch::rngSeed());
  int count = 0;
  for (int i = 0; i < kTrials; ++i)
    count +=
        verdicts.find(sequential_verdict(log_ratio, noise, random)) != std::string::npos ? 1 : 0;
  return count / double{kTrials};
}

store::Record record(const std::vector<double>& seconds, std::int32_t case_index = 0) {
  store::Record one{.cell_id = "a", .label = "cell", .case_index = case_index};
  one.independent = {{"backend", "ucx"}, {"model", "m"}};
  for (const double round : seconds) {
    one.rounds.push_back({.number = std::ssize(one.rounds), .seconds = round});
    one.samples_s.push_back(round);
  }
  return one;
}

CellChange only_change(const store::Record& before, const store::Record& after) {
  const RunComparison comparison = compare_runs({before}, {after});
  REQUIRE(comparison.cells.size() == 1);
  return comparison.cells.front();
}

}  // namespace

TEST_CASE("what looks may err in all is what one may") {
  for (std::int64_t first = 5; first <= 12; ++first) {
    double sum = 0;
    for (std::int64_t n = first; n <= 12; ++n) sum += error_share(n, {first, 12});
    CHECK(sum == Approx(1));
  }
}

TEST_CASE("equal cells are told apart once in a hundred cases at most, wherever rounds end") {
  CAPTURE(Catch::rngSeed());
  // Noise that the tolerance does not hide: 20 % from round to round. The margin is four standard
  // deviations of the count.
  CHECK(share_of("faster slower", 0, normal(0.2)) <= 0.01 + 0.0063);
  CHECK(share_of("faster slower", 0, disturbed) <= 0.01 + 0.0063);
}

TEST_CASE("cells that differ by more than the tolerance are rarely called the same") {
  CAPTURE(Catch::rngSeed());
  CHECK(share_of("same", std::log(1.06), normal(0.03)) <= 0.025 + 0.01);
}

TEST_CASE("equal cells are the same, and 8 % is found, where rounds are calm") {
  CAPTURE(Catch::rngSeed());
  const double spread = 0.015 * std::sqrt(2.0);  // of a pair, where either has 1.5 %
  CHECK(share_of("same", 0, normal(spread)) >= 0.9);
  CHECK(share_of("faster", std::log(1.08), normal(spread)) >= 0.95);
  CHECK(share_of("slower", -std::log(1.08), normal(spread)) >= 0.95);
}

TEST_CASE("a verdict takes five rounds, the tolerance, and an interval wider than the noise") {
  const std::vector<double> clear = {0.2, 0.201, 0.199, 0.2, 0.2};
  CHECK(judge_pairs(clear, 0, {5, 5}).verdict == "faster");
  CHECK(judge_pairs({0.2, 0.201, 0.199, 0.2}, 0, {5, 5}).verdict == "inconclusive");
  CHECK(judge_pairs({0.2, 0.201, 0.199, 0.2}, 0, {5, 5}).rounds_needed == 5);
  CHECK(judge_pairs(clear, 0.3, {5, 5}).verdict == "inconclusive");
  CHECK(judge_pairs(clear, 0.3, {5, 5}).rounds_needed == 0);
  CHECK(judge_pairs({0.03, 0.031, 0.029, 0.03, 0.03}, 0, {5, 5}).verdict == "same");
  CHECK(judge_pairs({0.03, 0.031, 0.029, 0.03, 0.03}, 0.02, {5, 5}).verdict == "inconclusive");
  // One pair of eight on the other side: the interval excludes 0, the signs do not show as much.
  const std::vector<double> one_aside = {0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, -0.001};
  CHECK(half_width(estimate(one_aside), 0.01) < estimate(one_aside).mean);
  CHECK(judge_pairs(one_aside, 0, {8, 8}).verdict == "inconclusive");
}

TEST_CASE("simulated times are told apart by the tolerance alone") {
  CHECK(judge_exact(1.04, 1).verdict == "same");
  CHECK(judge_exact(1.06, 1).verdict == "faster");
  CHECK(judge_exact(1, 1.06).verdict == "slower");
  CHECK(judge_exact(0, 0).verdict == "same");
  CHECK(judge_exact(0, 0).ratio == 1);
  CHECK(judge_exact(0, 1).verdict == "slower");
  CHECK(judge_exact(1, 0).verdict == "faster");
}

TEST_CASE("baselines are compared by rounds of the same number, widened by the A/A pair") {
  store::Record base = record({2, 4, 2, 4, 2}), cell = record({1, 2, 1, 2, 1});
  base.baseline_of = {"base"};
  base.cell_id = "b";
  std::vector<store::Record> records = {base, cell};
  compare_with_baselines(records, {5, 5});
  REQUIRE(records[1].baselines.size() == 1);
  CHECK(records[1].baselines[0].ratio == Approx(2));
  CHECK(records[1].baselines[0].verdict == "faster");
  CHECK(records[0].baselines.empty());
  // The same cell twice, a factor of three apart.
  for (const store::Round& round : base.rounds)
    records[0].twin_rounds.push_back({.number = round.number, .seconds = 3 * round.seconds});
  compare_with_baselines(records, {5, 5});
  CHECK(records[1].summary.noise_floor == Approx(std::log(3)));
  CHECK(records[1].baselines[0].verdict == "inconclusive");
  records[1].rounds[0].number = 7;
  compare_with_baselines(records, {5, 5});
  CHECK(records[1].baselines[0].num_rounds == 4);
}

TEST_CASE("runs of one round each are inconclusive and say what would decide") {
  const CellChange change = only_change(record({1}), record({1.5}));
  CHECK(change.change == Change::inconclusive);
  CHECK_THAT(change.message, Contains("5 rounds of each or more"));
  store::Record old = record({});  // of before there were rounds: one process
  old.samples_s = {1, 1.01, 1, 0.99, 1, 1, 1, 1};
  CHECK(only_change(old, record({1.5, 1.5, 1.5, 1.5, 1.5})).change == Change::inconclusive);
}

TEST_CASE("runs are compared by their rounds") {
  const store::Record before = record({1, 1.01, 0.99, 1, 1});
  CHECK(only_change(before, record({1.01, 1, 1, 0.99, 1})).change == Change::same);
  CHECK(only_change(before, record({1.1, 1.11, 1.09, 1.1, 1.1})).change == Change::slower);
  CHECK(only_change(before, record({0.9, 0.91, 0.9, 0.9, 0.89})).change == Change::faster);
  const CellChange noisy = only_change(before, record({1, 1.1, 1.2, 0.9, 1}));
  CHECK(noisy.change == Change::inconclusive);
  CHECK_THAT(noisy.message, Contains("rounds of each would decide"));
}

TEST_CASE("probes that took longer in one run than in the other keep a verdict away") {
  store::Record before = record({1, 1.01, 0.99, 1, 1}), after = record({1.1, 1.11, 1.09, 1.1, 1.1});
  for (store::Round& round : before.rounds) round.probe_dot_s = 0.001;
  for (store::Round& round : after.rounds) round.probe_dot_s = 0.0012;
  const CellChange change = only_change(before, after);
  CHECK(change.change == Change::inconclusive);
  CHECK_THAT(change.message, Contains("probes of the machine took 20 % longer in the later run"));
  // One slow probe of five is no other machine.
  for (store::Round& round : after.rounds) round.probe_dot_s = 0.001;
  after.rounds.back().probe_dot_s = 0.002;
  CHECK(only_change(before, after).change == Change::slower);
}

TEST_CASE("disturbed rounds do not count where five others are left") {
  const store::Record before = record({1, 1.01, 0.99, 1, 1});
  store::Record after = record({1.4, 1, 1.4, 1.01, 0.99, 1, 1});
  CHECK(only_change(before, after).change == Change::inconclusive);
  for (store::Round& round : after.rounds) round.disturbed = round.seconds > 1.3;
  CHECK(only_change(before, after).change == Change::same);
  after.rounds[1].disturbed = true;
  CHECK(only_change(before, after).change == Change::inconclusive);
}

TEST_CASE("rounds for which cores lay apart do not count where five others are left") {
  store::Record before = record({1e-3, 1.01e-3, 0.99e-3, 1e-3, 1e-3}),
                after = record({1.4e-3, 1.4e-3, 1e-3, 1.01e-3, 0.99e-3, 1e-3, 1e-3});
  for (store::Record* run : {&before, &after}) {
    for (store::Round& round : run->rounds)
      round.probe_handover_s = round.seconds > 1.3e-3 ? 3.2e-7 : 5.5e-8;
  }
  CHECK(only_change(before, after).change == Change::same);
  // They always did in the later run, which could not tell.
  after.rounds.resize(2);
  for (store::Round& round : after.rounds) round.probe_handover_s = 3.2e-7;
  for (int i = 2; i < 6; ++i) after.rounds.push_back(after.rounds[static_cast<std::size_t>(i % 2)]);
  const CellChange change = only_change(before, after);
  CHECK(change.change == Change::inconclusive);
  CHECK_THAT(change.message, Contains("probes of the machine took"));
}

TEST_CASE("steps of a second do not feel that cores lay apart") {
  const store::Record before = record({1, 1.01, 0.99, 1, 1});
  store::Record after = record({1.4, 1.41, 1.39, 1.4, 1.4});
  for (store::Round& round : after.rounds) round.probe_handover_s = 3.2e-7;
  CHECK(only_change(before, after).change == Change::slower);
}

TEST_CASE("what the latency of memory explains is no change of the cell") {
  store::Record before = record({1, 1.02, 0.99, 1.01, 1, 1.03}),
                after = record({1.1, 1.13, 1.12, 1.1, 1.14, 1.11});
  CHECK(only_change(before, after).change == Change::slower);
  // Times are latencies of 100 ns to the power of 1/10 or so, in both runs.
  for (store::Record* run : {&before, &after}) {
    for (store::Round& round : run->rounds)
      round.probe_latency_s = 1e-7 * std::pow(round.seconds, 10 + round.number % 2);
  }
  const CellChange change = only_change(before, after);
  CHECK(change.change == Change::same);
  CHECK(change.ratio.ratio == Approx(1).margin(0.01));
  // Latencies that times did not follow explain nothing.
  for (std::size_t i = 0; i < after.rounds.size(); ++i) {
    before.rounds[i].probe_latency_s = after.rounds[i].probe_latency_s = i % 2 == 0 ? 1e-7 : 2e-7;
  }
  CHECK(only_change(before, after).change == Change::slower);
}

TEST_CASE("cells pair by their id, else by all fields, never by their label") {
  const store::Record before = record({1, 1, 1, 1, 1});
  store::Record after = before;
  after.cell_id = "of another engine";
  CHECK(compare_runs({before}, {after}).cells.size() == 1);
  after.label = "another label";
  CHECK(compare_runs({before}, {after}).cells.size() == 1);
  after.global_batch = 64;
  const RunComparison comparison = compare_runs({before}, {after});
  CHECK(comparison.cells.empty());
  CHECK(comparison.only_before == std::vector<std::string>{"cell"});
  after = before;
  after.cell_id = "other";
  after.independent["model"] = "n";
  CHECK(compare_runs({before}, {after}).cells.empty());
}
