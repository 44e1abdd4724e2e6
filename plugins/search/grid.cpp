// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Parameters that play the same part: equal shapes, read by equal ops. Repeated layers fall
/// together, so they are cut alike.
struct Group {
  std::vector<ValueId> values;
  std::vector<std::int64_t> dims;
  std::int64_t elements = 0;
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

/// Groups of parameters with at least two dims, the largest first.
std::vector<Group> parameter_groups(const Program& program) {
  const std::vector<std::string> signature = signatures(program);
  std::map<std::string, Group> groups;
  for (const Input& input : program.inputs) {
    const Shape& shape = program.shape(input.value);
    if (input.kind != InputKind::parameter || shape.dims.size() < 2) continue;
    Group& group = groups[to_string(shape) + signature[static_cast<std::size_t>(input.value)]];
    group.values.push_back(input.value);
    group.dims = shape.dims;
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
/// groups of like parameters, everything else by propagation; the Evaluator ranks.
class Grid : public Search {
 public:
  explicit Grid(const Options& options)
      : max_results_(options.get<std::int64_t>("max_results", 4)),
        sweeps_(options.get<std::int64_t>("sweeps", 2)),
        stage_(options.get<std::int64_t>("stage", 0)),
        data_(options.get<std::int64_t>("data", 0)),
        tensor_(options.get<std::int64_t>("tensor", 0)) {}

  std::vector<Strategy> search(const SearchProblem& problem, Evaluator& evaluator) override {
    const std::vector<Group> groups = parameter_groups(problem.program);
    std::vector<std::pair<double, Strategy>> ranked;
    std::map<std::int64_t, std::vector<Choice>> choices;
    for (const Layout& layout : layouts(problem.cluster.num_devices())) {
      if (!is_wanted(layout)) continue;
      try {
        explore(problem, evaluator, groups, layout, choices[layout.tensor], ranked);
      } catch (const Error& error) {
        evaluator.reject(layout.name(), error.what());
      }
    }
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
  bool is_wanted(const Layout& layout) const {
    return (stage_ == 0 || layout.stage == stage_) && (data_ == 0 || layout.data == data_) &&
           (tensor_ == 0 || layout.tensor == tensor_);
  }

  void explore(const SearchProblem& problem, Evaluator& evaluator, const std::vector<Group>& groups,
               const Layout& layout, std::vector<Choice>& choices,
               std::vector<std::pair<double, Strategy>>& ranked) const {
    StrategyDraft draft;
    draft.chunks = evaluator.chunks(static_cast<std::int32_t>(layout.stage),
                                    {{"data", layout.data}, {"tensor", layout.tensor}});
    draft.batch_axis = kData;
    // Which dims a tensor axis cuts hardly depends on the other axes and on the micro-batch count:
    // decided with the first layout of this tensor size that takes one.
    for (const std::int64_t count : problem.micro_batch_counts) {
      draft.num_micro_batches = count;
      draft.name = layout.name() + ", " + std::to_string(count) + " micro-batches";
      try {
        if (choices.empty()) choices = choose_dims(evaluator, groups, layout, draft);
        rank(evaluator, groups, choices, draft, ranked);
      } catch (const Error& error) {
        evaluator.reject(draft.name, error.what());
      }
    }
  }

  /// The cheapest choice that fits; where none does, the cheapest that fits when every chunk keeps
  /// only what enters it and repeats its forward pass.
  static void rank(Evaluator& evaluator, const std::vector<Group>& groups,
                   const std::vector<Choice>& choices, StrategyDraft draft,
                   std::vector<std::pair<double, Strategy>>& ranked) {
    const std::string name = draft.name;
    std::string reason;
    for (const bool recompute : {false, true}) {
      for (Chunk& chunk : draft.chunks) chunk.recompute = recompute;
      draft.name = name + (recompute ? ", recomputing" : "");
      for (const Choice& choice : choices) {
        annotate(groups, choice, draft);
        Strategy strategy = evaluator.complete(draft);
        const Evaluation evaluation = evaluator.evaluate(strategy);
        if (evaluation.feasible) {
          ranked.emplace_back(evaluation.step_s, std::move(strategy));
          return;
        }
        if (reason.empty()) reason = evaluation.reason;
      }
    }
    evaluator.reject(name, reason);
  }

  /// The outcomes of descents from three ends: nothing cut, everything cut along the first and
  /// along the last dim that divides. They differ in memory as much as in time. Cheapest first.
  std::vector<Choice> choose_dims(Evaluator& evaluator, const std::vector<Group>& groups,
                                  const Layout& layout, StrategyDraft& draft) const {
    std::vector<Choice> found{Choice(groups.size(), kWhole)};
    if (layout.tensor == 1) return found;
    std::vector<Choice> ends(3, found.front());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const Choice dims = divisible_dims(groups[g], layout);
      if (!dims.empty()) ends[1][g] = dims.front(), ends[2][g] = dims.back();
    }
    std::map<Choice, double> price;
    for (Choice& chosen : ends) {
      const double seconds = descend(evaluator, groups, layout, draft, chosen);
      price.emplace(chosen, seconds);
    }
    found.clear();
    for (const auto& [choice, seconds] : price) found.push_back(choice);
    std::stable_sort(found.begin(), found.end(),
                     [&](const Choice& a, const Choice& b) { return price.at(a) < price.at(b); });
    return found;
  }

  static Choice divisible_dims(const Group& group, const Layout& layout) {
    Choice dims;
    for (std::size_t dim = 0; dim < group.dims.size(); ++dim) {
      if (group.dims[dim] % layout.tensor == 0) dims.push_back(static_cast<std::int32_t>(dim));
    }
    return dims;
  }

  /// Coordinate descent: per group the dim (or none) that makes the whole strategy cheapest with
  /// the other groups fixed.
  double descend(Evaluator& evaluator, const std::vector<Group>& groups, const Layout& layout,
                 StrategyDraft& draft, Choice& chosen) const {
    double best_s = cost(evaluator, groups, chosen, draft);
    for (std::int64_t sweep = 0; sweep < sweeps_; ++sweep) {
      const Choice before = chosen;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        std::int32_t best = chosen[g];
        Choice dims = divisible_dims(groups[g], layout);
        dims.push_back(kWhole);
        for (const std::int32_t dim : dims) {
          if (dim == before[g]) continue;
          chosen[g] = dim;
          const double seconds = cost(evaluator, groups, chosen, draft);
          if (seconds < best_s * (1 - 1e-9)) best_s = seconds, best = dim;
        }
        chosen[g] = best;
      }
      if (chosen == before) break;
    }
    return best_s;
  }

  static double cost(Evaluator& evaluator, const std::vector<Group>& groups, const Choice& chosen,
                     StrategyDraft& draft) {
    annotate(groups, chosen, draft);
    return evaluator.quick_cost_s(evaluator.complete(draft));
  }

  static void annotate(const std::vector<Group>& groups, const Choice& chosen,
                       StrategyDraft& draft) {
    draft.annotations.clear();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (chosen[g] < 0) continue;
      for (const ValueId value : groups[g].values) {
        Annotation annotation{value, std::vector<std::vector<AxisId>>(groups[g].dims.size())};
        annotation.dims[static_cast<std::size_t>(chosen[g])] = {kTensor};
        draft.annotations.push_back(std::move(annotation));
      }
    }
  }

  std::int64_t max_results_, sweeps_, stage_, data_, tensor_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("search/grid", rhino::Grid, "all stage x data x tensor layouts, ranked by simulation")
