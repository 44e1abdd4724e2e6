// SPDX-License-Identifier: Apache-2.0
#include "measure/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace rhino::measure {
namespace {

/// Of the errors that a verdict may make: calling equal times different, or different ones equal.
constexpr double kChangeError = 0.01, kSameError = 0.05;
const double kEdge = std::log1p(kTolerance);

struct Evidence {
  Estimate log_ratio;
  std::int64_t num_rounds = 0;
  double sign_flip_p = 0;
  double noise_floor = 0;
};

std::string verdict_of(const Evidence& evidence, double share) {
  if (evidence.num_rounds < kLeastRounds) return "inconclusive";
  const double distance = std::abs(evidence.log_ratio.mean);
  const auto width = [&](double error) {
    return half_width(evidence.log_ratio, error * share) + evidence.noise_floor;
  };
  if (distance + width(kSameError) <= kEdge) return "same";
  // All signs alike are the most that few rounds can show.
  const double sharpest = std::exp2(1 - static_cast<double>(evidence.num_rounds));
  const bool differs = distance > kEdge && distance > width(kChangeError) &&
                       evidence.sign_flip_p <= std::max(kChangeError * share, sharpest);
  if (!differs) return "inconclusive";
  return evidence.log_ratio.mean > 0 ? "faster" : "slower";
}

/// Rounds that would decide, were the mean and the spread to stay as they are; 0: none would.
std::int64_t rounds_needed(Evidence evidence) {
  if (evidence.log_ratio.dof == 0 || evidence.num_rounds < 2) return kLeastRounds;
  constexpr std::int64_t kMost = 1000;
  const std::int64_t num_rounds = evidence.num_rounds;
  const double spread =
      evidence.log_ratio.standard_error * std::sqrt(static_cast<double>(num_rounds));
  const std::int64_t dof_per_round = evidence.log_ratio.dof / (evidence.num_rounds - 1);
  evidence.sign_flip_p = 0;
  const auto decide = [&](std::int64_t n) {
    evidence.num_rounds = n;
    evidence.log_ratio.standard_error = spread / std::sqrt(static_cast<double>(n));
    evidence.log_ratio.dof = dof_per_round * (n - 1);
    return verdict_of(evidence, 1) != "inconclusive";
  };
  if (!decide(kMost)) return 0;
  std::int64_t too_few = std::max(kLeastRounds - 1, num_rounds), enough = kMost;
  while (enough - too_few > 1) {
    const std::int64_t middle = (too_few + enough) / 2;
    (decide(middle) ? enough : too_few) = middle;
  }
  return enough;
}

store::BaselineRatio ratio_of(const Evidence& evidence) {
  store::BaselineRatio ratio{.ratio = std::exp(evidence.log_ratio.mean),
                             .verdict = "inconclusive",
                             .num_rounds = evidence.num_rounds};
  if (evidence.log_ratio.dof == 0) return ratio;
  const double width = half_width(evidence.log_ratio, kSameError) + evidence.noise_floor;
  ratio.ci95_low = std::exp(evidence.log_ratio.mean - width);
  ratio.ci95_high = std::exp(evidence.log_ratio.mean + width);
  return ratio;
}

Evidence evidence_of(const std::vector<double>& log_ratios, double noise_floor) {
  return {estimate(log_ratios), std::ssize(log_ratios), sign_flip_p(log_ratios), noise_floor};
}

/// What is measured and compared in one case under one number.
bool same_subject(const store::Record& a, const store::Record& b) {
  return a.case_index == b.case_index && a.communication.bytes == b.communication.bytes;
}

/// Its time in a round of that number; 0: there is none. A simulated one is the same in every
/// round.
double seconds_in(std::int64_t number, const store::Record& record) {
  if (store::is_simulated(record)) return record.samples_s.front();
  for (const store::Round& round : record.rounds) {
    if (round.number == number) return round.seconds;
  }
  return 0;
}

std::vector<double> log_ratios(const store::Record& baseline, const store::Record& cell) {
  std::vector<double> ratios;
  for (const store::Round& round : store::is_simulated(cell) ? baseline.rounds : cell.rounds) {
    const double before = seconds_in(round.number, baseline), now = seconds_in(round.number, cell);
    if (before > 0 && now > 0) ratios.push_back(std::log(before / now));
  }
  return ratios;
}

store::BaselineRatio compare(const store::Record& baseline, const store::Record& cell,
                             const Looks& looks) {
  if (!store::is_timed(baseline) || !store::is_timed(cell)) return {.verdict = "none"};
  if (store::is_simulated(baseline) && store::is_simulated(cell))
    return judge_exact(baseline.samples_s.front(), cell.samples_s.front());
  const std::vector<double> ratios = log_ratios(baseline, cell);
  if (ratios.empty()) return {.verdict = "none"};
  return judge_pairs(ratios, cell.summary.noise_floor, looks);
}

double noise_floor(const store::Record& record) {
  double sum = 0;
  std::size_t count = 0;
  for (const store::Round& twin : record.twin_rounds) {
    for (const store::Round& round : record.rounds) {
      if (round.number != twin.number) continue;
      sum += std::log(twin.seconds / round.seconds);
      ++count;
    }
  }
  return count == 0 ? 0 : std::abs(sum) / static_cast<double>(count);
}

void set_noise_floors(std::vector<store::Record>& records) {
  std::map<std::int32_t, double> floors;
  for (const store::Record& record : records) {
    if (!record.twin_rounds.empty()) floors[record.case_index] = noise_floor(record);
  }
  for (store::Record& record : records) {
    const auto found = floors.find(record.case_index);
    if (found != floors.end() && !record.rounds.empty()) record.summary.noise_floor = found->second;
  }
}

}  // namespace

double error_share(std::int64_t n, const Looks& looks) {
  const auto spent = [&](std::int64_t rounds) {
    const double part = static_cast<double>(rounds) / static_cast<double>(looks.most);
    return std::log1p((std::exp(1.0) - 1) * part);
  };
  return spent(n) - (n > looks.first ? spent(n - 1) : 0);
}

store::BaselineRatio judge_pairs(const std::vector<double>& log_ratios, double noise_floor,
                                 const Looks& looks) {
  const Evidence all = evidence_of(log_ratios, noise_floor);
  store::BaselineRatio ratio = ratio_of(all);
  const auto last = std::min(std::ssize(log_ratios), looks.most);
  for (std::int64_t n = std::max(looks.first, kLeastRounds); n <= last; ++n) {
    const std::string verdict =
        verdict_of(evidence_of({log_ratios.begin(), log_ratios.begin() + n}, noise_floor),
                   error_share(n, {std::max(looks.first, kLeastRounds), looks.most}));
    if (verdict != "inconclusive") ratio.verdict = verdict;
  }
  if (ratio.verdict == "inconclusive") ratio.rounds_needed = rounds_needed(all);
  return ratio;
}

store::BaselineRatio judge_samples(const Observations& before, const Observations& after,
                                   double noise_floor) {
  const double slope = common_slope(before, after);
  const auto without = [&](const Observations& one, std::size_t i) {
    return one.values[i] - (slope == 0 ? 0 : slope * one.covariate[i]);
  };
  std::vector<double> pairs;
  for (std::size_t i = 0; i < std::min(before.values.size(), after.values.size()); ++i)
    pairs.push_back(without(before, i) - without(after, i));
  const Evidence evidence{estimate_difference(before, after), std::ssize(pairs), sign_flip_p(pairs),
                          noise_floor};
  store::BaselineRatio ratio = ratio_of(evidence);
  ratio.verdict = verdict_of(evidence, 1);
  if (ratio.verdict == "inconclusive") ratio.rounds_needed = rounds_needed(evidence);
  return ratio;
}

store::BaselineRatio judge_exact(double before_s, double after_s) {
  const double ratio = before_s == after_s ? 1 : before_s / after_s;
  const double distance = std::log(ratio);
  const char* verdict = std::abs(distance) <= kEdge ? "same" : distance > 0 ? "faster" : "slower";
  return {.ratio = ratio, .ci95_low = ratio, .ci95_high = ratio, .verdict = verdict};
}

void compare_with_baselines(std::vector<store::Record>& records, const Looks& looks) {
  set_noise_floors(records);
  for (store::Record& record : records) {
    record.baselines.clear();
    for (const store::Record& other : records) {
      if (!same_subject(other, record) || other.cell_id == record.cell_id) continue;
      store::BaselineRatio ratio = compare(other, record, looks);
      for (const std::string& name : other.baseline_of) {
        ratio.name = name;
        record.baselines.push_back(ratio);
      }
    }
  }
}

}  // namespace rhino::measure
