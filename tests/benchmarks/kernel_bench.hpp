// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/element.hpp"
#include "ir/reference.hpp"
#include "runtime/device/cpu/cpu_executable.hpp"

/// A program on the cpu device, kernel by kernel, in memory that lies in huge pages, as that of a
/// worker does.
namespace rhino::benchmarks {

/// Wall time, or that which this process computed: on one thread the latter does not see what else
/// the machine does.
class Clock {
 public:
  explicit Clock(bool cpu_time) : id_(cpu_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC) {}

  template <typename F>
  double seconds(F work) const {
    const double start = now_s();
    work();
    return now_s() - start;
  }

 private:
  double now_s() const {
    timespec now{};
    clock_gettime(id_, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  }

  clockid_t id_;
};

inline double median(std::vector<double> samples) {
  std::ranges::sort(samples);
  return samples[samples.size() / 2];
}

/// Memory of a program: inputs as given, updated states in place.
class Bench {
 public:
  Bench(const Program& program, int threads, const std::vector<ir::Tensor>& inputs)
      : executable_(program, threads) {
    for (const ir::Tensor& input : inputs) {
      void* memory = allocate_bytes(num_bytes(input.shape));
      ir::write_elements(input.shape.dtype, input.elements, static_cast<std::byte*>(memory));
      inputs_.push_back(memory);
    }
    for (const Output& output : program.outputs) {
      const bool in_place = output.kind == OutputKind::updated_state;
      outputs_.push_back(in_place
                             ? const_cast<void*>(inputs_[static_cast<std::size_t>(output.input)])
                             : allocate_bytes(num_bytes(program.shape(output.value))));
    }
    workspace_ = allocate_bytes(executable_.workspace_bytes());
    std::size_t index = 0;
    for (const lower::KernelGroup& group : executable_.lowered().groups) {
      all_.push_back(index);
      if (group.kind == lower::KernelGroup::Kind::dot) dots_.push_back(index);
      ++index;
    }
  }
  ~Bench() {
    for (void* memory : owned_) ::operator delete(memory, kHugePage);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void step() { executable_.run(inputs_, outputs_, workspace_); }
  void dots() { executable_.run_kernels(dots_); }
  void kernel(std::size_t index) { executable_.run_kernels({&all_[index], 1}); }
  const lower::LoweredProgram& lowered() const { return executable_.lowered(); }
  /// What computes a kernel group, see CpuExecutable::ways.
  std::string_view way(std::size_t index) const { return executable_.ways()[index]; }
  const void* output(std::size_t index) const { return outputs_[index]; }

 private:
  static constexpr std::align_val_t kHugePage{2 << 20};

  /// One after the other in one piece of memory, as a plan lays them.
  void* allocate_bytes(std::int64_t bytes) {
    const std::size_t size = (static_cast<std::size_t>(bytes) + 63) / 64 * 64;
    if (owned_.empty() || size > left_) {
      left_ = std::max(size, std::size_t{1} << 30);
      owned_.push_back(::operator new(left_, kHugePage));
      ::madvise(owned_.back(), left_, MADV_HUGEPAGE);  // a wish: small pages do too
      next_ = static_cast<std::byte*>(owned_.back());
    }
    left_ -= size;
    return std::exchange(next_, next_ + size);
  }

  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  runtime::CpuExecutable executable_;
  std::vector<const void*> inputs_;
  std::vector<void*> outputs_, owned_;
  void* workspace_ = nullptr;
  std::vector<std::size_t> all_, dots_;
};

}  // namespace rhino::benchmarks
