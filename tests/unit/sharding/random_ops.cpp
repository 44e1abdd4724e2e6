// SPDX-License-Identifier: Apache-2.0
#include "random_ops.hpp"

#include <cmath>

#include "ir/builder.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"

namespace rhino::test {
namespace {

/// All that read something: what sources yield on a tile depends on where it lies.
const std::vector<OpKind>& kinds() {
  static const std::vector<OpKind> kKinds = [] {
    std::vector<OpKind> kinds;
    for (const ir::OpTraits& row : ir::all_traits()) {
      if (row.sample && row.op_class != ir::OpClass::source) kinds.push_back(row.kind);
    }
    return kinds;
  }();
  return kKinds;
}

/// In the range that the input asks for; whole eighths, whose sums are exact.
ir::Tensor random_values(Random& random, const Shape& shape, const Initializer& range) {
  ir::Tensor tensor{shape, {}};
  const double unit = is_floating(shape.dtype) ? 8 : 1, first = std::ceil(range.a * unit);
  const auto count = static_cast<std::int64_t>(std::ceil(range.b * unit) - first);
  for (std::int64_t i = num_elements(shape); i > 0; --i) {
    tensor.elements.push_back((first + static_cast<double>(draw(random, count))) / unit);
  }
  return tensor;
}

}  // namespace

std::int64_t num_op_cases() { return std::ssize(kinds()); }

OneOp random_op(Random& random, std::int64_t index) {
  ir::Builder builder("op");
  ir::Sampler sampler(builder, random);
  ir::traits(kinds()[static_cast<std::size_t>(index)]).sample(sampler);
  OneOp one{builder.program(), {}};
  one.program.outputs = {{one.program.size() - 1, OutputKind::value, -1}};
  for (const Input& input : one.program.inputs) {
    one.inputs.push_back(random_values(random, one.program.shape(input.value), input.initializer));
  }
  return one;
}

OneOp random_op(Random& random) { return random_op(random, draw(random, num_op_cases())); }

}  // namespace rhino::test
