// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "common/choice/known_solutions.hpp"

namespace rhino::common::choice {

/// The cheapest choice of few enough bytes. Where bytes have a price, the cheapest choice bounds
/// all that have room (Everett 1963); at the best price there is one on either side of the limit,
/// and what lies between is decided by branching on nodes in whose bytes the two differ.
class Limited {
 public:
  /// Both are borrowed; `solutions` is of this and of other graphs. `ends`: what the choices are
  /// worth of which bytes have no price, or alone count; mostly the limit lies between them.
  Limited(const CostGraph& graph, const Effort& effort, const Effort& ends,
          KnownSolutions& solutions)
      : graph_(graph), effort_(effort), ends_(ends), solutions_(solutions) {
    for (const CostGraph::Node& node : graph_.nodes) {
      all_.emplace_back(node.cost.size());
      std::iota(all_.back().begin(), all_.back().end(), 0);
    }
  }

  Limited(const CostGraph& graph, const Effort& effort, KnownSolutions& solutions)
      : Limited(graph, effort, effort, solutions) {}

  /// Of at most so many bytes; no labels: none was found. The bound is of all of them. Work ends
  /// when so many graphs have been solved, time is up, or a choice is found that costs at most by
  /// the share `near` more than the bound, or all that is left costs more than `most_cost`. What
  /// has been solved for other limits counts here, too.
  Solution run(double most_bytes, int most_solved, double near = 0,
               double most_cost = std::numeric_limits<double>::infinity()) {
    if (least_bytes() > most_bytes * (1 + kRounding)) return {{}, kForbidden, kForbidden};
    most_bytes_ = most_bytes;
    num_left_ = most_solved;
    near_ = near;
    most_cost_ = most_cost;
    best_ = {.labels = {}, .cost = kForbidden, .bound = 0};
    for (const auto& [price, known] : known_) offer(known);
    best_.bound = std::min(branch(all_, 0), best_.cost);
    if (best_.cost - best_.bound <= detail::slack(best_.cost)) best_.bound = best_.cost;
    return best_;
  }

  /// What there is without a limit, and of the fewest bytes.
  Labels cheapest() { return solved(all_, 0).labels; }
  Labels smallest() { return solved(all_, kBytesAlone).labels; }
  Labels at_price(double price) { return solved(all_, price).labels; }

  /// What no choice has fewer bytes than: those of all nodes, whatever they cost side by side.
  double least_bytes() const {
    double sum = 0;
    for (const CostGraph::Node& node : graph_.nodes)
      sum += node.bytes.empty() ? 0 : std::ranges::min(node.bytes);
    return sum;
  }

 private:
  using Kept = std::vector<Labels>;  ///< per node the labels that it may have

  struct Priced {
    Labels labels;
    double cost = 0, bytes = 0;
    double bound = 0;  ///< of any choice's cost and its bytes at their price, or of bytes alone
    double at(double price) const { return cost + price * bytes; }
  };

  /// A price: bytes count, and nothing else.
  static constexpr double kBytesAlone = -1;
  static constexpr double kRounding = 1e-9;

  bool fits(const Priced& choice) const { return choice.bytes <= most_bytes_; }
  bool is_hopeless(double bound) const {
    const double near = std::max(detail::slack(best_.cost), near_ * best_.cost);
    return best_.cost - bound <= near || bound > most_cost_ || num_left_ <= 0 || effort_.is_over();
  }

  void offer(const Priced& choice) {
    if (fits(choice) && choice.cost < best_.cost)
      best_.cost = choice.cost, best_.labels = choice.labels;
  }

  /// The cheapest choice of such labels; of all labels each price is asked for once.
  Priced solved(const Kept& kept, double price) {
    const bool is_root = &kept == &all_;
    if (is_root && known_.contains(price)) return known_[price];
    --num_left_;
    double unit = 1;
    const CostGraph priced =
        price == kBytesAlone ? bytes_alone(unit) : with_price_of_bytes(graph_, price);
    const Reduced part = reduced(priced, kept);
    const Solution found = solutions_.solve(part.graph, price > 0 ? effort_ : ends_);
    Priced made{part.original(found.labels), 0, 0, unit * found.bound};
    made.cost = cost(graph_, made.labels);
    made.bytes = bytes(graph_, made.labels);
    offer(made);
    if (is_root) known_[price] = made;
    return made;
  }

  /// As costs, in a unit in which forbidden pairs stay dearer than any number of them.
  CostGraph bytes_alone(double& unit) const {
    CostGraph made = graph_;
    unit = 0;
    for (const CostGraph::Node& node : graph_.nodes)
      unit += node.bytes.empty() ? 0 : std::ranges::max(node.bytes) / 1000;
    for (CostGraph::Node& node : made.nodes) {
      node.cost.assign(node.cost.size(), 0);
      for (std::size_t i = 0; i < node.bytes.size(); ++i) node.cost[i] = node.bytes[i] / unit;
    }
    std::map<const std::vector<double>*, Table> forbidden;
    for (CostGraph::Edge& edge : made.edges) {
      Table& known = forbidden[edge.cost.get()];
      if (known == nullptr) {
        std::vector<double> costs = *edge.cost;
        for (double& cost : costs) cost = cost < kForbidden ? 0 : kForbidden;
        known = table(std::move(costs));
      }
      edge.cost = known;
    }
    return made;
  }

  /// Of these labels no choice that has room costs less than what is returned, or less than the
  /// best. `price`: of bytes, the first to try.
  double branch(const Kept& kept, double price) {
    double bound = solved(kept, price).bound - price * most_bytes_;
    if (is_hopeless(bound)) return bound;
    Priced low = solved(kept, 0);
    bound = std::max(bound, low.bound);
    if (fits(low) || is_hopeless(bound)) return bound;
    Priced high = solved(kept, kBytesAlone);
    if (!fits(high)) return high.bound > most_bytes_ * (1 + kRounding) ? kForbidden : bound;
    for (bool goes_on = true; goes_on && !is_hopeless(bound);) {
      price = std::max(0.0, (high.cost - low.cost) / (low.bytes - high.bytes));
      const Priced next = solved(kept, price);
      bound = std::max(bound, next.bound - price * most_bytes_);
      goes_on = next.at(price) < low.at(price) - detail::slack(low.at(price));
      if (goes_on) (fits(next) ? high : low) = next;
    }
    return is_hopeless(bound) ? bound : std::max(bound, split(kept, low, high, price));
  }

  /// By bytes of the node in which the two differ the most.
  double split(const Kept& kept, const Priced& low, const Priced& high, double price) {
    std::pair<double, std::size_t> most{0, 0};
    for (std::size_t n = 0; n < kept.size(); ++n)
      most = std::max(most, {std::abs(bytes_of(n, low) - bytes_of(n, high)), n});
    const std::size_t node = most.second;
    const double middle = (bytes_of(node, low) + bytes_of(node, high)) / 2;
    const bool high_first = bytes_of(node, high) > middle;
    double bound = kForbidden;
    for (const bool is_large : {high_first, !high_first}) {
      Kept part = kept;
      std::erase_if(part[node], [&](std::int32_t label) {
        return (graph_.nodes[node].bytes[rhino::at(label)] > middle) != is_large;
      });
      bound = std::min(bound, branch(part, price));
    }
    return bound;
  }

  double bytes_of(std::size_t node, const Priced& choice) const {
    const std::vector<double>& bytes = graph_.nodes[node].bytes;
    return bytes.empty() ? 0 : bytes[rhino::at(choice.labels[node])];
  }

  const CostGraph& graph_;
  Effort effort_, ends_;
  KnownSolutions& solutions_;
  Kept all_;
  std::map<double, Priced> known_;  ///< of all labels, by price
  double most_bytes_ = 0, near_ = 0, most_cost_ = 0;
  int num_left_ = 0;
  Solution best_;
};

}  // namespace rhino::common::choice
