// SPDX-License-Identifier: Apache-2.0
// Races search/rhino against search/exhaustive, which looks at everything, and against search/grid,
// data parallelism and strategies drawn by chance, whose answers it does not see, on random DAGs
// and small GPTs: search_race PLUGINS COUNT [SEED [MOST LOST]]. The best strategy sets the memory
// of a second round, in which memory binds, and the best of that of a third one. A round is lost
// where in some configuration the solver of level 3 does not find what an enumeration proves to be
// the cheapest by tables; where level 3 takes more than 3 %, or level 2 more than 5 % longer than
// the best of all that any of them simulated, or either longer than grid; or where a strategy
// computes something else than one device. Where an enumeration takes too much work, or those of a
// round have taken too much time, configurations are told apart, as given up. Exit 1: more rounds
// are lost than may be.
#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "common/choice/enumeration.hpp"
#include "common/choice/limited.hpp"
#include "common/cut_choice.hpp"
#include "races.hpp"
#include "rivals.hpp"

using namespace rhino;
using test::Answer;
using test::Race;

namespace {

constexpr double kTablesSame = 1e-6;  ///< relative: costs are sums in another order
constexpr double kMostTablesS = 60;   ///< CPU seconds of the enumerations of one round

std::string text(const Answer& answer, const Answer& best) {
  if (!answer.ok()) return fmt::format("{:>8} {:5.1f}", "-", answer.cpu_s);
  return fmt::format("{:8.4f} {:5.1f}", answer.step_s / best.step_s, answer.cpu_s);
}

/// Answers to one question.
struct Answers {
  Answer all, three, two, grid, rival;

  Answer best() const {
    Answer best;
    for (const Answer* answer : {&all, &three, &two, &grid, &rival}) {
      if (answer->ok() && (!best.ok() || answer->step_s < best.step_s)) best = *answer;
    }
    return best;
  }
};

Answers ask(test::Toy& toy, double memory_bytes, std::uint64_t seed) {
  constexpr int kDrawn = 60;
  return {toy.run("search/exhaustive", {{"most_axes", std::int64_t{2}}}, memory_bytes),
          toy.run("search/rhino", {}, memory_bytes),
          toy.run("search/rhino", {{"level", std::int64_t{2}}}, memory_bytes),
          toy.run("search/grid", {}, memory_bytes),
          test::quickest_rival(toy, memory_bytes, seed, kDrawn)};
}

std::string faults(const test::Toy& toy, const Answers& answers) {
  std::string faults;
  const auto compare = [&](const Answer& mine, const Answer& other, double most,
                           const std::string& text) {
    if (!other.ok() || (mine.ok() && mine.step_s <= most * other.step_s)) return;
    faults += fmt::format(" {} ({}{});", text, other.strategy.name,
                          mine.ok() ? "" : ", for: " + mine.reason);
  };
  const Answer best = answers.best();
  compare(answers.three, best, 1.03, "level 3 loses");
  compare(answers.two, best, 1.05, "level 2 loses");
  compare(answers.three, answers.grid, 1 + 1e-9, "level 3 loses to grid");
  compare(answers.two, answers.grid, 1 + 1e-9, "level 2 loses to grid");
  // Of what it covers itself: rhino all that grid does, grid no more than its own.
  const auto check_bound = [&](const Answer& told, const Answer& found) {
    if (found.ok() && found.step_s < told.bound_s * (1 - 1e-9))
      faults +=
          fmt::format(" a bound of {:.4g} is above a step of {:.4g};", told.bound_s, found.step_s);
  };
  for (const Answer* found : {&answers.three, &answers.two, &answers.grid}) {
    check_bound(answers.three, *found);
    check_bound(answers.two, *found);
  }
  check_bound(answers.grid, answers.grid);
  const double error = answers.three.ok() ? toy.error_of(answers.three.strategy) : 0;
  if (error > 1e-9) faults += fmt::format(" numerics are off by {};", error);
  return faults;
}

/// Configurations of two axes at the most: what the solver finds by tables, and what there is.
struct TableRace {
  int num_all = 0;
  int num_given_up = 0;  ///< too much work for an enumeration, or the time of the round was over
  int num_off = 0;
  double most_lost = 0;  ///< relative
  std::string worst;
};

void race_tables(const SearchProblem& problem, Strategies& strategies,
                 const common::Configuration& configuration, bool is_over, TableRace& race) {
  common::Uncut uncut(problem, strategies, false);
  const common::CutChoice choice(problem, strategies, uncut.of(configuration), configuration,
                                 {.tied = false});
  const double most_bytes = choice.bytes(problem.memory_limit_bytes);
  ++race.num_all;
  std::vector<common::choice::Labels> best;
  if (is_over ||
      !common::choice::Enumeration(choice.graph(), {.num_best = 1, .most_bytes = most_bytes})
           .run(best)) {
    ++race.num_given_up;
    return;
  }
  common::choice::KnownSolutions solutions;
  const double found = common::choice::Limited(choice.graph(), common::choice::kExact, solutions)
                           .run(most_bytes, 1000)
                           .cost;
  const double least = best.empty() ? common::choice::kForbidden
                                    : common::choice::cost(choice.graph(), best.front());
  const double lost = found / least - 1;
  if (std::abs(lost) > kTablesSame) ++race.num_off;
  if (std::abs(lost) > std::abs(race.most_lost))
    race.most_lost = lost, race.worst = configuration.name();
}

/// In so many CPU seconds; the configuration at hand is looked at to its end.
TableRace race_tables(test::Toy& toy, double memory_bytes, double most_cpu_s) {
  TableRace race;
  const std::clock_t begin = std::clock();
  toy.ask(memory_bytes, [&](const SearchProblem& problem, Strategies& strategies) {
    for (const common::Configuration& configuration : common::configurations(problem, 2)) {
      const double cpu_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      try {
        race_tables(problem, strategies, configuration, cpu_s > most_cpu_s, race);
      } catch (const Error&) {
        continue;  // the batch does not divide, or there are too few ops
      }
    }
  });
  return race;
}

/// How far the levels are from the best, of rounds on so many devices.
struct Losses {
  std::vector<double> three, two;  ///< relative
  int num_lost = 0;
  int num_open = 0;  ///< rounds of which not all configurations could be enumerated
  int num_tables = 0, num_enumerated = 0, num_off = 0;  ///< configurations

  void add(const Answers& answers, const TableRace& tables, bool is_lost) {
    const Answer best = answers.best();
    num_open += tables.num_given_up > 0 ? 1 : 0;
    num_tables += tables.num_all;
    num_enumerated += tables.num_all - tables.num_given_up;
    num_off += tables.num_off;
    if (answers.three.ok()) three.push_back(answers.three.step_s / best.step_s - 1);
    if (answers.two.ok()) two.push_back(answers.two.step_s / best.step_s - 1);
    num_lost += is_lost ? 1 : 0;
  }

  static std::string text(std::vector<double> losses) {
    if (losses.empty()) return "-";
    std::ranges::sort(losses);
    return fmt::format("median {:.2f} %, 9 in 10 {:.2f} %, worst {:.2f} %",
                       100 * losses[losses.size() / 2], 100 * losses[losses.size() * 9 / 10],
                       100 * losses.back());
  }
};

/// Without a limit of memory, with 70 % of what the best one needs, and with 85 % of what the best
/// of these needs.
void run(const plugin::Registry& registry, std::uint64_t seed,
         std::map<std::int64_t, Losses>& losses) {
  const Race race = test::race(seed);
  test::Toy toy(registry, race.step, race.cluster);
  double memory_bytes = 1e12;
  for (int round = 0; round < 3; ++round) {
    const Answers answers = ask(toy, memory_bytes, seed);
    const Answer best = answers.best();
    std::string lost = faults(toy, answers);
    const TableRace tables = race_tables(toy, memory_bytes, kMostTablesS);
    if (tables.num_off > 0)
      lost += fmt::format(" {}: {:+.2g} % by tables;", tables.worst, 100 * tables.most_lost);
    fmt::print("{:4} {} {} {} {} {}  {:3} of {:3}  {}{}{}\n", seed, text(answers.all, best),
               text(answers.three, best), text(answers.two, best), text(answers.grid, best),
               text(answers.rival, best), tables.num_all - tables.num_given_up, tables.num_all,
               race.name, round > 0 ? fmt::format(", {:.0f} KB", memory_bytes / 1e3) : "", lost);
    std::fflush(stdout);
    losses[race.cluster.num_devices()].add(answers, tables, !lost.empty());
    if (!best.ok()) break;
    memory_bytes = (round == 0 ? 0.7 : 0.85) * best.peak_bytes;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const plugin::Registry registry({argv[1]});
  const std::uint64_t first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  fmt::print(
      "step as a multiple of the best, CPU seconds: exhaustive, rhino 3, rhino 2, grid, drawn\n");
  std::map<std::int64_t, Losses> losses;
  for (int i = 0; i < std::atoi(argv[2]); ++i) run(registry, first + at(i), losses);
  int num_lost = 0;
  for (const auto& [num_devices, each] : losses) {
    fmt::print("{} devices: {} rounds, {} lost; behind the best, level 3 {}; level 2 {}\n",
               num_devices, each.three.size(), each.num_lost, Losses::text(each.three),
               Losses::text(each.two));
    fmt::print(
        "  tables of {} configurations, {} enumerated, level 3 not the cheapest in {}; "
        "{} rounds in which an enumeration gave up\n",
        each.num_tables, each.num_enumerated, each.num_off, each.num_open);
    num_lost += each.num_lost;
  }
  fmt::print("{} lost\n", num_lost);
  return num_lost > (argc > 4 ? std::atoi(argv[4]) : 0) ? 1 : 0;
}
