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

// Products of four warps. B lies as it is told, 32 columns of 16, or turned, 16 rows of 64 columns:
// rows of 128 bytes whose units of 16 are exchanged.
const char* const kGroupSource = R"(
extern "C" __global__ void multiply(const unsigned* all_a, const unsigned short* from, float* all_sums, int turned, int shows) {
  alignas(1024) __shared__ unsigned short rows[32][64];
  for (int i = threadIdx.x; i < 32 * 64; i += 128) {
    const int row = i / 64, column = i % 64;
    rows[row][(column / 8 ^ row % 8) * 8 + column % 8] = from[i];
  }
  if (shows) asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
  __syncthreads();
  const unsigned* a = all_a + 4 * threadIdx.x;
  float* d = all_sums + 32 * threadIdx.x;
  const unsigned long long at = (unsigned)__cvta_generic_to_shared(&rows[0][turned ? 0 : 16]);
  const unsigned long long b = at >> 4 | 64ull << 32 | 1ull << 62;
  asm volatile("wgmma.fence.sync.aligned;" : : : "memory");
  if (turned) asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, p, 1, 1, 1; }" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
  else asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19}, %20, p, 1, 1, 0; }" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
  asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" : : : "memory");
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

TEST_CASE("a group's product is that of its fragments and what lies in shared memory") {
  constexpr int kWarps = 4, kPerRow = 64;
  for (const bool turned : {false, true}) {
    for (const int shows : {1, 0}) {
      const Outcome o = in_child(kChecked, [=] {
        Machine m;
        fake::Library* library = m.load(kGroupSource);
        const int columns = turned ? 64 : 32, num_threads = kWarps * kLanes;
        std::vector<std::uint16_t> a(static_cast<std::size_t>(8 * num_threads)), b(32 * kPerRow);
        std::vector<float> sums(static_cast<std::size_t>(32 * num_threads));
        const auto at = [](int thread, int size, int element) {
          return static_cast<std::size_t>(thread * size + element);
        };
        for (int row = 0; row < kRows * kWarps; ++row) {
          for (int k = 0; k < kDepth; ++k) {
            const Holder holder = holder_of_a(row % kRows, k);
            a[at(row / kRows * kLanes + holder.lane, 8, holder.element)] =
                bits_of(a_at(row, k), false);
          }
        }
        for (int k = 0; k < kDepth; ++k) {
          for (int column = 0; column < columns; ++column) {
            const int place = turned ? k * kPerRow + column : column * kPerRow + 16 + k;
            b[static_cast<std::size_t>(place)] = bits_of(b_at(k, column), false);
          }
        }
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = static_cast<float>(i % 7);
        const std::vector<float> before = sums;
        DevicePtr da = m.allocate(a.size() * 2), db = m.allocate(b.size() * 2),
                  dc = m.allocate(sums.size() * 4);
        check(m.cuMemcpyHtoD_v2(da, a.data(), a.size() * 2));
        check(m.cuMemcpyHtoD_v2(db, b.data(), b.size() * 2));
        check(m.cuMemcpyHtoD_v2(dc, sums.data(), sums.size() * 4));
        int is_turned = turned, is_shown = shows;
        check(m.launch(m.kernel(library, "multiply"), 1, 128,
                       {&da, &db, &dc, &is_turned, &is_shown}, m.a));
        if (const int failed = m.cuStreamSynchronize(m.a)) return code(failed);
        check(m.cuMemcpyDtoH_v2(sums.data(), dc, sums.size() * 4));
        for (int row = 0; row < kRows * kWarps; ++row) {
          for (int column = 0; column < columns; ++column) {
            const Holder holder = holder_of_c(row % kRows, column % kColumns);
            const std::size_t place =
                at(row / kRows * kLanes + holder.lane, 32, column / kColumns * 4 + holder.element);
            float sum = before[place];
            for (int k = 0; k < kDepth; ++k) sum += a_at(row, k) * b_at(k, column);
            if (sums[place] != sum) return "row " + code(row) + " column " + code(column);
          }
        }
        return std::string("right");
      });
      INFO(turned << " " << o.said);
      CHECK(o.result == (shows ? "right" : code(fake::kUnknown)));
      if (!shows) CHECK(o.said.find("fence.proxy.async") != std::string::npos);
    }
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
