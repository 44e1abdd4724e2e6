// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "rhino/index.hpp"
#include "sharding/chunks.hpp"

namespace rhino::sharding {
namespace {

// Ops that one move may take over a border.
constexpr std::size_t kMaxMoved = 64;
constexpr int kMaxSweeps = 8;

// Borders between the chunk that yields (or first reads) a value and the last that reads it.
double value_bytes(const OpGraph& graph, const std::vector<std::int32_t>& chunk_of, ValueId id) {
  if (graph.is_pure(id)) return 0;
  const bool made_elsewhere = chunk_of[at(id)] < 0;
  std::int32_t first = chunk_of[at(id)], last = first;
  for (const Use& use : graph.uses(id)) {
    const std::int32_t chunk = chunk_of[at(use.user)];
    if (chunk < 0) continue;
    first = first < 0 || (made_elsewhere && chunk < first) ? chunk : first;
    last = std::max(last, chunk);
  }
  return static_cast<double>(last - first) * static_cast<double>(num_bytes(graph.shape(id)));
}

// Moves ops over borders, each with all that must go along, as long as it pays: what no single
// order can express.
class Refiner {
 public:
  Refiner(const OpGraph& graph, const std::vector<bool>& movable, const std::vector<double>& work,
          double limit, std::vector<std::int32_t>& chunk_of)
      : graph_(graph),
        movable_(movable),
        work_(work),
        limit_(limit),
        chunk_of_(chunk_of),
        chunk_work_(at(*std::max_element(chunk_of.begin(), chunk_of.end())) + 1),
        mark_(chunk_of.size()) {
    for (std::size_t id = 0; id < chunk_of.size(); ++id) {
      if (movable[id]) chunk_work_[at(chunk_of[id])] += work[id];
    }
  }

  CutPrice run() {
    bool moved = true;
    for (int sweep = 0; moved && sweep < kMaxSweeps; ++sweep) {
      moved = false;
      for (ValueId id = 0; id < graph_.size(); ++id) moved |= try_move(id, 1);
      for (ValueId id = graph_.size(); id-- > 0;) moved |= try_move(id, -1);
    }
    touched_.resize(chunk_of_.size());
    std::iota(touched_.begin(), touched_.end(), 0);
    return price();
  }

 private:
  bool try_move(ValueId id, std::int32_t step) {
    if (!movable_[at(id)]) return false;
    const std::int32_t from = chunk_of_[at(id)], to = from + step;
    if (to < 0 || at(to) >= chunk_work_.size() || !collect(id, step)) return false;
    const CutPrice before = price();
    shift(from, to);
    const bool better = chunk_work_[at(from)] > 0 && price() < before;
    if (!better) shift(to, from);
    return better;
  }

  // The op and what must move with it: its users in the chunk on the way down, else its operands.
  bool collect(ValueId id, std::int32_t step) {
    ++stamp_;
    moved_.clear();
    const auto add = [&](ValueId other) {
      const bool here = movable_[at(other)] && chunk_of_[at(other)] == chunk_of_[at(id)];
      if (!here || mark_[at(other)] == stamp_) return;
      mark_[at(other)] = stamp_;
      moved_.push_back(other);
    };
    add(id);
    for (std::size_t next = 0; next < moved_.size(); ++next) {
      if (moved_.size() > kMaxMoved) return false;
      if (step > 0) {
        for (const Use& use : graph_.uses(moved_[next])) add(use.user);
      } else {
        for (ValueId operand : graph_.op(moved_[next]).operands) add(operand);
      }
    }
    touched_ = moved_;
    for (ValueId member : moved_) {
      for (ValueId operand : graph_.op(member).operands) touched_.push_back(operand);
    }
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    return true;
  }

  void shift(std::int32_t from, std::int32_t to) {
    for (ValueId member : moved_) {
      chunk_of_[at(member)] = to;
      chunk_work_[at(from)] -= work_[at(member)];
      chunk_work_[at(to)] += work_[at(member)];
    }
  }

  // Bytes of the touched values alone.
  CutPrice price() const {
    CutPrice price;
    for (double work : chunk_work_) {
      price.bottleneck = std::max(price.bottleneck, work);
      price.unevenness += work * work;
    }
    price.excess = std::max(price.bottleneck, limit_);
    for (ValueId id : touched_) price.bytes += value_bytes(graph_, chunk_of_, id);
    return price;
  }

  const OpGraph& graph_;
  const std::vector<bool>& movable_;
  const std::vector<double>& work_;
  double limit_;
  std::vector<std::int32_t>& chunk_of_;
  std::vector<double> chunk_work_;
  std::vector<std::uint32_t> mark_;
  std::uint32_t stamp_ = 0;
  std::vector<ValueId> moved_, touched_;
};

}  // namespace

CutPrice refine_chunks(const OpGraph& graph, const std::vector<bool>& movable,
                       const std::vector<double>& work, double limit,
                       std::vector<std::int32_t>& chunk_of) {
  return Refiner(graph, movable, work, limit, chunk_of).run();
}

double crossing_bytes(const OpGraph& graph, const std::vector<std::int32_t>& chunk_of) {
  double bytes = 0;
  for (ValueId id = 0; id < graph.size(); ++id) bytes += value_bytes(graph, chunk_of, id);
  return bytes;
}

}  // namespace rhino::sharding
