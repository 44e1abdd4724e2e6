// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/arena.hpp"

#include <sys/mman.h>

#include <cstring>
#include <string>

#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

Arena::Arena(std::int64_t num_bytes)
    : num_bytes_(num_bytes), mapped_bytes_(static_cast<std::size_t>(num_bytes) + kHugePage) {
  mapped_ =
      ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped_ == MAP_FAILED) {
    throw Error("cannot allocate " + std::to_string(num_bytes) +
                " bytes for buffers and workspace");
  }
  const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
  data_ = static_cast<std::byte*>(mapped_) + (kHugePage - address % kHugePage) % kHugePage;
  ::madvise(data_, static_cast<std::size_t>(num_bytes),
            MADV_HUGEPAGE);  // a wish: small pages do too
}

Arena::~Arena() { ::munmap(mapped_, mapped_bytes_); }

void Arena::poison() { std::memset(data_, 0xff, static_cast<std::size_t>(num_bytes_)); }

}  // namespace rhino::runtime
