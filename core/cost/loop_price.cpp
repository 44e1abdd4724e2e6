// SPDX-License-Identifier: Apache-2.0
#include "cost/loop_price.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "ir/op_traits.hpp"

namespace rhino::cost {
namespace {

/// Two neighbours, the same one at an end, and where between them, in octaves.
template <class T>
struct Between {
  const T* below = nullptr;
  const T* above = nullptr;
  double part = 0;
};
template <class T, class Member>
Between<T> around(const std::vector<T>& ascending, double value, Member member) {
  const auto key = [&](const T& one) { return static_cast<double>(one.*member); };
  const auto above = std::ranges::upper_bound(ascending, value, {}, key);
  if (above == ascending.begin()) return {&*above, &*above, 0};
  const auto below = std::prev(above);
  if (above == ascending.end()) return {&*below, &*below, 0};
  return {&*below, &*above, std::log(value / key(*below)) / std::log(key(*above) / key(*below))};
}

/// Ops that only move data, or stream them: what they compute is not measured.
bool only_moves(OpKind kind) {
  switch (kind) {
    case OpKind::concatenate:
    case OpKind::dynamic_slice:
    case OpKind::dynamic_update_slice:
    case OpKind::gather:
    case OpKind::pad:
    case OpKind::reverse:
    case OpKind::scatter:
    case OpKind::slice:
    case OpKind::transpose: return true;
    default: return false;
  }
}

/// Seconds per element where a calibration lacks the op: that of its slowest measured one, but for
/// what only moves them.
double element_seconds(const Calibration& calibration, OpKind kind) {
  const auto found = calibration.element_s.find(only_moves(kind) ? OpKind::transpose : kind);
  if (found != calibration.element_s.end()) return found->second;
  double most = 0;
  for (const auto& [other, seconds] : calibration.element_s) most = std::max(most, seconds);
  return most;
}

double column_s(const Calibration& calibration) {
  return calibration.column_s > 0 ? calibration.column_s
                                  : element_seconds(calibration, OpKind::add);
}

/// Of a reduction of rows of so many elements: by the measured ones, in octaves; beyond them as
/// those by the element.
double fold_s(const Calibration& calibration, double elements) {
  const std::vector<Calibration::Fold>& folds = calibration.folds;
  if (folds.empty()) return elements * element_seconds(calibration, OpKind::reduce);
  const auto above = std::ranges::upper_bound(
      folds, elements, {},
      [](const Calibration::Fold& fold) { return static_cast<double>(fold.elements); });
  if (above == folds.begin()) return above->seconds;
  const Calibration::Fold& below = *std::prev(above);
  const double times = elements / static_cast<double>(below.elements);
  if (above == folds.end()) return below.seconds * times;
  const double part = std::log(times) / std::log(static_cast<double>(above->elements) /
                                                 static_cast<double>(below.elements));
  return std::lerp(below.seconds, above->seconds, part);
}

constexpr double kHiding = 1.5;  // 1: nothing; the larger, the more

/// What computes for so long, beside memory that takes so long to move.
double hidden_by_parts(double arithmetic_s, double moving_s) {
  return std::pow(std::pow(arithmetic_s, kHiding) + std::pow(moving_s, kHiding), 1 / kHiding);
}

}  // namespace

double loop_arithmetic_s(const Calibration& calibration, const Program& program,
                         const lower::KernelGroup& group) {
  const bool is_loop = group.kind == lower::KernelGroup::Kind::loop;
  std::set<ValueId> folds;
  for (const lower::LoopNest& nest : group.nests) {
    for (const lower::LoopNest::Member& member : nest.members)
      if (member.folds) folds.insert(member.op);
  }
  double sum_s = 0;
  for (const ValueId id : group.ops) {
    const Op& op = program.op(id);
    if (ir::traits(op.kind).free || (!is_loop && only_moves(op.kind))) continue;
    const auto elements = static_cast<double>(num_elements(op.shape));
    if (is_narrow(op.shape.dtype))
      sum_s += element_seconds(calibration, OpKind::convert) * elements;
    if (op.kind == OpKind::reduce) {
      const auto all = static_cast<double>(num_elements(program.shape(op.operands[0])));
      sum_s += folds.contains(id) && elements > 0 ? elements * fold_s(calibration, all / elements)
                                                  : all * column_s(calibration);
      continue;
    }
    sum_s += element_seconds(calibration, op.kind) * elements;
  }
  return sum_s;
}

double loop_s(const lower::KernelGroup& group, double arithmetic_s, double moving_s) {
  const bool folds = std::ranges::any_of(group.nests, [](const lower::LoopNest& nest) {
    return std::ranges::any_of(nest.members, &lower::LoopNest::Member::folds);
  });
  return folds ? arithmetic_s + moving_s : hidden_by_parts(arithmetic_s, moving_s);
}

namespace {

Calibration::Reach between(const Calibration::Reach& near, const Calibration::Reach& far,
                           double part) {
  return {near.reuse_bytes, std::lerp(near.read_s, far.read_s, part),
          std::lerp(near.write_s, far.write_s, part), std::lerp(near.update_s, far.update_s, part)};
}

Calibration::Reach by_bytes(const Calibration& calibration, double reuse_bytes) {
  const auto [below, above, part] =
      around(calibration.reach, reuse_bytes, &Calibration::Reach::reuse_bytes);
  return between(*below, *above, part);
}

/// Up to the first pause that was measured it grows as it does there.
double share_after(const std::vector<Calibration::Forgotten>& forgotten, double seconds) {
  const Calibration::Forgotten& first = forgotten.front();
  if (seconds <= first.after_s) return first.share * seconds / first.after_s;
  const auto [below, above, part] = around(forgotten, seconds, &Calibration::Forgotten::after_s);
  return std::lerp(below->share, above->share, part);
}

/// Of memory that comes back after so many bytes, what lies as far as all others after so long. A
/// core's own cache forgets nothing.
double forgotten_share(const Calibration& calibration, double reuse_bytes, double reuse_s) {
  const std::vector<Calibration::Forgotten>& forgotten = calibration.forgotten;
  if (forgotten.empty() || reuse_s <= 0) return 0;
  const double own_s = calibration.reach.front().update_s,
               here_s = by_bytes(calibration, reuse_bytes).update_s,
               shared_s = by_bytes(calibration, forgotten.front().reuse_bytes).update_s;
  if (here_s <= own_s) return 0;
  return share_after(forgotten, reuse_s) * std::min(1.0, (here_s - own_s) / (shared_s - own_s));
}

}  // namespace

Calibration::Reach reach_at(const Calibration& calibration, double reuse_bytes, double reuse_s) {
  return between(by_bytes(calibration, reuse_bytes), calibration.reach.back(),
                 forgotten_share(calibration, reuse_bytes, reuse_s));
}

double byte_s(const Calibration::Reach& reach, Touch::Kind kind) {
  switch (kind) {
    case Touch::Kind::read: return reach.read_s;
    case Touch::Kind::fresh: return reach.write_s;
    case Touch::Kind::over: return std::max(0.0, reach.update_s - reach.read_s);
  }
  return 0;
}

namespace {

/// Of a dot that comes back after so many bytes. Nearer than where it was measured it is as much
/// quicker as a loop.
double far_read_s(const Calibration& calibration, double reuse_bytes, bool has_rhs_rows) {
  const double loop_s = by_bytes(calibration, reuse_bytes).read_s,
               near_s = calibration.reach.front().read_s;
  const std::vector<Calibration::FarRead>& reads = calibration.far_reads_of_dots;
  if (reads.empty()) return loop_s - near_s;
  const auto member =
      has_rhs_rows ? &Calibration::FarRead::of_rows_s : &Calibration::FarRead::plain_s;
  const auto [below, above, part] = around(reads, reuse_bytes, &Calibration::FarRead::reuse_bytes);
  const double seconds = std::lerp(below->*member, above->*member, part);
  const double there_s = by_bytes(calibration, reads.front().reuse_bytes).read_s - near_s;
  if (reuse_bytes >= reads.front().reuse_bytes || there_s <= 0) return seconds;
  return seconds * (loop_s - near_s) / there_s;
}

}  // namespace

Farther farther_of_dot(const Calibration& calibration, const std::vector<Touch>& touches,
                       bool has_rhs_rows) {
  double own_bytes = 0;
  for (const Touch& touch : touches) {
    if (touch.kind != Touch::Kind::over) own_bytes += touch.bytes;
  }
  const Calibration::Reach own = by_bytes(calibration, own_bytes);
  const double own_s = far_read_s(calibration, own_bytes, has_rhs_rows),
               farthest_s =
                   far_read_s(calibration, calibration.reach.back().reuse_bytes, has_rhs_rows);
  Farther farther;
  for (const Touch& touch : touches) {
    if (touch.kind == Touch::Kind::read) {
      const double there_s =
          std::lerp(far_read_s(calibration, touch.reuse_bytes, has_rhs_rows), farthest_s,
                    forgotten_share(calibration, touch.reuse_bytes, touch.reuse_s));
      farther.read_s += touch.bytes * std::max(0.0, there_s - own_s);
    } else {
      const Calibration::Reach there = reach_at(calibration, touch.reuse_bytes, touch.reuse_s);
      farther.write_s +=
          touch.bytes * std::max(0.0, byte_s(there, touch.kind) - byte_s(own, touch.kind));
    }
  }
  return farther;
}

double far_dot_s(double near_s, const Farther& farther) {
  return hidden_by_parts(near_s, farther.read_s) + farther.write_s;
}

double read_s_of_dot(double near_s, double far_s) {
  if (far_s <= near_s) return 0;
  return std::pow(std::pow(far_s, kHiding) - std::pow(near_s, kHiding), 1 / kHiding);
}

}  // namespace rhino::cost
