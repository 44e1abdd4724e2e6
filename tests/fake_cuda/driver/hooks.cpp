// SPDX-License-Identifier: Apache-2.0
#include "hooks.hpp"

using fake::kernel_access;
using fake::Kind;

/// The type of a misaligned access, as the undefined behaviour sanitizer of GCC 12 hands it over.
struct TypeMismatch {
  const char* file;
  unsigned line, column;
  const void* type;
  unsigned char log_alignment, kind;
};

#pragma GCC visibility push(default)
extern "C" {

fake::Dim3 hc_thread, hc_block, hc_block_dim, hc_grid_dim;
char* hc_dynamic;

void hc_syncthreads() { fake::kernel_barrier(); }
std::uint64_t hc_exchange(unsigned mask, std::uint64_t value, int kind, int argument, int width) {
  return fake::kernel_exchange({mask, value, static_cast<fake::WarpKind>(kind), argument, width});
}
void hc_warp_tiles(int kind, const std::uint32_t* in, std::uint32_t* out) {
  fake::kernel_tiles(static_cast<fake::WarpKind>(kind), {in, out});
}
void hc_start_copy(const void* from, std::uint32_t to, int bytes) {
  fake::kernel_start_copy(from, to, bytes);
}
int hc_next_copy(const void** from, void** to, int* bytes) {
  return fake::kernel_next_copy(from, to, bytes);
}
void hc_show_shared() { fake::kernel_show_shared(); }
void hc_atomic(void* at, unsigned long bytes) {
  if (fake::checked()) kernel_access(at, bytes, Kind::kAtomic);
}
void hc_trap(const char* why) { fake::kernel_trap(why); }

// The thread sanitizer's hooks are ours: a checked kernel is instrumented, and its library is not
// linked.
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_read1(void* p) { kernel_access(p, 1, Kind::kRead); }
void __tsan_read2(void* p) { kernel_access(p, 2, Kind::kRead); }
void __tsan_read4(void* p) { kernel_access(p, 4, Kind::kRead); }
void __tsan_read8(void* p) { kernel_access(p, 8, Kind::kRead); }
void __tsan_read16(void* p) { kernel_access(p, 16, Kind::kRead); }
void __tsan_write1(void* p) { kernel_access(p, 1, Kind::kWrite); }
void __tsan_write2(void* p) { kernel_access(p, 2, Kind::kWrite); }
void __tsan_write4(void* p) { kernel_access(p, 4, Kind::kWrite); }
void __tsan_write8(void* p) { kernel_access(p, 8, Kind::kWrite); }
void __tsan_write16(void* p) { kernel_access(p, 16, Kind::kWrite); }
void __tsan_unaligned_read2(void* p) { kernel_access(p, 2, Kind::kRead); }
void __tsan_unaligned_read4(void* p) { kernel_access(p, 4, Kind::kRead); }
void __tsan_unaligned_read8(void* p) { kernel_access(p, 8, Kind::kRead); }
void __tsan_unaligned_read16(void* p) { kernel_access(p, 16, Kind::kRead); }
void __tsan_unaligned_write2(void* p) { kernel_access(p, 2, Kind::kWrite); }
void __tsan_unaligned_write4(void* p) { kernel_access(p, 4, Kind::kWrite); }
void __tsan_unaligned_write8(void* p) { kernel_access(p, 8, Kind::kWrite); }
void __tsan_unaligned_write16(void* p) { kernel_access(p, 16, Kind::kWrite); }
void __tsan_read_range(void* p, unsigned long n) { kernel_access(p, n, Kind::kRead); }
void __tsan_write_range(void* p, unsigned long n) { kernel_access(p, n, Kind::kWrite); }
void __tsan_vptr_update(void**, void*) {}

void __ubsan_handle_type_mismatch_v1(TypeMismatch* m, unsigned long) {
  fake::kernel_misaligned(std::string(m->file) + ":" + std::to_string(m->line) +
                          ", not a multiple of " + std::to_string(1 << m->log_alignment) +
                          " bytes");
}
}
#pragma GCC visibility pop
