// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "rhino/index.hpp"
#include "runtime/device/cpu/kernel.hpp"

namespace rhino::runtime {

/// The input that a dot's result is added to, where its group says so: memory that the dot adds to
/// in place.
class DotSum {
 public:
  DotSum(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
    if (group.ops.size() < 2) return;
    const Op& add = lowered.program.op(group.ops[1]);
    for (ValueId operand : add.operands) {
      if (lowered.program.producer(operand).kind == OpKind::parameter) input_ = operand;
    }
    bytes_ = num_bytes(add.shape);
  }

  bool adds() const { return input_ != kNoValue; }
  /// Puts what is added to where the result is made, if it is not there.
  void place(Memory memory, ValueId result) const {
    if (adds() && memory[at(input_)] != memory[at(result)])
      std::memcpy(memory[at(result)], memory[at(input_)], at(bytes_));
  }

 private:
  ValueId input_ = kNoValue;
  std::int64_t bytes_ = 0;
};

}  // namespace rhino::runtime
