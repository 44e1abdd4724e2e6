// SPDX-License-Identifier: Apache-2.0
// Races search/rhino against search/exhaustive, which looks at everything, and against search/grid,
// whose answers it does not see, on random DAGs and small GPTs: search_race PLUGINS COUNT [SEED].
// Of the best strategies of exhaustive one sets the memory of a second round, in which memory
// binds. Exit 1: level 3 takes more than 3 %, or level 2 more than 5 % longer than exhaustive, or
// either longer than grid; or a strategy computes something else than one device.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "../unit/sharding/spmd_harness.hpp"
#include "evaluate/evaluator.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "plugin/registry.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

using namespace rhino;

namespace {

struct Race {
  std::string name;
  Program step;
  Cluster cluster;
};

/// So slow that toys are worth cutting.
Cluster cluster(std::int32_t num_devices, bool two_hosts) {
  Cluster made{.name = "toy", .source = "made up"};
  made.models = {{.name = "device",
                  .memory_bytes = 1e12,
                  .memory_bytes_per_s = 2e7,
                  .kernel_latency_s = 1e-6,
                  .peak_flops = {{DType::f32, 4e7}}}};
  made.intra_host = {1e7, 2e-6};
  made.inter_host = {2e6, 1e-5};
  made.hosts.resize(two_hosts ? 2 : 1);
  for (std::int32_t d = 0; d < num_devices; ++d) {
    const std::int32_t host = two_hosts ? 2 * d / num_devices : 0;
    made.hosts[at(host)].devices.push_back(d);
    made.host_of.push_back(host);
    made.model_of.push_back(0);
  }
  return made;
}

Race race(std::uint64_t seed) {
  test::Random random(seed);
  const std::int32_t num_devices = std::array{2, 4, 6, 8}[at(test::draw(random, 4))];
  const bool two_hosts = test::draw(random, 2) == 0;
  const std::string where = fmt::format("{}{}", num_devices, two_hosts ? " on 2 hosts" : "");
  const Cluster on = cluster(num_devices, two_hosts);
  const std::int64_t batch = test::draw(random, 3) == 0 ? 2 : 24;
  if (test::draw(random, 3) == 0) {
    const models::GptConfig config{.preset = "toy",
                                   .num_layers = 1 + test::draw(random, 2),
                                   .hidden = 48,
                                   .num_heads = 12,
                                   .vocabulary = test::draw(random, 2) == 0 ? 96 : 960,
                                   .sequence = 24};
    return {fmt::format("gpt {}, vocabulary {}, batch {}, {}", config.num_layers, config.vocabulary,
                        batch, where),
            ir::training_step(models::gpt_forward(config, batch), {}), on};
  }
  const std::int64_t num_ops = 3 + test::draw(random, 8);
  return {fmt::format("dag of {}, batch {}, {}", num_ops, batch, where),
          ir::training_step(models::random_forward(seed, batch, num_ops), {}), on};
}

struct Answer {
  double step_s = 0, peak_bytes = 0, cpu_s = 0;
  std::string reason;
  Strategy strategy;
  bool ok() const { return step_s > 0; }
};

class Racer {
 public:
  Racer(const plugin::Registry& registry, const Race& race)
      : registry_(registry),
        race_(race),
        cost_(race.cluster),
        resharding_(plugin::make_resharding(registry.find("resharding/broadcast"), Options())),
        schedule_(plugin::make_schedule(registry.find("schedule/1f1b"), Options())) {}

  Answer run(const std::string& id, std::map<std::string, OptionValue> options,
             double memory_bytes) {
    const evaluate::PlanContext context{race_.step, cost_, *resharding_, *schedule_};
    evaluate::PlanEvaluator evaluator(context, memory_bytes);
    const SearchProblem problem{.program = race_.step,
                                .cluster = cost_.cluster(),
                                .micro_batch_counts = {1, 2, 4},
                                .memory_limit_bytes = memory_bytes,
                                .seed = 1,
                                .rules = evaluator,
                                .prices = evaluator};
    const std::clock_t begin = std::clock();
    Answer answer;
    try {
      const auto search = plugin::make_search(registry_.find(id), Options(std::move(options)));
      const std::vector<Strategy> found = search->search(problem, evaluator);
      answer.cpu_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      if (found.empty() && !evaluator.rejected().empty())
        throw Error(evaluator.rejected().front().first + ": " +
                    evaluator.rejected().front().second);
      if (found.empty()) throw Error("nothing fits");
      const Evaluation priced = evaluator.evaluate(found.front());
      if (!priced.feasible) throw Error(priced.reason);
      answer.step_s = priced.step_s, answer.peak_bytes = priced.peak_bytes;
      answer.strategy = found.front();
    } catch (const Error& error) {
      answer.reason = error.what();
      answer.cpu_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    }
    return answer;
  }

  /// On reference devices, against one device.
  double error_of(const Strategy& strategy) const {
    test::Random random(17);
    const auto inputs = test::random_inputs(random, race_.step);
    const auto expected = ir::evaluate(race_.step, inputs, ir::Precision::f64);
    const auto found = test::run_partitioned(race_.step, strategy, inputs);
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      worst = std::max(worst, test::relative_error(found[i], expected[i]));
    return worst;
  }

 private:
  const plugin::Registry& registry_;
  const Race& race_;
  cost::CostModel cost_;
  std::unique_ptr<Resharding> resharding_;
  std::unique_ptr<Schedule> schedule_;
};

std::string text(const Answer& answer, const Answer& best) {
  if (!answer.ok()) return fmt::format("{:>8} {:5.1f}", "-", answer.cpu_s);
  return fmt::format("{:8.4f} {:5.1f}", answer.step_s / best.step_s, answer.cpu_s);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const plugin::Registry registry({argv[1]});
  const int count = std::atoi(argv[2]);
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  int num_lost = 0;
  fmt::print(
      "step as a multiple of the best, and CPU seconds: exhaustive, rhino 3, rhino 2, grid\n");
  for (int i = 0; i < count; ++i) {
    const Race race = ::race(seed + at(i));
    Racer racer(registry, race);
    double memory_bytes = 1e12;
    for (const bool binds : {false, true}) {
      const Answer all = racer.run("search/exhaustive", {}, memory_bytes);
      const Answer three = racer.run("search/rhino", {}, memory_bytes);
      const Answer two = racer.run("search/rhino", {{"level", std::int64_t{2}}}, memory_bytes);
      const Answer grid = racer.run("search/grid", {}, memory_bytes);
      Answer best;
      for (const Answer* answer : {&all, &three, &two, &grid}) {
        if (answer->ok() && (!best.ok() || answer->step_s < best.step_s)) best = *answer;
      }
      if (!best.ok()) {
        fmt::print("{:4} {}: {}\n", seed + at(i), race.name, three.reason);
        break;
      }
      std::string faults;
      const auto loses = [&](const Answer& mine, const Answer& other, double most) {
        return other.ok() && (!mine.ok() || mine.step_s > most * other.step_s);
      };
      if (loses(three, all, 1.03)) faults += " level 3 loses to exhaustive;";
      if (loses(two, all, 1.05)) faults += " level 2 loses to exhaustive;";
      if (loses(three, grid, 1 + 1e-9)) faults += " level 3 loses to grid;";
      if (loses(two, grid, 1 + 1e-9)) faults += " level 2 loses to grid;";
      if (three.ok()) {
        const double error = racer.error_of(three.strategy);
        if (error > 1e-9) faults += fmt::format(" numerics are off by {};", error);
      }
      num_lost += faults.empty() ? 0 : 1;
      fmt::print("{:4} {} {} {} {}  {}{}{}\n", seed + at(i), text(all, best), text(three, best),
                 text(two, best), text(grid, best), race.name,
                 binds ? fmt::format(", {:.0f} KB", memory_bytes / 1e3) : "", faults);
      if (!three.ok()) fmt::print("     {}\n", three.reason);
      std::fflush(stdout);
      memory_bytes = 0.7 * best.peak_bytes;
    }
  }
  fmt::print("{} of {} lost\n", num_lost, 2 * count);
  return num_lost > 0 ? 1 : 0;
}
