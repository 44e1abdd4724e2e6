// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "common/choice/branching.hpp"
#include "common/choice/elimination.hpp"
#include "common/choice/improvement.hpp"
#include "common/choice/message_passing.hpp"
#include "common/choice/reduction.hpp"
#include "common/choice/solution.hpp"

namespace rhino::common::choice {

/// The least cost: nodes with one or two neighbours are eliminated, labels that others dominate are
/// dropped, and all other nodes are eliminated where the work allows. Where it does not, messages
/// find a bound and a choice, exact elimination in groups makes the choice better, labels that the
/// bound rules out are dropped, and it begins again with less, or with parts.
inline Solution solve(const CostGraph& graph, const Effort& effort);

namespace detail {

inline Reduced without_dominated(const CostGraph& graph, const Effort& effort) {
  return reduced(graph, Dominance(graph).run(effort));
}

inline Reduced whole(const CostGraph& graph) {
  std::vector<Labels> kept(graph.nodes.size());
  for (std::int32_t node = 0; node < graph.size(); ++node) {
    kept[at(node)].resize(graph.num_labels(node));
    std::iota(kept[at(node)].begin(), kept[at(node)].end(), 0);
  }
  return {graph, std::move(kept)};
}

/// Per node the labels that no choice below `most` does without, by bounds of labels, and those of
/// `labels`.
inline std::vector<Labels> labels_below(double most, const std::vector<std::vector<double>>& bounds,
                                        const Labels& labels) {
  std::vector<Labels> kept(bounds.size());
  for (std::size_t node = 0; node < bounds.size(); ++node) {
    for (std::int32_t label = 0; at(label) < bounds[node].size(); ++label) {
      if (bounds[node][at(label)] <= most || label == labels[node]) kept[node].push_back(label);
    }
  }
  return kept;
}

/// Makes a choice better, exactly, among the labels that are kept; false: that takes more than
/// `most_work`.
inline bool choose_of(const CostGraph& graph, const std::vector<Labels>& kept, double most_work,
                      Solution& found) {
  const Open open = open_part(graph, kept);
  const EliminationOrder order = elimination_order(open.graph, open.graph.nodes.size(), most_work);
  if (order.work > most_work) return false;
  Labels labels = open.original(kept, Elimination(open.graph, order).labels({}, {}));
  const double least = cost(graph, labels);
  if (least < found.cost) found.labels = std::move(labels), found.cost = least;
  return true;
}

/// Among labels whose bounds are near the least: what messages bound well they may choose badly,
/// and few labels are near enough for an exact elimination.
inline void choose_near_bound(const CostGraph& graph,
                              const std::vector<std::vector<double>>& bounds, const Effort& effort,
                              Solution& found) {
  for (const double share : {0.0, 0.01, 0.1}) {
    if (is_proved(found) || effort.is_over()) return;
    const double most = found.bound + share * (found.cost - found.bound) + slack(found.cost);
    if (!choose_of(graph, labels_below(most, bounds, found.labels), effort.most_work, found))
      return;
  }
}

/// The best of both choices of messages, node by node.
inline void combine(const CostGraph& graph, const MessagePassing& messages, const Effort& effort,
                    Solution& found) {
  std::vector<Labels> kept;
  for (std::size_t node = 0; node < found.labels.size(); ++node) {
    const std::int32_t one = found.labels[node], other = messages.other_labels()[node];
    Labels& labels = kept.emplace_back(1, std::min(one, other));
    if (one != other) labels.push_back(std::max(one, other));
  }
  choose_of(graph, kept, std::min(effort.most_work, kThorough.most_work), found);
}

inline Solution bounded(const CostGraph& graph, const Effort& effort, MessagePassing messages);

/// Exactly where the work allows; `before`: messages of a graph with more labels, of which `kept`
/// are left, if there are any.
inline Solution solve_rest(const CostGraph& graph, const Effort& effort,
                           const MessagePassing* before, const std::vector<Labels>& kept) {
  const Reduced few =
      effort.drops_dominated && !effort.is_over() ? without_dominated(graph, effort) : whole(graph);
  const CostGraph& rest = few.graph;
  const EliminationOrder order = elimination_order(rest, rest.nodes.size(), effort.most_work);
  Solution found;
  if (order.work <= effort.most_work) {
    const Elimination inner(rest, order);
    found = {inner.labels({}, {}), inner.constant(), inner.constant()};
  } else if (before == nullptr) {
    found = bounded(rest, effort, MessagePassing(rest));
  } else {
    std::vector<Labels> left;
    for (std::size_t node = 0; node < kept.size(); ++node) {
      Labels& labels = left.emplace_back();
      for (const std::int32_t label : few.kept[node]) labels.push_back(kept[node][at(label)]);
    }
    found = bounded(rest, effort, MessagePassing(rest, *before, left));
  }
  found.labels = few.original(found.labels);
  return found;
}

inline Solution bounded(const CostGraph& graph, const Effort& effort, MessagePassing messages) {
  double last = -1;
  for (std::int32_t sweep = 0; sweep < effort.num_sweeps; ++sweep) {
    messages.sweep();
    if (is_near(messages.cost(), messages.bound(), effort)) break;
    if (messages.bound() > effort.most_cost || effort.is_over()) break;
    if (sweep % 10 != 9) continue;
    if (messages.bound() - last < 1e-5 * messages.bound()) break;
    last = messages.bound();
  }
  Solution found{messages.labels(), messages.cost(), messages.bound()};
  // Messages that have not settled may choose what is forbidden.
  if (is_forbidden(messages.cost()) &&
      (effort.repairs_dear || messages.bound() <= effort.most_cost))
    Improvement(graph, kThorough.improvement_work).repair(found.labels);
  found.cost = cost(graph, found.labels);
  if (effort.is_over()) return found;
  if (is_near(found.cost, found.bound, effort) || found.bound > effort.most_cost) return found;
  combine(graph, messages, effort, found);
  const auto bounds = messages.bounds_of_labels();
  if (effort.improvement_work > 0) {
    choose_near_bound(graph, bounds, effort, found);
    if (!is_proved(found)) Improvement(graph, effort.improvement_work).run(found.labels, effort);
    found.cost = cost(graph, found.labels);
  }
  if (is_near(found.cost, found.bound, effort)) return found;
  std::vector<Labels> kept = labels_below(found.cost + slack(found.cost), bounds, found.labels);
  std::size_t num_before = 0;
  for (const CostGraph::Node& node : graph.nodes) num_before += node.cost.size();
  const bool is_stuck = 20 * num_labels(kept) > 19 * num_before;
  if (is_stuck && effort.most_branched == 0) return found;
  if (is_stuck) return Branching(graph, effort).run(std::move(found));
  const Reduced less = reduced(graph, std::move(kept));
  const Solution rest = solve_rest(less.graph, effort, &messages, less.kept);
  found.bound = std::max(found.bound, std::min(rest.bound, found.cost));
  if (rest.cost >= found.cost) return found;
  found.labels = less.original(rest.labels);
  found.cost = rest.cost;
  return found;
}

}  // namespace detail

inline Solution solve(const CostGraph& graph, const Effort& effort) {
  const Elimination outer(graph, elimination_order(graph, effort.is_over() ? 0 : 2), effort);
  std::vector<std::int32_t> nodes;
  const CostGraph left = outer.rest(nodes);
  Effort inner = effort;
  inner.most_cost -= outer.constant();
  const Solution found = detail::solve_rest(left, inner, nullptr, {});
  Labels labels = outer.labels(nodes, found.labels);
  const double least = cost(graph, labels);
  const bool is_best = detail::is_proved(found);
  return {std::move(labels), least,
          is_best ? least : std::min(found.bound + outer.constant(), least)};
}

/// The best choice of these labels in place of one that costs more: true where that is none of what
/// is forbidden. Nodes without labels have none to choose of.
inline bool take_of(const CostGraph& graph, std::vector<Labels> kept, Effort effort,
                    Solution& found) {
  if (std::ranges::any_of(kept, &Labels::empty)) return false;
  for (Labels& labels : kept) {
    std::ranges::sort(labels);
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  }
  effort.most_cost = std::numeric_limits<double>::infinity();
  const Reduced part = reduced(graph, std::move(kept));
  const Solution best = solve(part.graph, effort);
  if (best.cost < found.cost) found.labels = part.original(best.labels), found.cost = best.cost;
  return found.cost < kForbidden;
}

}  // namespace rhino::common::choice
