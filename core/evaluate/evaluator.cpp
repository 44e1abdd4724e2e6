// SPDX-License-Identifier: Apache-2.0
#include "evaluate/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "evaluate/asked_trial.hpp"
#include "evaluate/chunk_flow.hpp"
#include "evaluate/placing.hpp"
#include "evaluate/price_changes.hpp"
#include "ir/op_info.hpp"
#include "plan/bytes_text.hpp"
#include "plan/plan_mesh.hpp"
#include "plan/validate.hpp"
#include "plugin/scope.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "simulate/simulate.hpp"

namespace rhino::evaluate {
namespace {

/// With the micro-batch count that sets a strategy of a file apart from the others.
std::string name_of(const Strategy& strategy) {
  const bool is_told = strategy.name.find(" micro-batch") != std::string::npos;
  return is_told ? strategy.name
                 : strategy.name + ", " + micro_batches_text(strategy.num_micro_batches);
}

}  // namespace

template <class Work>
auto PlanEvaluator::noting_faults(Work&& work) const {
  try {
    return work();
  } catch (const plugin::Fault& fault) {
    if (fault_.empty()) fault_ = fault.what();
    throw plugin::EndOfSearch();
  }
}

PlanEvaluator::PlanEvaluator(const PlanContext& context, double memory_limit_bytes)
    : context_(context),
      memory_limit_bytes_(memory_limit_bytes),
      completer_(context.program),
      lowerings_(lower::kernels_of(context_.cost.cluster())),
      unwritten_(unwritten_values(context_.program, context_.cost.cluster())),
      tables_(completer_.graph(), context_.cost),
      crossings_(tables_, context_.resharding, context_.resharding_id),
      estimates_(context_, tables_),
      frames_(context_, completer_.graph()) {
  context_.is_draft = true;
  context_.graph = &completer_.graph();
  context_.lowerings = &lowerings_;
  context_.cuts = &cuts_;
  context_.unwritten = &unwritten_;
}

void PlanEvaluator::change_prices() {
  for (const PriceChange& change : kPriceChanges)
    changed_costs_.emplace_back(changed(context_.cost.cluster(), change));
}

/// nullptr: none is.
const Pin* PlanEvaluator::broken_pin(const Strategy& strategy) const {
  for (const Pin& pin : pins_) {
    const auto chunk = at(std::max(strategy.chunk_of[at(pin.value)], 0));
    if (!pin.allows(strategy.specs[at(pin.value)], strategy.chunks[chunk].mesh.axes)) return &pin;
  }
  return nullptr;
}

void PlanEvaluator::offer(const Strategy& strategy, double lower_bound_s) {
  if (!(lower_bound_s >= 0) || std::isinf(lower_bound_s))
    throw Error("a lower bound of " + std::to_string(lower_bound_s) + " s is offered");
  const double known_s = bound_s_;
  const bool is_more_proved = lower_bound_s > known_s;
  if (is_more_proved) bound_s_ = lower_bound_s;
  const bool is_new = !quickest_ || quickest_->strategy != strategy;
  if (is_new) evaluate(strategy);
  if (!is_more_proved) return;
  if (is_refuted(bound_s_)) {
    bound_s_ = known_s;
    throw Error("a lower bound of " + std::to_string(lower_bound_s) +
                " s is offered, and a strategy of " + std::to_string(step_s()) +
                " s has been found");
  }
  if (quickest_) tell_best_();
}

bool PlanEvaluator::is_refuted(double bound_s) const {
  constexpr double kRounding = 1e-9;
  return !is_fallback_ && step_s() > 0 && bound_s > (1 + kRounding) * step_s();
}

Strategy PlanEvaluator::complete(const StrategyDraft& draft) const {
  return completer_.complete(draft);
}

std::vector<Chunk> PlanEvaluator::chunks(std::int32_t num_meshes,
                                         const std::vector<MeshAxis>& axes) const {
  std::vector<Chunk> placed = noting_faults([&] {
    return place_chunks(context_.cost.cluster(), context_.schedule, num_meshes, axes,
                        context_.schedule_id);
  });
  if (context_.schedule.placement(num_meshes).num_replicas > 1)
    throw Error(
        "the schedule places several replicas of the pipeline, of which strategies of "
        "files can be and those of searchers cannot");
  return placed;
}

Evaluation PlanEvaluator::evaluated(const Strategy& strategy) {
  return noting_faults([&] { return planned(strategy); });
}

/// What is refused of a plan is not the strategy's doing, which was checked before.
template <class Work>
void PlanEvaluator::blaming_plugins(Work&& work) const {
  try {
    work();
  } catch (const Error& error) {
    throw plugin::Fault("the plan made with " + context_.resharding_id + " and " +
                        context_.schedule_id + " is refused: " + error.what());
  }
}

Evaluation PlanEvaluator::planned(const Strategy& strategy) {
  ++num_evaluated_;
  num_searched_ += is_falling_back_ ? 0 : 1;
  const LongestEvaluation timed(*this);
  try {
    std::vector<Ordered> asked;
    plan::PlanOutline outline = make_outline(context_, strategy, &asked);
    plan::ExecutionPlan& plan = outline.plan;
    if (context_.cost.knows_reach()) plan::bind(outline);  // what is reused depends on it
    if (const Pin* pin = broken_pin(strategy))
      throw Error("'" + context_.program.op(pin->value).name + "' is not split as it is pinned");
    const auto bytes = static_cast<double>(plan::peak_bytes(plan));
    const std::string reason = too_large(plan);
    if (!reason.empty()) {
      note(smallest_planned_, strategy, bytes);
      break_promise(strategy);
      return {.reason = reason, .peak_bytes = bytes};
    }
    blaming_plugins([&] { plan::validate_order(plan); });
    const Candidate price = priced(strategy, plan);
    // A search is known by its own answer, however slow, once it has one.
    const bool is_its_first = is_fallback_ && !is_falling_back_;
    const bool is_best =
        !quickest_ || is_its_first || price.step_s < candidates_[quickest_->number].step_s;
    if (is_best) {  // nobody runs the others
      plan::bind(outline);
      blaming_plugins([&] { plan::validate(plan); });
    }
    if (is_best) quickest_ = {strategy, std::move(plan), candidates_.size(), std::move(asked)};
    if (!is_falling_back_ || is_best) is_fallback_ = is_falling_back_, is_promise_ = false;
    has_found_ = has_found_ || !is_falling_back_;
    candidates_.push_back(price);
    if (is_best) tell_best_();
    return {.feasible = true,
            .step_s = price.step_s,
            .compute_s = price.compute_s,
            .waiting_s = price.waiting_s,
            .peak_bytes = bytes};
  } catch (const plugin::Fault&) {
    throw;
  } catch (const Error& error) {
    return {.reason = error.what()};
  }
}

Candidate PlanEvaluator::priced(const Strategy& strategy, const plan::ExecutionPlan& plan) {
  const simulate::SimulateOptions options{
      .num_steps = 2, .keep_events = false, .lowerings = &lowerings_};
  Candidate made =
      candidate(name_of(strategy), plan, simulate::simulate(plan, context_.cost, options));
  for (const cost::CostModel& cost : changed_costs_)
    made.changed_s.push_back(simulate::simulate(plan, cost, options).step_s);
  return made;
}

std::string PlanEvaluator::too_large(const plan::ExecutionPlan& plan) const {
  for (const plan::Role& role : plan.roles) {
    const auto bytes = static_cast<double>(plan::memory_bytes(role));
    const double limit_bytes = std::min(memory_limit_bytes_, own_memory_bytes(role.mesh));
    if (limit_bytes > 0 && bytes > limit_bytes) return plan::too_large_text(bytes, limit_bytes);
  }
  return "";
}

/// Where devices differ in that.
double PlanEvaluator::own_memory_bytes(const Mesh& mesh) const {
  const Cluster& cluster = context_.cost.cluster();
  const auto is_like_first = [&](const DeviceModel& model) {
    return model.memory_bytes == cluster.models.front().memory_bytes;
  };
  return std::ranges::all_of(cluster.models, is_like_first)
             ? std::numeric_limits<double>::infinity()
             : plan::memory_bytes(cluster, mesh);
}

std::optional<plan::ExecutionPlan> PlanEvaluator::take_plan(const Strategy& strategy) {
  if (!quickest_ || quickest_->strategy != strategy) return std::nullopt;
  Evaluated drafted = *std::exchange(quickest_, std::nullopt);
  taken_s_ = candidates_[drafted.number].step_s;
  std::optional<plan::ExecutionPlan> full = taken_in_full(drafted);
  took_draft_ = !full;
  return full ? std::move(full) : std::move(drafted.plan);
}

/// nullopt: the draft is as quick, or the schedule refuses to say more.
std::optional<plan::ExecutionPlan> PlanEvaluator::taken_in_full(const Evaluated& drafted) {
  try {
    if (is_full(drafted.asked)) return std::nullopt;
    PlanContext full = context_;
    full.is_draft = false;
    plan::ExecutionPlan plan = make_plan(full, drafted.strategy);
    if (!too_large(plan).empty()) return std::nullopt;
    plan::validate(plan);
    const Candidate price = priced(drafted.strategy, plan);
    if (price.step_s > taken_s_) return std::nullopt;
    candidates_[drafted.number] = price;
    taken_s_ = price.step_s;
    return plan;
  } catch (const plugin::Fault&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void PlanEvaluator::take(const Strategy& strategy, const plan::ExecutionPlan& plan) {
  Candidate price = priced(strategy, plan);
  taken_s_ = price.step_s;
  if (std::ranges::find(candidates_, price) == candidates_.end())
    candidates_.push_back(std::move(price));
}

/// The schedule's answers are the same in full.
bool PlanEvaluator::is_full(const std::vector<Ordered>& asked) const {
  return std::ranges::all_of(asked, [&](const Ordered& each) {
    PipelineProblem problem = each.problem;
    problem.is_draft = false;
    return context_.schedule.schedule(problem) == each.answer;
  });
}

const StrategySpace& PlanEvaluator::space(const SpaceOptions& options) {
  for (const auto& [known, space] : spaces_) {
    if (known == options) return space;
  }
  check_time();
  ClassPrices prices = std::move(prices_of(options));
  spaces_.emplace_back(options, make_space(tables_, outline(options), options, std::move(prices),
                                           [&] { check_time(); }));
  return spaces_.back().second;
}

double PlanEvaluator::least_s(const SpaceOptions& options) {
  check_time();
  const std::vector<double> least =
      least_of_classes(tables_, outline(options), options, prices_of(options));
  return std::accumulate(least.begin(), least.end(), 0.0);
}

double PlanEvaluator::least_device_s(const std::vector<SpaceOptions>& meshes) {
  check_time();
  std::vector<double> least;  // per class
  for (const SpaceOptions& options : meshes) {
    std::vector<double> here =
        least_of_classes(tables_, outline(options), options, prices_of(options));
    for (double& seconds : here) seconds *= static_cast<double>(options.mesh.devices.size());
    if (least.empty()) least = std::move(here);
    else std::ranges::transform(least, here, least.begin(), std::ranges::min);
  }
  return std::accumulate(least.begin(), least.end(), 0.0);
}

ClassPrices& PlanEvaluator::prices_of(const SpaceOptions& options) {
  for (auto& [known, prices] : prices_) {
    if (known == options) return prices;
  }
  return prices_.emplace_back(options, ClassPrices()).second;
}

/// Of the program on one mesh, cut by micro-batches alone: the same on all meshes.
const SpaceOutline& PlanEvaluator::outline(const SpaceOptions& options) {
  check_devices(context_.cost.cluster(), {.chunks = {{options.mesh, false}}});
  std::unique_ptr<const SpaceOutline>& known = outlines_[options.num_micro_batches];
  if (known == nullptr) {
    const Strategy uncut = complete({.name = "not cut",
                                     .num_micro_batches = options.num_micro_batches,
                                     .chunks = {{options.mesh, false}},
                                     .annotations = {},
                                     .chunk_of = {},
                                     .recompute = {}});
    known = std::make_unique<SpaceOutline>(completer_.graph(), frames_.with_loops(uncut, false),
                                           options.mesh, options.num_micro_batches);
  }
  return *known;
}

ChunkFlow PlanEvaluator::flow(const Strategy& strategy) {
  check_time();
  return noting_faults([&] {
    return chunk_flow({context_, tables_, crossings_, frames_}, strategy);
  });
}

Estimate PlanEvaluator::estimate(const Strategy& strategy) {
  check_time();
  const Estimate made = estimated(strategy);
  note_promise(strategy, made);
  return made;
}

Estimate PlanEvaluator::estimated(const Strategy& strategy) {
  std::optional<KnownEstimates::Key> key = estimates_.key(strategy);
  if (const Estimate* const known = key ? estimates_.find(*key) : nullptr) return *known;
  const std::vector<FormId> forms = key ? key->forms : std::vector<FormId>();
  const Estimate made = noting_faults([&] {
    return TableTrial({context_, tables_, crossings_, frames_}, strategy, forms).price();
  });
  if (key) estimates_.add(*std::move(key), made);
  note(smallest_estimated_, strategy, made.peak_bytes);
  return made;
}

std::unique_ptr<Trial> PlanEvaluator::try_out(const Strategy& strategy) {
  check_time();
  auto trial = std::make_unique<TableTrial>(Means{context_, tables_, crossings_, frames_},
                                            std::make_unique<Strategy>(strategy));
  return std::make_unique<AskedTrial>(std::move(trial), [this](Trial& own) { return tried(own); });
}

/// A promise is a copy of the strategy: small steps one after the other are not worth one each.
Estimate PlanEvaluator::tried(Trial& trial) {
  constexpr double kWorth = 0.99;
  check_time();
  const Estimate made = noting_faults([&] { return trial.price(); });
  note_promise(trial.strategy(), made, kWorth);
  return made;
}

void PlanEvaluator::note(std::optional<Need>& smallest, const Strategy& strategy, double bytes) {
  if (!smallest || bytes < smallest->bytes) smallest = {name_of(strategy), bytes};
}

/// An estimate below what there is was wrong.
std::string PlanEvaluator::smallest_need() const {
  const bool is_planned =
      smallest_planned_ &&
      (!smallest_estimated_ || smallest_estimated_->bytes < memory_limit_bytes_ ||
       smallest_planned_->bytes < smallest_estimated_->bytes);
  const std::optional<Need>& smallest = is_planned ? smallest_planned_ : smallest_estimated_;
  if (!smallest || smallest->bytes <= memory_limit_bytes_) return "";  // devices are unlike
  return "in " + plan::bytes_text(memory_limit_bytes_) +
         " per device; the smallest that was found, " + smallest->name + ", needs " +
         (is_planned ? "" : "about ") + plan::bytes_text(smallest->bytes);
}

void PlanEvaluator::reject(const std::string& candidate, const std::string& reason) {
  std::pair told(candidate, reason);
  if (std::ranges::find(rejected_, told) == rejected_.end()) rejected_.push_back(std::move(told));
}

}  // namespace rhino::evaluate
