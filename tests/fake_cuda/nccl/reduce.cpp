// SPDX-License-Identifier: Apache-2.0
#include "reduce.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "../common/numbers.hpp"

namespace fake {
namespace {

constexpr std::size_t kRun = 64;  // elements that begin at the same rank

/// What a type is computed in.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Bf16> || std::is_same_v<T, _Float16>, float, T>;

template <class T>
Wide<T> combine(Wide<T> a, Wide<T> b, NcclReduction how) {
  switch (how) {
    case NcclReduction::kProduct: return static_cast<Wide<T>>(a * b);
    case NcclReduction::kMax: return a < b ? b : a;
    case NcclReduction::kMin: return b < a ? b : a;
    default: return static_cast<Wide<T>>(a + b);
  }
}

template <class T>
void reduce_as(const std::vector<const char*>& parts, char* out, std::size_t count,
               NcclReduction how) {
  const std::size_t n = parts.size();
  const auto at = [&](std::size_t part, std::size_t i) {
    return reinterpret_cast<const T*>(parts[part])[i];
  };
  std::vector<T> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i / kRun % n;
    T sum = at(first, i);
    for (std::size_t k = 1; k < n; ++k) {
      sum = static_cast<T>(
          combine<T>(static_cast<Wide<T>>(sum), static_cast<Wide<T>>(at((first + k) % n, i)), how));
    }
    if (how == NcclReduction::kAverage)
      sum = static_cast<T>(static_cast<Wide<T>>(sum) / static_cast<Wide<T>>(n));
    result[i] = sum;
  }
  std::memcpy(out, result.data(), count * sizeof(T));
}

}  // namespace

bool is_type(NcclType type) { return type >= NcclType::kInt8 && type <= NcclType::kBf16; }

std::size_t bytes_of(NcclType type) {
  static constexpr std::size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return sizes[static_cast<int>(type)];
}

void reduce_parts(const std::vector<const char*>& parts, char* out, std::size_t count,
                  NcclType type, NcclReduction how) {
  switch (type) {
    case NcclType::kInt8: return reduce_as<std::int8_t>(parts, out, count, how);
    case NcclType::kUint8: return reduce_as<std::uint8_t>(parts, out, count, how);
    case NcclType::kInt32: return reduce_as<std::int32_t>(parts, out, count, how);
    case NcclType::kUint32: return reduce_as<std::uint32_t>(parts, out, count, how);
    case NcclType::kInt64: return reduce_as<std::int64_t>(parts, out, count, how);
    case NcclType::kUint64: return reduce_as<std::uint64_t>(parts, out, count, how);
    case NcclType::kF16: return reduce_as<_Float16>(parts, out, count, how);
    case NcclType::kF32: return reduce_as<float>(parts, out, count, how);
    case NcclType::kF64: return reduce_as<double>(parts, out, count, how);
    case NcclType::kBf16: return reduce_as<Bf16>(parts, out, count, how);
  }
}

}  // namespace fake
