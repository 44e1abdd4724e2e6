// SPDX-License-Identifier: Apache-2.0
// Products of tiles and loads of tiles by a warp, with fragments where the PTX ISA has them.
#include <catch2/catch.hpp>
#include <cstring>

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

constexpr int kRows = 16, kColumns = 8, kDepth = 16, kLanes = 32;
const Settings kChecked{{"FAKE_CUDA_CHECKED", "1"}};

const char* const kSource = R"(
#define MULTIPLY(type) \
  asm("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, " \
      "{%8,%9}, {%0,%1,%2,%3};" \
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]) \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define REGISTERS                                                            \
  const unsigned *a = all_a + 4 * threadIdx.x, *b = all_b + 2 * threadIdx.x; \
  float* sum = all_sums + 4 * threadIdx.x
extern "C" __global__ void multiply_f16(const unsigned* all_a, const unsigned* all_b, float* all_sums) {
  REGISTERS;
  MULTIPLY("f16");
}
extern "C" __global__ void multiply_bf16(const unsigned* all_a, const unsigned* all_b, float* all_sums) {
  REGISTERS;
  MULTIPLY("bf16");
}

#define LOAD(turned) \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" turned ".shared.b16 {%0, %1, %2, %3}, [%4];" \
      : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) \
      : "r"((unsigned)__cvta_generic_to_shared(&tile[row][shift])) : "memory")
extern "C" __global__ void load(unsigned* out, int turned, int shift, int has_barrier) {
  alignas(16) __shared__ unsigned short tile[32][8];
  const int own = 31 - threadIdx.x;  // no lane reads what it wrote
  for (int i = 0; i < 8; ++i) tile[own][i] = 8 * own + i;
  if (has_barrier) __syncthreads();
  unsigned* to = out + 4 * threadIdx.x;
  const int row = threadIdx.x ^ 8;  // of the second tile first
  if (turned) LOAD(".trans"); else LOAD("");
}
extern "C" __global__ void kinds_differ(const unsigned* all_a, const unsigned* all_b, float* all_sums) {
  REGISTERS;
  if (threadIdx.x < 16) MULTIPLY("f16"); else MULTIPLY("bf16");
}
)";

std::uint16_t bits_of(float value, bool is_f16) {
  if (!is_f16) return fake::to_bf16(value);
  const auto narrow = static_cast<_Float16>(value);
  std::uint16_t bits;
  std::memcpy(&bits, &narrow, sizeof bits);
  return bits;
}

float a_at(int row, int k) { return static_cast<float>((row * 7 + k * 5) % 13 - 6); }
float b_at(int k, int column) { return static_cast<float>((k * 3 + column * 11) % 9 - 4); }
float c_at(int row, int column) { return static_cast<float>(row - 2 * column); }

/// Figures of the PTX ISA, "Matrix fragments for mma.m16n8k16 with floating point type": which
/// thread has an element, and as which of its fragment.
struct Holder {
  int lane, element;
};
Holder holder_of_a(int row, int k) {
  return {row % 8 * 4 + k % 8 / 2, k % 2 + (row >= 8 ? 2 : 0) + (k >= 8 ? 4 : 0)};
}
Holder holder_of_b(int k, int column) { return {column * 4 + k % 8 / 2, k % 2 + (k >= 8 ? 2 : 0)}; }
Holder holder_of_c(int row, int column) {
  return {row % 8 * 4 + column / 2, column % 2 + (row >= 8 ? 2 : 0)};
}

/// How a product of a warp differs from the sum of its definition; empty: it does not.
std::string multiply(bool is_f16) {
  Machine m;
  fake::Library* library = m.load(kSource);
  std::vector<std::uint16_t> a(8 * kLanes), b(4 * kLanes);
  std::vector<float> c(4 * kLanes);
  const auto place = [](const Holder& holder, int size) {
    return static_cast<std::size_t>(holder.lane * size + holder.element);
  };
  for (int k = 0; k < kDepth; ++k) {
    for (int row = 0; row < kRows; ++row)
      a[place(holder_of_a(row, k), 8)] = bits_of(a_at(row, k), is_f16);
    for (int column = 0; column < kColumns; ++column)
      b[place(holder_of_b(k, column), 4)] = bits_of(b_at(k, column), is_f16);
  }
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column)
      c[place(holder_of_c(row, column), 4)] = c_at(row, column);
  }
  DevicePtr da = m.allocate(512), db = m.allocate(256), dc = m.allocate(512);
  check(m.cuMemcpyHtoD_v2(da, a.data(), 512));
  check(m.cuMemcpyHtoD_v2(db, b.data(), 256));
  check(m.cuMemcpyHtoD_v2(dc, c.data(), 512));
  check(m.launch(m.kernel(library, is_f16 ? "multiply_f16" : "multiply_bf16"), 1, 32,
                 {&da, &db, &dc}, m.a));
  check(m.cuStreamSynchronize(m.a));
  check(m.cuMemcpyDtoH_v2(c.data(), dc, 512));
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      float sum = c_at(row, column);
      for (int k = 0; k < kDepth; ++k) sum += a_at(row, k) * b_at(k, column);
      const float made = c[place(holder_of_c(row, column), 4)];
      if (made != sum)
        return "row " + code(row) + " column " + code(column) + ": " + std::to_string(made) +
               ", not " + std::to_string(sum);
    }
  }
  return {};
}

/// Runs `load`; the code that it ends with, and what it left.
int load(Machine& m, bool turned, int shift, bool has_barrier, std::vector<std::uint32_t>& out) {
  fake::Library* library = m.load(kSource);
  DevicePtr to = m.allocate(512);
  int turns = turned, barrier = has_barrier;
  if (const int failed =
          m.launch(m.kernel(library, "load"), 1, 32, {&to, &turns, &shift, &barrier}, m.a))
    return failed;
  if (const int failed = m.cuStreamSynchronize(m.a)) return failed;
  out.resize(4 * kLanes);
  return m.cuMemcpyDtoH_v2(out.data(), to, 512);
}

}  // namespace

TEST_CASE("a warp's product of tiles is that of the matrices that its fragments hold") {
  for (const bool is_f16 : {true, false}) {
    for (const char* checked : {"0", "1"}) {
      const Outcome o =
          in_child({{"FAKE_CUDA_CHECKED", checked}}, [=] { return "right" + multiply(is_f16); });
      INFO((is_f16 ? "f16 " : "bf16 ") << checked << " " << o.said);
      CHECK(o.result == "right");
    }
  }
}

TEST_CASE("a warp's load of tiles gives each lane two neighbours of a row, or of a column") {
  for (const bool turned : {false, true}) {
    const Outcome o = in_child(kChecked, [=] {
      Machine m;
      std::vector<std::uint32_t> out;
      check(load(m, turned, 0, true, out));
      for (int lane = 0; lane < kLanes; ++lane) {
        for (int tile = 0; tile < 4; ++tile) {
          const std::uint32_t word = out[static_cast<std::size_t>(4 * lane + tile)];
          for (int half = 0; half < 2; ++half) {
            const int major = lane / 4, minor = lane % 4 * 2 + half;
            const int row = turned ? minor : major, column = turned ? major : minor;
            const auto expected = static_cast<std::uint32_t>(8 * ((8 * tile + row) ^ 8) + column);
            if ((word >> 16 * half & 0xffff) != expected)
              return "lane " + code(lane) + " tile " + code(tile);
          }
        }
      }
      return std::string("right");
    });
    INFO(turned << " " << o.said);
    CHECK(o.result == "right");
  }
}

TEST_CASE("mistakes around tiles of a warp are said") {
  struct Case {
    int shift;
    bool has_barrier;
    int code;
    const char* sentence;
  };
  for (const Case& c :
       {Case{1, true, fake::kMisalignedAddress, "misaligned access: a row of a tile at byte "},
        Case{8 * 31, true, fake::kIllegalAddress, "a row of a tile lies outside of shared memory"},
        Case{0, false, fake::kUnknown, "shared memory"}}) {
    const Outcome o = in_child(kChecked, [&] {
      Machine m;
      std::vector<std::uint32_t> out;
      return code(load(m, false, c.shift, c.has_barrier, out));
    });
    INFO(o.said);
    CHECK(o.result == code(c.code));
    CHECK(o.said.find(c.sentence) != std::string::npos);
  }
  const Outcome o = in_child({}, [] {
    Machine m;
    fake::Library* library = m.load(kSource);
    DevicePtr memory = m.allocate(512);
    check(m.cuMemsetD32Async(memory, 0, 128, m.a));
    check(m.launch(m.kernel(library, "kinds_differ"), 1, 32, {&memory, &memory, &memory}, m.a));
    return code(m.cuStreamSynchronize(m.a));
  });
  CHECK(o.result == code(fake::kIllegalState));
  CHECK(o.said.find("different warp operations") != std::string::npos);
}

TEST_CASE("PTX that the fake does not know is an error of the compiler") {
  for (
      const char* text :
      {R"(asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0}, {%1};" : "+f"(x[0]) : "r"(1)))",
       R"(asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0,%0}, [%1];" : "=f"(x[0]) : "r"(0)))",
       R"(asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=d"(x[0]) : "r"(0)))"}) {
    const Outcome o = in_child({}, [&] {
      try {
        Machine().load(std::string("extern \"C\" __global__ void k(float* x) { ") + text + "; }");
      } catch (const std::runtime_error& error) {
        return std::string(error.what()).find("the fake knows no such") == std::string::npos
                   ? std::string(error.what())
                   : std::string("refused");
      }
      return std::string("taken");
    });
    INFO(text);
    CHECK(o.result == "refused");
  }
}
