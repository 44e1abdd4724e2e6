// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rhino/shape.hpp"

/// Numbers of every dtype as doubles, and back.
namespace rhino::ir {

/// The nearest value of `dtype`: floating-point rounds to nearest even and overflows to infinity,
/// integers drop their fraction and wrap (64-bit ones at 2^63), pred is one unless `value` is zero.
double round_to(DType dtype, double value);

/// The low bits of an integer as a value of the integer type `dtype`.
double wrap_bits(DType dtype, std::uint64_t bits);

/// round_to for every element; a loop of its own per dtype.
void round_all(DType dtype, std::span<double> values);

/// The bits of `nan` in a floating-point `dtype`, as far as they fit; it stays a NaN.
std::uint64_t nan_bits(DType dtype, double nan);
/// The double that holds the NaN of those bits.
double nan_of(DType dtype, std::uint64_t bits);
/// As HLO writes it: `nan`, or `-nan(0x1234)` where its payload is not that of a quiet one.
std::string nan_text(DType dtype, double nan);
/// What nan_text() writes; none of other texts.
std::optional<double> read_nan(DType dtype, std::string_view text);

/// Writes `values` as consecutive elements of `dtype` in memory, rounded as by round_to, bits of
/// NaNs kept.
void write_elements(DType dtype, std::span<const double> values, void* memory);
/// Reads consecutive elements of `dtype`.
void read_elements(DType dtype, const void* memory, std::span<double> values);

}  // namespace rhino::ir
