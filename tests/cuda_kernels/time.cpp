// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "codec/text_file.hpp"
#include "config/topology_file.hpp"
#include "cost/cost.hpp"
#include "ir/initial_values.hpp"
#include "ir/training_step.hpp"
#include "kernel_class.hpp"
#include "models/catalog.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/cuda_executable.hpp"
#include "runtime/worker/input_pieces.hpp"
#include "store/calibration_file.hpp"

// Prints what the kernels of a training step take on this machine's first GPU beside what they are
// predicted to take on the device of a topology, by class, and the dearest unlike ones:
// time_kernels TOPOLOGY MODEL PRESET BATCH [library|timed|simple [CALIBRATION]], a file of what one
// was measured to reach. For tables in documents, no check.

namespace {

using namespace rhino;
using runtime::cuda::CudaExecutable;

constexpr int kRuns = 5;
constexpr std::size_t kNumDearest = 60;
constexpr std::int64_t kPiece = 1 << 18;

struct Share {
  int groups = 0;
  double predicted_s = 0, seconds = 0, flops = 0, bytes = 0;
  void add(const Share& other) {
    groups += other.groups, predicted_s += other.predicted_s, seconds += other.seconds;
    flops += other.flops, bytes += other.bytes;
  }
};

/// A program's inputs with their first values, room for its outputs and its workspace.
class Memory {
 public:
  Memory(runtime::Device& device, runtime::Stream& stream, const Program& program,
         std::int64_t workspace_bytes)
      : device_(device) {
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
      const Shape& shape = program.shape(program.inputs[i].value);
      inputs.push_back(add(num_bytes(shape)));
      const std::vector<std::byte> values = initial(program, i);
      device.copy(stream, memory_.back()->data(), values.data(), num_bytes(shape));
      stream.record().wait();
    }
    for (const Output& output : program.outputs) {
      const bool in_place = output.kind == OutputKind::updated_state;
      outputs.push_back(in_place ? const_cast<void*>(inputs[at(output.input)])
                                 : add(num_bytes(program.shape(output.value))));
    }
    workspace = add(workspace_bytes);
  }
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  void* workspace = nullptr;

 private:
  void* add(std::int64_t size) {
    memory_.push_back(device_.allocate(size));
    return memory_.back()->data();
  }

  static std::vector<std::byte> initial(const Program& program, std::size_t index) {
    const Shape& shape = program.shape(program.inputs[index].value);
    std::vector<std::byte> values(at(num_bytes(shape)));
    TileBox whole;
    whole.global = whole.local = {std::vector<std::int64_t>(shape.dims.size()), shape.dims};
    const std::vector<TileBox> pieces = runtime::pieces_of(whole, kPiece);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < pieces.size(); ++i)
      ir::fill_initial(program.inputs[index].initializer, 1, static_cast<std::int32_t>(index),
                       shape, {pieces[i]}, shape.dims, 1, values.data());
    return values;
  }

  runtime::Device& device_;
  std::vector<std::unique_ptr<runtime::DeviceMemory>> memory_;
};

/// Of each group of group_sources() the group that it is of: loops have one per nest.
std::vector<std::size_t> groups_of_sources(const lower::LoweredProgram& lowered) {
  std::vector<std::size_t> groups;
  for (std::size_t i = 0; i < lowered.groups.size(); ++i) {
    const lower::KernelGroup& group = lowered.groups[i];
    const bool is_loop = group.kind == lower::KernelGroup::Kind::loop;
    groups.insert(groups.end(), is_loop ? group.nests.size() : 1, i);
  }
  return groups;
}

/// The median of each group's time over some runs.
std::vector<double> seconds_of_groups(CudaExecutable& executable, runtime::Stream& stream,
                                      const Memory& memory, const lower::LoweredProgram& lowered) {
  const std::vector<std::size_t> group_of = groups_of_sources(lowered);
  std::vector<std::vector<double>> runs(lowered.groups.size());
  for (int run = 0; run < kRuns + 1; ++run) {
    std::vector<double> seconds(lowered.groups.size());
    for (const CudaExecutable::StepTime& step :
         executable.time_steps(stream, memory.inputs, memory.outputs, memory.workspace))
      seconds[group_of.at(step.source)] += step.seconds;
    for (std::size_t i = 0; run > 0 && i < seconds.size(); ++i) runs[i].push_back(seconds[i]);
  }
  std::vector<double> medians;
  for (std::vector<double>& of_group : runs) {
    std::ranges::sort(of_group);
    medians.push_back(of_group[of_group.size() / 2]);
  }
  return medians;
}

std::string describe(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
  const Op& last = lowered.program.op(group.ops.back());
  std::string text = cuda_kernels::class_of(lowered, group) + ": ";
  if (group.kind == lower::KernelGroup::Kind::dot ||
      group.kind == lower::KernelGroup::Kind::attention) {
    const Op& first = lowered.program.op(group.ops.front());
    for (ValueId operand : first.operands) text += to_string(lowered.program.shape(operand)) + " ";
  }
  return text + std::to_string(group.ops.size()) + " ops to " + to_string(last.shape);
}

void print(const char* name, const Share& share, double total_s) {
  const double seconds = std::max(share.seconds, 1e-9);  // some are parts of other kernels
  std::printf("%-70.70s %6d %9.3f %9.3f %5.1f%% %9.1f %8.0f\n", name, share.groups,
              share.predicted_s * 1e3, share.seconds * 1e3, share.seconds / total_s * 100,
              share.flops / seconds * 1e-12, share.bytes / seconds * 1e-9);
}

void print(std::map<std::string, Share>& shares, double total_s, std::size_t most) {
  std::vector<std::pair<std::string, Share>> order(shares.begin(), shares.end());
  std::ranges::sort(order, {}, [](const auto& entry) { return -entry.second.seconds; });
  order.resize(std::min(order.size(), most));
  std::printf("%-70s %6s %9s %9s %6s %9s %8s\n", "", "groups", "predicted", "ms", "share",
              "TFLOP/s", "GB/s");
  for (const auto& [name, share] : order) print(name.c_str(), share, total_s);
}

int run(const std::vector<std::string>& words) {
  const Cluster cluster = config::read_topology(words[0], 1, 1);
  std::optional<cost::Calibration> calibration;
  if (words.size() > 5) calibration = store::decode_calibration(codec::read_file(words[5]));
  const cost::CostModel cost(cluster, calibration ? &*calibration : nullptr);
  const Options options({{"preset", words[2]}});
  const DType dtype = DType::bf16;
  Program forward =
      models::build_forward(words[1], options, std::atoll(words[3].c_str()), dtype).program;
  const lower::Kernels kernels = lower::kernels_of_gpus(true);
  const Program step =
      ir::training_step(std::move(forward), {.master_weights = true, .wide_gradients = true});
  const lower::LoweredProgram lowered = lower::lower(step, kernels);
  runtime::DeviceOptions device_options{
      .num_threads = static_cast<int>(std::thread::hardware_concurrency()), .kernels = kernels};
  const std::string dots = words.size() > 4 ? words[4] : "library";
  if (dots == "timed") device_options.gpu.dots = runtime::GpuModes::Dots::timed;
  if (dots == "simple") device_options.gpu.dots = runtime::GpuModes::Dots::simple;
  const std::unique_ptr<runtime::Device> device = runtime::cuda::make_cuda_device(device_options);
  const std::unique_ptr<runtime::Executable> made = device->compile(step);
  auto& executable = dynamic_cast<CudaExecutable&>(*made);
  const std::unique_ptr<runtime::Stream> stream = device->stream();
  const Memory memory(*device, *stream, step, executable.workspace_bytes());
  const std::vector<double> seconds = seconds_of_groups(executable, *stream, memory, lowered);
  std::map<std::string, Share> classes, kinds;
  Share all;
  for (std::size_t i = 0; i < lowered.groups.size(); ++i) {
    const lower::KernelGroup& group = lowered.groups[i];
    const Share share{1, cost.group_s(lowered, group), seconds[i], group.flops, group.bytes};
    classes[cuda_kernels::class_of(lowered, group)].add(share);
    kinds[describe(lowered, group)].add(share);
    all.add(share);
  }
  std::printf("%s, %s %s, batch %s, dots %s\n", device->name().c_str(), words[1].c_str(),
              words[2].c_str(), words[3].c_str(), dots.c_str());
  print(classes, all.seconds, classes.size());
  print("all, one after the other", all, all.seconds);
  print(kinds, all.seconds, kNumDearest);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc >= 5 && argc <= 7) return run({argv + 1, argv + argc});
    std::fprintf(stderr,
                 "usage: time_kernels TOPOLOGY MODEL PRESET BATCH [library|timed|simple "
                 "[CALIBRATION]]\n");
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
