// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_device.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "codec/cache_folder.hpp"
#include "rhino/error.hpp"
#include "runtime/cuda/compiler.hpp"
#include "runtime/cuda/cuda_executable.hpp"
#include "runtime/cuda/cuda_stream.hpp"
#include "runtime/cuda/dnn_library.hpp"
#include "runtime/cuda/driver.hpp"
#include "runtime/cuda/lt_library.hpp"
#include "runtime/device/axis_indices.hpp"

namespace rhino::runtime::cuda {
namespace {

/// Bytes of a GPU's memory, whoever has taken the others.
struct Room {
  std::int64_t free = 0, total = 0;
};

Room room(const Driver& driver) {
  std::size_t free = 0, total = 0;
  driver.check(driver->cuMemGetInfo_v2(&free, &total), "asking for free memory");
  return {static_cast<std::int64_t>(free), static_cast<std::int64_t>(total)};
}

/// Memory of the device, by address: where ends of copies are.
using Ranges = std::map<const std::byte*, std::int64_t>;

class CudaMemory final : public DeviceMemory {
 public:
  CudaMemory(const Driver& driver, std::int64_t num_bytes, Ranges& ranges)
      : driver_(driver), num_bytes_(num_bytes), ranges_(ranges) {
    // The driver refuses to allocate nothing.
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(num_bytes, 1));
    const CuResult result = driver_->cuMemAlloc_v2(&memory_, size);
    if (result == kCuOutOfMemory) throw DeviceOutOfMemory(no_room(num_bytes));
    driver_.check(result, "allocating " + std::to_string(num_bytes) + " bytes");
    ranges_[data()] = num_bytes;
  }
  ~CudaMemory() override {
    ranges_.erase(data());
    driver_->cuMemFree_v2(memory_);
  }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  std::byte* data() const override { return reinterpret_cast<std::byte*>(memory_); }
  std::int64_t num_bytes() const override { return num_bytes_; }
  const SharedMemory* shared() const override { return nullptr; }

 private:
  std::string no_room(std::int64_t num_bytes) const {
    const auto [free, total] = room(driver_);
    return "cannot allocate " + std::to_string(num_bytes) + " bytes on " + driver_.name() + ": " +
           std::to_string(free) + " of its " + std::to_string(total) + " are free";
  }

  const Driver& driver_;
  std::int64_t num_bytes_;
  Ranges& ranges_;
  CuDevicePtr memory_ = 0;
};

/// Pages of the host that stay where they are.
class PinnedMemory final : public DeviceMemory {
 public:
  PinnedMemory(const Driver& driver, std::int64_t num_bytes)
      : driver_(driver), num_bytes_(num_bytes) {
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(num_bytes, 1));
    driver_.check(driver_->cuMemHostAlloc(&memory_, size, 0),
                  "pinning " + std::to_string(num_bytes) + " bytes of the host");
  }
  ~PinnedMemory() override { driver_->cuMemFreeHost(memory_); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  std::byte* data() const override { return static_cast<std::byte*>(memory_); }
  std::int64_t num_bytes() const override { return num_bytes_; }
  const SharedMemory* shared() const override { return nullptr; }

 private:
  const Driver& driver_;
  std::int64_t num_bytes_;
  void* memory_ = nullptr;
};

CuDevicePtr address(const void* memory) { return reinterpret_cast<CuDevicePtr>(memory); }

CuStream handle(Stream& stream) { return dynamic_cast<CudaStream&>(stream).handle(); }

/// Fakes compile in ways that no key tells apart, checked or not, and keep code themselves.
std::string cache_of(const Driver& driver) {
  return driver.name().starts_with("fake") ? "" : codec::cache_folder();
}

class CudaDevice final : public CudaDeviceBase {
 public:
  explicit CudaDevice(DeviceOptions options)
      : options_(std::move(options)),
        driver_(options_.ordinal, options_.beside),
        compiler_(driver_, cache_of(driver_)) {
    if (options_.gpu.dots != GpuModes::Dots::simple) open_products();
  }

  std::unique_ptr<DeviceMemory> allocate(std::int64_t num_bytes) override {
    return std::make_unique<CudaMemory>(driver_, num_bytes, ranges_);
  }

  std::unique_ptr<DeviceMemory> allocate_pinned(std::int64_t num_bytes) override {
    return std::make_unique<PinnedMemory>(driver_, num_bytes);
  }

  void enter_thread() override { driver_.enter_thread(); }

  void copy(Stream& stream, void* to, const void* from, std::int64_t num_bytes) override {
    if (num_bytes == 0) return;
    const auto size = static_cast<std::size_t>(num_bytes);
    const bool reads_device = is_here(from), writes_device = is_here(to);
    if (!reads_device && !writes_device) throw Error("neither end of a copy is memory of the GPU");
    const CuResult result =
        !reads_device ? driver_->cuMemcpyHtoDAsync_v2(address(to), from, size, handle(stream))
        : !writes_device
            ? driver_->cuMemcpyDtoHAsync_v2(to, address(from), size, handle(stream))
            : driver_->cuMemcpyDtoDAsync_v2(address(to), address(from), size, handle(stream));
    driver_.check(result, "copying " + std::to_string(num_bytes) + " bytes");
  }

  void fill(Stream& stream, void* to, std::byte value, std::int64_t num_bytes) override {
    if (num_bytes == 0) return;
    driver_.check(driver_->cuMemsetD8Async(address(to), std::to_integer<unsigned char>(value),
                                           static_cast<std::size_t>(num_bytes), handle(stream)),
                  "filling " + std::to_string(num_bytes) + " bytes");
  }

  std::unique_ptr<Stream> stream() override {
    return std::make_unique<CudaStream>(driver_, options_.gpu.uses_graphs);
  }

  std::unique_ptr<Executable> compile(const Program& program) override {
    return std::move(compile_all({&program}, [] {}).front());
  }

  /// Kernels of all programs are compiled side by side, those of equal text once.
  std::vector<std::unique_ptr<Executable>> compile_all(
      const std::vector<const Program*>& programs, const std::function<void()>& moves_on) override {
    std::vector<std::unique_ptr<CudaExecutable>> made;
    std::vector<UnitSource> sources;
    for (const Program* program : programs) {
      made.push_back(prepare(*program));
      sources.insert(sources.end(), made.back()->sources().begin(), made.back()->sources().end());
      moves_on();
    }
    const auto libraries = compiler_.compile(sources, options_.num_threads, moves_on);
    std::vector<std::unique_ptr<Executable>> executables;
    for (auto first = libraries.begin(); std::unique_ptr<CudaExecutable> & one : made) {
      const auto end = first + std::ssize(one->sources());
      one->link({first, end});
      first = end;
      executables.push_back(std::move(one));
    }
    return executables;
  }

  std::optional<std::int64_t> taken_bytes() const override {
    std::int64_t allocated = 0;
    for (const auto& [begin, size] : ranges_) allocated += size;
    return is_shared() ? allocated : std::max(allocated, free_at_first_ - room(driver_).free);
  }

  std::string name() const override { return driver_.name(); }
  bool is_shared() const override { return std::ssize(options_.beside) > driver_.num_gpus(); }
  const Driver& driver() const override { return driver_; }
  const Compiler& compiler() const override { return compiler_; }
  std::string narrow_dots() const override {
    return std::string("bf16 and f16 with sums in f32 by ") +
           (products_ ? "cuBLASLt" : "kernels of our own") + no_products_;
  }
  std::string wide_dots() const override {
    if (!products_) return "f32 and f64 by kernels of our own" + no_products_;
    return options_.gpu.uses_tf32 ? "f32, factors rounded to tf32, and f64 by cuBLASLt"
                                  : "f32 and f64 by cuBLASLt";
  }
  std::string convolutions() const override {
    const std::size_t all = count_.by_library + count_.by_kernels;
    if (all == 0) return {};
    if (!convolutions_) return "kernels of our own" + no_convolutions_;
    if (count_.by_kernels == 0) return convolutions_->name();
    return std::to_string(count_.by_library) + " of " + std::to_string(all) + " by " +
           convolutions_->name() + ", the others by kernels of our own" +
           (count_.refusal.empty() ? "" : ": of one it says " + count_.refusal);
  }

 private:
  std::unique_ptr<CudaExecutable> prepare(const Program& program) {
    if (has_convolutions(program)) open_convolutions();
    const CudaExecutable::Tools tools{.driver = driver_,
                                      .compiler = compiler_,
                                      .products = products_ ? &*products_ : nullptr,
                                      .convolutions = convolutions_ ? &*convolutions_ : nullptr,
                                      .kernels = options_.kernels,
                                      .waits_each = options_.gpu.waits_each,
                                      .num_threads = options_.num_threads};
    auto made = std::make_unique<CudaExecutable>(tools, with_axis_indices(program, options_));
    const CudaExecutable::Convolutions& count = made->convolutions();
    count_.by_library += count.by_library;
    count_.by_kernels += count.by_kernels;
    if (count_.refusal.empty()) count_.refusal = count.refusal;
    return made;
  }

  bool is_here(const void* place) const {
    const auto* byte = static_cast<const std::byte*>(place);
    auto range = ranges_.upper_bound(byte);
    if (range == ranges_.begin()) return false;
    --range;
    return byte < range->first + range->second;
  }

  /// Without the library dots are kernels of our own, which is told; they know neither tf32 nor
  /// algorithms to time.
  void open_products() {
    try {
      products_.emplace(driver_, LtOptions{.uses_tf32 = options_.gpu.uses_tf32,
                                           .is_timed = options_.gpu.dots == GpuModes::Dots::timed,
                                           .algorithm = options_.gpu.algorithm});
    } catch (const Error& error) {
      const bool is_timed = options_.gpu.dots == GpuModes::Dots::timed;
      if (is_timed || options_.gpu.uses_tf32)
        throw Error(std::string(is_timed ? "`dot: timed`" : "`tf32: true`") +
                    " needs cuBLASLt: " + error.what());
      no_products_ = std::string(": ") + error.what();
    }
  }

  static bool has_convolutions(const Program& program) {
    return std::ranges::any_of(program.ops,
                               [](const Op& op) { return op.kind == OpKind::convolution; });
  }

  /// A library of half a gigabyte: opened where a program wants it. Without it convolutions are
  /// kernels of our own.
  void open_convolutions() {
    if (options_.gpu.convolves_simply || convolutions_ || !no_convolutions_.empty()) return;
    try {
      convolutions_.emplace(driver_, options_.gpu.uses_tf32);
    } catch (const Error& error) {
      no_convolutions_ = std::string(": ") + error.what();
    }
  }

  DeviceOptions options_;
  Driver driver_;
  std::int64_t free_at_first_ = room(driver_).free;
  Compiler compiler_;
  std::optional<LtLibrary> products_;
  std::string no_products_;  ///< why there are none
  std::optional<DnnLibrary> convolutions_;
  std::string no_convolutions_;         ///< why there are none, where they were wanted
  CudaExecutable::Convolutions count_;  ///< of all programs
  Ranges ranges_;
};

}  // namespace

std::unique_ptr<Device> make_cuda_device(const DeviceOptions& options) {
  return std::make_unique<CudaDevice>(options);
}

}  // namespace rhino::runtime::cuda
