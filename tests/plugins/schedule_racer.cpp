// SPDX-License-Identifier: Apache-2.0
#include "schedule_racer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "chains.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

/// Of this process, so that others do not count.
double now_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

double at_share(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

Racer racer(const plugin::Registry& registry, const std::string& name, const std::string& label,
            const Options& options) {
  return {.name = label,
          .schedule = plugin::make_schedule(registry.find("schedule/" + name), options)};
}

double period_s(Racer& racer, const PipelineProblem& problem, double bound_s) {
  const double begin_s = now_s();
  const PipelineSchedule schedule = racer.schedule->schedule(problem);
  const double taken_s = now_s() - begin_s;
  const plan::PassOrder order = plan::pass_order(problem, schedule);
  if (!fits(problem, order)) return 0;
  const double period_s = times(problem, order).period_s;
  if (period_s < bound_s * (1 - kTie)) throw Error(racer.name + " is quicker than the bound");
  racer.gaps.push_back(period_s / bound_s - 1);
  racer.cpu_s.push_back(taken_s);
  return period_s;
}

void print_head(const std::string& title) {
  fmt::print("{:24} {:>5} {:>9} {:>9} {:>5} {:>5} {:>9} {:>9} {:>9} {:>7} {:>9}\n", title, "wins",
             "by median", "most", "ties", "loses", "most", "gap", "p90", "worst", "longest");
}

void print(const Racer& racer) {
  std::vector<double> wins, losses;  // each by how much
  for (const double loss : racer.losses) {
    if (loss < -kTie) wins.push_back(1 / (1 + loss) - 1);
    if (loss > kTie) losses.push_back(loss);
  }
  fmt::print(
      "{:24} {:5} {:7.2f} % {:7.2f} % {:5} {:5} {:7.2f} % {:7.2f} % {:7.2f} % {:5.1f} % {:6.0f} "
      "ms\n",
      racer.name, wins.size(), 100 * at_share(wins, 0.5), 100 * at_share(wins, 1),
      racer.losses.size() - wins.size() - losses.size(), losses.size(), 100 * at_share(losses, 1),
      100 * at_share(racer.gaps, 0.5), 100 * at_share(racer.gaps, 0.9),
      100 * at_share(racer.gaps, 1), 1e3 * at_share(racer.cpu_s, 1));
}

}  // namespace rhino::test
