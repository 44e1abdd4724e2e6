// SPDX-License-Identifier: Apache-2.0
#include "ir/element.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace rhino::ir {
namespace {

// A binary format of `bits` significant bits whose smallest subnormal is 2^min_exponent.
struct Format {
  int bits;
  int min_exponent;
  double highest;
};
constexpr Format kBf16{8, -133, 0x1.FEp127};
constexpr Format kF16{11, -24, 65504};

/// Bits of a fraction and of a whole number of `dtype`, which is a floating-point one.
struct Layout {
  int fraction, all;
};
constexpr Layout layout_of(DType dtype) {
  switch (dtype) {
    case DType::bf16: return {7, 16};
    case DType::f16: return {10, 16};
    case DType::f32: return {23, 32};
    default: return {52, 64};
  }
}
constexpr std::uint64_t low_bits(int count) { return (std::uint64_t{1} << count) - 1; }
constexpr int kFraction = layout_of(DType::f64).fraction;

double round_to_format(const Format& format, double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int last_place = std::max(exponent - format.bits, format.min_exponent);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -last_place)), last_place);
  return std::abs(rounded) > format.highest ? std::copysign(INFINITY, value) : rounded;
}

template <typename Integer>
double wrap(double value) {
  if (!std::isfinite(value)) return 0;
  double whole = std::trunc(value);
  constexpr double kTwo63 = 9223372036854775808.0;
  if (whole >= kTwo63 || whole < -kTwo63) {
    whole = std::fmod(whole, 2 * kTwo63);
    if (whole >= kTwo63) whole -= 2 * kTwo63;
    if (whole < -kTwo63) whole += 2 * kTwo63;
  }
  return static_cast<double>(static_cast<Integer>(static_cast<std::int64_t>(whole)));
}

// Calls `f` with a function that rounds to `dtype`.
template <typename F>
auto with_rounding(DType dtype, F f) {
  switch (dtype) {
    case DType::f32: return f([](double x) { return static_cast<double>(static_cast<float>(x)); });
    case DType::bf16: return f([](double x) { return round_to_format(kBf16, x); });
    case DType::f16: return f([](double x) { return round_to_format(kF16, x); });
    case DType::s64: return f(wrap<std::int64_t>);
    case DType::s32: return f(wrap<std::int32_t>);
    case DType::u32: return f(wrap<std::uint32_t>);
    case DType::s8: return f(wrap<std::int8_t>);
    case DType::u8: return f(wrap<std::uint8_t>);
    case DType::pred: return f([](double x) { return x != 0 ? 1.0 : 0.0; });
    case DType::f64: break;
  }
  return f([](double x) { return x; });
}

std::uint16_t bf16_bits(double value) {
  if (std::isnan(value)) return static_cast<std::uint16_t>(nan_bits(DType::bf16, value));
  const auto narrow = static_cast<float>(round_to_format(kBf16, value));
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(narrow) >> 16);
}

double bf16_value(std::uint16_t bits) {
  const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  return std::isnan(value) ? nan_of(DType::bf16, bits) : value;
}

std::uint16_t f16_bits(double value) {
  if (std::isnan(value)) return static_cast<std::uint16_t>(nan_bits(DType::f16, value));
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::abs(round_to_format(kF16, value));
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | 0x7c00);
  // Units of the smallest subnormal up to 2^-14, then a biased exponent and ten bits.
  if (magnitude < 0x1p-14) {
    return static_cast<std::uint16_t>(sign | static_cast<int>(std::ldexp(magnitude, 24)));
  }
  int exponent = 0;
  const double mantissa = std::frexp(magnitude, &exponent);
  const int fraction = static_cast<int>(std::ldexp(mantissa, 11)) - 1024;
  return static_cast<std::uint16_t>(sign | ((exponent + 14) << 10) | fraction);
}

double f16_value(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double magnitude = 0;
  if (exponent == 31 && fraction != 0) return nan_of(DType::f16, bits);
  if (exponent == 31) magnitude = INFINITY;
  else if (exponent == 0) magnitude = std::ldexp(fraction, -24);
  else magnitude = std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

template <typename T, typename Convert>
void write(std::span<const double> values, void* memory, Convert convert) {
  auto* out = static_cast<std::byte*>(memory);
  for (const double value : values) {
    const T element = convert(value);
    std::memcpy(out, &element, sizeof(T));
    out += sizeof(T);
  }
}

template <typename T, typename Convert>
void read(const void* memory, std::span<double> values, Convert convert) {
  const auto* in = static_cast<const std::byte*>(memory);
  for (double& value : values) {
    T element;
    std::memcpy(&element, in, sizeof(T));
    value = convert(element);
    in += sizeof(T);
  }
}

template <typename Integer>
Integer to_integer(double value) {
  return static_cast<Integer>(static_cast<std::int64_t>(wrap<Integer>(value)));
}

template <typename T>
double to_double(T value) {
  return static_cast<double>(value);
}

// Conversions would make NaNs quiet: they are mended afterwards, so that the loops stay simple.
void write_f32(std::span<const double> values, void* memory) {
  write<float>(values, memory, [](double x) { return static_cast<float>(x); });
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) continue;
    const auto bits = static_cast<std::uint32_t>(nan_bits(DType::f32, values[i]));
    std::memcpy(static_cast<std::byte*>(memory) + i * sizeof bits, &bits, sizeof bits);
  }
}

void read_f32(const void* memory, std::span<double> values) {
  read<float>(memory, values, to_double<float>);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) continue;
    std::uint32_t bits;
    std::memcpy(&bits, static_cast<const std::byte*>(memory) + i * sizeof bits, sizeof bits);
    values[i] = nan_of(DType::f32, bits);
  }
}

}  // namespace

std::uint64_t nan_bits(DType dtype, double nan) {
  const Layout layout = layout_of(dtype);
  const auto held = std::bit_cast<std::uint64_t>(nan);
  std::uint64_t fraction = (held & low_bits(kFraction)) >> (kFraction - layout.fraction);
  if (fraction == 0) fraction = std::uint64_t{1} << (layout.fraction - 1);
  const std::uint64_t sign = held >> 63, exponent = low_bits(layout.all - 1 - layout.fraction);
  return sign << (layout.all - 1) | exponent << layout.fraction | fraction;
}

double nan_of(DType dtype, std::uint64_t bits) {
  const Layout layout = layout_of(dtype);
  const std::uint64_t fraction = bits & low_bits(layout.fraction),
                      sign = bits >> (layout.all - 1) & 1;
  return std::bit_cast<double>(sign << 63 | low_bits(11) << kFraction |
                               fraction << (kFraction - layout.fraction));
}

std::string nan_text(DType dtype, double nan) {
  const Layout layout = layout_of(dtype);
  const std::uint64_t bits = nan_bits(dtype, nan), fraction = bits & low_bits(layout.fraction);
  const std::string word = std::signbit(nan) ? "-nan" : "nan";
  if (fraction == std::uint64_t{1} << (layout.fraction - 1)) return word;
  return word + fmt::format("(0x{:0{}x})", fraction, layout.fraction / 4);
}

std::optional<double> read_nan(DType dtype, std::string_view text) {
  const bool is_negative = text.starts_with('-');
  text.remove_prefix(is_negative);
  if (!text.starts_with("nan")) return std::nullopt;
  text.remove_prefix(3);
  const Layout layout = layout_of(dtype);
  std::uint64_t fraction = std::uint64_t{1} << (layout.fraction - 1);
  if (!text.empty()) {
    if (!text.starts_with("(0x") || !text.ends_with(')')) return std::nullopt;
    const char *first = text.data() + 3, *last = text.data() + text.size() - 1;
    const auto [end, error] = std::from_chars(first, last, fraction, 16);
    if (error != std::errc() || end != last) return std::nullopt;
    if (fraction == 0 || fraction > low_bits(layout.fraction)) return std::nullopt;
  }
  const double nan = nan_of(dtype, fraction);
  return is_negative ? -nan : nan;
}

double round_to(DType dtype, double value) {
  return with_rounding(dtype, [value](auto rounded) { return rounded(value); });
}

double wrap_bits(DType dtype, std::uint64_t bits) {
  switch (dtype) {
    case DType::s32: return static_cast<std::int32_t>(bits);
    case DType::u32: return static_cast<std::uint32_t>(bits);
    case DType::s8: return static_cast<std::int8_t>(bits);
    case DType::u8: return static_cast<std::uint8_t>(bits);
    case DType::pred: return static_cast<double>(bits & 1);
    default: return static_cast<double>(static_cast<std::int64_t>(bits));
  }
}

void round_all(DType dtype, std::span<double> values) {
  if (dtype == DType::f64) return;
  with_rounding(dtype, [values](auto rounded) {
    for (double& value : values) value = rounded(value);
  });
}

void write_elements(DType dtype, std::span<const double> values, void* memory) {
  switch (dtype) {
    case DType::f64: return write<double>(values, memory, [](double x) { return x; });
    case DType::f32: return write_f32(values, memory);
    case DType::bf16: return write<std::uint16_t>(values, memory, bf16_bits);
    case DType::f16: return write<std::uint16_t>(values, memory, f16_bits);
    case DType::s64: return write<std::int64_t>(values, memory, to_integer<std::int64_t>);
    case DType::s32: return write<std::int32_t>(values, memory, to_integer<std::int32_t>);
    case DType::u32: return write<std::uint32_t>(values, memory, to_integer<std::uint32_t>);
    case DType::s8: return write<std::int8_t>(values, memory, to_integer<std::int8_t>);
    case DType::u8: return write<std::uint8_t>(values, memory, to_integer<std::uint8_t>);
    case DType::pred:
      return write<std::uint8_t>(values, memory,
                                 [](double x) { return static_cast<std::uint8_t>(x != 0); });
  }
}

void read_elements(DType dtype, const void* memory, std::span<double> values) {
  switch (dtype) {
    case DType::f64: return read<double>(memory, values, to_double<double>);
    case DType::f32: return read_f32(memory, values);
    case DType::bf16: return read<std::uint16_t>(memory, values, bf16_value);
    case DType::f16: return read<std::uint16_t>(memory, values, f16_value);
    case DType::s64: return read<std::int64_t>(memory, values, to_double<std::int64_t>);
    case DType::s32: return read<std::int32_t>(memory, values, to_double<std::int32_t>);
    case DType::u32: return read<std::uint32_t>(memory, values, to_double<std::uint32_t>);
    case DType::s8: return read<std::int8_t>(memory, values, to_double<std::int8_t>);
    case DType::u8:
    case DType::pred: return read<std::uint8_t>(memory, values, to_double<std::uint8_t>);
  }
}

}  // namespace rhino::ir
