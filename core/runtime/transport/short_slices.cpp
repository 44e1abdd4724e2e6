// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/short_slices.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace rhino::runtime {
namespace {

/// As sched_setattr(2) has it; libraries of C declare it since glibc 2.41.
struct Attributes {
  std::uint32_t size, policy;
  std::uint64_t flags;
  std::int32_t nice;
  std::uint32_t priority;
  std::uint64_t runtime_ns, deadline_ns, period_ns;
};

}  // namespace

void ask_for_short_slices() noexcept {
  constexpr std::uint64_t kSliceNs = 100'000;
  Attributes attributes{};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  attributes.size = sizeof attributes;
  attributes.runtime_ns = kSliceNs;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}

}  // namespace rhino::runtime
