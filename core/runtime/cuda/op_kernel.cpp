// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/op_kernel.hpp"

#include <algorithm>
#include <utility>

#include "ir/op_info.hpp"
#include "rhino/error.hpp"

namespace rhino::runtime::cuda {

std::string OpKernel::read(std::size_t operand, const std::string& index) {
  const ValueId base = view(operand).base;
  if (base != kNoValue)
    return writer_.load(shape(operand).dtype, base,
                        offset_of(shape(operand).dims, view(operand), index));
  const Op& leaf = lowered_.program.producer(op_.operands[operand]);
  const ConstantAttr* constant = leaf.attributes.get_if<ConstantAttr>();
  if (constant == nullptr)
    throw Error("the cuda device has no kernel for '" + std::string(ir::op_name(op_.kind)) +
                "' of what lies in no memory");
  return literal(leaf.shape.dtype, constant->elements.at(0));
}

std::int64_t OpKernel::largest(std::int64_t count) const {
  std::int64_t largest = std::max(count, num_elements(op_.shape));
  for (std::size_t i = 0; i < op_.operands.size(); ++i) {
    largest = std::max(largest, num_elements(shape(i)));
    const ValueId base = view(i).base;
    if (base != kNoValue) largest = std::max(largest, num_elements(lowered_.program.shape(base)));
  }
  const ValueId made = lowered_.views[at(id_)].base;
  if (made != kNoValue) largest = std::max(largest, num_elements(lowered_.program.shape(made)));
  return largest;
}

void OpKernel::add_kernel(const std::string& name, std::int64_t count, const std::string& body) {
  KernelText kernel = writer_.finish(KernelWriter::for_each(name, count, body), largest(count));
  spread(kernel, count);
  kernel.kind = ir::op_name(op_.kind);
  if (count > 0) source_.kernels.push_back(std::move(kernel));
  writer_ = {};
}

}  // namespace rhino::runtime::cuda
