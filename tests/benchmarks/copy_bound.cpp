// SPDX-License-Identifier: Apache-2.0
//
// What copying takes: `copy_bound BYTES...` prints, per size, the bytes and the seconds in which
// two cores, at once and again and again, memcpy so many bytes each out of the other's memory into
// their own; then those in which one of them does so alone, once, after it compared all that it got
// with what it should be, overwrote it and slept, as a worker does between verified transfers. The
// best of many: other load on the machine only ever adds.
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int kRepetitions = 40;
constexpr useconds_t kPause_us = 1000;

struct Meeting {
  std::atomic<int> arrived[2];
  double seconds[2];
};

template <typename T>
T* map_shared(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::exit(1);
  return static_cast<T*>(memory);
}

class Rank {
 public:
  Rank(int rank, Meeting& meeting) : rank_(rank), meeting_(meeting) {
    cpu_set_t allowed, own;
    sched_getaffinity(0, sizeof allowed, &allowed);
    CPU_ZERO(&own);
    for (std::size_t core = 0, seen = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &allowed) && seen++ == static_cast<std::size_t>(rank))
        CPU_SET(core, &own);
    }
    if (CPU_COUNT(&own) > 0) sched_setaffinity(0, sizeof own, &own);
  }

  /// Seconds of the slower one.
  double copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    meet();
    return timed(to, from, bytes);
  }

  /// Seconds of rank 1, while the other waits.
  double copy_alone(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (rank_ == 1) {
      if (expected_.size() < bytes) expected_.assign(bytes, std::byte{1});
      else if (std::memcmp(to, expected_.data(), bytes) != 0) std::exit(1);
      std::memset(to, 2, bytes);
      usleep(kPause_us);
    }
    meet();
    return timed(to, from, rank_ == 1 ? bytes : 0);
  }

 private:
  double timed(std::byte* to, const std::byte* from, std::size_t bytes) {
    const auto start = std::chrono::steady_clock::now();
    std::memcpy(to, from, bytes);
    meeting_.seconds[rank_] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    meet();
    const double seconds = std::max(meeting_.seconds[0], meeting_.seconds[1]);
    meet();
    return seconds;
  }

  void meet() {
    meeting_.arrived[rank_] = ++round_;
    for (int spins = 0; meeting_.arrived[1 - rank_] < round_; ++spins) {
      if (spins > 100000) sched_yield();
    }
  }

  int rank_;
  Meeting& meeting_;
  int round_ = 0;
  std::vector<std::byte> expected_;
};

}  // namespace

int main(int argc, char** argv) {
  auto* meeting = map_shared<Meeting>(sizeof(Meeting));
  std::size_t most = 0;
  for (int i = 1; i < argc; ++i)
    most = std::max<std::size_t>(most, std::strtoull(argv[i], nullptr, 10));
  std::array<std::byte*, 2> memory{};
  for (std::byte*& of_rank : memory) {
    of_rank = map_shared<std::byte>(2 * most);
    std::memset(of_rank, 1, 2 * most);
  }
  const int index = fork() == 0 ? 1 : 0;
  Rank rank(index, *meeting);
  for (int a = 1; a < argc; ++a) {
    const std::size_t bytes = std::strtoull(argv[a], nullptr, 10);
    std::byte* to = memory[static_cast<std::size_t>(index)] + most;
    const std::byte* from = memory[static_cast<std::size_t>(1 - index)];
    double both = 1e9, alone = 1e9;
    for (int i = 0; i < kRepetitions; ++i) both = std::min(both, rank.copy(to, from, bytes));
    for (int i = 0; i < kRepetitions; ++i)
      alone = std::min(alone, rank.copy_alone(to, from, bytes));
    if (index == 0) std::printf("%zu %.9f %.9f\n", bytes, both, alone);
  }
  if (index == 0) wait(nullptr);
  return 0;
}
