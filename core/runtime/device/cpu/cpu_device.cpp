// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "ir/element.hpp"
#include "lower/lower.hpp"
#include "rhino/error.hpp"
#include "runtime/device/axis_indices.hpp"
#include "runtime/device/cpu/flush_denormals.hpp"
#include "runtime/device/cpu/kernel.hpp"
#include "runtime/device/device.hpp"

namespace rhino {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

std::unique_ptr<Kernel> make_kernel(const LoweredProgram& lowered, const KernelGroup& group,
                                    int num_threads) {
  std::unique_ptr<Kernel> kernel;
  switch (group.kind) {
    case KernelGroup::Kind::dot: kernel = make_dot_kernel(lowered, group, num_threads); break;
    case KernelGroup::Kind::loop: kernel = make_loop_kernel(lowered, group, num_threads); break;
    case KernelGroup::Kind::other: kernel = make_copy_kernel(lowered, group, num_threads); break;
  }
  return kernel ? std::move(kernel) : make_reference_kernel(lowered, group);
}

class CpuExecutable : public Executable {
 public:
  CpuExecutable(const Program& program, int num_threads)
      : lowered_(lower(program)), num_threads_(num_threads), memory_(lowered_.program.ops.size()) {
    omp_set_num_threads(num_threads_);
    make_constants();
    for (const KernelGroup& group : lowered_.groups) {
      kernels_.push_back(make_kernel(lowered_, group, num_threads_));
    }
    for (std::size_t i = 0; i < lowered_.program.outputs.size(); ++i) {
      const ValueId base = base_of(lowered_.program.outputs[i].value);
      if (lowered_.placed_out[at(base)] != static_cast<std::int32_t>(i))
        copied_outputs_.push_back(i);
    }
  }

  std::int64_t workspace_bytes() const override { return lowered_.workspace_bytes; }

  void run(std::span<const void* const> inputs, std::span<void* const> outputs,
           void* workspace) override {
    bind(inputs, outputs, static_cast<std::byte*>(workspace));
    omp_set_num_threads(num_threads_);
    const FlushDenormals flush(num_threads_);
    for (const std::unique_ptr<Kernel>& kernel : kernels_) kernel->run(memory_.data());
    for (std::size_t i : copied_outputs_) {
      const ValueId value = lowered_.program.outputs[i].value;
      std::memcpy(outputs[i], memory_[at(base_of(value))],
                  at(num_bytes(lowered_.program.op(value).shape)));
    }
  }

 private:
  ValueId base_of(ValueId value) const { return lowered_.views[at(value)].base; }

  /// Constants with an element of their own for every index are memory that is there before a run.
  void make_constants() {
    for (ValueId id = 0; id < lowered_.program.size(); ++id) {
      const Op& op = lowered_.program.op(id);
      if (op.kind != OpKind::constant || base_of(id) != id || lowered_.placed_out[at(id)] >= 0 ||
          lowered_.offsets[at(id)] >= 0)
        continue;
      const auto& elements = std::get<ConstantAttr>(op.attributes).elements;
      if (elements.size() == 1 && num_elements(op.shape) != 1) continue;
      std::vector<std::byte>& constant = constants_.emplace_back(at(num_bytes(op.shape)));
      write_elements(op.shape.dtype, elements, constant.data());
      memory_[at(id)] = constant.data();
    }
  }

  void bind(std::span<const void* const> inputs, std::span<void* const> outputs,
            std::byte* workspace) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      // Inputs are only written where an output was given the same memory.
      memory_[at(lowered_.program.inputs[i].value)] =
          static_cast<std::byte*>(const_cast<void*>(inputs[i]));
    }
    for (std::size_t id = 0; id < memory_.size(); ++id) {
      if (lowered_.placed_out[id] >= 0) {
        memory_[id] = static_cast<std::byte*>(outputs[at(lowered_.placed_out[id])]);
      } else if (lowered_.offsets[id] >= 0) {
        memory_[id] = workspace + lowered_.offsets[id];
      }
    }
  }

  LoweredProgram lowered_;
  int num_threads_;
  std::vector<std::vector<std::byte>> constants_;
  std::vector<std::byte*> memory_;  ///< per value, see Memory
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::vector<std::size_t> copied_outputs_;  ///< whose value is made elsewhere
};

class CpuDevice : public Device {
 public:
  explicit CpuDevice(DeviceOptions options) : options_(std::move(options)) {
    if (options_.num_threads < 1) {
      throw Error("a cpu device needs at least one thread, not " +
                  std::to_string(options_.num_threads));
    }
  }

  std::unique_ptr<Executable> compile(const Program& program) override {
    return std::make_unique<CpuExecutable>(with_axis_indices(program, options_),
                                           options_.num_threads);
  }
  std::string name() const override { return "cpu"; }

 private:
  DeviceOptions options_;
};

}  // namespace

std::unique_ptr<Device> make_cpu_device(const DeviceOptions& options) {
  return std::make_unique<CpuDevice>(options);
}

}  // namespace rhino
