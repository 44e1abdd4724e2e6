// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>
#include <utility>

#include "ir/element.hpp"
#include "ir/reference.hpp"
#include "runtime/device/axis_indices.hpp"
#include "runtime/device/host_device.hpp"

namespace rhino::runtime {
namespace {

class ReferenceExecutable : public Executable {
 public:
  explicit ReferenceExecutable(Program program) : program_(std::move(program)) {
    for (const Input& input : program_.inputs) {
      const Shape& shape = program_.shape(input.value);
      tensors_.push_back(
          {shape, std::vector<double>(static_cast<std::size_t>(num_elements(shape)))});
    }
  }

  std::int64_t workspace_bytes() const override { return 0; }

  void enqueue(Stream&, std::span<const void* const> inputs, std::span<void* const> outputs,
               void*) override {
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      ir::read_elements(tensors_[i].shape.dtype, inputs[i], tensors_[i].elements);
    }
    const std::vector<ir::Tensor> results = ir::evaluate(program_, tensors_);
    for (std::size_t i = 0; i < results.size(); ++i) {
      ir::write_elements(results[i].shape.dtype, results[i].elements, outputs[i]);
    }
  }

 private:
  Program program_;
  std::vector<ir::Tensor> tensors_;  ///< per input
};

class ReferenceDevice : public HostDevice {
 public:
  explicit ReferenceDevice(DeviceOptions options) : options_(std::move(options)) {}

  std::unique_ptr<Executable> compile(const Program& program) override {
    return std::make_unique<ReferenceExecutable>(with_axis_indices(program, options_));
  }
  std::string name() const override { return "reference"; }
  std::string narrow_dots() const override { return "bf16 and f16 in f64 and rounded"; }

 private:
  DeviceOptions options_;
};

}  // namespace

std::unique_ptr<Device> make_reference_device(const DeviceOptions& options) {
  return std::make_unique<ReferenceDevice>(options);
}

}  // namespace rhino::runtime
