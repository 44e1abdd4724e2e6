// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "runtime/cuda/attention_prelude.hpp"

namespace rhino::runtime::cuda {
namespace {

const char* const kGroups = R"(
// Products that four warps make together, from sm_90a on: rows of theirs, as fragments, times what
// lies in shared memory, which nobody loads. There a row has 128 bytes, deeper ones go on in
// another panel, and unit u of row r, of 16 bytes, lies where u ^ r % 8 would.
inline __device__ int unit_place(int row, int unit) { return unit ^ row % 8; }
inline __device__ void show_copies() { asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); }
inline __device__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" : : : "memory"); }
inline __device__ void await_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" : : : "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" : : : "memory");
}
// What products read and add to is there before they begin, and stays where it is until they end.
template <int N> __device__ void hold(float (&d)[N][4]) {
  #pragma unroll
  for (int j = 0; j < N; ++j) {
    #pragma unroll
    for (int i = 0; i < 4; ++i) asm volatile("" : "+f"(d[j][i]) : : "memory");
  }
}
template <int N> __device__ void hold(const u32 (&a)[N][4]) {
  #pragma unroll
  for (int k = 0; k < N; ++k) {
    #pragma unroll
    for (int i = 0; i < 4; ++i) asm volatile("" : : "r"(a[k][i]) : "memory");
  }
}
template <int N> __device__ void settle(u32 (&a)[N][4]) {
  #pragma unroll
  for (int k = 0; k < N; ++k) {
    #pragma unroll
    for (int i = 0; i < 4; ++i) asm volatile("" : "+r"(a[k][i]) : : "memory");
  }
}
// ptxas 13.0 takes fragments that a loop only reads for dead behind their products, and puts others
// in their registers: what may have changed, as far as it can know, it keeps.
template <int N> __device__ void renew(u32 (&a)[N][4]) {
  #pragma unroll
  for (int k = 0; k < N; ++k) a[k][0] ^= gridDim.z - 1;  // there is one
}
// A matrix of shared memory: groups of eight rows lie 1024 bytes apart, panels `panel`.
inline __device__ u64 described(const u16* place, int panel) {
  const u32 at = (u32)__cvta_generic_to_shared(place);
  return (u64)(at >> 4 & 0x3fff) | (u64)(panel >> 4) << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62;
}
)";

const char* const kGroupLoops = R"(
template <int ROWS, int DEPTH, class M> __device__ void copy_panels(u16 (*to)[64], const M& m, int row) {
  constexpr int units = DEPTH / 8, at_once = 128 / units;
  const int d = threadIdx.x % units * 8, first = threadIdx.x / units;
  u16* place = &to[d / 64 * ROWS + first][unit_place(first, d % 64 / 8) * 8];
  copy_rows<ROWS, at_once, 64, DEPTH>(place, m, row, first, d);
}

// s = own rows times 8 N others of a tile of ROWS, for each product.
template <class E, int PRODUCTS, int N, int DEPTH, int ROWS, class Tile>
__device__ void multiply_own_in_group(float (&s)[PRODUCTS][N][4], u32 (&own)[PRODUCTS][DEPTH / 16][4], const Tile* tiles, int first) {
  #pragma unroll
  for (int p = 0; p < PRODUCTS; ++p) renew(own[p]), hold(own[p]);
  begin_products();
  #pragma unroll
  for (int p = 0; p < PRODUCTS; ++p) {
    GroupProduct<E, 8 * N, false>::set(s[p], own[p][0], described(&tiles[p][first][0], 16));
    #pragma unroll
    for (int k = 16; k < DEPTH; k += 16)
      GroupProduct<E, 8 * N, false>::add(s[p], own[p][k / 16], described(&tiles[p][k / 64 * ROWS + first][k % 64], 16));
  }
  await_products();
  #pragma unroll
  for (int p = 0; p < PRODUCTS; ++p) hold(s[p]), hold(own[p]);
}

// sum += weights of own rows and 8 N others, times rows of a tile of ROWS, for each of RESULTS.
template <class E, int RESULTS, int N, int DEPTH, int ROWS, class Tile>
__device__ void multiply_weights_in_group(float (&sum)[RESULTS][DEPTH / 8][4], const float (&weights)[RESULTS][N][4], const Tile* const (&y)[RESULTS], int first) {
  u32 left[RESULTS][N / 2][4];
  #pragma unroll
  for (int i = 0; i < RESULTS; ++i) {
    #pragma unroll
    for (int k = 0; k < N; ++k) {
      #pragma unroll
      for (int h = 0; h < 2; ++h) left[i][k / 2][k % 2 * 2 + h] = E::pack(weights[i][k][2 * h], weights[i][k][2 * h + 1]);
    }
    hold(sum[i]), settle(left[i]);
  }
  begin_products();
  #pragma unroll
  for (int i = 0; i < RESULTS; ++i) {
    #pragma unroll
    for (int k = 0; k < N; k += 2)
      GroupProduct<E, DEPTH, true>::add(sum[i], left[i][k / 2], described(&(*y[i])[first + 8 * k][0], ROWS * 128));
  }
  await_products();
  #pragma unroll
  for (int i = 0; i < RESULTS; ++i) hold(sum[i]), hold(left[i]);
}
)";

/// `{%0, %1}`
std::string registers(int first, int count) {
  std::string list = "{";
  for (int i = 0; i < count; ++i) list += (i ? ", %" : "%") + std::to_string(first + i);
  return list + "}";
}

/// Of 64 rows, `n` columns, 16 deep; b is n x 16 as it lies, or turned 16 x n.
std::string product(const std::string& type, int n, bool turned, bool adds) {
  const int count = n / 2;
  std::string operands;
  for (int j = 0; j < n / 8; ++j) {
    for (int i = 0; i < 4; ++i)
      operands += std::string(j + i > 0 ? ", " : "") + (adds ? "\"+f\"" : "\"=f\"") + "(d[" +
                  std::to_string(j) + "][" + std::to_string(i) + "])";
  }
  const std::string shape = "m64n" + std::to_string(n) + "k16";
  return std::string("  static __device__ void ") + (adds ? "add" : "set") + "(float (&d)[" +
         std::to_string(n / 8) + "][4], const u32 (&a)[4], u64 b) {\n    asm volatile(\"{ .reg " +
         ".pred p; setp." + (adds ? "eq" : "ne") + ".u32 p, 0, 0; wgmma.mma_async.sync.aligned." +
         shape + ".f32." + type + "." + type + " " + registers(0, count) + ", " +
         registers(count, 4) + ", %" + std::to_string(count + 4) + ", p, 1, 1, " +
         (turned ? "1" : "0") + "; }\"\n      : " + operands +
         "\n      : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"l\"(b));\n  }\n";
}

std::string products(const std::string& element, const std::string& type, int n, bool turned) {
  return "template <> struct GroupProduct<" + element + ", " + std::to_string(n) + ", " +
         (turned ? "true" : "false") + "> {  // d += a b" + (turned ? "" : ", d = a b") + "\n" +
         product(type, n, turned, true) + (turned ? "" : product(type, n, turned, false)) + "};\n";
}

}  // namespace

std::string attention_groups() {
  std::string text = kGroups;
  text += "template <class E, int N, bool TURNED> struct GroupProduct;\n";
  for (const auto& [element, type] : {std::pair("Bf16", "bf16"), std::pair("F16", "f16")}) {
    for (int n : {16, 32, 64}) text += products(element, type, n, false);
    for (int n : {64, 128}) text += products(element, type, n, true);
  }
  return text + kGroupLoops;
}

}  // namespace rhino::runtime::cuda
