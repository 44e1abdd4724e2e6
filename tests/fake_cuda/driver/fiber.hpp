// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace fake {

/// A flow of control with a stack of its own.
class Fiber {
 public:
  /// Begins `entry` on the stack at the first resume. `entry` must not return.
  void prepare(char* stack, std::size_t bytes, void (*entry)());
  /// Runs the fiber until it yields.
  void resume();
  /// Back to who resumed the fiber.
  static void yield();

 private:
  void* at_ = nullptr;
};

}  // namespace fake
