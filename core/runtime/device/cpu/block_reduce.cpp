// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "runtime/device/cpu/block_loops.hpp"
#include "runtime/device/cpu/vector_bytes.hpp"

namespace rhino::runtime {
namespace {

using namespace block;

/// A row of fewer elements than a vector, of one at least.
template <auto kF, typename T>
T fold_short_row(const T* from, std::int64_t columns) {
  T piece[kVectorBytes / sizeof(T)];
  piece[0] = *from;
  const auto width = static_cast<std::int64_t>(std::bit_floor(static_cast<std::size_t>(columns)));
  std::copy_n(from, width, piece);
  for (std::int64_t i = width; i < columns; ++i) piece[i - width] = kF(piece[i - width], from[i]);
  for (std::int64_t half = width / 2; half > 0; half /= 2) {
    for (std::int64_t i = 0; i < half; ++i) piece[i] = kF(piece[i], piece[half + i]);
  }
  return piece[0];
}

/// A row of at least one piece, of so many vectors.
template <std::size_t kVectors, auto kF, typename T>
T fold_pieces(const T* from, std::int64_t columns) {
  constexpr std::int64_t kLanes = kVectorBytes / sizeof(T), kPiece = kVectors * kLanes;
  using Vector [[gnu::vector_size(kVectorBytes)]] = T;
  using Lane = std::conditional_t<sizeof(T) == 8, std::int64_t,
                                  std::conditional_t<sizeof(T) == 4, std::int32_t, std::int8_t>>;
  using Lanes [[gnu::vector_size(kVectorBytes)]] = Lane;
  const auto load = [](const T* at) {
    Vector vector;
    std::memcpy(&vector, at, sizeof vector);
    return vector;
  };
  Lanes lane;
  for (std::int64_t i = 0; i < kLanes; ++i) lane[i] = static_cast<Lane>(i);
  const auto turned = [&](const Vector& vector, std::int64_t first) {
    return __builtin_shuffle(vector,
                             (lane + static_cast<Lane>(first)) & static_cast<Lane>(kLanes - 1));
  };
  Vector running[kVectors];
  std::memcpy(running, from, sizeof running);
  std::int64_t j = kPiece;
  for (; j + kPiece <= columns; j += kPiece) {
    for (std::size_t v = 0; v < kVectors; ++v)
      running[v] = kF(running[v], load(from + j + static_cast<std::int64_t>(v) * kLanes));
  }
  for (std::size_t v = 0; v < kVectors && j < columns; ++v, j += kLanes) {
    // Of the last vector of the row what comes behind `j`, turned to its begin.
    const std::int64_t rest = std::min(kLanes, columns - j);
    const Vector next = turned(load(from + std::min(j, columns - kLanes)), kLanes - rest);
    running[v] = lane < static_cast<Lane>(rest) ? kF(running[v], next) : running[v];
  }
  for (std::size_t half = kVectors / 2; half > 0; half /= 2) {
    for (std::size_t v = 0; v < half; ++v) running[v] = kF(running[v], running[v + half]);
  }
  Vector total = running[0];
  for (std::int64_t half = kLanes / 2; half > 0; half /= 2) total = kF(total, turned(total, half));
  return total[0];
}

/// A piece has 256 bytes, so many vectors hide the latency of each step, or as many elements as the
/// longest power of two that the row fills. The order of steps depends on `columns` alone, whatever
/// the processor's vectors are: element i of a piece is folded with elements i of the others, of
/// which the last may be shorter, then halves of what is left with each other.
template <auto kF, typename T>
T fold_row(const T* from, std::int64_t columns) {
  constexpr std::size_t kVectors = 256 / kVectorBytes;
  constexpr std::int64_t kLanes = kVectorBytes / sizeof(T);
  if (columns >= static_cast<std::int64_t>(kVectors) * kLanes)
    return fold_pieces<kVectors, kF>(from, columns);
  if constexpr (kVectors > 8) {
    if (columns >= 8 * kLanes) return fold_pieces<8, kF>(from, columns);
  }
  if constexpr (kVectors > 4) {
    if (columns >= 4 * kLanes) return fold_pieces<4, kF>(from, columns);
  }
  if (columns >= 2 * kLanes) return fold_pieces<2, kF>(from, columns);
  return columns >= kLanes ? fold_pieces<1, kF>(from, columns) : fold_short_row<kF>(from, columns);
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
