// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "ir/flops.hpp"
#include "rhino/error.hpp"
#include "sharding/chunks.hpp"
#include "sharding/complete.hpp"

namespace rhino {
namespace {

// Work of the busiest chunk may exceed an equal share by this much to cross fewer bytes.
constexpr double kBalanceTolerance = 0.08;
constexpr double kRounding = 1e-12;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// Fewer bytes first, then work spread more evenly.
struct Price {
  double bytes = std::numeric_limits<double>::infinity();
  double unevenness = std::numeric_limits<double>::infinity();  ///< sum of squared chunk work
  auto operator<=>(const Price&) const = default;
};

struct Cut {
  double bottleneck = std::numeric_limits<double>::infinity();
  Price price;
  std::vector<std::int32_t> chunk_of;
};

// Cuts one order exactly by dynamic programming over slots; a slot is the stretch between two ops
// that have work, where the best border is the one that the fewest bytes cross.
class OrderCutter {
 public:
  OrderCutter(const OpGraph& graph, const std::vector<ValueId>& order, std::int32_t num_chunks)
      : graph_(graph), order_(order), num_chunks_(at(num_chunks)) {
    find_slots();
  }

  std::size_t num_dots() const { return work_before_.size() - 1; }

  Cut cut() const {
    const double limit = std::max(least_bottleneck(), (1 + kBalanceTolerance) * share());
    return cheapest(limit * (1 + kRounding));
  }

  double share() const { return work_before_.back() / static_cast<double>(num_chunks_); }

 private:
  void find_slots() {
    const std::vector<double> bytes = border_bytes(graph_, order_);
    work_before_ = {0};
    for (std::size_t p = 0; p < order_.size(); ++p) {
      const double work = dot_work(graph_.program(), order_[p]);
      if (work > 0) {
        work_before_.push_back(work_before_.back() + work);
        border_.push_back(p + 1);
      } else if (!border_.empty() && bytes[p + 1] < bytes[border_.back()]) {
        border_.back() = p + 1;
      }
    }
    for (std::size_t border : border_) slot_bytes_.push_back(bytes[border]);
  }

  // best[j][d]: of the first d dots in j chunks.
  double least_bottleneck() const {
    std::vector<double> best(num_dots() + 1, std::numeric_limits<double>::infinity());
    best[0] = 0;
    for (std::size_t j = 1; j <= num_chunks_; ++j) {
      for (std::size_t end = num_dots(); end + 1 > j; --end) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t begin = end; begin-- > j - 1;) {
          const double work = work_before_[end] - work_before_[begin];
          if (work >= least) break;
          least = std::min(least, std::max(best[begin], work));
        }
        best[end] = least;
      }
      best[j - 1] = std::numeric_limits<double>::infinity();
    }
    return best[num_dots()];
  }

  Cut cheapest(double limit) const {
    std::vector<Price> best(num_dots() + 1);
    best[0] = {0, 0};
    std::vector<std::vector<std::size_t>> from(num_chunks_ + 1,
                                               std::vector<std::size_t>(num_dots() + 1));
    for (std::size_t j = 1; j <= num_chunks_; ++j) {
      std::vector<Price> next(num_dots() + 1);
      for (std::size_t end = j; end <= num_dots(); ++end) {
        for (std::size_t begin = end; begin-- > j - 1;) {
          const double work = work_before_[end] - work_before_[begin];
          if (work > limit) break;
          Price price = best[begin];
          price.bytes += begin > 0 ? slot_bytes_[begin - 1] : 0;
          price.unevenness += work * work;
          if (price < next[end]) {
            next[end] = price;
            from[j][end] = begin;
          }
        }
      }
      best = std::move(next);
    }
    return trace(from, best[num_dots()]);
  }

  Cut trace(const std::vector<std::vector<std::size_t>>& from, Price price) const {
    Cut cut{0, price, std::vector<std::int32_t>(at(graph_.size()), -1)};
    std::size_t end = num_dots(), last = order_.size();
    for (std::size_t j = num_chunks_; j > 0; --j) {
      const std::size_t begin = from[j][end];
      const std::size_t first = begin > 0 ? border_[begin - 1] : 0;
      for (std::size_t p = first; p < last; ++p) {
        cut.chunk_of[at(order_[p])] = static_cast<std::int32_t>(j) - 1;
      }
      cut.bottleneck = std::max(cut.bottleneck, work_before_[end] - work_before_[begin]);
      end = begin;
      last = first;
    }
    return cut;
  }

  const OpGraph& graph_;
  const std::vector<ValueId>& order_;
  std::size_t num_chunks_;
  std::vector<double> work_before_;  // [d]: of the first d dots
  std::vector<std::size_t> border_;  // [d]: position of the best border after dot d
  std::vector<double> slot_bytes_;   // [d]: bytes across it
};

// Balanced cuts compare by what crosses; of unbalanced ones the less unbalanced is better.
bool is_better(const Cut& a, const Cut& b, double share) {
  const double limit = (1 + kBalanceTolerance) * share * (1 + kRounding);
  const double a_excess = std::max(a.bottleneck, limit), b_excess = std::max(b.bottleneck, limit);
  return a_excess != b_excess ? a_excess < b_excess : a.price < b.price;
}

}  // namespace

double dot_work(const Program& program, ValueId id) {
  const OpKind kind = program.op(id).kind;
  return kind == OpKind::dot || kind == OpKind::convolution ? op_flops(program, id) : 0;
}

std::vector<std::int32_t> cut_movable(const OpGraph& graph, std::int32_t num_chunks) {
  const std::vector<bool> movable = movable_ops(graph);
  Cut best;
  for (const auto& order : topological_orders(graph, movable)) {
    if (num_chunks == 1) {
      for (ValueId id : order) best.chunk_of.resize(movable.size(), -1), best.chunk_of[at(id)] = 0;
      return best.chunk_of;
    }
    const OrderCutter cutter(graph, order, num_chunks);
    if (cutter.num_dots() < at(num_chunks)) {
      throw Error("program '" + graph.program().name + "' has " +
                  std::to_string(cutter.num_dots()) + " forward dots: too few for " +
                  std::to_string(num_chunks) + " chunks");
    }
    Cut cut = cutter.cut();
    refine_chunks(graph, movable, cut.chunk_of);
    cut.price.bytes = crossing_bytes(graph, cut.chunk_of);
    if (is_better(cut, best, cutter.share())) best = std::move(cut);
  }
  return best.chunk_of;
}

std::vector<std::int32_t> cut_into_chunks(const Program& program, std::int32_t num_chunks) {
  const OpGraph graph(program);
  return place_all(graph, cut_movable(graph, num_chunks));
}

}  // namespace rhino
