// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "block.hpp"
#include "shadow.hpp"
#include "tiles.hpp"
#include "warp.hpp"

/// What the code of a kernel calls (host_cuda.hpp), and what the compiler puts before each access
/// in checked mode.
namespace fake {

void kernel_barrier();
std::uint64_t kernel_exchange(const WarpCall& call);
void kernel_tiles(WarpKind kind, const LaneTiles& tiles);
/// 16 bytes, of which the first `bytes` are read, to an address of shared memory: nothing is there
/// until the thread has waited for it. False: no copy is left.
void kernel_start_copy(const void* from, std::uint32_t to, int bytes);
bool kernel_next_copy(const void** from, void** to, int* bytes);
/// What the thread has written may be read by products of a group, once they meet at a barrier.
void kernel_show_shared();
void kernel_access(const void* at, std::size_t bytes, Kind kind);
void kernel_misaligned(const std::string& what);
void kernel_trap(const std::string& why);

}  // namespace fake

#pragma GCC visibility push(default)
extern "C" {
extern fake::Dim3 hc_thread, hc_block, hc_block_dim, hc_grid_dim;
extern char* hc_dynamic;
}
#pragma GCC visibility pop
