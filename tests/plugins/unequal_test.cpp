// SPDX-License-Identifier: Apache-2.0
// Stages of unlike meshes, and the bound that search/rhino tells of them.
#include <catch2/catch.hpp>

#include "common/configurations.hpp"
#include "layers.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

/// A dot that takes twice as long as another one behind it; no dim divides by 3.
Program heavy_and_light() {
  Layers net("heavy and light", 64);
  return net.step(net.dot(net.dot(net.input("x", {128}), 40), 40));
}

constexpr std::int64_t kRows = 64, kWide = 512, kColumns = 40;

/// Nearly all of its work is in dots of kColumns columns, and no dim divides by 3.
Program wide_and_narrow() {
  Layers net("wide and narrow", kRows);
  return net.step(net.dot(net.dot(net.input("x", {kWide}), kColumns), 8));
}

/// As calibration finds caches: dots of half the columns work at four times the rate.
cost::Calibration quick_when_small(const Cluster& cluster,
                                   const std::vector<std::int64_t>& micro_batch_counts) {
  const DeviceModel& device = cluster.models.front();
  cost::Calibration calibration{.memory_bytes_per_s = device.memory_bytes_per_s,
                                .kernel_latency_s = device.kernel_latency_s};
  const auto add = [&](std::int64_t m, std::int64_t n, std::int64_t k, double rate) {
    const double flops = 2 * static_cast<double>(m) * static_cast<double>(n * k);
    calibration.dots.push_back({1, m, n, k, flops / (rate * device.peak_flops.at(DType::f32))});
  };
  for (const std::int64_t count : micro_batch_counts) {
    const std::int64_t rows = kRows / count;
    for (const std::int64_t parts : {1, 2}) {
      const std::int64_t columns = kColumns / parts;
      const double rate = parts == 1 ? 0.25 : 1;
      add(rows, columns, kWide, rate), add(columns, kWide, rows, rate);
      add(kWide, columns, rows, rate);
    }
  }
  return calibration;
}

}  // namespace

// Of three devices one cannot have an equal part of anything: with equal meshes the heavy dot and
// its gradient stay on one of them. A step cannot take less than a third of one device's.
TEST_CASE("stages get the devices that their work asks for") {
  const Program step = heavy_and_light();
  const Cluster cluster = slow_cluster(3, false), one_device = slow_cluster(1, false);
  Toy toy(plugins(), step, cluster), alone(plugins(), step, one_device);
  const double peak_flops = cluster.models.front().peak_flops.at(DType::f32);
  const double heavy_s = 2 * (2.0 * 64 * 128 * 40) / peak_flops;
  const Answer equal = toy.run("search/rhino", {{"unequal", false}}, 1e12),
               found = toy.run("search/rhino", {}, 1e12), one = alone.run("search/rhino", {}, 1e12);
  CAPTURE(equal.strategy.name, equal.step_s, found.strategy.name, found.step_s, heavy_s, one.step_s,
          found.reason);
  REQUIRE(equal.ok());
  REQUIRE(found.ok());
  CHECK(equal.step_s >= heavy_s);
  CHECK(found.step_s < 0.8 * heavy_s);
  CHECK(found.step_s >= one.step_s / 3);
  CHECK(found.strategy.chunks.front().mesh.devices.size() == 2);
  CHECK(found.bound_s <= found.step_s);
  CHECK(toy.error_of(found.strategy) < 1e-9);
  const Answer of_two = toy.run("search/rhino", {{"stages", std::int64_t{2}}}, 1e12);
  CHECK(of_two.step_s == found.step_s);
}

TEST_CASE("no step of unlike meshes is below the bound where small dots are the quicker ones") {
  const Program step = wide_and_narrow();
  const Cluster cluster = slow_cluster(3, false);
  const std::vector<std::int64_t> counts{1, 2};
  const cost::Calibration calibration = quick_when_small(cluster, counts);
  Toy toy(plugins(), step, cluster, &calibration);
  toy.micro_batch_counts = counts;
  const Answer found = toy.run("search/rhino", {}, 1e12),
               equal = toy.run("search/rhino", {{"unequal", false}}, 1e12);
  INFO(found.strategy.name << ": " << found.step_s << " s, bound " << found.bound_s << " s"
                           << found.reason);
  REQUIRE(found.ok());
  REQUIRE(equal.ok());
  CHECK(found.step_s < equal.bound_s);  // so that the meshes are unlike, and their bound another
  CHECK(found.bound_s > 0.2 * found.step_s);
  CHECK(found.bound_s <= found.step_s);
}

TEST_CASE("what meshes of unlike devices take at least is no more than on the quickest of them") {
  Layers net("light and heavy", 64);
  const Program step = net.step(net.dot(net.dot(net.dot(net.input("x", {8}), 64), 128), 64));
  Cluster cluster = slow_cluster(3, false), quick = slow_cluster(1, false);
  cluster.models.front().memory_bytes_per_s = 1e15;
  cluster.models.front().kernel_latency_s = 0;
  quick.models = {cluster.models.front()};
  quick.models.front().peak_flops[DType::f32] *= 6;
  cluster.models.push_back(quick.models.front());
  cluster.model_of = {0, 1, 1};
  Toy toy(plugins(), step, cluster), alone(plugins(), step, quick);
  const auto least_s = [](Toy& toy, const common::Configuration& one) {
    double seconds = 0;
    toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
      seconds = common::LeastSteps(problem.cluster, strategies, true).of(one);
    });
    return seconds;
  };
  const double quick_s = least_s(alone, {1, {1}, 4});
  CHECK(least_s(toy, {1, {1}, 4}) == Approx(6 * quick_s));
  CHECK(least_s(toy, {1, {3}, 4}) > quick_s);
  CHECK(least_s(toy, {3, {1}, 4}) == Approx(quick_s / 3));
  const Answer found = toy.run("search/rhino", {}, 1e12);
  INFO(found.strategy.name << ": " << found.step_s << " s, bound " << found.bound_s << " s"
                           << found.reason);
  REQUIRE(found.ok());
  CHECK(found.strategy.chunks.size() == 3);
  CHECK(found.bound_s <= found.step_s);
}

TEST_CASE("a number of stages that devices do not divide into is infeasible with that reason") {
  const Program step = heavy_and_light();
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  const Answer found =
      toy.run("search/rhino", {{"stages", std::int64_t{3}}, {"unequal", false}}, 1e12);
  CHECK(found.reason == "stages: the devices do not divide into 3 stages");
}

TEST_CASE("under a schedule of several replicas a search finds nothing and says why") {
  const Program step = heavy_and_light();
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster, nullptr, "schedule/chimera");
  toy.ask(1e12, [&](const SearchProblem& problem, evaluate::PlanEvaluator& evaluator) {
    const auto search = plugin::make_search(plugins().find("search/rhino"), Options());
    CHECK(search->search(problem, evaluator).empty());
    CHECK_FALSE(evaluator.rejected().empty());
  });
}

}  // namespace rhino::test
