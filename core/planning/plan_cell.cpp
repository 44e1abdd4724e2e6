// SPDX-License-Identifier: Apache-2.0
#include "planning/plan_cell.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>

#include "config/exact_values.hpp"
#include "config/strategy_file.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/placing.hpp"
#include "planning/choices.hpp"
#include "planning/plan_fit.hpp"
#include "plugin/asked_once.hpp"
#include "plugin/one_line.hpp"
#include "plugin/scope.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::planning {
namespace {

/// Of the time for a plan the part after which a search has to hand in what it has.
constexpr double kSearchShare = 0.9;

/// Of the device that has the most: what a strategy of unlike ones may need of some. What each has
/// is looked at in its plan.
double most_memory_bytes(const Cluster& cluster) {
  double most = 0;
  for (DeviceId device = 0; device < cluster.num_devices(); ++device)
    most = std::max(most, cluster.device(device).memory_bytes);
  return most;
}

/// The work of the child.
class Planner {
 public:
  Planner(const PlanCellInput& input, const HandOver& hand_over)
      : input_(input),
        resharding_(plugin::make_resharding(input.registry.find(input.cell.resharding.id),
                                            Options(input.cell.resharding.options))),
        schedule_(plugin::make_schedule(input.registry.find(input.cell.schedule.id),
                                        Options(input.cell.schedule.options))),
        asked_once_(*schedule_),
        context_{input.model.step,
                 input.cost,
                 *resharding_,
                 asked_once_,
                 input.cell.resharding.id,
                 input.cell.schedule.id,
                 input.cell.schedule.blocking},
        memory_limit_bytes_(most_memory_bytes(input.cost.cluster())),
        pins_(config::pins_of(input.cell.pins, input.model.step)),
        evaluator_(context_, memory_limit_bytes_) {
    if (input.limits.deadline_s > 0) evaluator_.stop_after(kSearchShare * input.limits.deadline_s);
    if (input.changes_prices) evaluator_.change_prices();
    evaluator_.pin(pins_);
    evaluator_.set_budget(input.cell.budget.num_evaluations, input.cell.budget.cpu_s);
    evaluator_.fall_back(input.cell.micro_batches);
    if (input.limits.deadline_s > 0) evaluator_.tell_best([&] { hand_over(so_far()); });
  }

  Answer run() {
    check_peaks(input_.model.step, input_.cost.cluster());
    return with_search(best());
  }

 private:
  /// With what the search tells of itself.
  Answer with_search(Answer answer) const {
    answer.num_evaluated = evaluator_.num_evaluated();
    answer.candidates = evaluator_.candidates();
    answer.bound_s = evaluator_.bound_s();
    if (evaluator_.is_refuted(answer.bound_s)) {
      answer.message += (answer.message.empty() ? "" : "; ") + refuted(answer.bound_s);
      answer.bound_s = 0;
    }
    if (answer.bound_s > 0 && answer.status == store::Status::ok) answer.gap = gap(answer);
    for (const auto& [candidate, reason] : evaluator_.rejected())
      answer.rejected.push_back(plugin::one_line(candidate + ": " + reason));
    for (evaluate::Candidate& candidate : answer.candidates)
      candidate.name = plugin::one_line(candidate.name);
    answer.strategy.name = plugin::one_line(answer.strategy.name);
    answer.message = plugin::one_line(answer.message);
    return answer;
  }

  /// What there is to run without another look at the plugins.
  Answer so_far() const {
    return with_search(
        {.message = evaluator_.is_fallback()
                        ? ", by when it had found no strategy: this one takes no search"
                        : ": this strategy is the best that it had found by then",
         .strategy = *evaluator_.quickest(),
         .plan_bytes = bytes_of_quickest()});
  }

  /// Encoded once, however often it is handed over.
  const std::string& bytes_of_quickest() const {
    if (encoded_for_ != *evaluator_.quickest() || encoded_.empty()) {
      encoded_ = bytes_of(*evaluator_.quickest_plan());
      encoded_for_ = *evaluator_.quickest();
    }
    return encoded_;
  }

  /// Whether its plan, which was taken, is the one that was handed over.
  bool is_encoded(const Strategy& strategy) const {
    return evaluator_.took_draft() && !encoded_.empty() && encoded_for_ == strategy;
  }

  Answer best() {
    const std::vector<Strategy> strategies = found();
    if (!evaluator_.fault().empty())
      return {.status = store::Status::failed, .message = evaluator_.fault()};
    for (const Strategy& strategy : strategies) {
      if (!is_strategy_file(input_.cell.search)) check_answer(strategy);
      if (std::optional<plan::ExecutionPlan> plan = try_plan(strategy))
        return {
            .message = message_,
            .strategy = strategy,
            .plan_bytes = is_encoded(strategy) ? std::move(encoded_) : bytes_of(*std::move(plan))};
    }
    if (ended_without_any_) return {.status = store::Status::timeout, .message = message_};
    return {.status = store::Status::infeasible, .message = reason(strategies.empty())};
  }

  std::string refuted(double bound_s) const {
    return "the lower bound of " + std::to_string(bound_s) +
           " s that the search offered is above a step that it found, and does not count";
  }

  double gap(const Answer& answer) const {
    return std::max(answer.bound_s, evaluator_.step_s()) / answer.bound_s - 1;
  }

  std::string reason(bool found_nothing) const {
    const auto& rejected = evaluator_.rejected();
    if (found_nothing && rejected.empty()) return "the search found no strategy and gave no reason";
    const auto& [candidate, why] = rejected.front();
    const std::string need = lacks_memory() ? evaluator_.smallest_need() : "";
    std::string said = why;
    if (rejected.size() > 1)
      said = "none of " + std::to_string(rejected.size()) + " candidates fits" +
             (need.empty() ? "; the first, " + candidate + ": " + why : " " + need);
    return may_need_micro_batches()
               ? said + "; the case allows 1 micro-batch alone, and 'micro_batches: any' all up " +
                     "to 1024 that divide its batch"
               : said;
  }

  /// Memory lacks, of which several take less, and nobody asked for more than one.
  bool may_need_micro_batches() const {
    return input_.cell.micro_batches == std::vector<std::int64_t>{1} &&
           input_.cell.global_batch > 1 && lacks_memory();
  }
  bool lacks_memory() const {
    return std::ranges::any_of(evaluator_.rejected(), [](const auto& one) {
      return one.second.find("memory") != std::string::npos;
    });
  }

  /// Best first; where time runs out, the one that is quickest by then.
  std::vector<Strategy> found() {
    try {
      return is_strategy_file(input_.cell.search) ? from_file() : from_search();
    } catch (const plugin::EndOfSearch&) {
      if (!evaluator_.fault().empty()) return {};
      ended_without_any_ = evaluator_.quickest() == nullptr;
      message_ = ended_without_any_ ? ended_without_any() : stopped();
      if (ended_without_any_) return {};
      return {*evaluator_.quickest()};
    }
  }

  std::vector<Strategy> from_search() {
    const config::Choice& choice = input_.cell.search;
    const auto search =
        plugin::make_search(input_.registry.find(choice.id), Options(choice.options));
    const SearchProblem problem{.program = input_.model.step,
                                .cluster = input_.cost.cluster(),
                                .micro_batch_counts = input_.cell.micro_batches,
                                .memory_limit_bytes = memory_limit_bytes_,
                                .seed = input_.seed,
                                .rules = evaluator_,
                                .prices = evaluator_,
                                .pins = pins_};
    std::vector<Strategy> found = search->search(problem, evaluator_);
    if (found.empty() && evaluator_.was_told()) evaluator_.check_time();
    return found;
  }

  std::string budget_ended() const {
    return "its budget of " + config::to_string(input_.cell.budget) + " ended the search";
  }

  /// Nothing that fits is known, which does not say that nothing does.
  std::string ended_without_any() const {
    const std::string need = evaluator_.smallest_need();
    return budget_ended() + ", by when it had found no strategy that fits" +
           (need.empty() ? "" : " " + need);
  }

  /// Why there is an answer before all was searched.
  std::string stopped() const {
    char text[128];
    const double deadline_s = input_.limits.deadline_s;
    if (evaluator_.is_budget_used()) {
      std::snprintf(text, sizeof text, "%s", budget_ended().c_str());
    } else {
      std::snprintf(text, sizeof text, "the search was stopped, to be done within %g s",
                    deadline_s);
    }
    if (evaluator_.is_fallback() && evaluator_.has_found())
      return std::string(text) + " before it had found any as quick as this, which takes no search";
    if (evaluator_.is_fallback())
      return std::string(text) + " before it had found any strategy: this one takes no search";
    if (evaluator_.is_promise())
      return std::string(text) +
             " before it had simulated what it had estimated to be the quickest: this one";
    return text + (": the best of " + std::to_string(evaluator_.candidates().size())) +
           " strategies";
  }

  /// One strategy per allowed micro-batch count, the quickest first where there are several.
  std::vector<Strategy> from_file() {
    const config::StrategyFile file =
        read_strategy(input_.cell, input_.cost.cluster(), input_.folders);
    const std::vector<Chunk> chunks = evaluate::place_chunks(
        input_.cost.cluster(), *schedule_, file.meshes(), input_.cell.schedule.id);
    std::vector<std::pair<double, Strategy>> ranked;
    const std::vector<std::int64_t> counts = micro_batch_counts(input_.cell, file);
    for (const std::int64_t count : counts) {
      const std::string name = file.name + ", " + micro_batches_text(count);
      const StrategyDraft draft = config::draft_of(file, input_.model.step, chunks, count);
      try {
        Strategy strategy = evaluator_.complete(draft);
        config::set_exact(file, input_.model.step, strategy);
        const bool single = counts.size() == 1;
        const Evaluation evaluation =
            single ? Evaluation{.feasible = true} : evaluator_.evaluate(strategy);
        message_ = unsplit(draft, strategy);
        const std::string idle = idle_devices(file, strategy);
        message_ += (message_.empty() || idle.empty() ? "" : "; ") + idle;
        for (const std::string& axis : idle_axes(file, strategy))
          message_ += (message_.empty() ? "" : "; ") + axis;
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

  /// That `zero` splits little of what it is to split, as that does not divide; empty: it does.
  std::string unsplit(const StrategyDraft& draft, const Strategy& strategy) const {
    if (draft.zero_stage == 0 || draft.batch_axis < 0) return "";
    const Program& program = input_.model.step;
    const std::int64_t size = strategy.chunks.front().mesh.axes[at(draft.batch_axis)].size;
    double all = 0, split = 0;
    for (const Input& input : program.inputs) {
      if (input.kind != InputKind::optimizer_state &&
          (input.kind != InputKind::parameter || draft.zero_stage < 3))
        continue;
      const auto bytes = static_cast<double>(num_bytes(program.shape(input.value)));
      all += bytes;
      for (const DimSharding& dim : strategy.specs[at(input.value)].dims)
        split += bytes * (std::ranges::find(dim.splits, draft.batch_axis, &AxisSplit::axis) !=
                          dim.splits.end());
    }
    if (size == 1 || 2 * split >= all) return "";
    char text[160];
    std::snprintf(text, sizeof text,
                  "zero %d splits %.2f MB of %.2f MB: no dim of the rest divides by the %lld "
                  "devices that share a batch",
                  draft.zero_stage, split / 1e6, all / 1e6, static_cast<long long>(size));
    return text;
  }

  /// Devices that an axis of size `all` leaves out, as the others do not divide them; empty: none.
  std::string idle_devices(const config::StrategyFile& file, const Strategy& strategy) const {
    std::set<DeviceId> used;
    for (const Chunk& chunk : strategy.chunks)
      used.insert(chunk.mesh.devices.begin(), chunk.mesh.devices.end());
    const std::int32_t all = input_.cost.cluster().num_devices();
    if (file.rest.empty() || std::ssize(used) == all) return "";
    return std::to_string(all - std::ssize(used)) + " of " + std::to_string(all) +
           " devices have no part: axis '" + file.rest +
           "' takes as many as the others leave, and " + "theirs do not divide them";
  }

  /// Axes of more than one device along which no value is split or in parts.
  std::vector<std::string> idle_axes(const config::StrategyFile& file,
                                     const Strategy& strategy) const {
    std::set<AxisId> used;
    for (const ShardingSpec& spec : strategy.specs) {
      for (const DimSharding& dim : spec.dims)
        for (const AxisSplit& split : dim.splits) used.insert(split.axis);
      for (const Partial& partial : spec.partial) used.insert(partial.axis);
    }
    const std::vector<MeshAxis>& axes = strategy.chunks.front().mesh.axes;
    const bool has_batch = std::ranges::find(axes, file.batch, &MeshAxis::name) != axes.end();
    std::vector<std::string> idle;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      std::int64_t size = 1;
      for (const Chunk& chunk : strategy.chunks) size = std::max(size, chunk.mesh.axes[a].size);
      if (size == 1 || used.contains(static_cast<AxisId>(a))) continue;
      const std::string& name = axes[a].name;
      idle.push_back("axis '" + name + "' of " + std::to_string(size) +
                     " splits nothing: all its devices compute the same" +
                     (has_batch ? "" : " (`batch: " + name + "` splits the batch over it)"));
    }
    return idle;
  }

  /// Throws Error, in the searcher's name, where it is no strategy of this cell.
  void check_answer(const Strategy& strategy) const {
    plugin::blaming(input_.cell.search.id, [&] {
      const std::vector<std::int64_t>& counts = input_.cell.micro_batches;
      if (std::ranges::find(counts, strategy.num_micro_batches) == counts.end())
        throw Error("strategy '" + strategy.name + "' is of " +
                    micro_batches_text(strategy.num_micro_batches) +
                    ", which the case does not allow");
      evaluate::check(input_.model.step, input_.cost.cluster(), strategy, context_.graph);
    });
  }

  /// nullopt: it is too large.
  std::optional<plan::ExecutionPlan> try_plan(const Strategy& strategy) {
    if (std::optional<plan::ExecutionPlan> evaluated = evaluator_.take_plan(strategy))
      return evaluated;
    plan::ExecutionPlan plan =
        plugin::blaming(is_strategy_file(input_.cell.search) ? "" : input_.cell.search.id,
                        [&] { return evaluate::make_plan(context_, strategy); });
    const std::string reason = evaluator_.too_large(plan);
    if (!reason.empty()) return evaluator_.reject(strategy.name, reason), std::nullopt;
    prove(plan, config::to_string(input_.cell.resharding) + " and " +
                    config::to_string(input_.cell.schedule));
    if (!is_strategy_file(input_.cell.search)) evaluator_.take(strategy, plan);
    return plan;
  }

  const PlanCellInput& input_;
  std::unique_ptr<Resharding> resharding_;
  std::unique_ptr<Schedule> schedule_;
  plugin::AskedOnce asked_once_;
  evaluate::PlanContext context_;
  double memory_limit_bytes_;
  std::vector<Pin> pins_;
  evaluate::PlanEvaluator evaluator_;
  std::string message_;
  bool ended_without_any_ = false;
  mutable Strategy encoded_for_;
  mutable std::string encoded_;  ///< plan of the quickest strategy of some moment
};

}  // namespace

plugin::ChildLimits planning_limits(const config::Experiment& experiment,
                                    std::function<bool()> is_interrupted) {
  return {.deadline_s = experiment.planning_deadline_s,
          .memory_bytes = std::int64_t{8} << 30,
          .is_interrupted = std::move(is_interrupted)};
}

PlannedCell plan_cell(const PlanCellInput& input) {
  PlannedCell planned = plan_in_child(
      [&](const HandOver& hand_over) { return Planner(input, hand_over).run(); }, input.limits,
      is_strategy_file(input.cell.search) ? "" : ", by when it had found no strategy that fits");
  planned.plan.name = planned.strategy.name;
  planned.plan.search = config::to_string(input.cell.search);
  planned.plan.resharding = config::to_string(input.cell.resharding);
  planned.plan.schedule = config::to_string(input.cell.schedule);
  planned.plan.program = program_text(input.cell, &input.model);
  return planned;
}

PlannedCell planned_as(const plan::ExecutionPlan& plan, const Cluster& cluster) {
  PlannedCell planned = plan_here([&] {
    plan::ExecutionPlan given = plan;
    given.cluster = cluster;
    return given;
  });
  planned.search_s = 0;
  return planned;
}

}  // namespace rhino::planning
