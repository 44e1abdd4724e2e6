// SPDX-License-Identifier: Apache-2.0
// One training step of a gpt on the cpu device against its dots alone: the same kernels, shapes and
// memory, in the same run, turn by turn. Memory lies in huge pages, as that of a worker does.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "ir/flops.hpp"
#include "ir/initial_values.hpp"
#include "ir/op_info.hpp"
#include "ir/training_step.hpp"
#include "kernel_bench.hpp"
#include "models/models.hpp"

namespace rhino {
namespace {

using benchmarks::Bench;
using benchmarks::Clock;
using benchmarks::median;

struct Arguments {
  std::string model = "15m";
  std::int64_t batch = 8;
  int threads = 2;
  int repetitions = 7;
  bool kernels = false, cpu_time = false;
};

std::string describe(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
  const Op& last = lowered.program.op(group.ops.back());
  if (group.nests.empty()) return std::string(ir::op_name(last.kind)) + " " + to_string(last.shape);
  std::string text =
      fmt::format("loop {} x {}, {} ops", group.space[0], group.space[1], group.ops.size());
  if (group.nests.size() > 1) text += fmt::format(" in {} nests", group.nests.size());
  return text;
}

/// What a plain copy moves, read and written, with as many threads.
double stream_bytes_per_s(const Arguments& arguments, const Clock& clock) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  const std::vector<char> from(kBytes, 1);
  std::vector<char> to(kBytes);
  const std::size_t share = kBytes / static_cast<std::size_t>(arguments.threads);
  std::vector<double> samples;
  for (int i = 0; i < arguments.repetitions; ++i) {
    samples.push_back(clock.seconds([&] {
#pragma omp parallel for num_threads(arguments.threads)
      for (int thread = 0; thread < arguments.threads; ++thread) {
        const std::size_t first = static_cast<std::size_t>(thread) * share;
        std::memcpy(to.data() + first, from.data() + first, share);
      }
    }));
  }
  return 2.0 * kBytes / median(samples);
}

/// Kernels by what they are, longest first.
void print_kernels(const lower::LoweredProgram& lowered,
                   const std::vector<std::vector<double>>& samples, double stream_bytes_per_s) {
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
    const double bytes_per_s = line.bytes / line.s;
    fmt::print("{:>9.3f} ms  {:>7.1f} GFLOP/s  {:>6.1f} MB  {:>6.1f} GB/s {:>4.0f} %  {:>3} x {}\n",
               line.s * 1e3, line.flops / line.s * 1e-9, line.bytes * 1e-6, bytes_per_s * 1e-9,
               bytes_per_s / stream_bytes_per_s * 100, line.count, name);
  }
  fmt::print("(% of a copy's {:.1f} GB/s)\n", stream_bytes_per_s * 1e-9);
}

void run(const Arguments& arguments) {
  const Program program = ir::training_step(
      models::gpt_forward(models::gpt_preset(arguments.model), arguments.batch), {});
  const Clock clock(arguments.cpu_time);
  Bench bench(program, arguments.threads, ir::initial_tensors(program, 1));
  const std::size_t num_kernels = bench.lowered().groups.size();
  bench.step();
  bench.dots();
  std::vector<double> step_s, dots_s, ratios, kernels_s;
  std::vector<std::vector<double>> kernel_s(num_kernels);
  for (int i = 0; i < arguments.repetitions; ++i) {
    step_s.push_back(clock.seconds([&] { bench.step(); }));
    dots_s.push_back(clock.seconds([&] { bench.dots(); }));
    ratios.push_back(step_s.back() / dots_s.back());
    double sum = 0;
    for (std::size_t k = 0; k < num_kernels; ++k) {
      kernel_s[k].push_back(clock.seconds([&] { bench.kernel(k); }));
      sum += kernel_s[k].back();
    }
    kernels_s.push_back(sum);
  }
  if (arguments.kernels) {
    print_kernels(bench.lowered(), kernel_s, stream_bytes_per_s(arguments, clock));
  }
  const double step = median(step_s), dots = median(dots_s), kernels = median(kernels_s);
  const double flops = ir::dot_flops(program);
  fmt::print("gpt {} batch {} threads {}: {} ops in {} kernels, workspace {:.1f} MB\n",
             arguments.model, arguments.batch, arguments.threads, program.size(), num_kernels,
             static_cast<double>(bench.lowered().workspace_bytes) * 1e-6);
  fmt::print("step {:.2f} ms, dots alone {:.2f} ms, ratio {:.3f}\n", step * 1e3, dots * 1e3,
             median(ratios));
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
  app.add_flag("--cpu-time", arguments.cpu_time, "CPU time of the process, for a busy machine");
  CLI11_PARSE(app, argc, argv);
  rhino::run(arguments);
}
