// SPDX-License-Identifier: Apache-2.0
#include "runtime/progress.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
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

ProgressPages::ProgressPages(int num_ranks)
    : ProgressPages(sized_memory_file(pages_size(num_ranks)), num_ranks) {}

ProgressPages::ProgressPages(topology::FileDescriptor memory, int num_ranks)
    : memory_(std::move(memory)), size_(pages_size(num_ranks)) {
  void* mapped = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (mapped == MAP_FAILED) fail("map the progress pages");
  pages_ = static_cast<ProgressPage*>(mapped);  // all zero bytes: a valid page that has not begun
}

ProgressPages::~ProgressPages() { ::munmap(pages_, size_); }

}  // namespace rhino::runtime
