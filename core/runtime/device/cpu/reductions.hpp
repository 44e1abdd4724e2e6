// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/device/cpu/block_loops.hpp"

namespace rhino::runtime {

/// Calls `visit.operator()<kF, T>()`, kF being `reduction` of two elements in memory as T (integers
/// that are added wrap, so they have no sign there); false where there is none: 16 bits, which are
/// reduced in f32.
template <typename Visit>
bool with_reduction(Reduction reduction, DType dtype, Visit visit);

namespace reductions {

template <typename T, typename Ordered, typename Visit>
bool number(Reduction reduction, Visit& visit) {
  switch (reduction) {
    case Reduction::sum: visit.template operator()<block::kAdd, T>(); return true;
    case Reduction::product: visit.template operator()<block::kMultiply, T>(); return true;
    case Reduction::max: visit.template operator()<block::kMaximum, Ordered>(); return true;
    case Reduction::min: visit.template operator()<block::kMinimum, Ordered>(); return true;
    default: return false;
  }
}

template <typename T, typename Visit>
bool logic(Reduction reduction, Visit& visit) {
  switch (reduction) {
    case Reduction::logical_and: visit.template operator()<block::kAnd, T>(); return true;
    case Reduction::logical_or: visit.template operator()<block::kOr, T>(); return true;
    default: return false;
  }
}

template <typename T, typename Ordered, typename Visit>
bool integer(Reduction reduction, Visit& visit) {
  return number<T, Ordered>(reduction, visit) || logic<T>(reduction, visit);
}

}  // namespace reductions

template <typename Visit>
bool with_reduction(Reduction reduction, DType dtype, Visit visit) {
  switch (dtype) {
    case DType::f64: return reductions::number<double, double>(reduction, visit);
    case DType::f32: return reductions::number<float, float>(reduction, visit);
    case DType::s64: return reductions::integer<std::uint64_t, std::int64_t>(reduction, visit);
    case DType::s32: return reductions::integer<std::uint32_t, std::int32_t>(reduction, visit);
    case DType::u32: return reductions::integer<std::uint32_t, std::uint32_t>(reduction, visit);
    case DType::s8: return reductions::integer<std::uint8_t, std::int8_t>(reduction, visit);
    case DType::u8: return reductions::integer<std::uint8_t, std::uint8_t>(reduction, visit);
    case DType::pred: return reductions::logic<std::uint8_t>(reduction, visit);
    case DType::bf16:
    case DType::f16: return false;
  }
  return false;
}

/// Calls `visit(T{})` for the type of elements of `dtype` in memory; false of 16 bits.
template <typename Visit>
bool with_element_type(DType dtype, Visit visit) {
  switch (dtype) {
    case DType::f64: visit(double{}); return true;
    case DType::f32: visit(float{}); return true;
    case DType::s64: visit(std::int64_t{}); return true;
    case DType::s32: visit(std::int32_t{}); return true;
    case DType::u32: visit(std::uint32_t{}); return true;
    case DType::s8: visit(std::int8_t{}); return true;
    case DType::u8:
    case DType::pred: visit(std::uint8_t{}); return true;
    case DType::bf16:
    case DType::f16: return false;
  }
  return false;
}

}  // namespace rhino::runtime
