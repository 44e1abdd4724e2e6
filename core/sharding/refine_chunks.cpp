// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "sharding/chunks.hpp"

namespace rhino {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// Chunks between the one that yields (or first reads) a value and the last that reads it.
double of_value(const OpGraph& graph, const std::vector<std::int32_t>& chunk_of, ValueId id) {
  if (graph.is_pure(id)) return 0;
  std::int32_t first = chunk_of[at(id)], last = first;
  for (const Use& use : graph.uses(id)) {
    const std::int32_t chunk = chunk_of[at(use.user)];
    if (chunk < 0) continue;
    const bool made_elsewhere = chunk_of[at(id)] < 0;
    first = first < 0 || (made_elsewhere && chunk < first) ? chunk : first;
    last = std::max(last, chunk);
  }
  return static_cast<double>(last - first) * static_cast<double>(num_bytes(graph.op(id).shape));
}

// Moves ops without work over borders as long as fewer bytes cross: what no single order can
// express.
class Refiner {
 public:
  Refiner(const OpGraph& graph, const std::vector<bool>& movable,
          std::vector<std::int32_t>& chunk_of)
      : graph_(graph), movable_(movable), chunk_of_(chunk_of) {}

  void run() {
    constexpr int kMaxSweeps = 8;
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
      bool moved = false;
      for (ValueId id = 0; id < graph_.size(); ++id) moved |= improve(id);
      for (ValueId id = graph_.size(); id-- > 0;) moved |= improve(id);
      if (!moved) return;
    }
  }

 private:
  bool improve(ValueId id) {
    if (!movable_[at(id)] || dot_work(graph_.program(), id) > 0) return false;
    std::int32_t low = 0, high = std::numeric_limits<std::int32_t>::max();
    for (ValueId operand : graph_.op(id).operands) low = std::max(low, chunk_of_[at(operand)]);
    for (const Use& use : graph_.uses(id)) {
      if (movable_[at(use.user)]) high = std::min(high, chunk_of_[at(use.user)]);
    }
    const std::int32_t now = chunk_of_[at(id)];
    const double before = bytes_around(id);
    for (std::int32_t target : {low, std::min(high, last_chunk_)}) {
      if (target == now) continue;
      chunk_of_[at(id)] = target;
      if (bytes_around(id) < before) return true;
      chunk_of_[at(id)] = now;
    }
    return false;
  }

  double bytes_around(ValueId id) const {
    double bytes = value_bytes(id);
    const auto& operands = graph_.op(id).operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (std::find(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(i),
                    operands[i]) == operands.begin() + static_cast<std::ptrdiff_t>(i)) {
        bytes += value_bytes(operands[i]);
      }
    }
    return bytes;
  }

  double value_bytes(ValueId id) const { return of_value(graph_, chunk_of_, id); }

  const OpGraph& graph_;
  const std::vector<bool>& movable_;
  std::vector<std::int32_t>& chunk_of_;
  std::int32_t last_chunk_ = *std::max_element(chunk_of_.begin(), chunk_of_.end());
};

}  // namespace

void refine_chunks(const OpGraph& graph, const std::vector<bool>& movable,
                   std::vector<std::int32_t>& chunk_of) {
  Refiner(graph, movable, chunk_of).run();
}

double crossing_bytes(const OpGraph& graph, const std::vector<std::int32_t>& chunk_of) {
  double bytes = 0;
  for (ValueId id = 0; id < graph.size(); ++id) bytes += of_value(graph, chunk_of, id);
  return bytes;
}

}  // namespace rhino
