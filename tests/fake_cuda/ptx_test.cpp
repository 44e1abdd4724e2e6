// SPDX-License-Identifier: Apache-2.0
// Inline PTX of one lane: roundings, powers, and copies to shared memory that go on.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "bench.hpp"
#include "child.hpp"
#include "common/numbers.hpp"

using fake::DevicePtr;
using fake_test::check;
using fake_test::code;
using fake_test::in_child;
using fake_test::Machine;
using fake_test::Outcome;
using fake_test::Settings;

namespace {

const char* const kSource = R"(
extern "C" __global__ void compute(const float* x, const float* y, unsigned* out) {
  const int i = threadIdx.x;
  unsigned both, halves;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(x[i]), "f"(y[i]));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(x[i]), "f"(y[i]));
  float wide, power, most;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"((unsigned short)(halves >> 16)));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x[i]));
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(most) : "f"(x[i]), "f"(y[i]));
  unsigned* to = out + 4 * i;
  to[0] = both, to[1] = __float_as_uint(wide), to[2] = __float_as_uint(power), to[3] = __float_as_uint(most);
}

#define COPY(to, from, bytes) \
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" \
      : : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes) : "memory")
extern "C" __global__ void copy(const unsigned* from, unsigned* out, int shift, int waits, int meets) {
  alignas(16) __shared__ unsigned tile[32][4];
  const int own = threadIdx.x, other = 31 - own;
  COPY(&tile[own][shift], from + 4 * own, own % 8 == 7 ? 0 : 16);
  if (waits) asm volatile("cp.async.wait_all;" : : : "memory");
  if (meets) __syncthreads();
  for (int i = 0; i < 4; ++i) out[4 * own + i] = tile[other][i];
}
)";

float as_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity(),
                kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::array<float, 12> kValues{0,    -0.0f,  1.00390625f, 1.01171875f, -3.1f, 65520,
                                        3e38, -140.f, 2e-41f,      kInfinity,   -1e-7, kNan};

/// All pairs of kValues.
std::string compute() {
  constexpr int kCount = static_cast<int>(kValues.size());
  Machine m;
  fake::Library* library = m.load(kSource);
  DevicePtr x = m.allocate(4 * kCount), y = m.allocate(4 * kCount), out = m.allocate(16 * kCount);
  for (int shift = 0; shift < kCount; ++shift) {
    std::array<float, kCount> left = kValues, right{};
    std::array<std::uint32_t, 4 * kCount> made{};
    for (std::size_t i = 0; i < kCount; ++i)
      right[i] = kValues[(i + static_cast<std::size_t>(shift)) % kCount];
    check(m.cuMemcpyHtoD_v2(x, left.data(), 4 * kCount));
    check(m.cuMemcpyHtoD_v2(y, right.data(), 4 * kCount));
    check(m.launch(m.kernel(library, "compute"), 1, kCount, {&x, &y, &out}, m.a));
    check(m.cuStreamSynchronize(m.a));
    check(m.cuMemcpyDtoH_v2(made.data(), out, 16 * kCount));
    for (std::size_t i = 0; i < kCount; ++i) {
      const float a = left[i], b = right[i];
      const std::string pair = std::to_string(a) + " and " + std::to_string(b);
      const auto halves_are = [&](std::uint32_t word) {
        const float high = fake::from_bf16(static_cast<std::uint16_t>(word >> 16)),
                    low = fake::from_bf16(static_cast<std::uint16_t>(word));
        const auto is = [](float got, float of) {
          return std::isnan(of) ? std::isnan(got) : got == fake::from_bf16(fake::to_bf16(of));
        };
        return is(high, a) && is(low, b);
      };
      if (!halves_are(made[4 * i])) return "bf16 of " + pair;
      const float wide = as_float(made[4 * i + 1]),
                  f16 = static_cast<float>(static_cast<_Float16>(a));
      if (std::isnan(a) ? !std::isnan(wide) : wide != f16) return "f16 of " + pair;
      const float power = as_float(made[4 * i + 2]), exact = std::exp2(a);
      const float expected = exact < 0x1p-126f ? 0 : exact;
      if (std::isnan(a) ? !std::isnan(power)
                        : power != expected && std::abs(power / expected - 1) > 1e-6)
        return "power of " + pair;
      const float most = as_float(made[4 * i + 3]);
      if (std::isnan(a + b) && !(std::isinf(a) || std::isinf(b))
              ? !std::isnan(most)
              : most != std::max(a, b) && !std::isnan(a + b))
        return "maximum of " + pair;
    }
  }
  return "right";
}

/// What `copy` left in `out`; the code that it ends with.
int copy(int shift, int waits, int meets, std::array<std::uint32_t, 128>& out) {
  Machine m;
  fake::Library* library = m.load(kSource);
  DevicePtr from = m.allocate(512), to = m.allocate(512);
  for (std::uint32_t i = 0; i < out.size(); ++i) out[i] = i;
  check(m.cuMemcpyHtoD_v2(from, out.data(), 512));
  if (const int failed =
          m.launch(m.kernel(library, "copy"), 1, 32, {&from, &to, &shift, &waits, &meets}, m.a))
    return failed;
  if (const int failed = m.cuStreamSynchronize(m.a)) return failed;
  return m.cuMemcpyDtoH_v2(out.data(), to, 512);
}

}  // namespace

TEST_CASE("a lane's arithmetic in PTX rounds to the nearest and keeps what is no number") {
  const Outcome o = in_child({}, compute);
  INFO(o.said);
  CHECK(o.result == "right");
}

TEST_CASE("copies to shared memory have come once they are waited for, and no sooner") {
  for (const bool waits : {true, false}) {
    const Outcome o = in_child({}, [=] {
      std::array<std::uint32_t, 128> out{};
      check(copy(0, waits, true, out));
      for (std::uint32_t i = 0; i < out.size(); ++i) {
        const std::uint32_t row = 31 - i / 4, copied = row % 8 == 7 ? 0 : 4 * row + i % 4;
        if (out[i] != (waits ? copied : ~0u)) return "word " + code(static_cast<int>(i));
      }
      return std::string("right");
    });
    INFO(waits << " " << o.said);
    CHECK(o.result == "right");
  }
}

TEST_CASE("mistakes around copies to shared memory are said") {
  struct Case {
    int shift, waits, meets, code;
    const char* sentence;
  };
  for (const Case& c :
       {Case{1, true, true, fake::kMisalignedAddress, "a copy of 16 bytes to byte "},
        Case{128, true, true, fake::kIllegalAddress, "a copy of 16 bytes lies outside"},
        Case{0, true, false, fake::kUnknown, "shared memory"}}) {
    const Outcome o = in_child({{"FAKE_CUDA_CHECKED", "1"}}, [&] {
      std::array<std::uint32_t, 128> out{};
      return code(copy(c.shift, c.waits, c.meets, out));
    });
    INFO(o.said);
    CHECK(o.result == code(c.code));
    CHECK(o.said.find(c.sentence) != std::string::npos);
  }
}
