// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rhino/cluster.hpp"
#include "rhino/program.hpp"

namespace rhino::runtime {

/// A Program made ready for one device. Thread-compatible; nothing is allocated in run().
class Executable {
 public:
  virtual ~Executable() = default;
  /// Bytes that run() needs as scratch, 64-byte aligned.
  virtual std::int64_t workspace_bytes() const = 0;
  /// Runs to the end. `inputs[i]`, `outputs[i]` are dense row-major buffers in the order of the
  /// program's inputs and outputs; an updated_state output may be given the memory of its input.
  virtual void run(std::span<const void* const> inputs, std::span<void* const> outputs,
                   void* workspace) = 0;
};

struct DeviceOptions {
  int num_threads = 1;
  std::vector<std::int64_t> coordinates;  ///< position in the role's mesh, for axis_index
  std::vector<std::int64_t> axis_sizes;
  /// What a program takes where its kernels are modelled: read by emulated devices alone.
  std::function<double(const Program&)> program_s = {};
};

/// Compiles programs for one kind of device.
class Device {
 public:
  virtual ~Device() = default;
  virtual std::unique_ptr<Executable> compile(const Program& program) = 0;
  virtual std::string name() const = 0;
  /// How dots of 16 bits are computed: "bf16 by oneDNN, f16 as f32 and rounded".
  virtual std::string narrow_dots() const = 0;
  /// Kinds of ops in what it has compiled so far for which it has no kernel of its own, so that the
  /// reference evaluator computes them, which is slow: "sort, rng"; empty: none.
  virtual std::string slow_ops() const { return {}; }
};

/// oneDNN dots and fused loops, `num_threads` OpenMP threads.
std::unique_ptr<Device> make_cpu_device(const DeviceOptions& options);
/// The reference evaluator as a device: slow and obvious. `f64`: programs whose floating-point
/// values are f64 throughout.
std::unique_ptr<Device> make_reference_device(const DeviceOptions& options);
/// Computes nothing: a program lasts as long as its kernels are modelled to, and leaves its outputs
/// as they were. The core is free meanwhile, so that many devices are timed on few cores.
std::unique_ptr<Device> make_emulated_device(const DeviceOptions& options);

}  // namespace rhino::runtime
