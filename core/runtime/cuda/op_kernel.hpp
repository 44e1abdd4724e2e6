// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rhino/index.hpp"
#include "runtime/cuda/op_source.hpp"

namespace rhino::runtime::cuda {

/// What the kernels of one op share: its operands as text, and what was written so far.
class OpKernel {
 protected:
  OpKernel(const lower::LoweredProgram& lowered, ValueId id)
      : lowered_(lowered), id_(id), op_(lowered.program.op(id)) {}

  static std::string text(std::int64_t value) { return std::to_string(value); }
  const Shape& shape(std::size_t operand) const {
    return lowered_.program.shape(op_.operands[operand]);
  }
  const lower::View& view(std::size_t operand) const {
    return lowered_.views[at(op_.operands[operand])];
  }
  DType dtype() const { return op_.shape.dtype; }
  std::string store(const std::string& index, const std::string& value) {
    return writer_.store(dtype(), lowered_.views[at(id_)].base, index, value);
  }
  /// Element `index`, row-major, of an operand: of memory, or of a splat.
  std::string read(std::size_t operand, const std::string& index);
  /// Of memory; `offset` counts from the first element of the operand's base.
  std::string read_at(std::size_t operand, const std::string& offset) {
    return writer_.load(shape(operand).dtype, view(operand).base, offset);
  }
  /// Largest index into the memory that operands and result lie in, and `count`.
  std::int64_t largest(std::int64_t count) const;
  /// A kernel of what was written so far: `body` for every `name` below `count`.
  void add_kernel(const std::string& name, std::int64_t count, const std::string& body);

  const lower::LoweredProgram& lowered_;
  ValueId id_;
  const Op& op_;
  KernelWriter writer_;
  GroupSource source_;
};

}  // namespace rhino::runtime::cuda
