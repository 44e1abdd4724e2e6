// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "rhino/index.hpp"
#include "rhino/program.hpp"

namespace rhino::common {

/// A forward pass as segments, runs of its ops: between the passes only what leaves a segment is
/// kept, and each segment but the last is made anew in front of its backward pass (Chen et al.,
/// arXiv 1604.06174, on any program). Of all ends the ones for which what leaves segments, and what
/// backward passes read of the largest one, are the fewest bytes; within kStep of it, that is, of
/// the largest.
class Segments {
 public:
  /// An op of the pass, in its order.
  struct Row {
    double bytes = 0;         ///< of its result
    int last_read = -1;       ///< the last row that reads it; -1: none
    bool is_stashed = false;  ///< a backward pass reads it
  };

  static constexpr double kStep = 1.1;

  explicit Segments(std::vector<Row> rows) : rows_(std::move(rows)) {
    double smallest = kNever, all = 0;
    for (const Row& row : rows_) {
      if (!row.is_stashed || row.bytes <= 0) continue;
      smallest = std::min(smallest, row.bytes);
      all += row.bytes;
    }
    // No segment of a larger room is worth it than what the best needs in all.
    for (double room = 0; room < bytes() && room <= all * kStep;)
      cut(room), room = std::max(smallest, room * kStep);
  }

  /// Per segment the row behind its last one.
  const std::vector<int>& ends() const { return ends_; }
  /// What leaves segments, and what is stashed of the largest one.
  double bytes() const { return kept_ + largest_; }

  /// The rows that are made anew.
  std::vector<bool> remade() const {
    std::vector<bool> is_remade(rows_.size());
    int first = 0;
    for (const int end : ends_) {
      const bool is_last = end == std::ssize(rows_);
      for (int row = first; row < end && !is_last; ++row)
        is_remade[at(row)] = rows_[at(row)].last_read < end;
      first = end;
    }
    return is_remade;
  }

 private:
  /// Segments of which each stashes no more than `room`, and the fewest bytes leave.
  void cut(double room) {
    const int count = static_cast<int>(rows_.size());
    std::vector<double> kept(at(count + 1), kNever), stashed(at(count + 1));
    std::vector<int> first(at(count + 1));
    kept[0] = 0;
    for (int end = 1; end <= count; ++end) {
      double leaving = 0, inside = 0;
      for (int row = end; row-- > 0;) {
        const Row& one = rows_[at(row)];
        if (one.last_read >= end) leaving += one.bytes;
        else if (one.is_stashed) inside += one.bytes;
        if (inside > room) break;
        if (kept[at(row)] + leaving >= kept[at(end)]) continue;
        kept[at(end)] = kept[at(row)] + leaving;
        stashed[at(end)] = inside;
        first[at(end)] = row;
      }
    }
    if (kept.back() >= bytes()) return;
    std::vector<int> ends;
    double largest = 0;
    for (int end = count; end > 0; end = first[at(end)]) {
      ends.insert(ends.begin(), end);
      largest = std::max(largest, stashed[at(end)]);
    }
    if (kept.back() + largest >= bytes()) return;
    kept_ = kept.back(), largest_ = largest;
    ends_ = std::move(ends);
  }

  static constexpr double kNever = std::numeric_limits<double>::infinity();

  std::vector<Row> rows_;
  std::vector<int> ends_;
  double kept_ = kNever, largest_ = 0;
};

/// The values that the best segments of a program's forward pass make anew, increasing. What no
/// batch input is in is no part of it.
inline std::vector<ValueId> remade_segments(const Program& program) {
  std::vector<int> row_of(at(program.size()), -1);
  std::vector<bool> has_batch(at(program.size()));
  for (const Input& input : program.inputs)
    has_batch[at(input.value)] = input.kind == InputKind::batch;
  std::vector<Segments::Row> rows;
  std::vector<ValueId> values;
  for (ValueId id = 0; id < program.size(); ++id) {
    const Op& op = program.op(id);
    for (const ValueId operand : op.operands) {
      has_batch[at(id)] = has_batch[at(id)] || has_batch[at(operand)];
      if (const int row = row_of[at(operand)]; row >= 0 && op.phase == Phase::forward)
        rows[at(row)].last_read = static_cast<int>(rows.size());
      else if (row >= 0 && op.phase == Phase::backward) rows[at(row)].is_stashed = true;
    }
    if (op.phase != Phase::forward || op.operands.empty() || !has_batch[at(id)]) continue;
    row_of[at(id)] = static_cast<int>(rows.size());
    rows.push_back({.bytes = static_cast<double>(num_bytes(op.shape))});
    values.push_back(id);
  }
  const std::vector<bool> is_remade = Segments(std::move(rows)).remade();
  std::vector<ValueId> remade;
  for (std::size_t row = 0; row < values.size(); ++row)
    if (is_remade[row]) remade.push_back(values[row]);
  return remade;
}

}  // namespace rhino::common
