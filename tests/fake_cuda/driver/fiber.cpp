// SPDX-License-Identifier: Apache-2.0
#include "fiber.hpp"

#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the fakes switch between fibers on x86-64 and AArch64 only"
#endif

extern "C" __attribute__((visibility("hidden"))) void fake_switch(void** save, void* load);

// What a callee has to keep goes to the stack; the stack pointer is the fiber.
#if defined(__x86_64__)
asm(R"(
.text
.globl fake_switch
.hidden fake_switch
.type fake_switch, @function
fake_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size fake_switch, .-fake_switch
)");
#else
asm(R"(
.text
.globl fake_switch
.hidden fake_switch
.type fake_switch, %function
fake_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size fake_switch, .-fake_switch
)");
#endif

namespace fake {
namespace {

void* resumer = nullptr;
void** current = nullptr;

}  // namespace

void Fiber::prepare(char* stack, std::size_t bytes, void (*entry)()) {
  const std::uintptr_t top =
      (reinterpret_cast<std::uintptr_t>(stack) + bytes) & ~std::uintptr_t{15};
#if defined(__x86_64__)
  // Six registers, the entry, and a word that aligns the stack as a call would.
  constexpr std::size_t kFrame = 8, kEntry = 6;
#else
  constexpr std::size_t kFrame = 20, kEntry = 11;
#endif
  void** frame = reinterpret_cast<void**>(top) - kFrame;
  for (std::size_t i = 0; i < kFrame; ++i) frame[i] = nullptr;
  frame[kEntry] = reinterpret_cast<void*>(entry);
  at_ = frame;
}

void Fiber::resume() {
  current = &at_;
  fake_switch(&resumer, at_);
}

void Fiber::yield() { fake_switch(current, resumer); }

}  // namespace fake
