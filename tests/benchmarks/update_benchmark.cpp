// SPDX-License-Identifier: Apache-2.0
// Adam's updates of a model's weights on the cpu device against one loop that is written by hand,
// over as much memory of its own, turn by turn, by as many processes at a time as a machine has
// workers.
#include <fmt/core.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <vector>

#include "ir/initial_values.hpp"
#include "ir/training_step.hpp"
#include "kernel_bench.hpp"
#include "models/models.hpp"

namespace rhino {
namespace {

using benchmarks::Bench;
using benchmarks::Clock;
using benchmarks::median;

struct Arguments {
  std::int64_t width = 1024, depth = 12;
  int processes = 2, repetitions = 15;
};

/// What a person writes: all that belongs to a weight in one pass.
void update(float* w, std::size_t count) {
  float *m = w + count, *v = m + count;
  const float* g = v + count;
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    m[i] = 0.9F * m[i] + 0.1F * g[i];
    v[i] = 0.999F * v[i] + 0.001F * (g[i] * g[i]);
    w[i] -= 1e-3F * (m[i] * 1.1F) / (std::sqrt(v[i] * 1.1F) + 1e-8F);
  }
}

bool is_update(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
  return !group.nests.empty() && std::ranges::any_of(group.ops, [&](ValueId id) {
    return lowered.program.op(id).kind == OpKind::sqrt;
  });
}

void measure(const Arguments& arguments, int rank, std::atomic<int>& arrived) {
  const Program step = ir::training_step(models::mlp_forward({.inputs = arguments.width,
                                                              .width = arguments.width,
                                                              .depth = arguments.depth,
                                                              .classes = 16},
                                                             4),
                                         {});
  Bench bench(step, 1, ir::initial_tensors(step, 1));
  std::vector<std::size_t> kernels;
  double bytes = 0;
  for (std::size_t i = 0; i < bench.lowered().groups.size(); ++i) {
    if (!is_update(bench.lowered(), bench.lowered().groups[i])) continue;
    kernels.push_back(i);
    bytes += bench.lowered().groups[i].bytes;
  }
  bench.step();
  // Four arrays are read, three of them written.
  const auto elements =
      static_cast<std::size_t>(bytes / 7 / 4 / static_cast<double>(arguments.depth));
  const std::size_t num_bytes =
      static_cast<std::size_t>(4 * arguments.depth) * elements * sizeof(float);
  auto* memory = static_cast<float*>(::operator new (num_bytes, std::align_val_t{2 << 20}));
  ::madvise(memory, num_bytes, MADV_HUGEPAGE);
  std::fill_n(memory, num_bytes / sizeof(float), 0.5F);
  const Clock clock(false);
  int turn = 0;
  const auto together = [&](auto work) {
    ++arrived;
    for (++turn; arrived < turn * arguments.processes;) ::sched_yield();
    return clock.seconds(work);
  };
  std::vector<double> own, by_hand;
  for (int i = 0; i < arguments.repetitions; ++i) {
    own.push_back(together([&] {
      for (const std::size_t kernel : kernels) bench.kernel(kernel);
    }));
    by_hand.push_back(together([&] {
      for (std::int64_t layer = 0; layer < arguments.depth; ++layer)
        update(memory + static_cast<std::size_t>(4 * layer) * elements, elements);
    }));
  }
  fmt::print("process {}: {:.1f} MB in {} kernels, {:.2f} ms; by hand {:.2f} ms, {:.2f} of it\n",
             rank, bytes / 1e6, kernels.size(), 1e3 * median(own), 1e3 * median(by_hand),
             median(own) / median(by_hand));
}

}  // namespace
}  // namespace rhino

int main(int argc, char** argv) {
  rhino::Arguments arguments;
  CLI::App app("Adam's updates against one loop that is written by hand");
  app.add_option("--width", arguments.width, "of the layers of an mlp");
  app.add_option("--depth", arguments.depth, "layers");
  app.add_option("--processes", arguments.processes, "at a time, each on a core of its own");
  app.add_option("--repetitions", arguments.repetitions, "turns");
  CLI11_PARSE(app, argc, argv);
  void* shared = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* arrived = new (shared) std::atomic<int>(0);
  std::vector<pid_t> children;
  for (int rank = 0; rank < arguments.processes; ++rank) {
    if (const pid_t child = ::fork(); child != 0) {
      children.push_back(child);
      continue;
    }
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<std::size_t>(rank), &cores);
    ::sched_setaffinity(0, sizeof cores, &cores);
    rhino::measure(arguments, rank, *arrived);
    std::fflush(stdout);
    ::_exit(0);
  }
  // The others would wait for one that has died.
  for (int status = 0; !children.empty();) {
    std::erase(children, ::wait(&status));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    for (const pid_t child : children) ::kill(child, SIGKILL);
    fmt::print(stderr, "a process has died, and the others are ended\n");
    return 1;
  }
  return 0;
}
