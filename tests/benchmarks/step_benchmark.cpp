// SPDX-License-Identifier: Apache-2.0
// One training step of a gpt on the cpu device against its dots alone: the same kernels, shapes and
// memory, in the same run, turn by turn.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "ir/flops.hpp"
#include "ir/initial_values.hpp"
#include "ir/op_info.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "runtime/device/cpu/cpu_executable.hpp"

namespace rhino {
namespace {

struct Arguments {
  std::string model = "15m";
  std::int64_t batch = 8;
  int threads = 2;
  int repetitions = 7;
  bool kernels = false;
};

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <typename F>
double seconds(F work) {
  const double start = now_s();
  work();
  return now_s() - start;
}

double median(std::vector<double> samples) {
  std::ranges::sort(samples);
  return samples[samples.size() / 2];
}

/// Memory of a program: inputs as initialized, updated states in place.
class Bench {
 public:
  Bench(const Program& program, int threads) : executable_(program, threads) {
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
      const Input& input = program.inputs[i];
      const Shape& shape = program.op(input.value).shape;
      void* memory = allocate_bytes(num_bytes(shape));
      const Box whole{std::vector<std::int64_t>(shape.dims.size()), shape.dims};
      ir::fill_initial(input.initializer, 1, static_cast<std::int32_t>(i), shape, {{whole, whole}},
                       1, memory);
      inputs_.push_back(memory);
    }
    for (const Output& output : program.outputs) {
      const bool in_place = output.kind == OutputKind::updated_state;
      outputs_.push_back(in_place
                             ? const_cast<void*>(inputs_[static_cast<std::size_t>(output.input)])
                             : allocate_bytes(num_bytes(program.op(output.value).shape)));
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
    for (void* memory : owned_) ::operator delete (memory, std::align_val_t{64});
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void step() { executable_.run(inputs_, outputs_, workspace_); }
  void dots() { executable_.run_kernels(dots_); }
  void kernel(std::size_t index) { executable_.run_kernels({&all_[index], 1}); }
  const lower::LoweredProgram& lowered() const { return executable_.lowered(); }

 private:
  void* allocate_bytes(std::int64_t bytes) {
    owned_.push_back(::operator new (static_cast<std::size_t>(bytes) + 64, std::align_val_t{64}));
    return owned_.back();
  }

  runtime::CpuExecutable executable_;
  std::vector<const void*> inputs_;
  std::vector<void*> outputs_, owned_;
  void* workspace_ = nullptr;
  std::vector<std::size_t> all_, dots_;
};

std::string describe(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
  const Op& last = lowered.program.op(group.ops.back());
  if (group.nests.empty()) return std::string(ir::op_name(last.kind)) + " " + to_string(last.shape);
  std::string text =
      fmt::format("loop {} x {}, {} ops", group.space[0], group.space[1], group.ops.size());
  if (group.nests.size() > 1) text += fmt::format(" in {} nests", group.nests.size());
  return text;
}

/// Kernels by what they are, longest first.
void print_kernels(const lower::LoweredProgram& lowered,
                   const std::vector<std::vector<double>>& samples) {
  struct Line {
    double s = 0, flops = 0, bytes = 0;
    int count = 0;
  };
  std::map<std::string, Line> lines;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const lower::KernelGroup& group = lowered.groups[i];
    Line& line = lines[describe(lowered, group)];
    line.s += median(samples[i]);
    line.flops += group.flops;
    line.bytes += group.bytes;
    ++line.count;
  }
  std::vector<std::pair<std::string, Line>> order(lines.begin(), lines.end());
  std::ranges::sort(order, std::greater<>(), [](const auto& entry) { return entry.second.s; });
  for (const auto& [name, line] : order) {
    fmt::print("{:>9.3f} ms  {:>7.1f} GFLOP/s  {:>6.1f} GB/s  {:>3} x {}\n", line.s * 1e3,
               line.flops / line.s * 1e-9, line.bytes / line.s * 1e-9, line.count, name);
  }
}

void run(const Arguments& arguments) {
  const Program program = ir::training_step(
      models::gpt_forward(models::gpt_preset(arguments.model), arguments.batch), {});
  Bench bench(program, arguments.threads);
  const std::size_t num_kernels = bench.lowered().groups.size();
  bench.step();
  bench.dots();
  std::vector<double> step_s, dots_s, kernels_s;
  std::vector<std::vector<double>> kernel_s(num_kernels);
  for (int i = 0; i < arguments.repetitions; ++i) {
    step_s.push_back(seconds([&] { bench.step(); }));
    dots_s.push_back(seconds([&] { bench.dots(); }));
    double sum = 0;
    for (std::size_t k = 0; k < num_kernels; ++k) {
      kernel_s[k].push_back(seconds([&] { bench.kernel(k); }));
      sum += kernel_s[k].back();
    }
    kernels_s.push_back(sum);
  }
  if (arguments.kernels) print_kernels(bench.lowered(), kernel_s);
  const double step = median(step_s), dots = median(dots_s), kernels = median(kernels_s);
  const double flops = ir::dot_flops(program);
  fmt::print("gpt {} batch {} threads {}: {} ops in {} kernels, workspace {:.1f} MB\n",
             arguments.model, arguments.batch, arguments.threads, program.size(), num_kernels,
             static_cast<double>(bench.lowered().workspace_bytes) * 1e-6);
  fmt::print("step {:.2f} ms, dots alone {:.2f} ms, ratio {:.3f}\n", step * 1e3, dots * 1e3,
             step / dots);
  fmt::print("outside kernels {:.2f} % of the step\n", std::max(0.0, 1 - kernels / step) * 100);
  fmt::print("{:.1f} GFLOP/s in the step, {:.1f} GFLOP/s in dots alone\n", flops / step * 1e-9,
             flops / dots * 1e-9);
}

}  // namespace
}  // namespace rhino

int main(int argc, char** argv) {
  rhino::Arguments arguments;
  CLI::App app{"A training step on the cpu device against its dots alone"};
  app.add_option("--model", arguments.model, "gpt preset")->capture_default_str();
  app.add_option("--batch", arguments.batch, "global batch")->capture_default_str();
  app.add_option("--threads", arguments.threads, "OpenMP threads")->capture_default_str();
  app.add_option("--repetitions", arguments.repetitions, "turns")->capture_default_str();
  app.add_flag("--kernels", arguments.kernels, "print the time of every kind of kernel");
  CLI11_PARSE(app, argc, argv);
  rhino::run(arguments);
}
