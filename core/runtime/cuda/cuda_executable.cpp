// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_executable.hpp"

#include <algorithm>
#include <map>

#include "ir/element.hpp"
#include "ir/op_info.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/cuda_stream.hpp"
#include "runtime/cuda/loop_source.hpp"
#include "runtime/cuda/prelude.hpp"

namespace rhino::runtime::cuda {
namespace {

/// Parameters of a kernel take at most 4 KiB.
constexpr std::size_t kMaxBases = 500;
constexpr std::int64_t kAlignment = 64, kScratchElement = 8;

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

CudaExecutable::CudaExecutable(const Driver& driver, const Compiler& compiler,
                               const Program& program)
    : driver_(driver), lowered_(lower::lower(program)) {
  const std::vector<GroupSource> groups = sources();
  memory_.resize(lowered_.program.ops.size() + scratch_bytes_.size());
  workspace_bytes_ = aligned(lowered_.workspace_bytes);
  for (std::int64_t bytes : scratch_bytes_) workspace_bytes_ += aligned(bytes);
  make_constants();
  compile(compiler, groups);
  copy_outputs();
}

CudaExecutable::~CudaExecutable() {
  for (CuDevicePtr constant : constants_) driver_->cuMemFree_v2(constant);
}

std::vector<GroupSource> CudaExecutable::sources() {
  std::vector<GroupSource> sources;
  const auto scratch = static_cast<ValueId>(lowered_.program.ops.size());
  for (const lower::KernelGroup& group : lowered_.groups) {
    switch (group.kind) {
      case lower::KernelGroup::Kind::dot: sources.push_back(dot_source(lowered_, group)); break;
      case lower::KernelGroup::Kind::other: sources.push_back(op_source(lowered_, group)); break;
      case lower::KernelGroup::Kind::loop:
        for (const lower::LoopNest& nest : group.nests) {
          sources.push_back({{}, loop_kernels(lowered_, group, nest, scratch)});
          place_scratch(nest);
        }
        break;
    }
  }
  return sources;
}

void CudaExecutable::place_scratch(const lower::LoopNest& nest) {
  const auto folds = at(std::ranges::count_if(nest.members, &lower::LoopNest::Member::folds));
  if (scratch_bytes_.size() < folds) scratch_bytes_.resize(folds);
  for (std::size_t i = 0; i < folds; ++i)
    scratch_bytes_[i] = std::max(scratch_bytes_[i], nest.rows * kScratchElement);
}

/// All kernels as one unit, those of the same text once.
void CudaExecutable::compile(const Compiler& compiler, const std::vector<GroupSource>& groups) {
  std::map<std::string, std::string> names;
  std::string source = kPrelude;
  for (const GroupSource& group : groups) {
    for (const KernelText& kernel : group.kernels) {
      const auto [name, is_new] =
          names.try_emplace(kernel.text, "kernel_" + std::to_string(names.size()));
      if (kernel.bases.size() > kMaxBases)
        throw Error("a kernel of program '" + lowered_.program.name + "' reads and writes " +
                    std::to_string(kernel.bases.size()) + " tensors, more than CUDA has room for");
      if (is_new)
        source +=
            "extern \"C\" __global__ void __launch_bounds__(256) " + name->second + kernel.text;
    }
  }
  if (!names.empty()) library_ = compiler.compile(source);
  for (const GroupSource& group : groups) {
    for (const MemoryCopy& copy : group.copies) {
      Step& step = steps_.emplace_back();
      step.copy = copy;
    }
    for (const KernelText& kernel : group.kernels) {
      Step step{.kernel = library_->kernel(names.at(kernel.text)),
                .blocks = static_cast<unsigned>(kernel.blocks),
                .threads = static_cast<unsigned>(kernel.threads),
                .bases = kernel.bases,
                .copy = {},
                .arguments = {}};
      for (ValueId base : kernel.bases) step.arguments.push_back(&memory_[at(base)]);
      steps_.push_back(std::move(step));
    }
  }
}

/// Constants with an element of their own for every index are memory that is there before a run.
void CudaExecutable::make_constants() {
  CudaStream stream(driver_);
  for (ValueId id = 0; id < lowered_.program.size(); ++id) {
    const Op& op = lowered_.program.op(id);
    if (op.kind != OpKind::constant || lowered_.views[at(id)].base != id ||
        lowered_.placed_out[at(id)] >= 0 || lowered_.offsets[at(id)] >= 0)
      continue;
    const auto& elements = op.attributes.get<ConstantAttr>().elements;
    const std::int64_t size = num_bytes(op.shape);
    if (size == 0 || (elements.size() == 1 && num_elements(op.shape) != 1)) continue;
    std::vector<std::byte> bytes(at(size));
    ir::write_elements(op.shape.dtype, elements, bytes.data());
    CuDevicePtr memory = 0;
    driver_.check(driver_->cuMemAlloc_v2(&memory, bytes.size()),
                  "allocating a constant of " + std::to_string(size) + " bytes");
    constants_.push_back(memory);
    driver_.check(
        driver_->cuMemcpyHtoDAsync_v2(memory, bytes.data(), bytes.size(), stream.handle()),
        "copying a constant");
    stream.record().wait();
    memory_[at(id)] = reinterpret_cast<void*>(memory);
  }
}

void CudaExecutable::copy_outputs() {
  for (std::size_t i = 0; i < lowered_.program.outputs.size(); ++i) {
    const ValueId value = lowered_.program.outputs[i].value, base = lowered_.views[at(value)].base;
    if (lowered_.placed_out[at(base)] != static_cast<std::int32_t>(i))
      copied_outputs_.push_back({i, value});
  }
}

void CudaExecutable::bind(std::span<const void* const> inputs, std::span<void* const> outputs,
                          std::byte* workspace) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    // Inputs are only written where an output was given the same memory.
    memory_[at(lowered_.program.inputs[i].value)] = const_cast<void*>(inputs[i]);
  }
  for (std::size_t id = 0; id < lowered_.program.ops.size(); ++id) {
    if (lowered_.placed_out[id] >= 0) {
      memory_[id] = outputs[at(lowered_.placed_out[id])];
    } else if (lowered_.offsets[id] >= 0) {
      memory_[id] = workspace + lowered_.offsets[id];
    }
  }
  std::int64_t end = aligned(lowered_.workspace_bytes);
  for (std::size_t i = 0; i < scratch_bytes_.size(); ++i) {
    memory_[lowered_.program.ops.size() + i] = workspace + end;
    end += aligned(scratch_bytes_[i]);
  }
}

void CudaExecutable::copy(CuStream stream, const MemoryCopy& copy) const {
  void *from = memory_[at(copy.from)], *to = memory_[at(copy.to)];
  if (from == to || copy.num_bytes == 0) return;
  driver_.check(driver_->cuMemcpyDtoDAsync_v2(reinterpret_cast<CuDevicePtr>(to),
                                              reinterpret_cast<CuDevicePtr>(from),
                                              at(copy.num_bytes), stream),
                "copying " + std::to_string(copy.num_bytes) + " bytes");
}

void CudaExecutable::enqueue(Stream& stream, std::span<const void* const> inputs,
                             std::span<void* const> outputs, void* workspace) {
  bind(inputs, outputs, static_cast<std::byte*>(workspace));
  CuStream on = dynamic_cast<CudaStream&>(stream).handle();
  for (Step& step : steps_) {
    if (step.kernel == nullptr) {
      copy(on, step.copy);
      continue;
    }
    driver_.check(driver_->cuLaunchKernel(step.kernel, step.blocks, 1, 1, step.threads, 1, 1, 0, on,
                                          step.arguments.data(), nullptr),
                  "launching a kernel of program '" + lowered_.program.name + "'");
  }
  for (const CopiedOutput& output : copied_outputs_) {
    const Shape& shape = lowered_.program.shape(output.value);
    void* from = memory_[at(lowered_.views[at(output.value)].base)];
    if (from == outputs[output.output] || num_bytes(shape) == 0) continue;
    driver_.check(driver_->cuMemcpyDtoDAsync_v2(
                      reinterpret_cast<CuDevicePtr>(outputs[output.output]),
                      reinterpret_cast<CuDevicePtr>(from), at(num_bytes(shape)), on),
                  "copying an output");
  }
}

}  // namespace rhino::runtime::cuda
