// SPDX-License-Identifier: Apache-2.0
#include "estimate_quality.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

std::vector<std::string> classes_of(const Drawn& drawn, const Cluster& cluster) {
  const StrategyDraft& draft = drawn.draft;
  return {"ZeRO " + std::to_string(draft.zero_stage),
          std::to_string(std::ranges::max(evaluate::mesh_numbers(draft.chunks)) + 1) + " stages",
          cluster.software.kernel_issue_s > 0 ? "hosts issue kernels" : "kernels issue themselves",
          draft.gradient_sums.overlap ? "reductions overlap" : "reductions do not overlap",
          cluster.hosts.size() > 1 ? "several hosts" : "one host"};
}

}  // namespace

std::int64_t number(const char* name, std::int64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::atoll(text);
}

std::optional<Pair> pair_of(const Drawn& drawn, const evaluate::PlanContext& context) {
  evaluate::PlanEvaluator evaluator(context, 0);
  Strategy strategy;
  try {
    strategy = evaluator.complete(drawn.draft);
  } catch (const Error&) {
    return std::nullopt;
  }
  const Evaluation evaluation = evaluator.evaluate(strategy);
  INFO(drawn.text << ": " << evaluation.reason);
  REQUIRE(evaluation.feasible);
  return Pair{evaluator.estimate(strategy), evaluation, drawn.text,
              classes_of(drawn, context.cost.cluster())};
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

void Quality::add(std::uint64_t seed, const Pair& pair) {
  CAPTURE(seed, pair.text);
  CHECK(pair.bound() <= 1 + 1e-9);
  bounds.push_back(pair.bound());
  errors.push_back(std::abs(pair.ratio() - 1));
  peaks.push_back(std::abs(pair.peak() - 1));
  for (const std::string& name : pair.classes) classes[name].push_back(pair);
  if (std::getenv("RHINO_VERBOSE") != nullptr)
    std::printf("seed %3d step %.3g estimate %.3f bound %.3f peak %.3f %s\n",
                static_cast<int>(seed), pair.evaluation.step_s, pair.ratio(), pair.bound(),
                pair.peak(), pair.text.c_str());
}

void Quality::print(const char* what) const {
  const auto within = std::ranges::count_if(errors, [](double error) { return error <= 0.1; });
  std::printf(
      "%zu %s: bound / step at most %.3f, median %.3f; estimate off by %.3f (median), %.3f (90 "
      "%%), %.3f (worst), within 10 %%: %.1f %%; peak off by %.3f (median), %.3f (90 %%), %.3f "
      "(worst)\n",
      errors.size(), what, quantile(bounds, 1), quantile(bounds, 0.5), quantile(errors, 0.5),
      quantile(errors, 0.9), quantile(errors, 1),
      100 * static_cast<double>(within) / static_cast<double>(errors.size()), quantile(peaks, 0.5),
      quantile(peaks, 0.9), quantile(peaks, 1));
  std::printf("  %-26s %4s  %-18s  %-18s  %-18s\n", "least, median, most of", "", "bound / step",
              "estimate / step", "estimated memory");
  for (const auto& [name, pairs] : classes) {
    std::printf("  %-26s %4zu", name.c_str(), pairs.size());
    for (double (Pair::*const member)() const : {&Pair::bound, &Pair::ratio, &Pair::peak}) {
      std::vector<double> values;
      for (const Pair& pair : pairs) values.push_back((pair.*member)());
      std::printf("  %.3f %.3f %.3f ", quantile(values, 0), quantile(values, 0.5),
                  quantile(values, 1));
    }
    std::printf("\n");
  }
}

Quality quality_of(std::optional<Pair> (*draw)(std::uint64_t), const char* what, int wanted) {
  const auto first = static_cast<std::uint64_t>(number("RHINO_SEED", 1));
  const auto count = at(number("RHINO_STRATEGIES", wanted));
  Quality quality;
  for (std::uint64_t seed = first; quality.errors.size() < count; ++seed) {
    if (const std::optional<Pair> pair = draw(seed)) quality.add(seed, *pair);
  }
  quality.print(what);
  return quality;
}

void check_spread(const Quality& quality, double bound) {
  if (quality.errors.size() < 500) return;
  CHECK(quantile(quality.bounds, 0.5) >= bound);
  CHECK(quantile(quality.errors, 0.9) <= 0.10);
  CHECK(quantile(quality.errors, 1) <= 0.25);
}

}  // namespace rhino::test
