// SPDX-License-Identifier: Apache-2.0
// Holds both levels of search/rhino to steps that they once found, of what search_race races:
// search_steps PLUGINS FILE. A race tells nothing of all who run in it becoming slower together.
// Exit 1: some step is longer than that of the file by more than kSame. With seeds behind FILE the
// file is written anew: for each without a limit of memory, and with two parts of what that takes.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "races.hpp"
#include "searching.hpp"

using namespace rhino;
using test::Answer;

namespace {

constexpr double kSame = 0.002, kNoLimit = 1e12;

/// 0: nothing that fits was found.
double step_of(test::Toy& toy, std::int64_t level, double memory_bytes) {
  return toy.run("search/rhino", {{"level", level}}, memory_bytes).step_s;
}

void write(const plugin::Registry& registry, const char* path, char** seeds, int count) {
  std::ofstream file(path);
  file << "seed,memory_bytes,level_2_s,level_3_s\n";
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = std::strtoull(seeds[i], nullptr, 10);
    const test::Race race = test::race(seed);
    test::Toy toy(registry, race.step, race.cluster);
    const Answer free = toy.run("search/rhino", {{"level", std::int64_t{3}}}, kNoLimit);
    for (const double memory_bytes :
         {kNoLimit, std::floor(0.95 * free.peak_bytes), std::floor(0.85 * free.peak_bytes)}) {
      const double two_s = step_of(toy, 2, memory_bytes),
                   three_s = memory_bytes == kNoLimit ? free.step_s : step_of(toy, 3, memory_bytes);
      file << fmt::format("{},{:.0f},{:.6g},{:.6g}", seed, memory_bytes, two_s, three_s)
           << std::endl;
    }
  }
}

/// Whether it is no longer; tells what is otherwise.
bool is_kept(std::uint64_t seed, std::int64_t level, double memory_bytes, double known_s,
             double found_s) {
  const auto or_endless = [](double step_s) {
    return step_s > 0 ? step_s : std::numeric_limits<double>::infinity();
  };
  const bool is_longer = or_endless(found_s) > or_endless(known_s) * (1 + kSame),
             is_shorter = or_endless(found_s) < or_endless(known_s) * (1 - kSame);
  if (is_longer || is_shorter)
    fmt::print("{} at {:.3g} bytes, level {}: {:.6g} s, once {:.6g}: {}\n", seed, memory_bytes,
               level, found_s, known_s, is_longer ? "LONGER" : "shorter");
  std::fflush(stdout);
  return !is_longer;
}

int check(const plugin::Registry& registry, const char* path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) {
    fmt::print(stderr, "{} cannot be read\n", path);
    return 2;
  }
  int num_rows = 0, num_longer = 0;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::uint64_t seed = 0;
    double memory_bytes = 0, two_s = 0, three_s = 0;
    char comma = 0;
    if (!(fields >> seed >> comma >> memory_bytes >> comma >> two_s >> comma >> three_s)) {
      fmt::print(stderr, "{}: '{}' is no row\n", path, line);
      return 2;
    }
    const test::Race race = test::race(seed);
    test::Toy toy(registry, race.step, race.cluster);
    for (const auto& [level, known_s] : {std::pair<std::int64_t, double>{2, two_s}, {3, three_s}}) {
      const double found_s = step_of(toy, level, memory_bytes);
      num_longer += is_kept(seed, level, memory_bytes, known_s, found_s) ? 0 : 1;
      ++num_rows;
    }
  }
  fmt::print("{} steps, {} longer\n", num_rows, num_longer);
  return num_rows > 0 && num_longer == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const plugin::Registry registry({argv[1]});
  if (argc == 3) return check(registry, argv[2]);
  write(registry, argv[2], argv + 3, argc - 3);
  return 0;
}
