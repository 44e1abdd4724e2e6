// SPDX-License-Identifier: Apache-2.0
// Inline PTX that the fake knows: products of tiles, and loads of tiles from shared memory, by all
// lanes of a warp.
#pragma once
#include <stdint.h>
#include <string.h>

extern "C" {
extern char* hc_shared_begin;
void hc_warp_tiles(int instruction, const uint32_t* in, uint32_t* out);
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
  hc_load_4_turned
};

struct HcInstruction {
  int number, num_out, num_in, num_operands;
  int operands[16];  // results, then what is read: numbers behind %
};
struct HcKnown {
  const char *name, *operands;
  int number, num_out;
};
inline constexpr HcKnown kHcKnown[] = {
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
  uint32_t bits() const {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
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

template <class... Operands>
__attribute__((no_sanitize("thread"))) inline void hc_ptx(const HcInstruction& instruction,
                                                          Operands... operands) {
  uint32_t registers[] = {operands.bits()...}, in[16], out[4];
  for (int i = 0; i < instruction.num_in; ++i)
    in[i] = registers[instruction.operands[instruction.num_out + i]];
  hc_warp_tiles(instruction.number, in, out);
  for (int i = 0; i < instruction.num_out; ++i) registers[instruction.operands[i]] = out[i];
  const uint32_t* next = registers;
  (operands.keep(*next++), ...);
}

/// An address of shared memory as PTX counts it: from a place that is aligned to all.
inline size_t __cvta_generic_to_shared(const void* place) {
  return reinterpret_cast<size_t>(place) -
         (reinterpret_cast<size_t>(hc_shared_begin) & ~size_t{127});
}
