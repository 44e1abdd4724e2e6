// SPDX-License-Identifier: Apache-2.0
/// Plan files with one to three numbers changed: each is refused, or runs to a verdict. Nothing
/// crashes, neither here nor in a worker. RHINO_MUTATIONS="FIRST COUNT" goes on elsewhere than at
/// seed 0, or for fewer than 3000.
#include <catch2/catch.hpp>
#include <cctype>
#include <cstdio>
#include <random>
#include <sstream>

#include "gpt_plans.hpp"
#include "measure/reference_run.hpp"
#include "plan/plan_file.hpp"
#include "planning/plan_fit.hpp"
#include "rhino/error.hpp"

namespace rhino {
namespace {

using Random = std::mt19937_64;

/// Where a number stands in a text.
struct Place {
  std::size_t begin = 0, size = 0;
};

std::vector<Place> numbers_of(const std::string& text) {
  std::vector<Place> places;
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') in_word = !in_word;
    if (in_word || (text[i] != '-' && std::isdigit(text[i]) == 0)) continue;
    const std::size_t end = text.find_first_not_of("-+.eE0123456789", i);
    places.push_back({i, end - i});
    i = end - 1;
  }
  return places;
}

template <class T>
const T& pick(const std::vector<T>& list, Random& random) {
  return list[random() % list.size()];
}

std::string other_number(const std::string& text, const std::vector<Place>& places,
                         const std::string& old, Random& random) {
  const std::vector<std::string> extremes = {"0",
                                             "-1",
                                             "1",
                                             "2147483647",
                                             "2147483648",
                                             "4611686018427387904",
                                             "9223372036854775807",
                                             "-9223372036854775807"};
  const long value = std::strtol(old.c_str(), nullptr, 10);
  switch (random() % 5) {
    case 0: return pick(extremes, random);
    case 1: return std::to_string(value + 1);
    case 2: return std::to_string(value - 1);
    case 3: return std::to_string(value / 2 + static_cast<long>(random() % 8));
  }
  const Place other = pick(places, random);
  return text.substr(other.begin, other.size);
}

/// Half of the changes are among the last numbers: roles and their lists.
std::string mutated(std::string text, Random& random) {
  for (std::uint64_t left = 1 + random() % 3; left > 0; --left) {
    const std::vector<Place> places = numbers_of(text);
    const std::size_t first = random() % 2 == 0 ? 0 : places.size() * 2 / 3;
    const Place place = places[first + random() % (places.size() - first)];
    const std::string old = text.substr(place.begin, place.size);
    text.replace(place.begin, place.size, other_number(text, places, old, random));
  }
  return text;
}

struct Base {
  config::CellSpec cell;
  plan::ExecutionPlan plan;
};

Base base_of(const Split& split) {
  Base base{small_gpt("adam"), plan_of(split, 2)};
  base.cell.micro_batches = {2};
  base.cell.search.id = "strategies/" + split.strategy;
  base.cell.schedule.id = split.schedule;
  base.plan.search = config::to_string(base.cell.search);
  base.plan.resharding = config::to_string(base.cell.resharding);
  base.plan.schedule = config::to_string(base.cell.schedule);
  base.plan.program = planning::program_text(base.cell, &model());
  return base;
}

/// What becomes of a plan file, as far as it is allowed to: "refused", "same", "ok", "wrong", or
/// the sentence with which a session ends.
std::string outcome_of(const Base& base, const std::string& text,
                       const std::vector<check::StepValues>& reference) {
  plan::ExecutionPlan plan;
  const Cluster cluster = base.plan.cluster;
  try {
    plan = plan::decode_plan(text, "plan");
    planning::check_fit(plan, base.cell, &model(), cluster);
  } catch (const Error&) {
    return "refused";
  }
  if (plan == base.plan) return "same";
  plan.cluster = cluster;
  const RunDir dir;
  const runtime::SessionOptions options = options_in(dir);
  try {
    const auto session = runtime::start_session(plan, options);
    session->run_steps(1, false);
    return measure::check_step(*session, {model().step, DType::f32, options.seed, 1}, reference[0])
                   .ok
               ? "ok"
               : "wrong";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST_CASE("whatever numbers of a plan file change, it is refused or runs") {
  std::uint64_t first = 0, count = 3000;
  if (const char* range = std::getenv("RHINO_MUTATIONS"))
    std::istringstream(range) >> first >> count;
  const std::vector<Base> bases = {base_of(kData), base_of(kTensor), base_of(kStage),
                                   base_of(kBothWays)};
  std::vector<check::StepValues> reference;
  {
    const RunDir dir;
    reference = measure::reference_values(model().step, options_in(dir));
  }
  std::map<std::string, int> outcomes;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Base& base = bases[seed % bases.size()];
    const std::string outcome =
        outcome_of(base, mutated(plan::encode(base.plan), random), reference);
    ++outcomes[outcome];
    const bool allowed =
        outcome == "refused" || outcome == "same" || outcome == "ok" || outcome == "wrong";
    INFO(outcome);
    CHECK(allowed);
    if ((seed + 1) % 100 != 0) continue;
    std::printf("up to seed %llu:", static_cast<unsigned long long>(seed));
    for (const auto& [what, times] : outcomes) std::printf(" %d %s", times, what.c_str());
    std::printf("\n");
    std::fflush(stdout);
  }
  CHECK(outcomes["refused"] > 0);
  CHECK(outcomes["wrong"] + outcomes["ok"] > 0);
}

}  // namespace
}  // namespace rhino
