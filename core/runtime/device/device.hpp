// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lower/lower.hpp"
#include "rhino/cluster.hpp"
#include "rhino/error.hpp"
#include "rhino/program.hpp"
#include "runtime/device/gpu_modes.hpp"
#include "runtime/stream.hpp"

namespace rhino::runtime {

class SharedMemory;

/// Memory of one device, 64-byte aligned, freed with it; the device lives longer.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  /// As executables, transports and Device::copy take it.
  virtual std::byte* data() const = 0;
  virtual std::int64_t num_bytes() const = 0;
  /// The same bytes where the host reads and writes them in place; nullptr: it cannot.
  virtual const SharedMemory* shared() const = 0;
};

/// A Program made ready for one device. Thread-compatible; nothing is allocated in enqueue().
class Executable {
 public:
  virtual ~Executable() = default;
  /// Bytes that enqueue() needs as scratch, 64-byte aligned.
  virtual std::int64_t workspace_bytes() const = 0;
  /// Runs behind what `stream`, of the same device, has been given so far. `inputs[i]`,
  /// `outputs[i]` are dense row-major buffers in the order of the program's inputs and outputs, at
  /// multiples of 64 bytes, in memory that the device reaches; an updated_state output may be given
  /// the memory of its input.
  virtual void enqueue(Stream& stream, std::span<const void* const> inputs,
                       std::span<void* const> outputs, void* workspace) = 0;
};

struct DeviceOptions {
  int num_threads = 1;
  int ordinal = 0;                        ///< among the devices of its host
  std::vector<int> beside;                ///< ordinals of all ranks of its host, if not it alone
  std::vector<std::int64_t> coordinates;  ///< position in the role's mesh, for axis_index
  std::vector<std::int64_t> axis_sizes;
  /// What a program takes where its kernels are modelled: read by emulated devices alone.
  std::function<double(const Program&)> program_s = {};
  GpuModes gpu = {};            ///< read by GPUs alone
  lower::Kernels kernels = {};  ///< that plans count on; likewise
};

/// A device, or a library for it, had no memory for what it was to do.
struct DeviceOutOfMemory : Error {
  using Error::Error;
};

/// One device of some kind, driven by one thread. It outlives all that it makes.
class Device {
 public:
  virtual ~Device() = default;
  /// Throws Error naming the bytes where there is no room.
  virtual std::unique_ptr<DeviceMemory> allocate(std::int64_t num_bytes) = 0;
  /// Memory of the host that copies reach at full speed; the device's own where the host shares it.
  virtual std::unique_ptr<DeviceMemory> allocate_pinned(std::int64_t num_bytes) {
    return allocate(num_bytes);
  }
  /// Behind what `stream` has been given so far; each end is memory of this device or of the host.
  /// Memory of the host stays as it is until the copy is over.
  virtual void copy(Stream& stream, void* to, const void* from, std::int64_t num_bytes) = 0;
  /// Every byte of memory of this device becomes `value`.
  virtual void fill(Stream& stream, void* to, std::byte value, std::int64_t num_bytes) = 0;
  virtual std::unique_ptr<Stream> stream() = 0;
  /// Makes it the device of the calling thread, too: of one whose libraries touch its memory.
  /// Throws Error. [any thread]
  virtual void enter_thread() {}
  virtual std::unique_ptr<Executable> compile(const Program& program) = 0;
  /// All programs of a rank. `moves_on` is called as often as something is ready, so that others
  /// see that it goes on. [any thread, one at a time]
  virtual std::vector<std::unique_ptr<Executable>> compile_all(
      const std::vector<const Program*>& programs, const std::function<void()>& moves_on) {
    std::vector<std::unique_ptr<Executable>> made;
    for (const Program* program : programs) {
      made.push_back(compile(*program));
      moves_on();
    }
    return made;
  }
  /// What its memory has less free than when it was opened, libraries' part included; where other
  /// ranks drive it, too, what has been allocated here. Nothing: its memory is the host's.
  virtual std::optional<std::int64_t> taken_bytes() const { return std::nullopt; }
  virtual std::string name() const = 0;
  /// Whether other ranks drive it, too: for what is correct, not for what is quick.
  virtual bool is_shared() const { return false; }
  /// How dots of 16 bits are computed: "bf16 by oneDNN, f16 as f32 and rounded".
  virtual std::string narrow_dots() const = 0;
  /// How those of f32 and f64 are, where there is a choice: "f32 and f64 by cuBLASLt"; empty: there
  /// is none.
  virtual std::string wide_dots() const { return {}; }
  /// How convolutions of what it has compiled so far are computed, where there is a choice: "all 9
  /// by cuDNN 9.1.0"; empty: there are none, or there is none.
  virtual std::string convolutions() const { return {}; }
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
