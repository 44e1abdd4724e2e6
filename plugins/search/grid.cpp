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
    const Shape& shape = program.op(input.value).shape;
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
/// counts. For each layout the dims that the tensor axis cuts are found by coordinate descent over
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
    for (const Layout& layout : layouts(problem.cluster.num_devices())) {
      if (!is_wanted(layout)) continue;
      try {
        explore(problem, evaluator, groups, layout, ranked);
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
               const Layout& layout, std::vector<std::pair<double, Strategy>>& ranked) const {
    StrategyDraft draft;
    draft.chunks = evaluator.chunks(static_cast<std::int32_t>(layout.stage),
                                    {{"data", layout.data}, {"tensor", layout.tensor}});
    draft.batch_axis = kData;
    // Which dims the tensor axis cuts hardly depends on the micro-batch count: decided with the
    // fewest that this layout takes.
    bool decided = false;
    for (const std::int64_t count : problem.micro_batch_counts) {
      const std::string name = layout.name() + ", " + std::to_string(count) + " micro-batches";
      draft.num_micro_batches = count;
      draft.name = name;
      try {
        if (!decided && layout.tensor > 1) choose_dims(evaluator, groups, layout, draft);
        decided = true;
        Strategy strategy = evaluator.complete(draft);
        const Evaluation evaluation = evaluator.evaluate(strategy);
        if (evaluation.feasible) ranked.emplace_back(evaluation.step_s, std::move(strategy));
        else if (!try_recomputing(evaluator, draft, ranked))
          evaluator.reject(name, evaluation.reason);
      } catch (const Error& error) {
        evaluator.reject(name, error.what());
      }
    }
  }

  /// What does not fit may do so where every chunk keeps only what enters it and repeats its
  /// forward pass.
  static bool try_recomputing(Evaluator& evaluator, StrategyDraft draft,
                              std::vector<std::pair<double, Strategy>>& ranked) {
    for (Chunk& chunk : draft.chunks) chunk.recompute = true;
    draft.name += ", recomputing";
    Strategy strategy = evaluator.complete(draft);
    const Evaluation evaluation = evaluator.evaluate(strategy);
    if (evaluation.feasible) ranked.emplace_back(evaluation.step_s, std::move(strategy));
    return evaluation.feasible;
  }

  /// Coordinate descent: per group the dim (or none) that makes the whole strategy cheapest with
  /// the other groups fixed.
  void choose_dims(Evaluator& evaluator, const std::vector<Group>& groups, const Layout& layout,
                   StrategyDraft& draft) const {
    std::vector<std::int32_t> chosen(groups.size(), -1);
    double best_s = cost(evaluator, groups, chosen, draft);
    for (std::int64_t sweep = 0; sweep < sweeps_; ++sweep) {
      bool changed = false;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::int32_t before = chosen[g];
        std::int32_t best = before;
        for (std::int32_t dim = -1; dim < static_cast<std::int32_t>(groups[g].dims.size()); ++dim) {
          if (dim == before ||
              (dim >= 0 && groups[g].dims[static_cast<std::size_t>(dim)] % layout.tensor != 0))
            continue;
          chosen[g] = dim;
          const double seconds = cost(evaluator, groups, chosen, draft);
          if (seconds < best_s * (1 - 1e-9)) best_s = seconds, best = dim;
        }
        chosen[g] = best;
        changed |= best != before;
      }
      if (!changed) break;
    }
    annotate(groups, chosen, draft);
  }

  static double cost(Evaluator& evaluator, const std::vector<Group>& groups,
                     const std::vector<std::int32_t>& chosen, StrategyDraft& draft) {
    annotate(groups, chosen, draft);
    return evaluator.quick_cost_s(evaluator.complete(draft));
  }

  static void annotate(const std::vector<Group>& groups, const std::vector<std::int32_t>& chosen,
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
