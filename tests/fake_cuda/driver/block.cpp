// SPDX-License-Identifier: Apache-2.0
#include "block.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <numeric>

#include "fiber.hpp"
#include "hooks.hpp"
#include "memory.hpp"
#include "tiles.hpp"
#include "warp.hpp"

namespace fake {
namespace {

constexpr unsigned kMaxThreads = 1024;
constexpr std::size_t kStackBytes = std::size_t{64} << 10;
constexpr std::size_t kCopyBytes = 16;
constexpr std::size_t kDynamicBytes = std::size_t{256} << 10;

enum class State : char { kReady, kAtBarrier, kAtWarp, kDone };

/// 16 bytes on their way to shared memory.
struct LateCopy {
  const void* from;
  char* to;
  int bytes;
};

struct Thread {
  Fiber fiber;
  Dim3 index;
  State state = State::kDone;
  std::vector<LateCopy> copies;
  std::uint32_t num_shown = 0;
};

/// The block that runs. One at a time: operations run under the lock.
struct Running {
  std::array<Thread, kMaxThreads> threads;
  std::array<Warp, kMaxThreads / Warp::kLanes> warps;
  unsigned num_threads = 0, self = 0;
  std::uint32_t block = 0, epoch = 0;
  bool stopped = false;
  Operation* op = nullptr;
  const Kernel* kernel = nullptr;
  Launch launch;
  void** parameters = nullptr;
  char *stacks = nullptr, *dynamic = nullptr;
  Shadow shared, dynamic_shared;
};

char* pages(std::size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return static_cast<char*>(at);
}

Running& running() {
  static Running* const one = [] {
    auto* r = new Running;
    r->stacks = pages(kStackBytes * kMaxThreads);
    r->dynamic = pages(kDynamicBytes);
    return r;
  }();
  return *one;
}

[[noreturn]] void thread_main() {
  for (;;) {
    Running& r = running();
    r.kernel->thunk(r.parameters);
    r.threads[r.self].state = State::kDone;
    Fiber::yield();
  }
}

void resume(unsigned i) {
  Running& r = running();
  r.self = i;
  hc_thread = r.threads[i].index;
  r.threads[i].fiber.resume();
}

void wait_as(State state) {
  Running& r = running();
  r.threads[r.self].state = state;
  Fiber::yield();
}

/// The thread that runs has done wrong: it is the last to run of the kernel.
void stop(Result code, const std::string& sentence) {
  Running& r = running();
  fail(code, running_thread() + ": " + sentence);
  r.stopped = true;
  for (;;) wait_as(State::kDone);
}

void begin_block() {
  Running& r = running();
  for (unsigned i = 0; i < r.num_threads; ++i) {
    r.threads[i].fiber.prepare(r.stacks + kStackBytes * i, kStackBytes, thread_main);
    r.threads[i].state = State::kReady;
    r.threads[i].copies.clear();
    r.threads[i].num_shown = 0;
  }
  for (unsigned w = 0; w * Warp::kLanes < r.num_threads; ++w) r.warps[w] = {};
  std::memset(r.kernel->shared_begin, kFreshByte,
              static_cast<std::size_t>(r.kernel->shared_end - r.kernel->shared_begin));
  std::memset(r.dynamic, kFreshByte, r.launch.dynamic_bytes);
  r.shared.clear();
  r.dynamic_shared.clear();
  r.epoch = 1;
}

/// Runs the threads of a warp until none can go on. True: some moved.
bool run_warp(unsigned warp) {
  Running& r = running();
  const unsigned first = warp * Warp::kLanes, last = std::min(first + Warp::kLanes, r.num_threads);
  bool any = false;
  for (bool moved = true; moved && !r.stopped;) {
    moved = false;
    const bool up = order_is_early() || roll(2);
    for (unsigned j = first; j < last && !r.stopped; ++j) {
      const unsigned i = up ? j : first + last - 1 - j;
      if (r.threads[i].state != State::kReady) continue;
      resume(i);
      moved = any = true;
    }
  }
  return any;
}

void say_stuck(unsigned at_barrier, unsigned done) {
  Running& r = running();
  fail(kLaunchTimeout, r.kernel->name + ", block " + std::to_string(r.block) + ": " +
                           std::to_string(at_barrier) + " threads wait at __syncthreads, " +
                           std::to_string(r.num_threads - at_barrier - done) +
                           " at a warp operation, and " + std::to_string(done) + " have ended");
  r.stopped = true;
}

void run_block() {
  Running& r = running();
  begin_block();
  std::array<unsigned, kMaxThreads / Warp::kLanes> order{};
  std::iota(order.begin(), order.end(), 0u);
  const unsigned num_warps = (r.num_threads + Warp::kLanes - 1) / Warp::kLanes;
  while (!r.stopped) {
    if (!order_is_early()) {
      for (unsigned w = num_warps; w > 1; --w) std::swap(order[w - 1], order[roll(w)]);
    }
    for (unsigned w = 0; w < num_warps; ++w) run_warp(order[w]);
    if (r.stopped) return;
    const auto count = [&](State state) {
      return static_cast<unsigned>(
          std::count_if(r.threads.begin(), r.threads.begin() + r.num_threads,
                        [&](const Thread& t) { return t.state == state; }));
    };
    const unsigned done = count(State::kDone), at_barrier = count(State::kAtBarrier);
    if (done == r.num_threads) return;
    if (at_barrier != r.num_threads) return say_stuck(at_barrier, done);
    ++r.epoch;
    for (unsigned i = 0; i < r.num_threads; ++i) r.threads[i].state = State::kReady;
  }
}

void shared_access(Shadow& shadow, std::size_t offset, std::size_t bytes, Kind kind) {
  Running& r = running();
  const std::string wrong = shadow.note(*r.op, current_access(*r.op), offset, bytes, kind);
  if (!wrong.empty())
    stop(kUnknown, "shared memory, byte " + std::to_string(offset) + ": " + wrong);
}

void device_access(const void* at, std::size_t bytes, Kind kind) {
  const std::string wrong = check_access(*running().op, at, bytes, kind);
  if (wrong.empty()) return;
  const Allocation* a = memory().find(at);
  const bool inside = a && a->live && static_cast<const char*>(at) + bytes <= a->at + a->bytes;
  stop(inside ? kUnknown : kIllegalAddress, wrong);
}

/// What addresses of shared memory count from, as in host_ptx.hpp.
char* shared_window() {
  constexpr std::uintptr_t kAlignment = 1024;
  const auto begin = reinterpret_cast<std::uintptr_t>(running().kernel->shared_begin);
  return reinterpret_cast<char*>(begin / kAlignment * kAlignment);
}

/// A lane reads a row of a tile, of shared memory.
void read_tile_row(std::uint32_t address) {
  const Kernel& kernel = *running().kernel;
  const char* row = shared_window() + address;
  if (address % kTileRowBytes != 0)
    stop(kMisalignedAddress, "misaligned access: a row of a tile at byte " +
                                 std::to_string(address) + " of shared memory");
  if (row < kernel.shared_begin || row + kTileRowBytes > kernel.shared_end)
    stop(kIllegalAddress, "a row of a tile lies outside of shared memory");
  if (checked()) kernel_access(row, kTileRowBytes, Kind::kRead);
}

/// Products of a group read past what threads see of memory: who wrote must have shown it since.
void check_is_shown(std::uint32_t address) {
  Running& r = running();
  if (!checked()) return;
  const Access write = r.shared.last_write(
      static_cast<std::size_t>(shared_window() + address - r.kernel->shared_begin));
  if (write.op != r.op->id || write.thread == Access::kManyThreads) return;
  if (r.threads[write.thread].num_shown <= write.shown)
    stop(kUnknown, "shared memory, byte " + std::to_string(address) + ": thread " +
                       std::to_string(write.thread) +
                       " has not shown what it wrote to products of a group (fence.proxy.async)");
}

/// All lanes have come with theirs.
void run_tiles(WarpKind kind, const Warp& warp) {
  WarpTiles lanes;
  for (unsigned i = 0; i < Warp::kLanes; ++i)
    lanes[i] = *reinterpret_cast<const LaneTiles*>(warp.given(i));
  if (is_tile_load(kind)) load_tiles(kind, lanes, shared_window());
  else if (is_group_product(kind)) multiply_in_group(kind, lanes, shared_window());
  else multiply_tiles(kind, lanes);
}

}  // namespace

std::string running_thread() {
  Running& r = running();
  if (!r.op) return {};
  return r.kernel->name + ", block " + std::to_string(r.block) + " thread " +
         std::to_string(r.self);
}

Access current_access(const Operation& op) {
  Running& r = running();
  Access now;
  now.op = op.id;
  if (r.op != &op) return now;
  now.block = r.block;
  now.thread = static_cast<std::uint16_t>(r.self);
  now.epoch = r.epoch;
  now.shown = r.threads[r.self].num_shown;
  now.tick = r.warps[r.self / Warp::kLanes].tick(r.self % Warp::kLanes);
  return now;
}

bool warp_has_met(const Access& earlier) {
  Running& r = running();
  return r.warps[r.self / Warp::kLanes].has_met(r.self % Warp::kLanes,
                                                earlier.thread % Warp::kLanes, earlier.tick);
}

void run_kernel(Operation& op, const Kernel& kernel, const Launch& launch, void** parameters) {
  Running& r = running();
  r.op = &op;
  r.kernel = &kernel;
  r.launch = launch;
  r.parameters = parameters;
  r.stopped = false;
  const Dim3 grid = launch.grid, block = launch.block;
  r.num_threads = block.x * block.y * block.z;
  hc_grid_dim = grid;
  hc_block_dim = block;
  hc_dynamic = r.dynamic;
  for (unsigned i = 0; i < r.num_threads; ++i) {
    r.threads[i].index = {i % block.x, i / block.x % block.y, i / block.x / block.y};
  }
  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  const bool up = order_is_early() || roll(2);
  for (std::uint64_t b = 0; b < blocks && !r.stopped; ++b) {
    const std::uint64_t i = up ? b : blocks - 1 - b;
    r.block = static_cast<std::uint32_t>(i);
    hc_block = {static_cast<unsigned>(i % grid.x), static_cast<unsigned>(i / grid.x % grid.y),
                static_cast<unsigned>(i / grid.x / grid.y)};
    run_block();
  }
  r.op = nullptr;
}

void kernel_barrier() { wait_as(State::kAtBarrier); }

std::uint64_t kernel_exchange(const WarpCall& call) {
  Running& r = running();
  const unsigned lane = r.self % Warp::kLanes, first = r.self - lane;
  Warp& warp = r.warps[r.self / Warp::kLanes];
  std::string wrong;
  const unsigned released = warp.arrive(lane, call, wrong);
  if (!wrong.empty()) stop(kIllegalState, wrong);
  if (released && call.kind >= WarpKind::kMultiplyF16) run_tiles(call.kind, warp);
  for (unsigned i = 0; i < Warp::kLanes; ++i) {
    if (released >> i & 1) r.threads[first + i].state = State::kReady;
  }
  if (!released) wait_as(State::kAtWarp);
  return warp.result(lane);
}

void kernel_tiles(WarpKind kind, const LaneTiles& tiles) {
  const unsigned lane = running().self % Warp::kLanes;
  if (is_tile_load(kind) && lane < num_tile_rows(kind)) read_tile_row(tiles.in[0]);
  if (is_group_product(kind)) {
    const Kernel& kernel = *running().kernel;
    if (kernel.shared_end - shared_window() > kMostDescribed)
      stop(kUnknown,
           "a unit whose kernels have so much shared memory that the fake cannot tell what a "
           "description means");
    for (const std::uint32_t row : group_rows(kind, tiles, lane)) {
      read_tile_row(row);
      check_is_shown(row);
    }
  }
  constexpr unsigned kAllLanes = ~0u;
  kernel_exchange({kAllLanes, reinterpret_cast<std::uint64_t>(&tiles), kind});
}

void kernel_start_copy(const void* from, std::uint32_t to, int bytes) {
  Running& r = running();
  char* place = shared_window() + to;
  if (to % kCopyBytes != 0 || reinterpret_cast<std::uintptr_t>(from) % kCopyBytes != 0)
    kernel_misaligned("a copy of 16 bytes to byte " + std::to_string(to) + " of shared memory");
  if (place < r.kernel->shared_begin || place + kCopyBytes > r.kernel->shared_end)
    stop(kIllegalAddress, "a copy of 16 bytes lies outside of shared memory");
  if (checked()) kernel_access(place, kCopyBytes, Kind::kWrite);
  std::memset(place, kFreshByte, kCopyBytes);
  r.threads[r.self].copies.push_back({from, place, bytes});
}

void kernel_show_shared() { ++running().threads[running().self].num_shown; }

bool kernel_next_copy(const void** from, void** to, int* bytes) {
  std::vector<LateCopy>& copies = running().threads[running().self].copies;
  if (copies.empty()) return false;
  *from = copies.back().from;
  *to = copies.back().to;
  *bytes = copies.back().bytes;
  copies.pop_back();
  return true;
}

void kernel_access(const void* at, std::size_t bytes, Kind kind) {
  Running& r = running();
  if (!r.op) return;
  const char* p = static_cast<const char*>(at);
  const std::size_t align = std::min<std::size_t>(bytes & -bytes, 16);
  const bool is_device = memory().holds(at);
  const bool is_static = p >= r.kernel->shared_begin && p < r.kernel->shared_end;
  const bool is_dynamic = p >= r.dynamic && p < r.dynamic + kDynamicBytes;
  if (!is_device && !is_static && !is_dynamic) return;
  if (reinterpret_cast<std::uintptr_t>(at) % align)
    kernel_misaligned(std::to_string(bytes) + " bytes");
  if (is_device) return device_access(at, bytes, kind);
  if (is_static)
    return shared_access(r.shared, static_cast<std::size_t>(p - r.kernel->shared_begin), bytes,
                         kind);
  if (p + bytes > r.dynamic + r.launch.dynamic_bytes) {
    stop(kIllegalAddress, "touches dynamic shared memory past the " +
                              std::to_string(r.launch.dynamic_bytes) + " bytes of the launch");
  }
  shared_access(r.dynamic_shared, static_cast<std::size_t>(p - r.dynamic), bytes, kind);
}

void kernel_misaligned(const std::string& what) {
  if (running().op) stop(kMisalignedAddress, "misaligned access: " + what);
}

void kernel_trap(const std::string& why) { stop(kLaunchFailed, why); }

}  // namespace fake
