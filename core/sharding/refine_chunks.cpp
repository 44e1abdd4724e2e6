// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

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
        num_left_(chunk_work_.size()),
        mark_(chunk_of.size()) {
    for (std::vector<std::int64_t>& known : too_many_) known.assign(chunk_of.size(), -1);
    for (std::size_t id = 0; id < chunk_of.size(); ++id) {
      if (movable[id]) chunk_work_[at(chunk_of[id])] += work[id];
    }
  }

  CutPrice run() {
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
      if (!try_all(1) || !try_all(-1)) break;
    }
    CutPrice price = price_of_work();
    price.bytes = crossing_bytes(graph_, chunk_of_);
    return price;
  }

 private:
  // False: since the last one that paid all moves have been tried, both ways.
  bool try_all(std::int32_t step) {
    // What must go along goes along with too many where it alone would.
    for (ValueId i = 0; i < graph_.size(); ++i) {
      const ValueId id = step > 0 ? graph_.size() - 1 - i : i;
      if (may_move(id, step)) collect(id, step);
    }
    for (ValueId i = 0; i < graph_.size(); ++i) {
      const bool moved = try_move(step > 0 ? i : graph_.size() - 1 - i, step);
      num_still_ = moved ? 0 : num_still_ + 1;
      if (num_still_ == 2 * graph_.size()) return false;
    }
    return true;
  }

  bool may_move(ValueId id, std::int32_t step) const {
    if (!movable_[at(id)]) return false;
    const std::int32_t to = chunk_of_[at(id)] + step;
    return to >= 0 && at(to) < chunk_work_.size();
  }

  bool try_move(ValueId id, std::int32_t step) {
    if (!may_move(id, step) || !collect(id, step)) return false;
    const std::int32_t from = chunk_of_[at(id)], to = from + step;
    CutPrice before = price_of_work();
    shift_work(from, to);
    CutPrice after = price_of_work();
    bool better = chunk_work_[at(from)] > 0 && after.excess <= before.excess;
    if (better) {  // as far as work tells
      find_touched();
      before.bytes = bytes();
      place(to);
      after.bytes = bytes();
      better = after < before;
      if (!better) place(from);
    }
    if (better) note_move(from);
    else shift_work(to, from);
    return better;
  }

  void note_move(std::int32_t from) {
    ++num_left_[at(from)];
    for (const ValueId member : moved_)
      for (std::vector<std::int64_t>& known : too_many_) known[at(member)] = -1;
  }

  // The op and what must move with it: its users in the chunk on the way down, else its operands.
  // False where these are too many.
  bool collect(ValueId id, std::int32_t step) {
    // As long as no op leaves the chunk they do not become fewer.
    std::vector<std::int64_t>& too_many = too_many_[step > 0 ? 1 : 0];
    const std::int64_t now = num_left_[at(chunk_of_[at(id)])];
    if (too_many[at(id)] == now) return false;
    ++stamp_;
    moved_.clear();
    bool fits = true;
    const auto add = [&](ValueId other) {
      const bool here = movable_[at(other)] && chunk_of_[at(other)] == chunk_of_[at(id)];
      if (!here || mark_[at(other)] == stamp_) return;
      fits = fits && too_many[at(other)] != now;
      mark_[at(other)] = stamp_;
      moved_.push_back(other);
    };
    add(id);
    for (std::size_t next = 0; next < moved_.size() && fits; ++next) {
      fits = moved_.size() <= kMaxMoved;
      if (step > 0) {
        for (const Use& use : graph_.uses(moved_[next])) add(use.user);
      } else {
        for (ValueId operand : graph_.op(moved_[next]).operands) add(operand);
      }
    }
    if (!fits) too_many[at(id)] = now;
    return fits;
  }

  // The ops that move and what they read.
  void find_touched() {
    touched_ = moved_;
    for (ValueId member : moved_) {
      for (ValueId operand : graph_.op(member).operands) touched_.push_back(operand);
    }
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  }

  void place(std::int32_t chunk) {
    for (ValueId member : moved_) chunk_of_[at(member)] = chunk;
  }

  void shift_work(std::int32_t from, std::int32_t to) {
    for (ValueId member : moved_) {
      chunk_work_[at(from)] -= work_[at(member)];
      chunk_work_[at(to)] += work_[at(member)];
    }
  }

  // Without bytes.
  CutPrice price_of_work() const {
    CutPrice price;
    for (double work : chunk_work_) {
      price.bottleneck = std::max(price.bottleneck, work);
      price.unevenness += work * work;
    }
    price.excess = std::max(price.bottleneck, limit_);
    return price;
  }

  // Of the touched values alone.
  double bytes() const {
    double bytes = 0;
    for (ValueId id : touched_) bytes += value_bytes(graph_, chunk_of_, id);
    return bytes;
  }

  const OpGraph& graph_;
  const std::vector<bool>& movable_;
  const std::vector<double>& work_;
  double limit_;
  std::vector<std::int32_t>& chunk_of_;
  std::vector<double> chunk_work_;
  std::vector<std::int64_t> num_left_;  // per chunk the moves that took ops from it
  // Per direction and op as many when it could not go for what would go along; -1: not known.
  std::array<std::vector<std::int64_t>, 2> too_many_;
  std::int64_t num_still_ = 0;  // moves tried since one paid
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
