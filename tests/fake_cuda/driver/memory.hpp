// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "shadow.hpp"
#include "types.hpp"

namespace fake {

constexpr int kFreshByte = 0xFF;  ///< what nobody wrote: a NaN

struct Allocation {
  char* at = nullptr;
  std::size_t bytes = 0;
  char* base = nullptr;  // pages of it
  std::size_t room = 0;
  Ordinal device = 0;
  bool live = true;
  std::unique_ptr<Shadow> shadow;  // in checked mode only, once touched
};

/// Device memory of all devices: one range of addresses, each allocation between pages that nobody
/// may touch. Between operations none of it can be touched: host code that follows a device pointer
/// dies with a sentence.
class Memory {
 public:
  Memory();
  /// Fresh memory is all ones: a NaN. Null where FAKE_CUDA_MEMORY bytes of the device do not
  /// suffice.
  char* allocate(std::size_t bytes, Ordinal device);
  /// The allocation that begins there; its bytes can be touched no more.
  bool release(char* at);
  /// The allocation that holds the byte, perhaps one that was freed.
  Allocation* find(const void* at);
  bool holds(const void* at) const;
  std::size_t free_bytes(Ordinal device) const;
  std::size_t total_bytes() const { return total_; }

  /// Operations may touch memory from `open` on, until `close`.
  void open();
  void close();

  /// Where a byte of device memory lies, in words.
  std::string describe(const void* at);

 private:
  void protect(int access);
  char* arena_ = nullptr;
  std::size_t used_ = 0, total_ = 0;
  bool open_ = false, guards_ = true;
  std::map<Ordinal, std::size_t> taken_;
  std::map<char*, Allocation> allocations_;
  std::vector<Allocation*> live_;
  Allocation* last_found_ = nullptr;
};

Memory& memory();

/// A SIGSEGV on device memory says who touched it before the process dies. Called once.
void catch_faults();

}  // namespace fake
