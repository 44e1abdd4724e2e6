// SPDX-License-Identifier: Apache-2.0
// Inline PTX that the fake knows: products of tiles, of fragments and what lies in shared memory,
// and loads of tiles from there, by all lanes of a warp; copies to shared memory that go on; some
// arithmetic of one lane.
#pragma once
#include <stdint.h>
#include <string.h>

extern "C" {
extern char* hc_shared_begin;
void hc_warp_tiles(int instruction, const uint32_t* in, uint32_t* out);
void hc_start_copy(const void* from, uint32_t to, int bytes);
int hc_next_copy(const void** from, void** to, int* bytes);
void hc_show_shared();
}

// The numbers of fake::WarpKind.
enum {
  hc_multiply_f16 = 9,
  hc_multiply_bf16,
  hc_load_1,
  hc_load_2,
  hc_load_4,
  hc_load_1_turned,
  hc_load_2_turned,
  hc_load_4_turned,
  hc_group_f16,  // by 16, 32, 64 others, by 64, 128 turned; the first three without what was there
  hc_group_bf16 = hc_group_f16 + 8,
  hc_by_one_lane = hc_group_bf16 + 8,
  hc_pack_f16 = hc_by_one_lane,
  hc_pack_bf16,
  hc_widen_f16,
  hc_power_of_2,
  hc_max_nan,
  hc_copy_16,
  hc_await_copies,
  hc_show,
  hc_order  // of products and what they read: they are made at once here
};
inline constexpr int kHcMostOperands = 72, kHcMostResults = 64;

struct HcInstruction {
  int number, num_out, num_in, num_operands;
  int operands[kHcMostOperands];  // results, then what is read: numbers behind %
};
struct HcKnown {
  const char *name, *operands;
  int number, num_out;
};
#define HC_4 "%,%,%,%"
#define HC_8 HC_4 "," HC_4
#define HC_16 HC_8 "," HC_8
#define HC_32 HC_16 "," HC_16
#define HC_64 HC_32 "," HC_32
#define HC_GROUP(type, n, sums, turned, adds, number)                                 \
  {                                                                                   \
    "{ .reg .pred p; setp." adds ".u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n" #n \
    "k16.f32." #type "." #type,                                                       \
        "{" sums "},{%,%,%,%},%,p,1,1," turned ";}", hc_group_##type + number, n / 2  \
  }
#define HC_GROUPS(type)                                                                 \
  HC_GROUP(type, 16, HC_8, "0", "eq", 0), HC_GROUP(type, 32, HC_16, "0", "eq", 1),      \
      HC_GROUP(type, 64, HC_32, "0", "eq", 2), HC_GROUP(type, 64, HC_32, "1", "eq", 3), \
      HC_GROUP(type, 128, HC_64, "1", "eq", 4), HC_GROUP(type, 16, HC_8, "0", "ne", 5), \
      HC_GROUP(type, 32, HC_16, "0", "ne", 6), HC_GROUP(type, 64, HC_32, "0", "ne", 7)
inline constexpr HcKnown kHcKnown[] = {
    HC_GROUPS(f16),
    HC_GROUPS(bf16),
    {"fence.proxy.async.shared::cta", ";", hc_show, 0},
    {"wgmma.fence.sync.aligned", ";", hc_order, 0},
    {"wgmma.commit_group.sync.aligned", ";", hc_order, 0},
    {"wgmma.wait_group.sync.aligned", "0;", hc_order, 0},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "{%,%,%,%},{%,%,%,%},{%,%},{%,%,%,%};",
     hc_multiply_f16, 4},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "{%,%,%,%},{%,%,%,%},{%,%},{%,%,%,%};",
     hc_multiply_bf16, 4},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", "{%},[%];", hc_load_1, 1},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16", "{%,%},[%];", hc_load_2, 2},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "{%,%,%,%},[%];", hc_load_4, 4},
    {"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16", "{%},[%];", hc_load_1_turned, 1},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "{%,%},[%];", hc_load_2_turned, 2},
    {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "{%,%,%,%},[%];", hc_load_4_turned, 4},
    {"cvt.rn.f16x2.f32", "%,%,%;", hc_pack_f16, 1},
    {"cvt.rn.bf16x2.f32", "%,%,%;", hc_pack_bf16, 1},
    {"cvt.f32.f16", "%,%;", hc_widen_f16, 1},
    {"ex2.approx.ftz.f32", "%,%;", hc_power_of_2, 1},
    {"max.NaN.f32", "%,%,%;", hc_max_nan, 1},
    {"cp.async.cg.shared.global", "[%],[%],16,%;", hc_copy_16, 0},
    {"cp.async.wait_all", ";", hc_await_copies, 0},
};

/// `name` begins the text, and its operands stand as they must.
consteval bool hc_reads(const char* text, const HcKnown& known, HcInstruction& into) {
  for (const char* c = known.name; *c != 0; ++c, ++text)
    if (*text != *c) return false;
  const char* form = known.operands;
  while (*text != 0) {
    if (*text == ' ' || *text == '\n' || *text == '\t') {
      ++text;
      continue;
    }
    if (*text++ != *form) return false;
    if (*form++ != '%') continue;
    int number = 0;
    for (; *text >= '0' && *text <= '9'; ++text) number = 10 * number + (*text - '0');
    into.operands[into.num_operands++] = number;
  }
  return *form == 0;
}

/// No constant, and so an error of the compiler, where the fake does not know it.
consteval HcInstruction hc_instruction(const char* text) {
  for (const HcKnown& known : kHcKnown) {
    HcInstruction found{known.number, known.num_out, 0, 0, {}};
    if (!hc_reads(text, known, found)) continue;
    found.num_in = found.num_operands - found.num_out;
    return found;
  }
  throw "the fake knows no such instruction of PTX";
}

template <class T>
struct HcOperand {
  T value, *place;
  uint64_t bits() const {
    uint64_t word = 0;
    memcpy(&word, &value, sizeof value);
    return word;
  }
  void keep(uint32_t word) const {
    if (place != nullptr) memcpy(place, &word, sizeof word);
  }
};
template <class T>
inline HcOperand<T> hc_read(T value) {
  return {value, nullptr};
}
template <class T>
inline HcOperand<T> hc_changed(T& place) {
  return {place, &place};
}
/// What was there is not read.
template <class T>
inline HcOperand<T> hc_made(T& place) {
  HcOperand<T> operand{{}, &place};
  memset(&operand.value, 0xff, sizeof operand.value);
  return operand;
}

inline float hc_float(uint64_t word) {
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}
inline uint32_t hc_word(float value) {
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  return word;
}
/// 16 bits, to the nearest; of all that is no number the same.
inline uint32_t hc_narrow(float value, bool is_f16) {
  if (value != value) return 0x7fff;
  if (is_f16) {
    const _Float16 narrow = static_cast<_Float16>(value);
    uint16_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }
  const uint32_t word = hc_word(value);
  return (word + 0x7fff + (word >> 16 & 1)) >> 16;
}

inline uint32_t hc_lane(int instruction, const uint64_t* in) {
  const float x = hc_float(in[0]), y = hc_float(in[1]);
  switch (instruction) {
    case hc_pack_f16:
    case hc_pack_bf16: {
      const bool is_f16 = instruction == hc_pack_f16;
      return hc_narrow(x, is_f16) << 16 | hc_narrow(y, is_f16);
    }
    case hc_widen_f16: {
      _Float16 narrow;
      memcpy(&narrow, in, sizeof narrow);
      return hc_word(static_cast<float>(narrow));
    }
    case hc_power_of_2: {  // results and what they are made of are 0 where they are denormal
      const float made = exp2f(x);
      return made < 0x1p-126f ? 0 : hc_word(made);
    }
    case hc_max_nan: return x != x || y != y ? 0x7fffffff : hc_word(x > y ? x : y);
    default: return 0;
  }
}

/// A copy may come as late as it is waited for. Checked as what the lane itself does then.
__attribute__((noinline)) inline void hc_copies() {
  struct alignas(16) Unit {
    uint64_t words[2];
  };
  const void* from;
  void* to;
  for (int bytes; hc_next_copy(&from, &to, &bytes);) {
    Unit unit = {};
    if (bytes == 16) unit = *static_cast<const Unit*>(from);
    *static_cast<Unit*>(to) = unit;
  }
}

template <class... Operands>
__attribute__((no_sanitize("thread"))) inline void hc_ptx(const HcInstruction& instruction,
                                                          Operands... operands) {
  uint64_t registers[] = {operands.bits()..., 0}, in[kHcMostOperands] = {};
  for (int i = 0; i < instruction.num_in; ++i)
    in[i] = registers[instruction.operands[instruction.num_out + i]];
  uint32_t out[kHcMostResults] = {};
  if (instruction.number == hc_copy_16) {
    hc_start_copy(reinterpret_cast<const void*>(in[1]), static_cast<uint32_t>(in[0]),
                  static_cast<int>(in[2]));
  } else if (instruction.number == hc_await_copies) {
    hc_copies();
  } else if (instruction.number == hc_show) {
    hc_show_shared();
  } else if (instruction.number == hc_order) {
  } else if (instruction.number >= hc_group_f16 && instruction.number < hc_by_one_lane) {
    uint32_t words[kHcMostOperands + 1];  // sums, a, b's description
    for (int i = 0; i < instruction.num_operands; ++i)
      words[i] = static_cast<uint32_t>(registers[instruction.operands[i]]);
    words[instruction.num_operands] =
        static_cast<uint32_t>(registers[instruction.operands[instruction.num_operands - 1]] >> 32);
    hc_warp_tiles(instruction.number, words, out);
  } else if (instruction.number >= hc_by_one_lane) {
    out[0] = hc_lane(instruction.number, in);
  } else {
    uint32_t words[16];
    for (int i = 0; i < 16; ++i) words[i] = static_cast<uint32_t>(in[i]);
    hc_warp_tiles(instruction.number, words, out);
  }
  for (int i = 0; i < instruction.num_out; ++i) registers[instruction.operands[i]] = out[i];
  const uint64_t* next = registers;
  (operands.keep(static_cast<uint32_t>(*next++)), ...);
}

/// Device memory has one address.
inline size_t __cvta_generic_to_global(const void* place) {
  return reinterpret_cast<size_t>(place);
}
/// An address of shared memory as PTX counts it: from a place that is aligned to all.
inline size_t __cvta_generic_to_shared(const void* place) {
  return reinterpret_cast<size_t>(place) -
         (reinterpret_cast<size_t>(hc_shared_begin) & ~size_t{1023});
}
