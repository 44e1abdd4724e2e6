// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::uint64_t inode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

std::uint64_t inode_of(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 ? status.st_ino : 0;
}

}  // namespace

SharedMemory::SharedMemory()
    : file_(::memfd_create((kSharedMemoryName + std::to_string(::getpid())).c_str(), MFD_CLOEXEC)) {
  if (file_ < 0) throw Error(std::string("cannot make shared memory: ") + std::strerror(errno));
}

SharedMemory::SharedMemory(std::int64_t num_bytes) : SharedMemory() { resize(num_bytes); }

SharedMemory::~SharedMemory() {
  unmap();
  ::close(file_);
}

void SharedMemory::unmap() {
  if (mapped_) ::munmap(mapped_, mapped_bytes_);
  mapped_ = nullptr;
}

// The mapping begins at a huge page: of addresses reserved first, with room to align.
void SharedMemory::resize(std::int64_t num_bytes) {
  unmap();
  num_bytes_ = num_bytes;
  const std::size_t size = (static_cast<std::size_t>(num_bytes) / kHugePage + 1) * kHugePage;
  mapped_bytes_ = size + kHugePage;
  void* reserved =
      ::mmap(nullptr, mapped_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved != MAP_FAILED) {
    mapped_ = reserved;
    const auto address = reinterpret_cast<std::uintptr_t>(reserved);
    data_ = static_cast<std::byte*>(reserved) + (kHugePage - address % kHugePage) % kHugePage;
  }
  const bool made =
      mapped_ && ::ftruncate(file_, 0) == 0 && ::ftruncate(file_, static_cast<off_t>(size)) == 0 &&
      ::mmap(data_, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, 0) != MAP_FAILED;
  if (!made)
    throw Error("cannot allocate " + std::to_string(num_bytes) + " bytes of shared memory");
  ::madvise(data_, size, MADV_HUGEPAGE);  // a wish: small pages do too
}

std::int64_t SharedMemory::offset_of(const std::byte* address, std::int64_t num_bytes) const {
  const std::int64_t offset =
      reinterpret_cast<std::intptr_t>(address) - reinterpret_cast<std::intptr_t>(data_);
  return offset >= 0 && offset + num_bytes <= num_bytes_ ? offset : -1;
}

SharedAddress share(const std::array<const SharedMemory*, kNumShared>& memories) {
  SharedAddress address;
  std::ifstream("/proc/sys/kernel/random/boot_id").read(address.boot.data(), 36);
  address.namespaces = {inode_of("/proc/self/ns/ipc"), inode_of("/proc/self/ns/net"),
                        inode_of("/proc/self/ns/pid")};
  address.pid = ::getpid();
  for (std::size_t i = 0; i < memories.size(); ++i) {
    if (!memories[i]) continue;
    address.files[i] = memories[i]->file_descriptor();
    address.inodes[i] = inode_of(memories[i]->file_descriptor());
  }
  return address;
}

PeerMemory::~PeerMemory() {
  for (const Mapping& mapping : mappings_) {
    if (mapping.data) ::munmap(mapping.data, mapping.num_bytes);
    if (mapping.file >= 0) ::close(mapping.file);
  }
}

PeerMemory::PeerMemory(PeerMemory&& other) noexcept
    : mappings_(std::exchange(other.mappings_, {})) {}

bool PeerMemory::open(const SharedAddress& own, const SharedAddress& peer) {
  if (own.pid == 0 || own.boot != peer.boot || own.namespaces != peer.namespaces) return false;
  for (std::size_t i = 0; i < kNumShared; ++i) {
    if (peer.files[i] < 0) continue;
    const std::string path =
        "/proc/" + std::to_string(peer.pid) + "/fd/" + std::to_string(peer.files[i]);
    mappings_[i].file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (mappings_[i].file < 0 || inode_of(mappings_[i].file) != peer.inodes[i]) return false;
  }
  return true;
}

std::byte* PeerMemory::at(std::size_t index, std::int64_t offset, std::int64_t num_bytes) {
  if (index >= kNumShared || offset < 0 || num_bytes < 0) return nullptr;
  Mapping& mapping = mappings_[index];
  const auto end = static_cast<std::size_t>(offset + num_bytes);
  if (!mapping.data || end > mapping.num_bytes) map(mapping);
  return mapping.data && end <= mapping.num_bytes ? static_cast<std::byte*>(mapping.data) + offset
                                                  : nullptr;
}

// As large as it is by now.
void PeerMemory::map(Mapping& mapping) {
  if (mapping.data) ::munmap(mapping.data, mapping.num_bytes);
  mapping.data = nullptr;
  mapping.num_bytes = 0;
  struct stat status {};
  if (mapping.file < 0 || ::fstat(mapping.file, &status) != 0) return;
  void* data = ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE,
                      MAP_SHARED, mapping.file, 0);
  if (data == MAP_FAILED) return;
  mapping.data = data;
  mapping.num_bytes = static_cast<std::size_t>(status.st_size);
  ::madvise(data, mapping.num_bytes, MADV_HUGEPAGE);
}

}  // namespace rhino::runtime
