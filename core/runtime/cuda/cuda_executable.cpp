// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_executable.hpp"

#include <algorithm>
#include <utility>

#include "ir/element.hpp"
#include "ir/op_info.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/cuda_stream.hpp"
#include "runtime/cuda/taken_out.hpp"

namespace rhino::runtime::cuda {
namespace {

constexpr std::int64_t kAlignment = 64;
constexpr const char* kWorkspace = "the workspace";

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

CudaExecutable::CudaExecutable(const Tools& tools, const Program& program)
    : tools_(tools),
      driver_(tools.driver),
      lowered_(lower::lower(program, tools.kernels)),
      groups_(group_sources(lowered_)) {
  prepare_products();
  prepare_convolutions();
  scratch_bytes_ = scratch_bytes(groups_);
  memory_.resize(lowered_.program.ops.size() + scratch_bytes_.size());
  workspace_bytes_ = aligned(lowered_.workspace_bytes);
  for (std::int64_t bytes : scratch_bytes_) workspace_bytes_ += aligned(bytes);
  if (product_bytes_ > 0)  // where it begins is rounded up
    workspace_bytes_ += aligned(static_cast<std::int64_t>(product_bytes_ + kLtWorkspaceAlignment));
  make_constants();
  // Where code is kept, other programs, ranks and runs find a kernel that is a unit of its own.
  const std::size_t num_units =
      tools_.compiler.keeps_code() ? kEach : at(std::max(1, tools_.num_threads));
  units_ = kernel_units(groups_, lowered_.program.name, num_units);
  copy_outputs();
}

CudaExecutable::~CudaExecutable() {
  for (CuDevicePtr constant : constants_) driver_->cuMemFree_v2(constant);
}

/// Groups whose dot cuBLASLt runs lose their kernels.
void CudaExecutable::prepare_products() {
  products_.resize(groups_.size());
  for (std::size_t i = 0; tools_.products && i < groups_.size(); ++i) {
    if (!groups_[i].product) continue;
    products_[i] = tools_.products->prepare(*groups_[i].product);
    if (products_[i] == nullptr) continue;
    groups_[i].kernels.clear();
    product_bytes_ = std::max(product_bytes_, products_[i]->workspace_bytes());
  }
}

/// Groups whose convolution cuDNN runs keep what brings tensors into its layouts, and back.
void CudaExecutable::prepare_convolutions() {
  convolutions_.resize(groups_.size());
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    GroupSource& group = groups_[i];
    if (group.kernels.empty() || group.kernels.front().kind != kConvolutionKind) continue;
    if (tools_.convolutions && group.convolution)
      convolutions_[i] =
          tools_.convolutions->prepare(group.convolution->problem, num_convolutions_.refusal);
    ++(convolutions_[i] ? num_convolutions_.by_library : num_convolutions_.by_kernels);
    if (convolutions_[i] == nullptr) continue;
    group.kernels = std::move(group.convolution->before);
    group.kernels_behind = std::move(group.convolution->after);
    group.scratch_bytes = std::move(group.convolution->scratch_bytes);
    product_bytes_ = std::max(product_bytes_, convolutions_[i]->workspace_bytes());
  }
}

void CudaExecutable::link(std::vector<std::shared_ptr<const KernelLibrary>> libraries) {
  libraries_ = std::move(libraries);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    for (const MemoryCopy& copy : groups_[i].copies) add_step(i, "copy").copy = copy;
    for (const KernelText& kernel : groups_[i].kernels) add_kernel(i, kernel);
    if (products_[i]) add_step(i, "dot by cuBLASLt").product = std::move(products_[i]);
    if (convolutions_[i])
      add_step(i, "convolution by cuDNN").convolution = std::move(convolutions_[i]);
    for (const KernelText& kernel : groups_[i].kernels_behind) add_kernel(i, kernel);
  }
  groups_ = {};
  units_ = {};
}

CudaExecutable::Step& CudaExecutable::add_step(std::size_t source, const std::string& kind) {
  Step& step = steps_.emplace_back();
  step.source = source;
  step.kind = kind;
  return step;
}

void CudaExecutable::add_kernel(std::size_t source, const KernelText& kernel) {
  Step& step = add_step(source, kernel.kind);
  const KernelUnits::Place& place = units_.places.at(kernel.text);
  step.kernel = libraries_[place.unit]->kernel(place.name);
  step.blocks = static_cast<unsigned>(kernel.blocks);
  step.threads = static_cast<unsigned>(kernel.threads);
  step.bases = kernel.bases;
  for (ValueId base : kernel.bases) step.arguments.push_back(&memory_[at(base)]);
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

/// Wide accesses rely on it.
void CudaExecutable::check_places(std::span<const void* const> inputs,
                                  std::span<void* const> outputs, const void* workspace) const {
  const auto check = [this](const void* place, const char* what, std::size_t index) {
    if (reinterpret_cast<std::uintptr_t>(place) % kAlignment == 0 || is_taken_out("bases")) return;
    throw Error(what + (std::string(what) == kWorkspace ? "" : " " + std::to_string(index)) +
                " of program '" + lowered_.program.name + "' lies at no multiple of " +
                std::to_string(kAlignment) + " bytes");
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) check(inputs[i], "input", i);
  for (std::size_t i = 0; i < outputs.size(); ++i) check(outputs[i], "output", i);
  check(workspace, kWorkspace, 0);
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
  const auto begin = reinterpret_cast<std::uintptr_t>(workspace + end);
  product_workspace_ = reinterpret_cast<void*>((begin + kLtWorkspaceAlignment - 1) /
                                               kLtWorkspaceAlignment * kLtWorkspaceAlignment);
}

void CudaExecutable::copy(CuStream stream, const MemoryCopy& copy) const {
  void *from = memory_[at(copy.from)], *to = memory_[at(copy.to)];
  if (from == to || copy.num_bytes == 0) return;
  driver_.check(driver_->cuMemcpyDtoDAsync_v2(reinterpret_cast<CuDevicePtr>(to),
                                              reinterpret_cast<CuDevicePtr>(from),
                                              at(copy.num_bytes), stream),
                "copying " + std::to_string(copy.num_bytes) + " bytes");
}

void CudaExecutable::run(CuStream stream, Step& step) {
  const auto memory = [&](ValueId base) { return static_cast<std::byte*>(memory_[at(base)]); };
  if (step.product) {
    const LtProblem& problem = step.product->problem();
    step.product->enqueue(stream, {.a = memory(problem.a.base),
                                   .b = memory(problem.b.base),
                                   .d = memory(problem.d.base),
                                   .workspace = product_workspace_});
  } else if (step.convolution) {
    const DnnProblem& problem = step.convolution->problem();
    step.convolution->enqueue(stream, {.image = memory(problem.image.base),
                                       .kernel = memory(problem.kernel.base),
                                       .result = memory(problem.result.base),
                                       .workspace = product_workspace_});
  } else if (step.kernel == nullptr) {
    copy(stream, step.copy);
  } else {
    driver_.check(driver_->cuLaunchKernel(step.kernel, step.blocks, 1, 1, step.threads, 1, 1, 0,
                                          stream, step.arguments.data(), nullptr),
                  "launching a kernel of program '" + lowered_.program.name + "'");
  }
}

void CudaExecutable::enqueue(Stream& stream, std::span<const void* const> inputs,
                             std::span<void* const> outputs, void* workspace) {
  check_places(inputs, outputs, workspace);
  bind(inputs, outputs, static_cast<std::byte*>(workspace));
  CuStream on = dynamic_cast<CudaStream&>(stream).handle();
  for (Step& step : steps_) {
    run(on, step);
    if (tools_.waits_each)
      driver_.check(driver_->cuStreamSynchronize(on),
                    "the kernel '" + step.kind + "' of program '" + lowered_.program.name + "'");
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

std::vector<CudaExecutable::StepTime> CudaExecutable::time_steps(
    Stream& stream, std::span<const void* const> inputs, std::span<void* const> outputs,
    void* workspace) {
  check_places(inputs, outputs, workspace);
  bind(inputs, outputs, static_cast<std::byte*>(workspace));
  CuStream on = dynamic_cast<CudaStream&>(stream).handle();
  std::vector<CuEvent> events(steps_.size() + 1);
  const auto record = [&](CuEvent& event) {
    driver_.check(driver_->cuEventCreate(&event, 0), "making an event");
    driver_.check(driver_->cuEventRecord(event, on), "recording an event");
  };
  record(events.front());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    run(on, steps_[i]);
    record(events[i + 1]);
  }
  driver_.check(driver_->cuStreamSynchronize(on), "program '" + lowered_.program.name + "'");
  std::vector<StepTime> times;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    float milliseconds = 0;
    driver_.check(driver_->cuEventElapsedTime(&milliseconds, events[i], events[i + 1]),
                  "asking for the time between two events");
    times.push_back({steps_[i].source, steps_[i].kind, milliseconds * 1e-3});
  }
  for (CuEvent event : events) driver_->cuEventDestroy_v2(event);
  return times;
}

}  // namespace rhino::runtime::cuda
