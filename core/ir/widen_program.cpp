// SPDX-License-Identifier: Apache-2.0
#include "ir/shape_inference.hpp"
#include "ir/training_step.hpp"
#include "rhino/error.hpp"

namespace rhino::ir {

Program widened(Program program) {
  for (Op& op : program.ops) {
    if (op.kind == OpKind::bitcast_convert) throw Error("bits of 16-bit values have no wide form");
    if (is_narrow(op.shape.dtype)) op.shape.dtype = DType::f32;
  }
  check_program(program);
  return program;
}

}  // namespace rhino::ir
