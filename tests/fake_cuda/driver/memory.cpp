// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "../common/settings.hpp"
#include "block.hpp"

namespace fake {
namespace {

constexpr std::size_t kArenaBytes = std::size_t{1} << 40;  // of addresses
constexpr std::size_t kPage = 4096;
constexpr std::size_t kAlignment = 256;  // what CUDA promises, and no more
constexpr std::int64_t kDefaultMemory = std::int64_t{4} << 30;

std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

struct sigaction previous_action;

void on_fault(int signal, siginfo_t* info, void* context) {
  const bool of_device = memory().holds(info->si_addr);
  const std::string kernel = running_thread();
  // Not safe in a signal handler in general; the process is about to die, and the sentence is worth
  // it.
  if (of_device && kernel.empty()) {
    say("the host touched " + memory().describe(info->si_addr) + " outside every operation");
  } else if (!kernel.empty()) {
    say(kernel + " touched " +
        (of_device ? memory().describe(info->si_addr)
                   : "an address that is not of the device, or is misaligned"));
  }
  sigaction(SIGSEGV, &previous_action, nullptr);
  const bool has_handler =
      previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN;
  if (has_handler && (previous_action.sa_flags & SA_SIGINFO)) {
    previous_action.sa_sigaction(signal, info, context);
  }
  // Returning repeats the access, now without us.
}

}  // namespace

Memory& memory() {
  static Memory* const one = new Memory;
  return *one;
}

void catch_faults() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &previous_action);
}

Memory::Memory()
    : total_(static_cast<std::size_t>(number_setting("FAKE_CUDA_MEMORY", kDefaultMemory))),
      guards_(number_setting("FAKE_CUDA_GUARD", 1) != 0) {
  void* at =
      mmap(nullptr, kArenaBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) refuse("no room for a range of addresses of 1 TiB");
  arena_ = static_cast<char*>(at);
}

bool Memory::holds(const void* at) const {
  const char* p = static_cast<const char*>(at);
  return p >= arena_ && p < arena_ + kArenaBytes;
}

std::size_t Memory::free_bytes(Ordinal device) const {
  const auto found = taken_.find(device);
  return total_ - (found == taken_.end() ? 0 : found->second);
}

char* Memory::allocate(std::size_t bytes, Ordinal device) {
  const std::size_t padded = round_up(bytes, kAlignment);
  const std::size_t room = round_up(padded, kPage);
  if (padded < bytes || padded > free_bytes(device) || used_ + room + 2 * kPage > kArenaBytes) {
    return nullptr;
  }
  Allocation a;
  a.base = arena_ + used_ + kPage;
  a.room = room;
  a.at = a.base + room - padded;  // the end is next to the pages that guard it
  a.bytes = bytes;
  a.device = device;
  used_ += room + 2 * kPage;
  mprotect(a.base, a.room, PROT_READ | PROT_WRITE);
  std::memset(a.base, 0xFF, a.room);
  if (!open_ && guards_) mprotect(a.base, a.room, PROT_NONE);
  taken_[device] += padded;
  Allocation& kept = allocations_[a.at] = std::move(a);
  live_.push_back(&kept);
  return kept.at;
}

bool Memory::release(char* at) {
  Allocation* a = find(at);
  if (!a || !a->live || a->at != at) return false;
  a->live = false;
  taken_[a->device] -= round_up(a->bytes, kAlignment);
  live_.erase(std::find(live_.begin(), live_.end(), a));
  mprotect(a->base, a->room, PROT_NONE);
  madvise(a->base, a->room, MADV_DONTNEED);
  a->shadow.reset();
  return true;
}

Allocation* Memory::find(const void* at) {
  char* p = static_cast<char*>(const_cast<void*>(at));
  if (last_found_ && p >= last_found_->at && p < last_found_->at + last_found_->bytes)
    return last_found_;
  auto next = allocations_.upper_bound(p);
  if (next == allocations_.begin()) return nullptr;
  Allocation& a = std::prev(next)->second;
  if (p >= a.at + a.bytes) return nullptr;
  return last_found_ = &a;
}

void Memory::protect(int access) {
  if (!guards_) return;
  for (Allocation* a : live_) mprotect(a->base, a->room, access);
}

void Memory::open() {
  if (open_) return;
  open_ = true;
  protect(PROT_READ | PROT_WRITE);
}

void Memory::close() {
  if (!open_) return;
  open_ = false;
  protect(PROT_NONE);
}

std::string Memory::describe(const void* at) {
  char* p = static_cast<char*>(const_cast<void*>(at));
  auto next = allocations_.upper_bound(p);
  if (next == allocations_.begin()) return "device memory outside every allocation";
  const Allocation& a = std::prev(next)->second;
  const std::string size = "an allocation of " + std::to_string(a.bytes) + " bytes";
  if (!a.live) return "byte " + std::to_string(p - a.at) + " of freed memory, once " + size;
  if (p < a.at + a.bytes) return "byte " + std::to_string(p - a.at) + " of " + size;
  return "device memory " + std::to_string(p - a.at - a.bytes) + " bytes past the end of " + size;
}

}  // namespace fake
