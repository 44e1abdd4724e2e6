// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <set>

#include "ir/flops.hpp"
#include "ir/op_traits.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/chunks.hpp"
#include "sharding/complete.hpp"

namespace rhino::sharding {
namespace {

constexpr double kRounding = 1e-12;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr CutPrice kImpossible{kInfinity, kInfinity, kInfinity, kInfinity};

// Cuts one order exactly by dynamic programming over slots; a slot is the stretch between two ops
// that have work, where the best border is the one that the fewest bytes cross.
class OrderCutter {
 public:
  OrderCutter(const OpGraph& graph, const std::vector<ValueId>& order,
              const std::vector<double>& work, std::int32_t num_chunks)
      : graph_(graph), order_(order), num_chunks_(at(num_chunks)) {
    find_slots(work);
    least_bottleneck_ = balance();
  }

  /// Work of the busiest chunk where it is as little as this order allows.
  double least_bottleneck() const { return least_bottleneck_; }

  /// Chunk of every op of the order, -1 of others. The busiest chunk has at most `limit` work, or
  /// as little as this order allows.
  std::vector<std::int32_t> cut(double limit) const {
    return cheapest(std::max(least_bottleneck_ * (1 + kRounding), limit));
  }

 private:
  std::size_t num_dots() const { return work_before_.size() - 1; }

  void find_slots(const std::vector<double>& work) {
    const std::vector<double> bytes = border_bytes(graph_, order_);
    work_before_ = {0};
    for (std::size_t p = 0; p < order_.size(); ++p) {
      if (work[at(order_[p])] > 0) {
        work_before_.push_back(work_before_.back() + work[at(order_[p])]);
        border_.push_back(p + 1);
      } else if (!border_.empty() && bytes[p + 1] < bytes[border_.back()]) {
        border_.back() = p + 1;
      }
    }
    for (std::size_t border : border_) slot_bytes_.push_back(bytes[border]);
  }

  // best[j][d]: of the first d dots in j chunks.
  double balance() const {
    std::vector<double> best(num_dots() + 1, kInfinity);
    best[0] = 0;
    for (std::size_t j = 1; j <= num_chunks_; ++j) {
      for (std::size_t end = num_dots(); end + 1 > j; --end) {
        double least = kInfinity;
        for (std::size_t begin = end; begin-- > j - 1;) {
          const double work = work_before_[end] - work_before_[begin];
          if (work >= least) break;
          least = std::min(least, std::max(best[begin], work));
        }
        best[end] = least;
      }
      best[j - 1] = kInfinity;
    }
    return best[num_dots()];
  }

  // Exact in bytes and bottleneck: a sum, and a maximum where the sums are equal.
  std::vector<std::int32_t> cheapest(double limit) const {
    std::vector<CutPrice> best(num_dots() + 1, kImpossible);
    best[0] = {};
    std::vector<std::vector<std::size_t>> from(num_chunks_ + 1,
                                               std::vector<std::size_t>(num_dots() + 1));
    for (std::size_t j = 1; j <= num_chunks_; ++j) {
      std::vector<CutPrice> next(num_dots() + 1, kImpossible);
      for (std::size_t end = j; end <= num_dots(); ++end) {
        for (std::size_t begin = end; begin-- > j - 1;) {
          const double work = work_before_[end] - work_before_[begin];
          if (work > limit) break;
          CutPrice price = best[begin];
          price.bytes += begin > 0 ? slot_bytes_[begin - 1] : 0;
          price.bottleneck = std::max(price.bottleneck, work);
          price.unevenness += work * work;
          if (price < next[end]) {
            next[end] = price;
            from[j][end] = begin;
          }
        }
      }
      best = std::move(next);
    }
    return trace(from);
  }

  std::vector<std::int32_t> trace(const std::vector<std::vector<std::size_t>>& from) const {
    std::vector<std::int32_t> chunk_of(at(graph_.size()), -1);
    std::size_t end = num_dots(), last = order_.size();
    for (std::size_t j = num_chunks_; j > 0; --j) {
      const std::size_t begin = from[j][end];
      const std::size_t first = begin > 0 ? border_[begin - 1] : 0;
      for (std::size_t p = first; p < last; ++p) {
        chunk_of[at(order_[p])] = static_cast<std::int32_t>(j) - 1;
      }
      end = begin;
      last = first;
    }
    return chunk_of;
  }

  const OpGraph& graph_;
  const std::vector<ValueId>& order_;
  std::size_t num_chunks_;
  std::vector<double> work_before_;  // [d]: of the first d dots
  std::vector<std::size_t> border_;  // [d]: position of the best border after dot d
  std::vector<double> slot_bytes_;   // [d]: bytes across it
  double least_bottleneck_ = 0;
};

}  // namespace

double dot_work(const Program& program, ValueId id) {
  const bool is_dot = ir::traits(program.op(id).kind).op_class == ir::OpClass::contraction;
  return is_dot ? ir::op_flops(program, id) : 0;
}

std::vector<std::int32_t> cut_movable(const OpGraph& graph, std::int32_t num_chunks) {
  const std::vector<bool> movable = movable_ops(graph);
  std::vector<double> work(movable.size());
  std::int32_t num_dots = 0;
  for (ValueId id = 0; id < graph.size(); ++id) {
    if (movable[at(id)]) work[at(id)] = dot_work(graph.program(), id);
    num_dots += work[at(id)] > 0;
  }
  if (num_chunks > 1 && num_dots < num_chunks) {
    throw Error("program '" + graph.program().name + "' has " + std::to_string(num_dots) +
                " forward dots: too few for " + std::to_string(num_chunks) + " chunks");
  }
  const auto orders = topological_orders(graph, movable);
  std::vector<OrderCutter> cutters;
  double least_bottleneck = kInfinity;
  for (const std::vector<ValueId>& order : orders) {
    cutters.emplace_back(graph, order, work, num_chunks);
    least_bottleneck = std::min(least_bottleneck, cutters.back().least_bottleneck());
  }
  const double limit = (1 + kBalanceTolerance) * least_bottleneck * (1 + kRounding);
  std::vector<std::int32_t> best;
  CutPrice best_price;
  std::set<std::vector<std::int32_t>> refined;
  for (const OrderCutter& cutter : cutters) {
    std::vector<std::int32_t> chunk_of = cutter.cut(limit);
    if (num_chunks == 1) return chunk_of;
    if (!refined.insert(chunk_of).second) continue;  // as another order is cut
    const CutPrice price = refine_chunks(graph, movable, work, limit, chunk_of);
    if (!best.empty() && best_price <= price) continue;
    best = std::move(chunk_of);
    best_price = price;
  }
  return best;
}

std::vector<std::int32_t> cut_into_chunks(const Program& program, std::int32_t num_chunks) {
  const OpGraph graph(program);
  return place_all(graph, cut_movable(graph, num_chunks));
}

}  // namespace rhino::sharding
