// SPDX-License-Identifier: Apache-2.0
// A program of a file, StableHLO or HLO text, on one core of the cpu device. Reads numbers of steps
// and answers each with the CPU time of a step, so that something else can take turns with it
// (program_benchmark.py). Inputs are the counter of tests/data/jax/export.py.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "ir/hlo_text.hpp"
#include "ir/op_info.hpp"
#include "kernel_bench.hpp"

namespace rhino {
namespace {

using benchmarks::Bench;
using benchmarks::Clock;

Program read(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return path.ends_with(".mlir") ? ir::parse_stablehlo(text, path) : ir::parse_hlo(text, path);
}

std::vector<ir::Tensor> counted_inputs(const Program& program) {
  std::vector<ir::Tensor> inputs;
  for (std::size_t k = 0; k < program.inputs.size(); ++k) {
    ir::Tensor& tensor =
        inputs.emplace_back(ir::Tensor{program.shape(program.inputs[k].value), {}});
    const bool is_real = is_floating(tensor.shape.dtype);
    const auto number = static_cast<std::int64_t>(k);
    for (std::int64_t i = 0; i < num_elements(tensor.shape); ++i) {
      const auto count = static_cast<double>((7919 * i + 104729 * number) % 1000);
      tensor.elements.push_back(is_real ? (count / 1000 + 0.0625) / 4
                                        : static_cast<double>((7 * i + number) % 4));
    }
  }
  return inputs;
}

/// What computes a group, and for one that is no loop or dot of which op.
std::string describe(const Bench& bench, std::size_t index) {
  const lower::KernelGroup& group = bench.lowered().groups[index];
  const Op& last = bench.lowered().program.op(group.ops.back());
  if (group.kind != lower::KernelGroup::Kind::other) return std::string(bench.way(index));
  return fmt::format("{} ({})", bench.way(index), ir::op_name(last.kind));
}

/// Shares of kernels in a step, by what computes them; with `each`, every kernel too.
void print_kernels(Bench& bench, bool each) {
  const Clock clock(true);
  std::map<std::string, double> shares;
  double sum = 0;
  for (std::size_t i = 0; i < bench.lowered().groups.size(); ++i) {
    std::vector<double> samples;
    for (int round = 0; round < 5; ++round)
      samples.push_back(clock.seconds([&] { bench.kernel(i); }));
    const double s = benchmarks::median(samples);
    shares[describe(bench, i)] += s, sum += s;
    const lower::KernelGroup& group = bench.lowered().groups[i];
    if (each)
      fmt::print("{:9.1f} us {:<28} {:>4} ops {:9.3f} MFLOP {:9.1f} kB {}\n", s * 1e6,
                 describe(bench, i), group.ops.size(), group.flops * 1e-6, group.bytes * 1e-3,
                 to_string(bench.lowered().program.shape(group.ops.back())));
  }
  std::vector<std::pair<std::string, double>> order(shares.begin(), shares.end());
  std::ranges::sort(order, std::greater<>(), [](const auto& entry) { return entry.second; });
  std::string line;
  for (const auto& [name, s] : order)
    line += fmt::format("{}{} {:.0f} %", line.empty() ? "" : ", ", name, s / sum * 100);
  fmt::print("{}\n", line);
}

int serve(const std::string& path, bool each) {
  const Program program = read(path);
  Bench bench(program, 1, counted_inputs(program));
  const Clock clock(true);
  bench.step();
  std::int64_t steps = 0;
  while (std::cin >> steps) {
    const double s = clock.seconds([&] {
      for (std::int64_t i = 0; i < steps; ++i) bench.step();
    });
    fmt::print("{:.9f}\n", s / static_cast<double>(steps));
    std::fflush(stdout);
  }
  print_kernels(bench, each);
  return 0;
}

}  // namespace
}  // namespace rhino

int main(int argc, char** argv) {
  std::string path;
  bool each = false;
  CLI::App app{"CPU time of a program's steps on one core"};
  app.add_option("file", path, "StableHLO (.mlir) or HLO text")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_flag("--kernels", each, "every kernel's time at the end");
  CLI11_PARSE(app, argc, argv);
  return rhino::serve(path, each);
}
