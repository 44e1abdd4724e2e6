// SPDX-License-Identifier: Apache-2.0
// The nine many-to-many cases of AlpaComm (section 5) in its model of network interfaces, full
// size, 10 Gbit/s per host: what each order of the unit tasks takes, worked out by hand.
#include <catch2/catch.hpp>

#include "common/arrangement.hpp"
#include "common/crossings.hpp"
#include "reshard_cases.hpp"

using namespace rhino;
using namespace rhino::common;

namespace {

constexpr double kBytesPerS = 1.25e9;

struct PaperCase {
  std::size_t num_tasks, num_candidates, num_candidate_hosts, num_receivers, num_receiver_hosts;
  double bound_s, naive_s, balanced_s, best_s;
  double naive_gbit_per_s, balanced_gbit_per_s, best_gbit_per_s;
};

/// In the order of many_to_many_cases().
const std::vector<PaperCase> kTable = {
    {2, 4, 1, 4, 1, .86, .86, .86, .86, 20, 20, 20},
    {2, 8, 2, 4, 1, .86, 1.72, .86, .86, 10, 20, 20},
    {4, 4, 1, 4, 1, .86, 1.29, 1.29, .86, 13.3, 13.3, 20},
    {64, 1, 1, 1, 1, .86, 1.61, 1.61, .86, 10.7, 10.7, 20},
    {4, 2, 2, 4, 1, .86, 1.72, 1.29, .86, 10, 13.3, 20},
    {4, 4, 1, 4, 1, .86, 1.71, 1.71, .86, 10, 10, 20},
    {4, 1, 1, 8, 2, 1.72, 1.72, 1.72, 1.72, 10, 10, 10},
    {4, 1, 1, 8, 2, 1.72, 1.72, 1.72, 1.72, 10, 10, 10},
    {4, 4, 1, 4, 1, .86, 1.29, 1.29, .86, 13.3, 13.3, 20},
};

double seconds(const std::vector<HostTask>& tasks, Order order) {
  return static_cast<double>(makespan(tasks, arrange(tasks, {.order = order}))) / kBytesPerS;
}

void check(double measured_s, double expected_s, double bytes, double expected_gbit_per_s) {
  CHECK(measured_s == Approx(expected_s).margin(.006));
  CHECK(bytes * 8e-9 / measured_s == Approx(expected_gbit_per_s).margin(.06));
}

}  // namespace

TEST_CASE("the cases of the paper take what its model says, order by order") {
  const std::vector<NamedProblem> cases = many_to_many_cases();
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    INFO(cases[i].name);
    const PaperCase& row = kTable[i];
    const Crossings all = crossings(cases[i].problem);
    const auto bytes = static_cast<double>(num_bytes(cases[i].problem.tensors[0].shape));
    REQUIRE(all.tasks.size() == row.num_tasks);
    CHECK(all.in_place.empty());
    CHECK(all.on_host.empty());
    for (std::size_t t = 0; t < all.tasks.size(); ++t) {
      CHECK(all.across[t].senders.size() == row.num_candidates);
      CHECK(all.tasks[t].senders.size() == row.num_candidate_hosts);
      CHECK(all.across[t].receivers.size() == row.num_receivers);
      CHECK(all.tasks[t].receivers.size() == row.num_receiver_hosts);
    }
    CHECK(static_cast<double>(makespan_bound(all.tasks)) / kBytesPerS ==
          Approx(row.bound_s).margin(.006));
    check(seconds(all.tasks, Order::naive), row.naive_s, bytes, row.naive_gbit_per_s);
    check(seconds(all.tasks, Order::load_balance), row.balanced_s, bytes, row.balanced_gbit_per_s);
    check(seconds(all.tasks, Order::ensemble), row.best_s, bytes, row.best_gbit_per_s);
  }
}

TEST_CASE("slices of the paper's cases have the sizes of its table") {
  const std::vector<NamedProblem> cases = many_to_many_cases();
  const auto gigabytes = [&](std::size_t i, std::size_t task) {
    return static_cast<double>(crossings(cases[i].problem).tasks[task].bytes) * 1e-9;
  };
  CHECK(gigabytes(0, 0) == Approx(1.074).margin(.001));
  CHECK(gigabytes(2, 0) == Approx(.537).margin(.001));
  CHECK(gigabytes(3, 63) == Approx(.0336).margin(.0001));
  CHECK(gigabytes(5, 0) == Approx(.713).margin(.001));
  CHECK(gigabytes(5, 1) == Approx(.356).margin(.001));
}

TEST_CASE("whole slices cannot reach the bound from two hosts to three") {
  const std::vector<HostTask> tasks = crossings(many_to_many_cases().back().problem).tasks;
  REQUIRE(tasks.size() == 3);
  CHECK(2 * makespan_bound(tasks) == 3 * tasks[0].bytes);
  CHECK(makespan(tasks, arrange(tasks, {})) == 2 * tasks[0].bytes);
}
