// SPDX-License-Identifier: Apache-2.0
#include "runtime/progress.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <string>

#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw Error("cannot " + what + ": " + std::strerror(errno));
}

topology::FileDescriptor sized_memory_file(std::size_t size) {
  topology::FileDescriptor memory = make_memory_file("rhino-progress");
  if (::ftruncate(memory.get(), static_cast<off_t>(size)) != 0) fail("size the progress pages");
  return memory;
}

std::size_t pages_size(int num_ranks) {
  return sizeof(ProgressPage) * static_cast<std::size_t>(num_ranks);
}

}  // namespace

topology::FileDescriptor make_memory_file(const char* name) {
  topology::FileDescriptor memory(::memfd_create(name, MFD_CLOEXEC));
  if (!memory.is_open()) fail("make a memory file");
  return memory;
}

topology::FileDescriptor make_memory_file(const char* name, const std::string& bytes) {
  topology::FileDescriptor memory = make_memory_file(name);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written =
        ::pwrite(memory.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("fill a memory file");
    done += static_cast<std::size_t>(written);
  }
  return memory;
}

ProgressPages::ProgressPages(int num_ranks)
    : ProgressPages(sized_memory_file(pages_size(num_ranks)), num_ranks) {}

ProgressPages::ProgressPages(topology::FileDescriptor memory, int num_ranks)
    : memory_(std::move(memory)), num_ranks_(num_ranks), size_(pages_size(num_ranks)) {
  void* mapped = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (mapped == MAP_FAILED) fail("map the progress pages");
  pages_ = static_cast<ProgressPage*>(mapped);  // all zero bytes: a valid page that has not begun
}

void ProgressPages::do_not_await(int rank) const {
  pages_[rank].runs.store(std::numeric_limits<std::uint64_t>::max());
}

void ProgressPages::meet(int rank, bool sleeps) const {
  constexpr int kSpins = 20000;
  ProgressPage& own = pages_[rank];
  const std::uint64_t run = own.runs.fetch_add(1) + 1;
  own.blocked.store(1, std::memory_order_relaxed);
  for (int other = 0, looks = 0; other < num_ranks_; ++looks) {
    if (pages_[other].runs.load() >= run) ++other;
    else if (sleeps) ::usleep(50);
    else if (looks > kSpins) ::sched_yield();
  }
  own.blocked.store(0, std::memory_order_relaxed);
}

ProgressPages::~ProgressPages() { ::munmap(pages_, size_); }

}  // namespace rhino::runtime
