// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plugin/registry.hpp"
#include "rhino/options.hpp"
#include "rhino/schedule.hpp"

/// What races of schedules are made of.
namespace rhino::test {

/// Below it two periods are equal.
inline constexpr double kTie = 1e-9;

/// The value that such a share of all is below; 0 of none.
double at_share(std::vector<double> values, double share);

/// A schedule, and how it did.
struct Racer {
  std::string name;
  std::unique_ptr<Schedule> schedule;
  std::vector<double> gaps = {};    ///< period by its bound, less 1
  std::vector<double> losses = {};  ///< of its rival against it, below 0 where that wins
  std::vector<double> cpu_s = {};
};

/// `name` of "schedule/", as `label`.
Racer racer(const plugin::Registry& registry, const std::string& name, const std::string& label,
            const Options& options = Options());

/// The period of what it answers, by list execution; 0: that does not fit in memory. Notes gap and
/// time. Throws Error where it is quicker than `bound_s`.
double period_s(Racer& racer, const PipelineProblem& problem, double bound_s);

/// A head, and a row: wins of its rival, ties, losses, gaps, time.
void print_head(const std::string& title);
void print(const Racer& racer);

}  // namespace rhino::test
