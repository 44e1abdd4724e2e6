// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/cpu_executable.hpp"

#include <omp.h>

#include <cstring>
#include <utility>

#include "ir/element.hpp"
#include "rhino/index.hpp"
#include "runtime/device/cpu/flush_denormals.hpp"

namespace rhino::runtime {
namespace {

struct Made {
  std::unique_ptr<Kernel> kernel;
  std::string_view way;
};

/// The first way that knows the group.
Made make_kernel(const lower::LoweredProgram& lowered, const lower::KernelGroup& group,
                 int num_threads) {
  using Kind = lower::KernelGroup::Kind;
  struct Way {
    std::string_view name;
    Kind kind;
    std::unique_ptr<Kernel> (*make)(const lower::LoweredProgram&, const lower::KernelGroup&, int);
  };
  static constexpr Way kWays[] = {
      {"dot", Kind::dot, make_dot_kernel},
      {"loop", Kind::loop, make_loop_kernel},
      {"convolution", Kind::other, make_convolution_kernel},
      {"direct convolution", Kind::other, make_direct_convolution_kernel},
      {"copy", Kind::other, make_copy_kernel},
      {"window", Kind::other, make_window_kernel},
      {"sort", Kind::other, make_sort_kernel},
  };
  for (const Way& way : kWays) {
    if (way.kind != group.kind) continue;
    if (auto kernel = way.make(lowered, group, num_threads)) return {std::move(kernel), way.name};
  }
  return {make_reference_kernel(lowered, group), "reference"};
}

}  // namespace

CpuExecutable::CpuExecutable(const Program& program, int num_threads)
    : lowered_(lower::lower(program)),
      num_threads_(num_threads),
      memory_(lowered_.program.ops.size()) {
  omp_set_num_threads(num_threads_);
  make_constants();
  for (const lower::KernelGroup& group : lowered_.groups) {
    Made made = make_kernel(lowered_, group, num_threads_);
    kernels_.push_back(std::move(made.kernel));
    ways_.push_back(made.way);
  }
  for (std::size_t i = 0; i < lowered_.program.outputs.size(); ++i) {
    const ValueId base = base_of(lowered_.program.outputs[i].value);
    if (lowered_.placed_out[at(base)] != static_cast<std::int32_t>(i)) copied_outputs_.push_back(i);
  }
}

void CpuExecutable::run(std::span<const void* const> inputs, std::span<void* const> outputs,
                        void* workspace) {
  bind(inputs, outputs, workspace);
  omp_set_num_threads(num_threads_);
  const FlushDenormals flush(num_threads_);
  for (const std::unique_ptr<Kernel>& kernel : kernels_) kernel->run(memory_.data());
  for (std::size_t i : copied_outputs_) {
    const ValueId value = lowered_.program.outputs[i].value;
    std::memcpy(outputs[i], memory_[at(base_of(value))],
                at(num_bytes(lowered_.program.shape(value))));
  }
}

void CpuExecutable::run_kernels(std::span<const std::size_t> kernels) {
  omp_set_num_threads(num_threads_);
  const FlushDenormals flush(num_threads_);
  for (std::size_t kernel : kernels) kernels_[kernel]->run(memory_.data());
}

/// Constants with an element of their own for every index are memory that is there before a run.
void CpuExecutable::make_constants() {
  for (ValueId id = 0; id < lowered_.program.size(); ++id) {
    const Op& op = lowered_.program.op(id);
    if (op.kind != OpKind::constant || base_of(id) != id || lowered_.placed_out[at(id)] >= 0 ||
        lowered_.offsets[at(id)] >= 0)
      continue;
    const auto& elements = op.attributes.get<ConstantAttr>().elements;
    if (elements.size() == 1 && num_elements(op.shape) != 1) continue;
    std::vector<std::byte>& constant = constants_.emplace_back(at(num_bytes(op.shape)));
    ir::write_elements(op.shape.dtype, elements, constant.data());
    memory_[at(id)] = constant.data();
  }
}

void CpuExecutable::bind(std::span<const void* const> inputs, std::span<void* const> outputs,
                         void* workspace) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    // Inputs are only written where an output was given the same memory.
    memory_[at(lowered_.program.inputs[i].value)] =
        static_cast<std::byte*>(const_cast<void*>(inputs[i]));
  }
  for (std::size_t id = 0; id < memory_.size(); ++id) {
    if (lowered_.placed_out[id] >= 0) {
      memory_[id] = static_cast<std::byte*>(outputs[at(lowered_.placed_out[id])]);
    } else if (lowered_.offsets[id] >= 0) {
      memory_[id] = static_cast<std::byte*>(workspace) + lowered_.offsets[id];
    }
  }
}

}  // namespace rhino::runtime
