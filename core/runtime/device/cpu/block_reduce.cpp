// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "runtime/device/cpu/block_loops.hpp"
#include "runtime/device/cpu/vector_bytes.hpp"

namespace rhino::runtime {
namespace {

using namespace block;

/// Bytes of a row that are folded side by side: so many vectors hide the latency of each step.
constexpr std::size_t kFoldBytes = 256;
constexpr std::size_t kFoldVectors = kFoldBytes / kVectorBytes;

/// The order of steps depends on `columns` alone, whatever the processor's vectors are: element i
/// of a piece is folded with elements i of the others, then halves of what is left with each other.
template <auto kF, typename T>
T fold_row(const T* from, std::int64_t columns) {
  constexpr std::int64_t kLanes = kVectorBytes / sizeof(T), kPiece = kFoldBytes / sizeof(T);
  using Vector [[gnu::vector_size(kVectorBytes)]] = T;
  T total = from[0];
  std::int64_t j = 1;
  if (columns >= kPiece) {
    Vector running[kFoldVectors], next;
    std::memcpy(running, from, sizeof running);
    for (j = kPiece; j + kPiece <= columns; j += kPiece) {
#pragma GCC unroll 16
      for (std::size_t v = 0; v < kFoldVectors; ++v) {
        std::memcpy(&next, from + j + static_cast<std::int64_t>(v) * kLanes, sizeof next);
        running[v] = kF(running[v], next);
      }
    }
#pragma GCC unroll 4
    for (std::size_t half = kFoldVectors / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
      for (std::size_t v = 0; v < half; ++v) running[v] = kF(running[v], running[v + half]);
    }
    T lanes[kLanes];
    std::memcpy(lanes, running, sizeof lanes);
    for (std::int64_t width = kLanes / 2; width > 0; width /= 2) {
      for (std::int64_t lane = 0; lane < width; ++lane)
        lanes[lane] = kF(lanes[lane], lanes[lane + width]);
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

template <typename T, typename Ordered>
BlockFunction integer(Reduction reduction, bool folds) {
  const BlockFunction logical = logic<T>(reduction, folds);
  return logical ? logical : number<T, Ordered>(reduction, folds);
}

BlockFunction reduction_function(Reduction reduction, DType dtype, bool folds) {
  switch (dtype) {
    case DType::f32: return number<float, float>(reduction, folds);
    case DType::f64: return number<double, double>(reduction, folds);
    case DType::s64: return integer<std::uint64_t, std::int64_t>(reduction, folds);
    case DType::s32: return integer<std::uint32_t, std::int32_t>(reduction, folds);
    case DType::u32: return integer<std::uint32_t, std::uint32_t>(reduction, folds);
    case DType::s8: return integer<std::uint8_t, std::int8_t>(reduction, folds);
    case DType::u8: return integer<std::uint8_t, std::uint8_t>(reduction, folds);
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
