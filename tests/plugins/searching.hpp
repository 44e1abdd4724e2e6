// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../unit/sharding/spmd_harness.hpp"
#include "evaluate/evaluator.hpp"
#include "plugin/registry.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

/// Searchers put to toys.
namespace rhino::test {

/// So slow that toys are worth cutting.
inline Cluster slow_cluster(std::int32_t num_devices, bool two_hosts) {
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

/// What a searcher finds.
struct Answer {
  double step_s = 0, peak_bytes = 0, cpu_s = 0;
  double bound_s = 0;  ///< that the searcher told; 0: none
  std::string reason;
  Strategy strategy;
  bool ok() const { return step_s > 0; }
};

/// A training step on a cluster, for searchers to cut.
class Toy {
 public:
  std::vector<std::int64_t> micro_batch_counts{1, 2, 4};
  std::vector<Pin> pins;

  /// All are borrowed.
  Toy(const plugin::Registry& registry, const Program& step, const Cluster& cluster,
      const cost::Calibration* calibration = nullptr, const std::string& schedule = "schedule/1f1b")
      : registry_(registry),
        step_(step),
        cost_(cluster, calibration),
        resharding_(plugin::make_resharding(registry.find("resharding/broadcast"), Options())),
        schedule_(plugin::make_schedule(registry.find(schedule), Options())) {}

  Answer run(const std::string& id, std::map<std::string, OptionValue> options,
             double memory_bytes) {
    evaluate::PlanEvaluator evaluator(context(), memory_bytes);
    evaluator.pin(pins);
    const SearchProblem problem = this->problem(evaluator, memory_bytes);
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
      answer.bound_s = evaluator.bound_s();
      answer.strategy = found.front();
    } catch (const Error& error) {
      answer.reason = error.what();
      answer.cpu_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    }
    return answer;
  }

  /// Whatever a searcher could ask.
  template <class Ask>
  void ask(double memory_bytes, Ask&& ask) {
    evaluate::PlanEvaluator evaluator(context(), memory_bytes);
    evaluator.pin(pins);
    ask(problem(evaluator, memory_bytes), evaluator);
  }

  /// On reference devices, against one device.
  double error_of(const Strategy& strategy) const {
    Random random(17);
    const auto inputs = random_inputs(random, step_);
    const auto expected = ir::evaluate(step_, inputs, ir::Precision::f64);
    const auto found = run_partitioned(step_, strategy, inputs);
    double worst = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      worst = std::max(worst, relative_error(found[i], expected[i]));
    return worst;
  }

 private:
  evaluate::PlanContext context() { return {step_, cost_, *resharding_, *schedule_}; }
  SearchProblem problem(const evaluate::PlanEvaluator& evaluator, double memory_bytes) const {
    return {.program = step_,
            .cluster = cost_.cluster(),
            .micro_batch_counts = micro_batch_counts,
            .memory_limit_bytes = memory_bytes,
            .seed = 1,
            .rules = evaluator,
            .prices = evaluator,
            .pins = pins};
  }

  const plugin::Registry& registry_;
  const Program& step_;
  cost::CostModel cost_;
  std::unique_ptr<Resharding> resharding_;
  std::unique_ptr<Schedule> schedule_;
};

}  // namespace rhino::test
