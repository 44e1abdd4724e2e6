// SPDX-License-Identifier: Apache-2.0
#include "planning/plan_cell.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

#include "config/strategy_file.hpp"
#include "evaluate/evaluator.hpp"
#include "plan/plan_file.hpp"
#include "plan/validate.hpp"
#include "planning/choices.hpp"
#include "plugin/child.hpp"
#include "rhino/error.hpp"

namespace rhino::planning {
namespace {

/// A list of texts as one: each behind its length.
std::string pack(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    const std::uint64_t size = text.size();
    all.append(reinterpret_cast<const char*>(&size), sizeof size);
    all += text;
  }
  return all;
}

std::vector<std::string> unpack(const std::string& all) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= all.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, all.data() + at, sizeof size);
    at += sizeof size;
    if (size > all.size() - at) throw Error("planning sent back a torn answer");
    texts.push_back(all.substr(at, size));
    at += size;
  }
  return texts;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The work of the child.
class Planner {
 public:
  explicit Planner(const PlanCellInput& input)
      : input_(input),
        resharding_(plugin::make_resharding(input.registry.find(input.cell.resharding.id),
                                            Options(input.cell.resharding.options))),
        schedule_(plugin::make_schedule(input.registry.find(input.cell.schedule.id),
                                        Options(input.cell.schedule.options))),
        context_{input.model.step, input.cost, *resharding_, *schedule_},
        memory_limit_bytes_(input.cost.cluster().models.front().memory_bytes),
        evaluator_(context_, memory_limit_bytes_) {}

  /// status, message, strategy, plan, evaluated, ranking..., then rejected "candidate: reason"
  /// behind an empty text.
  std::string run() {
    const std::vector<Strategy> strategies =
        is_strategy_file(input_.cell.search) ? from_file() : from_search();
    for (const Strategy& strategy : strategies) {
      if (try_plan(strategy)) return answer(store::Status::ok, "");
    }
    if (strategies.empty() && evaluator_.rejected().empty())
      return answer(store::Status::infeasible, "the search found no strategy and gave no reason");
    const auto& rejected = evaluator_.rejected();
    std::string reason = rejected.front().second;
    if (rejected.size() > 1)
      reason = "none of " + std::to_string(rejected.size()) + " candidates fits; the first, " +
               rejected.front().first + ": " + reason;
    return answer(store::Status::infeasible, reason);
  }

 private:
  std::vector<Strategy> from_search() {
    const config::Choice& choice = input_.cell.search;
    const auto search =
        plugin::make_search(input_.registry.find(choice.id), Options(choice.options));
    const SearchProblem problem{.program = input_.model.step,
                                .cluster = input_.cost.cluster(),
                                .micro_batch_counts = input_.cell.micro_batches,
                                .memory_limit_bytes = memory_limit_bytes_,
                                .seed = input_.seed};
    return search->search(problem, evaluator_);
  }

  /// One strategy per allowed micro-batch count, the quickest first where there are several.
  std::vector<Strategy> from_file() {
    const config::Choice& choice = input_.cell.search;
    const config::StrategyFile file =
        config::read_strategy_file(find_file(choice.id, input_.folders), Options(choice.options));
    const std::vector<Chunk> chunks =
        evaluate::place_chunks(input_.cost.cluster(), *schedule_, file.num_stages, file.axes);
    std::vector<std::pair<double, Strategy>> ranked;
    const std::vector<std::int64_t> counts = micro_batch_counts(input_.cell, file);
    for (const std::int64_t count : counts) {
      const std::string name = file.name + ", " + std::to_string(count) + " micro-batches";
      try {
        Strategy strategy =
            evaluator_.complete(config::draft_of(file, input_.model.step, chunks, count));
        const bool single = counts.size() == 1;
        const Evaluation evaluation =
            single ? Evaluation{.feasible = true} : evaluator_.evaluate(strategy);
        if (evaluation.feasible) ranked.emplace_back(evaluation.step_s, std::move(strategy));
        else evaluator_.reject(name, evaluation.reason);
      } catch (const Error& error) {
        evaluator_.reject(name, error.what());
      }
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Strategy> strategies;
    for (auto& [seconds, strategy] : ranked) strategies.push_back(std::move(strategy));
    return strategies;
  }

  bool try_plan(const Strategy& strategy) {
    std::optional<plan::ExecutionPlan> evaluated = evaluator_.take_plan(strategy);
    plan::ExecutionPlan plan =
        evaluated ? *std::move(evaluated) : evaluate::make_plan(context_, strategy);
    plan.search = config::to_string(input_.cell.search);
    plan.resharding = config::to_string(input_.cell.resharding);
    plan.schedule = config::to_string(input_.cell.schedule);
    if (!evaluated) {
      const std::string reason = evaluator_.too_large(plan);
      if (!reason.empty()) return evaluator_.reject(strategy.name, reason), false;
      prove(plan);
    }
    strategy_ = plan::encode(strategy);
    plan_ = plan::encode(plan);
    return true;
  }

  /// What validation finds wrong is the work of one of these two.
  static void prove(const plan::ExecutionPlan& plan) {
    try {
      plan::validate(plan);
    } catch (const Error& error) {
      throw Error("the plan made with " + plan.resharding + " and " + plan.schedule +
                  " is refused: " + error.what());
    }
  }

  std::string answer(store::Status status, const std::string& message) const {
    std::vector<std::string> texts = {std::to_string(static_cast<int>(status)), message, strategy_,
                                      plan_, std::to_string(evaluator_.num_evaluated())};
    for (const auto& [candidate, reason] : evaluator_.rejected())
      texts.push_back(candidate + ": " + reason);
    return pack(texts);
  }

  const PlanCellInput& input_;
  std::unique_ptr<Resharding> resharding_;
  std::unique_ptr<Schedule> schedule_;
  evaluate::PlanContext context_;
  double memory_limit_bytes_;
  evaluate::PlanEvaluator evaluator_;
  std::string strategy_, plan_;
};

/// Takes the child's answer apart; the plan is decoded and validated here again.
void read_answer(const std::string& text, PlannedCell& planned) {
  const std::vector<std::string> texts = unpack(text);
  if (texts.size() < 5) throw Error("planning sent back a torn answer");
  planned.status = static_cast<store::Status>(std::stoi(texts[0]));
  planned.message = texts[1];
  planned.num_evaluated = std::stoll(texts[4]);
  planned.rejected.assign(texts.begin() + 5, texts.end());
  if (planned.status != store::Status::ok) return;
  planned.strategy = plan::decode_strategy(texts[2], "planned strategy");
  planned.plan = plan::decode_plan(texts[3], "planned plan");
  plan::validate(planned.plan);
}

}  // namespace

plugin::ChildLimits planning_limits(const config::Experiment& experiment,
                                    std::function<bool()> is_interrupted) {
  return {.deadline_s = experiment.planning_deadline_s,
          .memory_bytes = std::int64_t{8} << 30,
          .is_interrupted = std::move(is_interrupted)};
}

PlannedCell plan_cell(const PlanCellInput& input) {
  const auto start = std::chrono::steady_clock::now();
  PlannedCell planned;
  const plugin::ChildResult child =
      plugin::run_in_child([&] { return Planner(input).run(); }, input.limits);
  try {
    if (child.outcome == plugin::ChildOutcome::ok) read_answer(child.text, planned);
    else
      planned.status = child.outcome == plugin::ChildOutcome::deadline ? store::Status::timeout
                                                                       : store::Status::failed,
      planned.message = child.text;
  } catch (const Error& error) {
    planned.status = store::Status::failed;
    planned.message = error.what();
  }
  planned.search_s = seconds_since(start);
  return planned;
}

PlannedCell planned_from_file(const std::string& path) {
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw Error(path + ": cannot be read");
  PlannedCell planned;
  planned.plan = plan::decode_plan(text, path);
  plan::validate(planned.plan);
  return planned;
}

}  // namespace rhino::planning
