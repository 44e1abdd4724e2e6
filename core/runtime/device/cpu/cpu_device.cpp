// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <utility>

#include "ir/op_info.hpp"
#include "rhino/error.hpp"
#include "runtime/device/axis_indices.hpp"
#include "runtime/device/cpu/cpu_executable.hpp"
#include "runtime/device/cpu/native_product.hpp"
#include "runtime/device/host_device.hpp"

namespace rhino::runtime {
namespace {

class CpuDevice : public HostDevice {
 public:
  explicit CpuDevice(DeviceOptions options) : options_(std::move(options)) {
    if (options_.num_threads < 1) {
      throw Error("a cpu device needs at least one thread, not " +
                  std::to_string(options_.num_threads));
    }
  }

  std::unique_ptr<Executable> compile(const Program& program) override {
    auto executable =
        std::make_unique<CpuExecutable>(with_axis_indices(program, options_), options_.num_threads);
    const lower::LoweredProgram& lowered = executable->lowered();
    for (std::size_t i = 0; i < lowered.groups.size(); ++i) {
      if (executable->ways()[i] != "reference") continue;
      for (ValueId op : lowered.groups[i].ops)
        slow_ops_.insert(std::string(ir::op_name(lowered.program.op(op).kind)));
    }
    return executable;
  }
  std::string name() const override { return "cpu"; }
  std::string slow_ops() const override {
    std::string all;
    for (const std::string& op : slow_ops_) all += (all.empty() ? "" : ", ") + op;
    return all;
  }
  std::string narrow_dots() const override {
    return has_native_products(DType::bf16) ? "bf16 by oneDNN, f16 as f32 and rounded"
                                            : "bf16 and f16 as f32 and rounded";
  }

 private:
  DeviceOptions options_;
  std::set<std::string> slow_ops_;
};

}  // namespace

std::unique_ptr<Device> make_cpu_device(const DeviceOptions& options) {
  return std::make_unique<CpuDevice>(options);
}

}  // namespace rhino::runtime
