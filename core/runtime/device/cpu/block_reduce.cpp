// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "runtime/device/cpu/block_loops.hpp"

namespace rhino::runtime {
namespace {

using namespace block;

/// Four vectors of running results hide the latency of each step; the order of steps depends on
/// `columns` alone.
template <auto kF, typename T>
T fold_row(const T* from, std::int64_t columns) {
  constexpr std::int64_t kLanes = 64 / sizeof(T), kChunk = 4 * kLanes;
  using Vector [[gnu::vector_size(64)]] = T;
  T total = from[0];
  std::int64_t j = 1;
  if (columns >= kChunk) {
    Vector running[4], next;
    std::memcpy(running, from, sizeof running);
    for (j = kChunk; j + kChunk <= columns; j += kChunk) {
      for (int v = 0; v < 4; ++v) {
        std::memcpy(&next, from + j + v * kLanes, sizeof next);
        running[v] = kF(running[v], next);
      }
    }
    const Vector all = kF(kF(running[0], running[1]), kF(running[2], running[3]));
    T lanes[kLanes];
    std::memcpy(lanes, &all, sizeof lanes);
    for (std::int64_t width = kLanes / 2; width > 0; width /= 2) {
      for (std::int64_t lane = 0; lane < width; ++lane) {
        lanes[lane] = kF(lanes[lane], lanes[lane + width]);
      }
    }
    total = lanes[0];
  }
  for (; j < columns; ++j) total = kF(total, from[j]);
  return total;
}

template <auto kF, typename T>
void fold(const BlockArgs& args) {
  for (std::int64_t i = 0; i < args.rows; ++i) {
    *row<T>(args.to, i, args.to_pitch) =
        fold_row<kF>(row<T>(args.from[0], i, args.pitch[0]), args.columns);
  }
}

template <auto kF, typename T>
void accumulate(const BlockArgs& args) {
  T* to = reinterpret_cast<T*>(args.to);
  const std::int64_t columns = args.columns;
  std::int64_t i = 0;
  for (; i + 4 <= args.rows; i += 4) {
    const T* a = row<T>(args.from[0], i, args.pitch[0]);
    const T *b = a + args.pitch[0], *c = b + args.pitch[0], *d = c + args.pitch[0];
#pragma omp simd
    for (std::int64_t j = 0; j < columns; ++j) {
      to[j] = kF(to[j], kF(kF(a[j], b[j]), kF(c[j], d[j])));
    }
  }
  for (; i < args.rows; ++i) {
    const T* a = row<T>(args.from[0], i, args.pitch[0]);
#pragma omp simd
    for (std::int64_t j = 0; j < columns; ++j) to[j] = kF(to[j], a[j]);
  }
}

/// `pick` chooses between the two functions of one reduction and type.
template <auto kF, typename T>
struct Pair {
  static BlockFunction pick(bool folds) { return folds ? fold<kF, T> : accumulate<kF, T>; }
};

/// T computes, with wrapping where it is unsigned; Ordered compares.
template <typename T, typename Ordered>
BlockFunction number(Reduction reduction, bool folds) {
  switch (reduction) {
    case Reduction::sum: return Pair<kAdd, T>::pick(folds);
    case Reduction::product: return Pair<kMultiply, T>::pick(folds);
    case Reduction::max: return Pair<kMaximum, Ordered>::pick(folds);
    case Reduction::min: return Pair<kMinimum, Ordered>::pick(folds);
    default: return nullptr;
  }
}

template <typename T>
BlockFunction logic(Reduction reduction, bool folds) {
  switch (reduction) {
    case Reduction::logical_and: return Pair<kAnd, T>::pick(folds);
    case Reduction::logical_or: return Pair<kOr, T>::pick(folds);
    default: return nullptr;
  }
}

BlockFunction reduction_function(Reduction reduction, DType dtype, bool folds) {
  switch (dtype) {
    case DType::f32: return number<float, float>(reduction, folds);
    case DType::f64: return number<double, double>(reduction, folds);
    case DType::s32: {
      const BlockFunction logical = logic<std::uint32_t>(reduction, folds);
      return logical ? logical : number<std::uint32_t, std::int32_t>(reduction, folds);
    }
    case DType::pred: return logic<Pred>(reduction, folds);
    default: return nullptr;
  }
}

}  // namespace

BlockFunction fold_function(Reduction reduction, DType dtype) {
  return reduction_function(reduction, dtype, true);
}

BlockFunction accumulate_function(Reduction reduction, DType dtype) {
  return reduction_function(reduction, dtype, false);
}

}  // namespace rhino::runtime
