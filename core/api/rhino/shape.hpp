// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rhino {

/// Element types: floating point, signed and unsigned integers, truth values.
enum class DType : std::uint8_t { f64, f32, bf16, f16, s64, s32, u32, s8, u8, pred };

/// Bytes of one element in memory and in messages (pred takes one byte).
constexpr std::int64_t dtype_bytes(DType dtype) {
  switch (dtype) {
    case DType::f64:
    case DType::s64: return 8;
    case DType::f32:
    case DType::s32:
    case DType::u32: return 4;
    case DType::bf16:
    case DType::f16: return 2;
    case DType::s8:
    case DType::u8:
    case DType::pred: return 1;
  }
  return 0;
}

/// Floating point: arithmetic on it rounds. The others are exact and wrap.
constexpr bool is_floating(DType dtype) {
  return dtype == DType::f64 || dtype == DType::f32 || dtype == DType::bf16 || dtype == DType::f16;
}

/// Floating point of 16 bits: computed in f32, then rounded.
constexpr bool is_narrow(DType dtype) { return dtype == DType::bf16 || dtype == DType::f16; }

/// The name used in HLO text, YAML and records: `f32`, `pred`, ...
constexpr const char* dtype_name(DType dtype) {
  constexpr const char* kNames[] = {"f64", "f32", "bf16", "f16", "s64",
                                    "s32", "u32", "s8",   "u8",  "pred"};
  return kNames[static_cast<int>(dtype)];
}

/// Element type and extents of a dense row-major tensor: the last dim varies fastest. A scalar has
/// no dims, and one element; a dim of extent 0 makes the tensor empty. Extents are static, and
/// never negative.
struct Shape {
  DType dtype = DType::f32;
  std::vector<std::int64_t> dims;

  bool operator==(const Shape&) const = default;
};

/// The product of extents; 1 of none.
inline std::int64_t num_elements(const std::vector<std::int64_t>& dims) {
  std::int64_t count = 1;
  for (std::int64_t extent : dims) count *= extent;
  return count;
}
inline std::int64_t num_elements(const Shape& shape) { return num_elements(shape.dims); }
/// Without any padding between rows.
inline std::int64_t num_bytes(const Shape& shape) {
  return num_elements(shape) * dtype_bytes(shape.dtype);
}

/// `f32[8,256,384]`, a scalar `f32[]`: as HLO, messages and tables write it.
inline std::string to_string(const Shape& shape) {
  std::string text = std::string(dtype_name(shape.dtype)) + "[";
  for (std::size_t i = 0; i < shape.dims.size(); ++i)
    text += (i ? "," : "") + std::to_string(shape.dims[i]);
  return text + "]";
}

}  // namespace rhino
