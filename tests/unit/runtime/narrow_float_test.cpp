// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/narrow_float.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "ir/element.hpp"

using namespace rhino;
using namespace rhino::runtime;

namespace {

template <typename T>
double rounded(float value) {
  return Rounded<T>{}(value);
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// ir::round_to is the oracle: it works on exponents and fractions, in double.
template <typename T>
void compare(DType dtype, float value) {
  if (is_same(rounded<T>(value), ir::round_to(dtype, value))) return;
  FAIL_CHECK(dtype_name(dtype) << " of " << value << " is " << rounded<T>(value) << ", not "
                               << ir::round_to(dtype, value));
}

template <typename T>
void compare_all_patterns(DType dtype) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const T stored{static_cast<std::uint16_t>(bits)};
    double value = 0;
    ir::read_elements(dtype, &stored, {&value, 1});
    T back;
    narrow(widen(stored), back);
    if (!is_same(widen(stored), value)) FAIL_CHECK(dtype_name(dtype) << " " << bits);
    if (!std::isnan(value) && back.bits != bits) FAIL_CHECK(dtype_name(dtype) << " " << bits);
    if (!std::isfinite(value)) continue;
    // Half way to its neighbour, and next to that.
    const auto half = static_cast<float>(value + (value - ir::round_to(dtype, value * 1.01)) / 2);
    for (float near : {half, std::nextafter(half, 1e30F), std::nextafter(half, -1e30F)}) {
      compare<T>(dtype, near);
    }
  }
}

}  // namespace

TEST_CASE("16-bit values widen, and f32 values round, as the reference says") {
  compare_all_patterns<Bf16>(DType::bf16);
  compare_all_patterns<F16>(DType::f16);
  std::mt19937 random(17);
  for (int i = 0; i < 200000; ++i) {
    const float value = narrow_float::from_bits(random());
    compare<Bf16>(DType::bf16, value);
    compare<F16>(DType::f16, value);
  }
}
