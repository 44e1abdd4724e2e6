// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "common/choice/message_passing.hpp"
#include "common/choice/reduction.hpp"
#include "common/choice/solution.hpp"

namespace rhino::common::choice {

inline Solution solve(const CostGraph& graph, const Effort& effort);

/// Branch and bound: the labels of one node are parted in two, each part is solved as a graph of
/// its own, and that with the least bound is parted next.
class Branching {
 public:
  /// `graph` is borrowed.
  Branching(const CostGraph& graph, const Effort& effort)
      : graph_(graph), effort_(effort), num_left_(effort.most_branched), last_left_(num_left_) {
    effort_.most_branched = 0;
    effort_.most_work = std::min(effort.most_work, kMostWorkOfPart);
    effort_.improvement_work = std::min(effort.improvement_work, kThorough.improvement_work);
  }

  /// No worse than `best`, a choice of the graph with a bound of all of them.
  Solution run(Solution best) {
    best_ = std::move(best);
    last_gap_ = best_.cost - best_.bound;
    std::vector<Part> open;
    Part all{std::vector<Labels>(graph_.nodes.size()), best_.bound};
    for (std::int32_t node = 0; node < graph_.size(); ++node) {
      for (std::int32_t label = 0; at(label) < graph_.num_labels(node); ++label)
        all.kept[at(node)].push_back(label);
    }
    is_dear_ = num_labels(all.kept) > kDear;
    open.push_back(std::move(all));
    while (num_left_ > 0 && !open.empty() && is_open(open.front().bound) &&
           gets_on(open.front().bound) && !effort_.is_over()) {
      std::ranges::pop_heap(open, is_later);
      const Part part = std::move(open.back());
      open.pop_back();
      for (Part& half : halves(part)) {
        if (!look_at(half)) continue;
        open.push_back(std::move(half));
        std::ranges::push_heap(open, is_later);
      }
    }
    best_.bound = open.empty() ? best_.cost : std::min(best_.cost, open.front().bound);
    return best_;
  }

 private:
  /// Whether the gap to `bound` has lost a twentieth in the last parts, where parts are dear: in
  /// graphs of thousands of labels hundreds of parts may hardly move it.
  bool gets_on(double bound) {
    if (!is_dear_ || last_left_ - num_left_ < kPatience) return true;
    const double gap = best_.cost - bound;
    const bool is_less = gap < 0.95 * last_gap_;
    last_left_ = num_left_, last_gap_ = gap;
    return is_less;
  }
  static constexpr std::int32_t kPatience = 30;
  static constexpr double kMostWorkOfPart = 1e7;  ///< parts are many
  static constexpr std::size_t kDear = 2000;      ///< labels

  struct Part {
    std::vector<Labels> kept;  ///< per node
    double bound = 0;
  };
  static bool is_later(const Part& a, const Part& b) { return a.bound > b.bound; }

  bool is_open(double bound) const { return best_.cost - bound > detail::slack(best_.cost); }

  /// Whether there may be something better in it.
  bool look_at(Part& part) {
    --num_left_;
    effort_.most_cost = best_.cost - detail::slack(best_.cost);
    const Reduced own = reduced(graph_, part.kept);
    const Solution found = solve(own.graph, effort_);
    if (found.cost < best_.cost) best_.labels = own.original(found.labels), best_.cost = found.cost;
    part.bound = std::max(part.bound, found.bound);
    return !detail::is_proved(found) && is_open(part.bound);
  }

  /// By the node of which the half that promises less is the dearest, by bounds; labels that they
  /// rule out are in neither.
  std::vector<Part> halves(const Part& part) const {
    const Reduced own = reduced(graph_, part.kept);
    MessagePassing messages(own.graph);
    for (std::int32_t i = 0; i < effort_.num_sweeps; ++i) messages.sweep();
    const auto bounds = messages.bounds_of_labels();
    Part left{{}, std::max(part.bound, messages.bound())};
    std::pair<double, std::size_t> best{-1, 0};
    for (std::size_t node = 0; node < bounds.size(); ++node) {
      Labels& kept = left.kept.emplace_back();
      std::vector<std::int32_t> order;
      for (std::int32_t i = 0; at(i) < bounds[node].size(); ++i) {
        if (is_open(bounds[node][at(i)])) order.push_back(i);
      }
      std::ranges::stable_sort(order, {}, [&](std::int32_t i) { return bounds[node][at(i)]; });
      for (const std::int32_t i : order) kept.push_back(part.kept[node][at(i)]);
      if (order.empty()) return {};  // whatever it has costs too much
      if (order.size() < 2) continue;
      const double dearer = bounds[node][at(order[order.size() / 2])];
      best = std::max(best, {dearer, node});
    }
    if (best.first < 0) return {left};
    std::vector<Part> halves{left, left};
    Labels &first = halves[0].kept[best.second], &second = halves[1].kept[best.second];
    const auto middle = first.begin() + static_cast<std::ptrdiff_t>(first.size() / 2);
    second.assign(middle, first.end());
    first.erase(middle, first.end());
    for (Part& half : halves) {
      for (Labels& kept : half.kept) std::ranges::sort(kept);
    }
    return halves;
  }

  const CostGraph& graph_;
  Effort effort_;
  std::int32_t num_left_, last_left_;
  bool is_dear_ = false;
  double last_gap_ = std::numeric_limits<double>::infinity();
  Solution best_;
};

}  // namespace rhino::common::choice
