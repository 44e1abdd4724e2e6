// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/shared_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "runtime/worker/resident_memory.hpp"

using namespace rhino;
using namespace rhino::runtime;
using topology::kLargePage;

namespace {

constexpr std::int64_t kSmallPage = 4096;

/// Of this process' mapping that begins at `data`, those in large pages, as the system says.
std::int64_t large_bytes(const std::byte* data) {
  std::ifstream mappings("/proc/self/smaps");
  bool is_it = false;
  for (std::string line; std::getline(mappings, line);) {
    if (line.find('-') < line.find(':'))  // the first line of a mapping: begin-end ...
      is_it = std::stoull(line, nullptr, 16) == reinterpret_cast<std::uintptr_t>(data);
    else if (is_it && line.starts_with("ShmemPmdMapped:"))
      return std::stoll(line.substr(15)) * 1024;
  }
  return -1;
}

bool are_zero(const std::byte* data, std::int64_t num_bytes) {
  return std::all_of(data, data + num_bytes, [](std::byte byte) { return byte == std::byte{}; });
}

/// 1 if the system grants large pages, as a trial of its own says, else 0.
std::int64_t granted() {
  const int file = ::memfd_create("trial", 0);
  REQUIRE(::ftruncate(file, 2 * kLargePage) == 0);
  void* mapped = ::mmap(nullptr, 2 * kLargePage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  REQUIRE(mapped != MAP_FAILED);
  const auto behind = reinterpret_cast<std::uintptr_t>(mapped) % kLargePage;
  // The beginning of the file has to lie at that of a large page.
  auto* page = static_cast<std::byte*>(mapped) + (kLargePage - behind) % kLargePage;
  void* moved = ::mmap(page, kLargePage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  REQUIRE(moved == page);
  *page = std::byte{1};
  constexpr int kCollapse = 25;
  const bool grants = ::madvise(page, kLargePage, kCollapse) == 0;
  ::munmap(mapped, 2 * kLargePage);
  ::close(file);
  if (!grants) WARN("this system grants no large pages: small ones are tested");
  CHECK((topology::shared_page_bytes() == kLargePage) == grants);
  return grants ? 1 : 0;
}

}  // namespace

TEST_CASE("shared memory is zeroed, in large pages unless it fills less than half of one") {
  const std::int64_t half = kLargePage / 2, grants = granted();
  SharedMemory memory;
  for (const auto& [num_bytes, pages] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1, 0}, {half - 1, 0}, {half, 1}, {kLargePage, 1}, {5 * half - 1, 2}, {5 * half, 3}}) {
    CAPTURE(num_bytes);
    memory.resize(num_bytes);
    CHECK(memory.num_bytes() == num_bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(memory.data()) % kLargePage == 0);
    CHECK(large_bytes(memory.data()) == grants * pages * kLargePage);
    CHECK(are_zero(memory.data(), num_bytes));
    const std::int64_t touched = (num_bytes + kSmallPage - 1) / kSmallPage * kSmallPage,
                       large = grants * pages * kLargePage;
    CHECK(resident_memory().small_page_bytes == std::max<std::int64_t>(touched - large, 0));
    std::fill_n(memory.data(), num_bytes, std::byte{1});  // discarded
    CHECK(memory.offset_of(memory.data() + num_bytes - 1, 1) == num_bytes - 1);
    CHECK(memory.offset_of(memory.data() + num_bytes - 1, 2) == -1);
  }
}

TEST_CASE("a peer has the same bytes, in large pages, too, and more as they come to be") {
  SharedMemory memory(3 * kLargePage);
  const SharedAddress address = share({&memory, nullptr});
  PeerMemory peer;
  REQUIRE(peer.open(address, address));
  CHECK(peer.at(1, 0, 1) == nullptr);
  CHECK(peer.at(0, -1, 1) == nullptr);
  memory.data()[2 * kLargePage] = std::byte{7};
  const std::byte* seen = peer.at(0, 2 * kLargePage, kLargePage);
  REQUIRE(seen != nullptr);
  CHECK(seen != memory.data() + 2 * kLargePage);
  CHECK(*seen == std::byte{7});
  CHECK(are_zero(seen + 1, kLargePage - 1));
  CHECK(large_bytes(seen - 2 * kLargePage) >= granted() * kLargePage);  // those that it has touched
  CHECK(peer.at(0, 8 * kLargePage, 1) == nullptr);
  memory.resize(9 * kLargePage);
  memory.data()[8 * kLargePage] = std::byte{8};
  REQUIRE(peer.at(0, 8 * kLargePage, 1) != nullptr);
  CHECK(*peer.at(0, 8 * kLargePage, 1) == std::byte{8});
}
