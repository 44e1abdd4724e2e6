// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/configurations.hpp"
#include "common/needed_text.hpp"
#include "common/option_values.hpp"
#include "common/thrift.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Parameters that play the same part: equal shapes, read by equal ops, pinned alike. Repeated
/// layers fall together, so they are cut alike. Or images, which all that follows from them is cut
/// with.
struct Group {
  std::vector<ValueId> values;
  std::vector<std::int64_t> dims;
  std::size_t first_dim = 0;  ///< that may be cut: the samples of images are another axis' concern
  std::int64_t elements = 0;
  const Pin* pin = nullptr;  ///< of each of them; nullptr: none is pinned
};

/// One way to use all devices.
struct Layout {
  std::int64_t stage = 1, data = 1, tensor = 1;
  std::string name() const {
    return "stage " + std::to_string(stage) + " x data " + std::to_string(data) + " x tensor " +
           std::to_string(tensor);
  }
};

constexpr AxisId kData = 0, kTensor = 1;

/// Per group the dim that the tensor axis cuts, or none.
using Choice = std::vector<std::int32_t>;
constexpr std::int32_t kWhole = -1;

/// What reads a value, as text: op kind, place among the operands, shape of the result.
std::vector<std::string> signatures(const Program& program) {
  std::vector<std::string> signature(program.ops.size());
  for (const Op& op : program.ops) {
    if (op.phase != Phase::forward) continue;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      signature[static_cast<std::size_t>(op.operands[i])] +=
          std::to_string(static_cast<int>(op.kind)) + "/" + std::to_string(i) + to_string(op.shape);
    }
  }
  return signature;
}

/// Images have dims between their samples and their features.
bool is_images(const Input& input, const Shape& shape) {
  return input.kind == InputKind::batch && shape.dims.size() >= 3;
}

/// Of a parameter; images, whose samples another axis cuts, are held to theirs once they are cut.
const Pin* pin_of(const SearchProblem& problem, const Input& input) {
  const auto pin = std::ranges::find(problem.pins, input.value, &Pin::value);
  return input.kind == InputKind::parameter && pin != problem.pins.end() ? &*pin : nullptr;
}

std::string text(const Pin* pin) {
  std::string text = pin == nullptr ? "" : " pinned";
  if (pin != nullptr)
    for (const std::int32_t dim : pin->dims) text += " " + std::to_string(dim);
  return text;
}

/// Groups of parameters with at least two dims, or pinned, and of images, the largest first.
std::vector<Group> groups_of(const SearchProblem& problem) {
  const Program& program = problem.program;
  const std::vector<std::string> signature = signatures(program);
  std::map<std::string, Group> groups;
  for (const Input& input : program.inputs) {
    const Shape& shape = program.shape(input.value);
    const Pin* pin = pin_of(problem, input);
    const bool is_parameter =
        input.kind == InputKind::parameter && (shape.dims.size() >= 2 || pin != nullptr);
    if (!is_parameter && !is_images(input, shape)) continue;
    Group& group = groups[(is_parameter ? "" : "images ") + to_string(shape) +
                          signature[static_cast<std::size_t>(input.value)] + text(pin)];
    group.pin = pin;
    group.values.push_back(input.value);
    group.dims = shape.dims;
    group.first_dim = is_parameter ? 0 : 1;
    group.elements += num_elements(shape);
  }
  std::vector<Group> list;
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  std::stable_sort(list.begin(), list.end(),
                   [](const Group& a, const Group& b) { return a.elements > b.elements; });
  return list;
}

std::vector<Layout> layouts(std::int64_t num_devices) {
  std::vector<Layout> all;
  for (std::int64_t stage = 1; stage <= num_devices; ++stage) {
    if (num_devices % stage != 0) continue;
    for (std::int64_t data = 1; data <= num_devices / stage; ++data) {
      if (num_devices / stage % data == 0) all.push_back({stage, data, num_devices / stage / data});
    }
  }
  return all;
}

/// All factorizations of the devices into stages x data x tensor and all allowed micro-batch
/// counts. Per size of the tensor axis the dims that it cuts are found by coordinate descents over
/// groups of like parameters and images, everything else by propagation. All are ranked by their
/// estimates; the promising ones are evaluated, best first.
class Grid : public Search {
 public:
  explicit Grid(const Options& options)
      : max_results_(common::whole_option(options, "max_results", 4, {.least = 1})),
        sweeps_(common::whole_option(options, "sweeps", 2, {.least = 0})),
        stage_(common::whole_option(options, "stage", 0, {.least = 0})),
        data_(common::whole_option(options, "data", 0, {.least = 0})),
        tensor_(common::whole_option(options, "tensor", 0, {.least = 0})) {}

  std::vector<Strategy> search(const SearchProblem& problem, Strategies& strategies) override {
    const std::vector<Group> groups = groups_of(problem);
    std::map<std::int64_t, std::vector<Choice>> choices;
    std::vector<Point> points;
    std::vector<Layout> wanted = layouts(problem.cluster.num_devices());
    std::erase_if(wanted, [&](const Layout& layout) { return !is_wanted(layout); });
    if (wanted.empty())
      strategies.reject("stage, data and tensor",
                        std::to_string(problem.cluster.num_devices()) +
                            " devices do not divide as stage, data and tensor say");
    for (const Layout& layout : wanted) {
      try {
        explore(problem, strategies, groups, layout, choices[layout.tensor], points);
      } catch (const Error& error) {
        strategies.reject(layout.name(), error.what());
      }
    }
    std::vector<Ranked> ranked = evaluated(problem, strategies, std::move(points));
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Strategy> best;
    for (auto& [seconds, strategy] : ranked) {
      if (static_cast<std::int64_t>(best.size()) == max_results_) break;
      best.push_back(std::move(strategy));
    }
    return best;
  }

 private:
  using Candidate = common::PricedDraft;  ///< a way to run a layout with a micro-batch count
  /// A layout with a micro-batch count: its candidates, and behind them, where those lack memory,
  /// what takes less.
  struct Point {
    std::string name;
    Layout layout;
    std::vector<Candidate> candidates;
    std::size_t next = 0;          ///< the first that has not been found too large
    std::string reason;            ///< of the first that has been
    std::vector<Candidate> large;  ///< of the candidates those that lack memory
    bool is_thrifty = false;       ///< all have been evaluated, and what takes less is among them
    const Candidate& candidate() const { return candidates[next]; }
    double step_s() const { return candidate().estimate.step_s; }
  };

  using Ranked = std::pair<double, Strategy>;  ///< with the seconds of its step

  /// Estimates are that near to simulations, as a rule.
  static constexpr double kNear = 1.25;
  /// And of memory, at the worst.
  static constexpr double kMemoryNear = 2;
  static constexpr double kWorthParts = 1.01;

  bool is_wanted(const Layout& layout) const {
    return (stage_ == 0 || layout.stage == stage_) && (data_ == 0 || layout.data == data_) &&
           (tensor_ == 0 || layout.tensor == tensor_);
  }

  void explore(const SearchProblem& problem, Strategies& strategies,
               const std::vector<Group>& groups, const Layout& layout, std::vector<Choice>& choices,
               std::vector<Point>& points) const {
    StrategyDraft draft;
    draft.chunks = strategies.chunks(static_cast<std::int32_t>(layout.stage),
                                     {{"data", layout.data}, {"tensor", layout.tensor}});
    draft.batch_axis = kData;
    // Which dims a tensor axis cuts hardly depends on the other axes and on the micro-batch count:
    // decided with the first layout of this tensor size that takes one.
    for (const std::int64_t count : problem.micro_batch_counts) {
      draft.num_micro_batches = count;
      draft.name = layout.name() + ", " + micro_batches_text(count);
      try {
        if (choices.empty()) choices = choose_dims(strategies, groups, layout, draft);
        Point point{.name = draft.name, .layout = layout};
        for (const Choice& choice : choices) {
          annotate(groups, choice, draft);
          const Strategy made = strategies.complete(draft);
          if (const Pin* pin = common::broken_pin(problem, made))
            strategies.reject(draft.name, broken_text(problem.program, *pin));
          else point.candidates.push_back({draft, strategies.estimate(made)});
        }
        if (point.candidates.empty()) continue;
        add_parts(problem, strategies, point);
        std::ranges::stable_sort(point.candidates, {}, promised_s);
        points.push_back(std::move(point));
      } catch (const Error& error) {
        strategies.reject(draft.name, error.what());
      }
    }
  }

  static std::string broken_text(const Program& program, const Pin& pin) {
    return "'" + program.ops[static_cast<std::size_t>(pin.value)].name +
           "' is not split as it is pinned, by stages, samples and one dim of each parameter";
  }

  /// The quickest with updates of parts, too.
  static void add_parts(const SearchProblem& problem, Strategies& strategies, Point& point) {
    const auto quickest = std::ranges::min_element(point.candidates, {}, promised_s);
    if (auto parts = common::with_parts(problem, strategies, quickest->draft))
      point.candidates.push_back(std::move(*parts));
  }

  /// Updates of parts are to be worth their messages.
  static double promised_s(const Candidate& one) {
    return one.estimate.step_s * (one.draft.zero_stage > 0 ? kWorthParts : 1);
  }

  /// Of each point the first candidate that fits, where it may be among the quickest; where none
  /// does, the first that fits with more split over the axis of the batch, or made anew. Points in
  /// the order of their estimates.
  static std::vector<Ranked> evaluated(const SearchProblem& problem, Strategies& strategies,
                                       std::vector<Point> points) {
    const double memory_limit_bytes = problem.memory_limit_bytes;
    const double least_s = points.empty() ? 0 : lower_bound_s(problem, strategies, points);
    std::vector<Ranked> ranked;
    double best_s = std::numeric_limits<double>::infinity();
    while (!points.empty()) {
      const auto point =
          std::min_element(points.begin(), points.end(),
                           [](const Point& a, const Point& b) { return a.step_s() < b.step_s(); });
      if (point->step_s() > kNear * best_s) break;
      const Candidate& candidate = point->candidate();
      if (candidate.estimate.bound_s >= best_s) {
        if (++point->next == point->candidates.size()) points.erase(point);
        continue;
      }
      Strategy strategy = strategies.complete(candidate.draft);
      const Evaluation evaluation =
          is_too_large(candidate, memory_limit_bytes)
              ? Evaluation{.reason = too_large_text(candidate, memory_limit_bytes),
                           .peak_bytes = candidate.estimate.peak_bytes}
              : strategies.evaluate(strategy);
      if (evaluation.feasible) {
        if (evaluation.step_s < best_s) {
          best_s = evaluation.step_s;
          strategies.offer(strategy, least_s);
        }
        ranked.emplace_back(evaluation.step_s, std::move(strategy));
      }
      if (evaluation.feasible || !go_on(problem, strategies, *point, evaluation))
        points.erase(point);
    }
    return ranked;
  }

  /// No strategy of these layouts takes less, however it cuts values and whatever it makes anew:
  /// all dots, each in its quickest cut. 0: of one of them that is not known.
  static double lower_bound_s(const SearchProblem& problem, Strategies& strategies,
                              const std::vector<Point>& points) {
    common::LeastSteps least(problem.cluster, strategies, true);
    double least_s = std::numeric_limits<double>::infinity();
    for (const Point& point : points) {
      const double seconds =
          least.of({.num_stages = point.layout.stage,
                    .axes = {point.layout.data, point.layout.tensor},
                    .num_micro_batches = point.candidate().draft.num_micro_batches});
      if (std::isinf(seconds)) return 0;
      least_s = std::min(least_s, seconds);
    }
    return least_s;
  }

  static bool is_too_large(const Candidate& candidate, double memory_limit_bytes) {
    return memory_limit_bytes > 0 &&
           candidate.estimate.peak_bytes > kMemoryNear * memory_limit_bytes;
  }

  static std::string too_large_text(const Candidate& candidate, double memory_limit_bytes) {
    return common::needed_text(candidate.estimate.peak_bytes) + ", and there are " +
           common::bytes_text(memory_limit_bytes);
  }

  /// To the next candidate of a point; false: there is none, and the point is rejected.
  static bool go_on(const SearchProblem& problem, Strategies& strategies, Point& point,
                    const Evaluation& evaluation) {
    if (point.reason.empty()) point.reason = evaluation.reason;
    if (evaluation.peak_bytes > 0) point.large.push_back(point.candidate());
    if (++point.next == point.candidates.size() && !point.large.empty() && !point.is_thrifty) {
      point.is_thrifty = true;
      for (Candidate& less : common::thriftier(problem, strategies, point.large, point.name))
        point.candidates.push_back(std::move(less));
    }
    if (point.next < point.candidates.size()) return true;
    strategies.reject(point.name, point.reason);
    return false;
  }

  /// The outcomes of descents from three ends: nothing cut, everything cut along the first and
  /// along the last dim that divides. They differ in memory as much as in time.
  std::vector<Choice> choose_dims(Strategies& strategies, const std::vector<Group>& groups,
                                  const Layout& layout, StrategyDraft& draft) const {
    if (layout.tensor == 1) return {Choice(groups.size(), kWhole)};
    std::vector<Choice> ends(3, Choice(groups.size(), kWhole));
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const Choice cuts = cuts_of(groups[g], layout);
      ends[0][g] = cuts.back(), ends[1][g] = cuts.front();
      ends[2][g] = cuts.size() > 1 ? cuts[cuts.size() - 2] : cuts.front();
    }
    std::set<Choice> different;
    for (Choice& chosen : ends) {
      descend(strategies, groups, layout, draft, chosen);
      different.insert(std::move(chosen));
    }
    return {different.begin(), different.end()};
  }

  /// The dims that divide, and none; of what is pinned what it is pinned to, if it divides.
  static Choice cuts_of(const Group& group, const Layout& layout) {
    Choice cuts;
    const auto may_cut = [&](std::int32_t dim) {
      return group.pin == nullptr || group.pin->dims == Choice{dim};
    };
    for (std::size_t d = group.first_dim; d < group.dims.size(); ++d) {
      const auto dim = static_cast<std::int32_t>(d);
      if (group.dims[d] % layout.tensor == 0 && may_cut(dim)) cuts.push_back(dim);
    }
    if (group.pin == nullptr || cuts.empty()) cuts.push_back(kWhole);
    return cuts;
  }

  /// Coordinate descent: per group the dim (or none) that makes the whole strategy cheapest with
  /// the other groups fixed.
  void descend(Strategies& strategies, const std::vector<Group>& groups, const Layout& layout,
               StrategyDraft& draft, Choice& chosen) const {
    double best_s = cost(strategies, groups, chosen, draft);
    for (std::int64_t sweep = 0; sweep < sweeps_; ++sweep) {
      const Choice before = chosen;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        std::int32_t best = chosen[g];
        for (const std::int32_t dim : cuts_of(groups[g], layout)) {
          if (dim == before[g]) continue;
          chosen[g] = dim;
          const double seconds = cost(strategies, groups, chosen, draft);
          if (seconds < best_s * (1 - 1e-9)) best_s = seconds, best = dim;
        }
        chosen[g] = best;
      }
      if (chosen == before) break;
    }
  }

  static double cost(Strategies& strategies, const std::vector<Group>& groups, const Choice& chosen,
                     StrategyDraft& draft) {
    annotate(groups, chosen, draft);
    return strategies.estimate(strategies.complete(draft)).step_s;
  }

  static void annotate(const std::vector<Group>& groups, const Choice& chosen,
                       StrategyDraft& draft) {
    draft.annotations.clear();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const bool is_whole = chosen[g] == kWhole;  // as pinned, or as propagation has it
      if (is_whole && groups[g].pin == nullptr) continue;
      for (const ValueId value : groups[g].values) {
        Annotation annotation{value, std::vector<std::vector<AxisId>>(groups[g].dims.size())};
        if (!is_whole) annotation.dims[static_cast<std::size_t>(chosen[g])] = {kTensor};
        draft.annotations.push_back(std::move(annotation));
      }
    }
  }

  std::int64_t max_results_, sweeps_, stage_, data_, tensor_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/grid", rhino::Grid,
             "all stage x data x tensor layouts, the best by simulation")
