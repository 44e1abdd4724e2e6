// SPDX-License-Identifier: Apache-2.0
#include "topology/large_pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "topology/file_descriptor.hpp"

namespace rhino::topology {
namespace {

constexpr int kCollapse = 25;  // MADV_COLLAPSE, which older headers lack

std::size_t reserved_bytes(std::int64_t num_bytes) {
  return static_cast<std::size_t>(num_bytes + kLargePage);
}

}  // namespace

// Of addresses reserved first, with room to align.
SharedMapping::SharedMapping(int file, std::int64_t num_bytes) {
  void* reserved = ::mmap(nullptr, reserved_bytes(num_bytes), PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return;
  reserved_ = reserved;
  num_bytes_ = num_bytes;
  const auto behind = reinterpret_cast<std::uintptr_t>(reserved) % kLargePage;
  std::byte* data = static_cast<std::byte*>(reserved) + (kLargePage - behind) % kLargePage;
  const auto size = static_cast<std::size_t>(num_bytes);
  if (::mmap(data, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
    *this = {};
    return;
  }
  data_ = data;
  ::madvise(data, size, MADV_HUGEPAGE);  // a wish: small pages do too
}

SharedMapping::~SharedMapping() {
  if (reserved_ != nullptr) ::munmap(reserved_, reserved_bytes(num_bytes_));
}

std::int64_t take_large_pages(const SharedMapping& mapping, std::int64_t num_bytes) {
  std::int64_t taken = 0;
  while (taken + kLargePage / 2 <= num_bytes && taken + kLargePage <= mapping.num_bytes()) {
    std::byte* page = mapping.data() + taken;
    *page = std::byte{};  // what was never touched is not made large
    if (::madvise(page, kLargePage, kCollapse) != 0) break;
    taken += kLargePage;
  }
  return taken;
}

std::int64_t shared_page_bytes() {
  const FileDescriptor file(::memfd_create("rhino-page", MFD_CLOEXEC));
  const std::int64_t small = ::sysconf(_SC_PAGESIZE);
  if (!file.is_open() || ::ftruncate(file.get(), kLargePage) != 0) return small;
  const SharedMapping mapping(file.get(), kLargePage);
  return mapping.data() == nullptr ? small : std::max(small, take_large_pages(mapping, kLargePage));
}

}  // namespace rhino::topology
