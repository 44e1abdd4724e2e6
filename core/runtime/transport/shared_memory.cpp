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

#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {

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
  if (!file_.is_open())
    throw Error(std::string("cannot make shared memory: ") + std::strerror(errno));
}

SharedMemory::SharedMemory(std::int64_t num_bytes) : SharedMemory() { resize(num_bytes); }

void SharedMemory::resize(std::int64_t num_bytes) {
  mapping_ = {};
  num_bytes_ = num_bytes;
  const std::int64_t size = (num_bytes / topology::kLargePage + 1) * topology::kLargePage;
  if (::ftruncate(file_.get(), 0) == 0 && ::ftruncate(file_.get(), size) == 0)
    mapping_ = topology::SharedMapping(file_.get(), size);
  if (data() == nullptr)
    throw Error("cannot allocate " + std::to_string(num_bytes) + " bytes of shared memory");
  topology::take_large_pages(mapping_, num_bytes);
}

std::int64_t SharedMemory::offset_of(const std::byte* address, std::int64_t num_bytes) const {
  const std::int64_t offset =
      reinterpret_cast<std::intptr_t>(address) - reinterpret_cast<std::intptr_t>(data());
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

bool PeerMemory::open(const SharedAddress& own, const SharedAddress& peer) {
  if (own.pid == 0 || own.boot != peer.boot || own.namespaces != peer.namespaces) return false;
  for (std::size_t i = 0; i < kNumShared; ++i) {
    if (peer.files[i] < 0) continue;
    const std::string path =
        "/proc/" + std::to_string(peer.pid) + "/fd/" + std::to_string(peer.files[i]);
    topology::FileDescriptor& file = memories_[i].file;
    file = topology::FileDescriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (!file.is_open() || inode_of(file.get()) != peer.inodes[i]) return false;
  }
  return true;
}

// Mapped as large as it is by then.
std::byte* PeerMemory::at(std::size_t index, std::int64_t offset, std::int64_t num_bytes) {
  if (index >= kNumShared || offset < 0 || num_bytes < 0) return nullptr;
  auto& [file, mapping] = memories_[index];
  const std::int64_t end = offset + num_bytes;
  if (mapping.data() == nullptr || end > mapping.num_bytes()) {
    struct stat status {};
    const bool is_there = file.is_open() && ::fstat(file.get(), &status) == 0;
    mapping =
        is_there ? topology::SharedMapping(file.get(), status.st_size) : topology::SharedMapping();
  }
  const bool has_it = mapping.data() != nullptr && end <= mapping.num_bytes();
  return has_it ? mapping.data() + offset : nullptr;
}

}  // namespace rhino::runtime
