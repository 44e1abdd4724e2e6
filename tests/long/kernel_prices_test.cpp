// SPDX-License-Identifier: Apache-2.0
/// What kernels take in a step, against their prices, family by family: the whole of a step may be
/// right where what is too long and what is too short even out. Two workers of this machine run all
/// Runs of their plans kernel by kernel, at once, in the memory of the plan; models are drawn from
/// RHINO_SEED, as those of the predictions are. RHINO_PLANS=COUNT draws more, RHINO_LINES=COUNT
/// prints the kernels that are furthest off, RHINO_ANY=1 counts what a machine that is not calm
/// takes, too. RHINO_MODEL="NAME OPTION=VALUE ..." takes that model instead, at the global batch
/// RHINO_BATCH, 32 without it.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <random>
#include <span>

#include "calibrate/calibrations.hpp"
#include "calibrate/drift.hpp"
#include "cost/dot_products.hpp"
#include "drawn_plans.hpp"
#include "ir/op_info.hpp"
#include "lower/lowerings.hpp"
#include "rank_group.hpp"
#include "rhino/index.hpp"
#include "runtime/device/axis_indices.hpp"
#include "runtime/device/cpu/cpu_executable.hpp"
#include "simulate/step_touches.hpp"
#include "topology/cores.hpp"

namespace rhino {
namespace {

constexpr std::int32_t kNumRanks = 2;
constexpr int kNumSteps = 16, kNumWarm = 4;

/// Seconds of every kernel that any rank has run, in memory that the ranks share with the test.
class Samples {
 public:
  Samples(std::size_t num_kernels, std::size_t num_runs)
      : num_runs_(num_runs), size_(kNumRanks * num_kernels * num_runs) {
    void* memory = ::mmap(nullptr, size_ * sizeof(double), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    samples_ = static_cast<double*>(memory);
    num_kernels_ = num_kernels;
  }
  ~Samples() { ::munmap(samples_, size_ * sizeof(double)); }
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;

  std::span<double> of(std::size_t rank, std::size_t kernel) const {
    return {samples_ + (rank * num_kernels_ + kernel) * num_runs_, num_runs_};
  }

 private:
  std::size_t num_runs_, size_, num_kernels_ = 0;
  double* samples_ = nullptr;
};

/// The mean of those that nothing held up; as that of a calibration.
double typical(std::span<double> samples) {
  std::ranges::sort(samples);
  const double most = 1.5 * samples[samples.size() / 2];
  const auto end = std::ranges::upper_bound(samples, most);
  return std::accumulate(samples.begin(), end, 0.0) / static_cast<double>(end - samples.begin());
}

const plan::Role& role_of(const plan::ExecutionPlan& plan, DeviceId device) {
  const auto role = std::ranges::find_if(plan.roles, [&](const plan::Role& role) {
    return std::ranges::count(role.mesh.devices, device) > 0;
  });
  REQUIRE(role != plan.roles.end());
  return *role;
}

/// The programs that a device runs, and where the kernels of each begin among all.
struct Kernels {
  Kernels(const plan::ExecutionPlan& plan, DeviceId device) : role(role_of(plan, device)) {
    const auto position = std::ranges::find(role.mesh.devices, device) - role.mesh.devices.begin();
    runtime::DeviceOptions options{.num_threads = 1,
                                   .coordinates = coordinates(role.mesh, position)};
    for (const MeshAxis& axis : role.mesh.axes) options.axis_sizes.push_back(axis.size);
    first.resize(plan.programs.size());
    programs.resize(plan.programs.size());
    runs.resize(plan.programs.size());
    for (const plan::Instruction& instruction : role.instructions) {
      if (instruction.kind != plan::InstructionKind::run) continue;
      const std::size_t p = at(instruction.index);
      ++runs[p];
      if (programs[p] != nullptr) continue;
      programs[p] = std::make_unique<runtime::CpuExecutable>(
          runtime::with_axis_indices(plan.programs[p], options), 1);
      first[p] = number;
      number += programs[p]->lowered().groups.size();
    }
  }

  const plan::Role& role;
  std::vector<std::unique_ptr<runtime::CpuExecutable>> programs;
  std::vector<std::size_t> first, runs;  ///< by program; Runs in a step
  std::size_t number = 0;
};

/// Small numbers and words that every vocabulary has.
void fill(const plan::Role& role, std::byte* memory) {
  Random random(1);
  for (const plan::PlanBuffer& buffer : role.buffers) {
    if (!buffer.persistent) continue;
    const std::int64_t elements = num_elements(buffer.shape.dims);
    for (std::int64_t i = 0; i < elements; ++i) {
      if (buffer.shape.dtype == DType::f32)
        reinterpret_cast<float*>(memory + buffer.offset)[i] =
            1e-4F * static_cast<float>(draw(random, 1000));
      if (buffer.shape.dtype == DType::s32)
        reinterpret_cast<std::int32_t*>(memory + buffer.offset)[i] =
            static_cast<std::int32_t>(draw(random, 1500));
    }
  }
}

/// Steps of one rank: its Runs alone, as they follow each other.
void run_steps(Kernels& kernels, std::byte* memory, std::size_t rank, const Samples& samples) {
  const plan::Role& role = kernels.role;
  const auto buffer = [&](std::int32_t index) {
    return index < 0 ? nullptr : memory + role.buffers[at(index)].offset;
  };
  using Clock = std::chrono::steady_clock;
  for (int step = 0; step < kNumSteps; ++step) {
    std::vector<std::size_t> run(kernels.programs.size());
    for (const plan::Instruction& instruction : role.instructions) {
      if (instruction.kind != plan::InstructionKind::run) continue;
      runtime::CpuExecutable& program = *kernels.programs[at(instruction.index)];
      std::vector<const void*> inputs;
      std::vector<void*> outputs;
      for (const std::int32_t index : instruction.inputs) inputs.push_back(buffer(index));
      for (const std::int32_t index : instruction.outputs) outputs.push_back(buffer(index));
      program.bind(inputs, outputs, memory + role.arena_bytes);
      const std::size_t number = run[at(instruction.index)]++;
      for (std::size_t kernel = 0; kernel < program.lowered().groups.size(); ++kernel) {
        const auto begin = Clock::now();
        program.run_kernels({&kernel, 1});
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (step < kNumWarm) continue;
        const std::size_t sample =
            at(step - kNumWarm) * kernels.runs[at(instruction.index)] + number;
        samples.of(rank, kernels.first[at(instruction.index)] + kernel)[sample] = seconds;
      }
    }
  }
}

void pin(const std::vector<std::int32_t>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const std::int32_t core : cores) CPU_SET(at(core), &set);
  ::sched_setaffinity(0, sizeof(set), &set);
}

bool folds(const lower::KernelGroup& group) {
  return std::ranges::any_of(group.nests, [](const lower::LoopNest& nest) {
    return std::ranges::any_of(nest.members, &lower::LoopNest::Member::folds);
  });
}

/// Dots of one product, of several, loops, loops that fold rows, and copies of rows.
std::string family_of(const runtime::CpuExecutable& program, std::size_t kernel) {
  const lower::LoweredProgram& lowered = program.lowered();
  const lower::KernelGroup& group = lowered.groups[kernel];
  const std::string way(program.ways()[kernel]);
  if (group.kind == lower::KernelGroup::Kind::dot) {
    const ValueId dot = *std::ranges::find_if(
        group.ops, [&](ValueId id) { return lowered.program.op(id).kind == OpKind::dot; });
    return cost::dot_products(lowered, dot).extents.batch > 1 ? "dots, several products" : "dots";
  }
  return way == "loop" && folds(group) ? "loops that fold rows" : way;
}

std::string name_of(const lower::LoweredProgram& lowered, const lower::KernelGroup& group) {
  std::string name;
  for (const ValueId id : group.ops) {
    const Op& op = lowered.program.op(id);
    if (op.kind == OpKind::dot) {
      const cost::DotExtents of = cost::dot_products(lowered, id).extents;
      return fmt::format("dot {} x {} x {} x {}", of.batch, of.m, of.n, of.k);
    }
    name += fmt::format(" {}", ir::op_name(op.kind));
  }
  return fmt::format("{}{}", to_string(lowered.program.shape(group.ops.back())), name);
}

struct Line {
  double measured_s = 0, priced_s = 0;
  void add(const Line& other) {
    measured_s += other.measured_s;
    priced_s += other.priced_s;
  }
  double ratio() const { return priced_s / measured_s; }
  double off_s() const { return std::abs(priced_s - measured_s); }
};
using Lines = std::map<std::string, Line>;

void print(const std::string& title, const Lines& lines, std::size_t most) {
  double measured_s = 0;
  for (const auto& [name, line] : lines) measured_s += line.measured_s;
  std::vector<std::pair<std::string, Line>> order(lines.begin(), lines.end());
  std::ranges::sort(order, std::greater<>(),
                    [](const auto& entry) { return entry.second.off_s(); });
  if (order.size() > most) order.resize(most);
  fmt::print("{}: {:.3f} ms\n", title, 1e3 * measured_s);
  for (const auto& [name, line] : order)
    fmt::print("  {:5.1f} %  {:9.3f} ms  priced {:9.3f} ({:.2f})  {}\n",
               100 * line.measured_s / measured_s, 1e3 * line.measured_s, 1e3 * line.priced_s,
               line.ratio(), name.substr(0, 100));
  std::fflush(stdout);
}

/// Hands each kernel of each rank to `visit`, with its program and all that it took.
void each_kernel(const std::vector<Kernels>& kernels, const Samples& samples, const auto& visit) {
  for (std::size_t rank = 0; rank < kernels.size(); ++rank) {
    const Kernels& own = kernels[rank];
    for (std::size_t p = 0; p < own.programs.size(); ++p) {
      const std::size_t count = own.runs[p] * (kNumSteps - kNumWarm);
      for (std::size_t k = 0; count > 0 && k < own.programs[p]->lowered().groups.size(); ++k)
        visit(own, p, k, samples.of(rank, own.first[p] + k).first(count));
    }
  }
}

/// Runs a plan and adds up what its kernels take and what they are priced.
class PricedPlans {
 public:
  PricedPlans() {
    setup_.num_ranks = kNumRanks;
    setup_.session = options_in(dir_);
    setup_.session.oversubscribed = false;
    setup_.session.num_threads = 1;
    ::setenv("XDG_CACHE_HOME", dir_.path().c_str(), 1);
  }

  /// Where the machine has another speed afterwards, once more; false: it never was calm.
  bool add(const Drawn& drawn) {
    constexpr int kMostTimes = 3;
    for (int i = 0; i < kMostTimes; ++i)
      if (add_if_calm(drawn)) return true;
    fmt::print("left out, for the machine is not calm: {}\n", drawn.label);
    return false;
  }

  const Lines& families() const { return families_; }
  const Line& step() const { return step_; }

 private:
  bool add_if_calm(const Drawn& drawn) {
    const plan::ExecutionPlan& plan = drawn.plan;
    calibrations_.begin_case();
    const cost::Calibration calibration = calibrations_.machine(setup_, [](const std::string&) {});
    const cost::CostModel cost(plan.cluster, &calibration);
    std::vector<Kernels> kernels;
    std::int64_t bytes = 0;
    std::size_t most_kernels = 0, most_runs = 0;
    for (std::int32_t rank = 0; rank < kNumRanks; ++rank) {
      const Kernels& own = kernels.emplace_back(plan, rank);
      most_kernels = std::max(most_kernels, own.number);
      most_runs = std::max(most_runs, std::ranges::max(own.runs));
      bytes = std::max(bytes, own.role.arena_bytes + own.role.workspace_bytes);
    }
    lower::Lowerings lowerings{lower::Kernels()};
    std::vector<std::shared_ptr<const lower::LoweredProgram>> lowered;
    for (const Program& program : plan.programs) lowered.push_back(lowerings.of(program));
    const auto touches = simulate::step_touches(plan, lowered, cost);
    const Samples samples(most_kernels, most_runs * (kNumSteps - kNumWarm));
    const auto cores = topology::share_cores(topology::discover_cores(), kNumRanks);
    const RankGroupOptions group{
        .num_ranks = kNumRanks, .shared_bytes = bytes, .check_leaks = false};
    REQUIRE(failures(run_ranks(group, [&](RankContext& context) {
              const std::size_t rank = at(context.rank);
              pin(cores[rank]);
              fill(kernels[rank].role, context.shared->data());
              context.barrier();
              run_steps(kernels[rank], context.shared->data(), rank, samples);
            })) == "");
    const calibrate::Drift drift = calibrate::drift_of(calibration, calibrate::few_probes(setup_));
    fmt::print("drift of dots {:.2f}, streams {:.2f}, caches {:.2f}\n", drift.dots, drift.streams,
               drift.caches);
    if (std::getenv("RHINO_ANY") == nullptr && !calibrate::holds(drift)) return false;
    // As in a calibration: what holds kernels up is told of all together.
    double all_s = 0, calm_s = 0;
    each_kernel(kernels, samples, [&](const Kernels&, std::size_t, std::size_t, auto measured) {
      all_s += std::accumulate(measured.begin(), measured.end(), 0.0);
      calm_s += typical(measured) * static_cast<double>(measured.size());
    });
    fmt::print("held up {:.3f}\n", all_s / calm_s);
    Lines families, all;
    std::vector<double> prices;
    each_kernel(kernels, samples,
                [&](const Kernels& own, std::size_t p, std::size_t k, auto measured) {
                  const runtime::CpuExecutable& program = *own.programs[p];
                  if (k == 0) prices = cost.groups_s(program.lowered(), touches[p]);
                  const auto times = static_cast<double>(own.runs[p]);
                  const Line line{times * typical(measured) * all_s / calm_s, times * prices[k]};
                  families[family_of(program, k)].add(line);
                  all[name_of(program.lowered(), program.lowered().groups[k])].add(line);
                  step_.add(line);
                });
    for (const auto& [family, line] : families) families_[family].add(line);
    print(drawn.label, families, families.size());
    if (const auto most = from_environment("RHINO_LINES", 0); most > 0)
      print("  furthest off:", all, at(most));
    return true;
  }

  RunDir dir_;
  calibrate::WorkerSetup setup_;
  calibrate::Calibrations calibrations_{dir_.path()};
  Lines families_;
  Line step_;
};

}  // namespace

TEST_CASE("kernels of a step take what they are priced, family by family") {
  const auto seed = static_cast<std::uint64_t>(from_environment("RHINO_SEED", std::time(nullptr)));
  fmt::print("seed {}\n", seed);
  Random random(seed);
  PricedPlans plans;
  const std::int64_t count = from_environment("RHINO_PLANS", 12);
  std::int64_t num_calm = 0;
  for (std::int64_t i = 0; i < count; ++i) num_calm += plans.add(draw_plan(random)) ? 1 : 0;
  CHECK(4 * num_calm >= 3 * count);
  print("all", plans.families(), plans.families().size());
  CHECK(plans.step().ratio() == Approx(1).margin(0.05));
  for (const auto& [family, line] : plans.families()) {
    CAPTURE(family, line.ratio());
    // What hardly counts is as near as it changes a step.
    CHECK(line.off_s() < std::max(0.1 * line.measured_s, 0.01 * plans.step().measured_s));
  }
}

}  // namespace rhino
