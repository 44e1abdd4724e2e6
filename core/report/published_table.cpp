// SPDX-License-Identifier: Apache-2.0
#include "report/published_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/table_parts.hpp"

namespace rhino::report {
namespace {

using Steps = std::vector<std::pair<double, double>>;

/// Steps of one model, or of a source, and of each of its grids: cases, of which all plans do the
/// same.
struct Group {
  Steps steps;
  std::size_t num_cells = 0;  ///< those that came to no step, too
  std::map<std::int32_t, Steps> grids;
};

/// A choice among fewer plans says little.
constexpr std::size_t kLeastGrid = 5;

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size()));
  return values[std::min(index, values.size() - 1)];
}

double kendall(const Steps& steps) {
  double sum = 0, pairs = 0;
  for (auto a = steps.begin(); a != steps.end(); ++a) {
    for (auto b = steps.begin(); b != a; ++b, ++pairs) {
      const double product = (a->first - b->first) * (a->second - b->second);
      sum += product > 0 ? 1 : product < 0 ? -1 : 0;
    }
  }
  return pairs > 0 ? sum / pairs : 0;
}

Row row_of(const std::string& name, const Group& group) {
  if (group.steps.empty()) return {name, fmt::format("0 of {}", group.num_cells)};
  const Agreement agreed = agreement(group.steps);
  std::vector<double> regrets;
  int num_found = 0;
  for (const auto& [index, steps] : group.grids) {
    if (steps.size() < kLeastGrid) continue;
    const Agreement choice = agreement(steps);
    regrets.push_back(choice.regret);
    num_found += choice.best_share <= 0.05 ? 1 : 0;
  }
  return {name,
          group.steps.size() == group.num_cells
              ? std::to_string(group.num_cells)
              : fmt::format("{} of {}", group.steps.size(), group.num_cells),
          fmt::format("{:.2f}x", agreed.ratio),
          fmt::format("{:.0f}%", 100 * agreed.error),
          fmt::format("{:.0f}%", 100 * agreed.error_p90),
          group.steps.size() > 1 ? fmt::format("{:.2f}", agreed.tau) : "",
          regrets.empty() ? "" : fmt::format("{} of {}", num_found, regrets.size()),
          regrets.empty() ? ""
                          : fmt::format("{:.1f}% {:.1f}%", 100 * quantile(regrets, 0.5),
                                        100 * quantile(regrets, 0.9))};
}

}  // namespace

Agreement agreement(const Steps& steps) {
  std::vector<double> ratios, errors;
  for (const auto& [step_s, published_s] : steps) {
    ratios.push_back(step_s / published_s);
    errors.push_back(std::abs(ratios.back() - 1));
  }
  const auto best_here = std::ranges::min_element(steps, {}, &Steps::value_type::first);
  const auto best = std::ranges::min_element(steps, {}, &Steps::value_type::second);
  const auto quicker =
      std::ranges::count_if(steps, [&](const auto& step) { return step.first < best->first; });
  return {.ratio = quantile(ratios, 0.5),
          .error = quantile(errors, 0.5),
          .error_p90 = quantile(errors, 0.9),
          .tau = kendall(steps),
          .best_share = static_cast<double>(quicker) / static_cast<double>(steps.size()),
          .regret = best_here->second / best->second - 1};
}

std::string published_table(const std::vector<store::Record>& records) {
  std::map<std::string, Group> of_model, of_source;
  std::map<std::string, std::set<std::string>> lacks;  // by source
  for (const store::Record& record : records) {
    if (record.published_step_s <= 0) continue;
    const std::pair step{record.summary.median_s, record.published_step_s};
    lacks[record.published_source].insert(record.published_lacks.begin(),
                                          record.published_lacks.end());
    for (Group* group :
         {&of_model[setting(record, "model")], &of_source[record.published_source]}) {
      ++group->num_cells;
      if (!is_timed(record)) continue;
      group->steps.push_back(step);
      group->grids[record.case_index].push_back(step);
    }
  }
  if (of_source.empty()) return "";
  std::vector<Row> rows{{"steps that others published", "steps", "ratio", "error",
                         "90th percentile", "tau", "best in first 5%", "regret, 90th"}};
  for (const auto* groups : {&of_model, &of_source}) {
    for (const auto& [name, group] : *groups) rows.push_back(row_of(name, group));
  }
  std::string text = "\n" + aligned(rows);
  for (const auto& [source, effects] : lacks) {
    for (const std::string& effect : effects)
      text += fmt::format("not in the model of {}: {}\n", source, effect);
  }
  return text;
}

}  // namespace rhino::report
