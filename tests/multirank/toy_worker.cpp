// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "ir/element.hpp"
#include "ir/reference.hpp"
#include "rhino/error.hpp"
#include "runtime/worker/worker.hpp"

/// A worker as rhino-worker, whose one device is the reference evaluator.
namespace rhino {
namespace {

class ToyExecutable final : public Executable {
 public:
  explicit ToyExecutable(Program program) : program_(std::move(program)) {}
  std::int64_t workspace_bytes() const override { return 0; }
  void run(std::span<const void* const> inputs, std::span<void* const> outputs, void*) override {
    std::vector<Tensor> values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      Tensor value{program_.op(program_.inputs[i].value).shape, {}};
      value.elements.resize(static_cast<std::size_t>(num_elements(value.shape)));
      read_elements(value.shape.dtype, inputs[i], value.elements);
      values.push_back(std::move(value));
    }
    const std::vector<Tensor> results = evaluate(program_, values);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      write_elements(results[i].shape.dtype, results[i].elements, outputs[i]);
    }
  }

 private:
  Program program_;
};

class ToyDevice final : public Device {
 public:
  std::unique_ptr<Executable> compile(const Program& program) override {
    return std::make_unique<ToyExecutable>(program);
  }
  std::string name() const override { return "toy"; }
};

std::unique_ptr<Device> make_toy_device(const std::string& kind, const DeviceOptions&) {
  if (kind != "toy") throw Error("this worker has no device '" + kind + "'; it has toy");
  return std::make_unique<ToyDevice>();
}

}  // namespace
}  // namespace rhino

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  try {
    return rhino::serve_session(std::atoi(argv[2]), std::atoi(argv[3]), rhino::make_toy_device);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "toy_worker: %s\n", failure.what());
    return 1;
  }
}
