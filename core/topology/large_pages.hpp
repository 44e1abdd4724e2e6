// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

/// Memory that processes share, in large pages where the system grants them: fewer entries of a
/// processor's table of pages hold it, and it is taken in a tenth of the time.
namespace rhino::topology {

inline constexpr std::int64_t kLargePage = std::int64_t{2} << 20;
inline constexpr const char* kSharedPages = "/sys/kernel/mm/transparent_hugepage/shmem_enabled";

/// The beginning of a file in memory, to read and to write, from the beginning of a large page on.
class SharedMapping {
 public:
  SharedMapping() = default;
  /// Of so many bytes, which the file has. Nothing where the system refuses.
  SharedMapping(int file, std::int64_t num_bytes);
  SharedMapping(SharedMapping&& other) noexcept { swap(other); }
  SharedMapping& operator=(SharedMapping&& other) noexcept {
    SharedMapping(std::move(other)).swap(*this);
    return *this;
  }
  ~SharedMapping();

  std::byte* data() const { return data_; }  ///< nullptr: of nothing
  std::int64_t num_bytes() const { return num_bytes_; }

 private:
  void swap(SharedMapping& other) noexcept {
    std::swap(reserved_, other.reserved_);
    std::swap(data_, other.data_);
    std::swap(num_bytes_, other.num_bytes_);
  }

  void* reserved_ = nullptr;  ///< a large page more
  std::byte* data_ = nullptr;
  std::int64_t num_bytes_ = 0;
};

/// Takes memory of zeros in large pages, but for one that it would fill by less than half, before
/// anybody else has it; returns how many bytes of it. Linux 6.1 and later grant them whatever
/// kSharedPages says (but deny); what they do not grant stays in small ones.
std::int64_t take_large_pages(const SharedMapping& mapping, std::int64_t num_bytes);

/// Bytes of a page of memory that was taken so, as a trial tells.
std::int64_t shared_page_bytes();

}  // namespace rhino::topology
