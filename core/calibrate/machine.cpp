// SPDX-License-Identifier: Apache-2.0
#include "calibrate/machine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <vector>

#include "calibrate/probe_plan.hpp"
#include "codec/fingerprint.hpp"
#include "ir/builder.hpp"
#include "store/calibration_file.hpp"
#include "topology/discover.hpp"
#include "topology/gpus.hpp"
#include "topology/other_work.hpp"

namespace rhino::calibrate {
namespace {

constexpr std::int64_t kLoopChain = 8, kRow = 120;
constexpr std::int64_t kSmallMessage = 8;

/// What is measured: loops over data that stay in a cache, streams that no cache holds, dots of
/// extents between and beyond those of the presets, of heads and of a vocabulary.
struct Sizes {
  std::array<std::int64_t, 3> extents;  ///< small, middle, large
  std::array<std::int64_t, 4> heads;    ///< rows of `head` elements, in a batch
  std::int64_t head, batch;
  std::array<std::int64_t, 3> wide;
  std::int64_t loop_elements;
  std::int64_t stream_elements;  ///< 0: the last of `reuse_bytes`
  std::int64_t large_message;
  /// That a loop touches before it comes back to them, ascending; empty: one rate for all.
  std::vector<std::int64_t> reuse_bytes = {};
};
const Sizes kCpuSizes{{80, 320, 1280},
                      {40, 80, 160, 320},
                      40,
                      12,
                      {720, 5000, 360},
                      12000,
                      0,
                      6'000'000,
                      {256'000, 1'000'000, 4'000'000, 16'000'000, 96'000'000}};
const Sizes kGpuSizes{{256, 1024, 4096},
                      {128, 256, 512, 1024},
                      64,
                      16,
                      {2048, 16384, 1024},
                      960'000,
                      1 << 27,
                      1 << 26};
/// Fakes: to see it run.
const Sizes kToySizes{{8, 16, 24}, {4, 8, 12, 16}, 4, 2, {12, 20, 8}, 1200, 4096, 4096};

bool drives_gpus(const WorkerSetup& setup) { return setup.session.device == "cuda"; }

const Sizes& sizes_of(const WorkerSetup& setup) {
  if (!drives_gpus(setup)) return kCpuSizes;
  return topology::discover_gpus().is_fake() ? kToySizes : kGpuSizes;
}

Cluster cluster_of(const WorkerSetup& setup) {
  return drives_gpus(setup) ? topology::gpu_cluster(topology::discover_gpus(), setup.num_ranks)
                            : topology::discover_local(setup.num_ranks);
}

/// How a dot's operands lie: row-major, or one of them transposed.
enum class Layout { plain, columns, rows };

Probe dot_probe(const cost::Calibration::Dot& dot, DType dtype, Layout layout = Layout::plain) {
  ir::Builder b("dot");
  const bool columns = layout == Layout::columns, rows = layout == Layout::rows;
  const Shape lhs{dtype, {dot.batch, columns ? dot.k : dot.m, columns ? dot.m : dot.k}},
      rhs{dtype, {dot.batch, rows ? dot.n : dot.k, rows ? dot.k : dot.n}};
  const ValueId x = b.input(InputKind::batch, lhs, {}, "x"),
                y = b.input(InputKind::batch, rhs, {}, "y");
  const ValueId z = b.dot(x, y,
                          {.lhs_batch = {0},
                           .rhs_batch = {0},
                           .lhs_contracting = {columns ? 1 : 2},
                           .rhs_contracting = {rows ? 2 : 1}});
  b.output(z, OutputKind::value);
  const Shape output = b.shape(z);
  return {std::move(b).finish(), {lhs, rhs}, output};
}

/// A chain of one elementwise op over data that stay in cache; binary ops take the input again.
Probe chain_probe(OpKind kind, std::int64_t elements, std::int64_t length) {
  ir::Builder b("chain");
  const Shape shape{DType::f32, {elements}};
  const ValueId x = b.input(InputKind::batch, shape, {}, "x");
  ValueId y = x;
  for (std::int64_t i = 0; i < length; ++i) {
    switch (kind) {
      case OpKind::add:
      case OpKind::subtract:
      case OpKind::multiply:
      case OpKind::divide:
      case OpKind::maximum:
      case OpKind::power: y = b.binary(kind, y, x); break;
      case OpKind::select: y = b.select(b.compare(Comparison::gt, y, x), y, x); break;
      case OpKind::exponential: y = b.unary(kind, b.unary(OpKind::negate, y)); break;
      default: y = b.unary(kind, y); break;
    }
  }
  b.output(y, OutputKind::value);
  return {std::move(b).finish(), {shape}, shape};
}

/// x = x + x where x lies.
Probe update_probe(std::int64_t elements) {
  ir::Builder b("update");
  const Shape shape{DType::f32, {elements}};
  const ValueId x = b.input(InputKind::optimizer_state, shape, {}, "x");
  b.output(b.add(x, x), OutputKind::updated_state, 0);
  return {std::move(b).finish(), {shape}, shape, true};
}

Probe reduce_probe(std::int64_t elements) {
  ir::Builder b("reduce");
  const Shape shape{DType::f32, {elements / kRow, kRow}};
  const ValueId x = b.input(InputKind::batch, shape, {}, "x");
  ValueId y = x;
  for (std::int64_t i = 0; i < kLoopChain; ++i) {
    y = b.sub(y, b.broadcast_in_dim(b.reduce(y, {1}, Reduction::sum), shape.dims, {0}));
  }
  b.output(y, OutputKind::value);
  return {std::move(b).finish(), {shape}, shape};
}

std::vector<cost::Calibration::Dot> dot_grid(const Sizes& sizes) {
  std::vector<cost::Calibration::Dot> grid;
  for (const std::int64_t m : sizes.extents) {
    for (const std::int64_t n : sizes.extents) {
      for (const std::int64_t k : sizes.extents) grid.push_back({1, m, n, k, 0});
    }
  }
  for (const std::int64_t size : sizes.heads) {
    grid.push_back({sizes.batch, size, size, sizes.head, 0});
    grid.push_back({sizes.batch, size, sizes.head, size, 0});
    grid.push_back({sizes.batch, sizes.head, size, size, 0});
  }
  const auto [tokens, words, width] = sizes.wide;
  grid.push_back({1, tokens, words, width, 0});
  grid.push_back({1, tokens, width, words, 0});
  grid.push_back({1, words, width, tokens, 0});
  return grid;
}

/// Those that tell how dots of 16 bits differ: small and large, of few and of many terms.
std::vector<cost::Calibration::Dot> narrow_grid(const Sizes& sizes) {
  const auto [small, middle, large] = sizes.extents;
  const std::int64_t rows = sizes.heads[2];
  return {{1, small, small, small, 0},
          {1, middle, middle, middle, 0},
          {1, large, large, middle, 0},
          {1, middle, large, large, 0},
          {1, large, small, large, 0},
          {sizes.batch, rows, rows, sizes.head, 0},
          {sizes.batch, rows, sizes.head, rows, 0}};
}

double flops(const cost::Calibration::Dot& dot) {
  return 2.0 * static_cast<double>(dot.batch) * static_cast<double>(dot.m) *
         static_cast<double>(dot.n) * static_cast<double>(dot.k);
}

/// What one core copies within its nearest cache: no message is quicker, whatever its size, however
/// near the cores of its ranks lie.
double cached_copy_bytes_per_s() {
  using Clock = std::chrono::steady_clock;
  constexpr int kTrials = 2000, kCopies = 256;
  std::array<std::byte, 2048> from{}, to{};
  Clock::duration best = Clock::duration::max();
  for (int trial = 0; trial < kTrials; ++trial) {
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < kCopies; ++i) {
      std::memcpy(to.data(), from.data(), to.size());
      asm volatile("" : : "r"(to.data()) : "memory");
    }
    best = std::min(best, Clock::now() - begin);
  }
  return kCopies * static_cast<double>(to.size()) / std::chrono::duration<double>(best).count();
}

/// Another word with every change of what is measured: calibrations of before are not taken up.
constexpr const char* kMethod = "near and far";
constexpr const char* kDisturbed = " (disturbed)";
const std::string kFake = "fake ";

}  // namespace

/// The GPUs that ranks drive, and how.
static std::string gpus_text(const WorkerSetup& setup) {
  const topology::GpuInventory& found = topology::discover_gpus();
  std::string text = "/" + found.driver + "/" + std::to_string(found.cuda_version) + "/" +
                     setup.session.transport + "/" + to_string(setup.session.gpu);
  for (const topology::Gpu& gpu : found.gpus) text += "/" + topology::describe(gpu);
  return text;
}

std::string calibration_fingerprint(const WorkerSetup& setup) {
  const topology::Machine machine = topology::discover_machine();
  const bool is_fake = drives_gpus(setup) && topology::discover_gpus().is_fake();
  return (is_fake ? kFake : "") +
         codec::fingerprint(machine.processor + "/" + std::to_string(machine.num_cores) + "/" +
                            std::to_string(machine.total_memory_bytes >> 30) + "/" +
                            setup.session.device + "/" + std::to_string(setup.num_ranks) + "/" +
                            std::to_string(setup.session.num_threads) + "/" RHINO_VERSION "/" +
                            kMethod + (drives_gpus(setup) ? gpus_text(setup) : ""));
}

bool is_fake(const cost::Calibration& calibration) {
  return calibration.fingerprint.starts_with(kFake);
}

CalibrationRun calibrate_machine(const WorkerSetup& setup) {
  const Sizes& sizes = sizes_of(setup);
  cost::Calibration result{.fingerprint = calibration_fingerprint(setup)};
  ProbePlan probes(cluster_of(setup));
  result.dots = dot_grid(sizes);
  std::vector<std::size_t> dots;
  for (const cost::Calibration::Dot& dot : result.dots)
    dots.push_back(probes.add_run(dot_probe(dot, DType::f32)));
  std::map<DType, std::vector<std::size_t>> narrow_dots;
  for (const DType dtype : {DType::bf16, DType::f16}) {
    result.narrow_dots[dtype].dots = narrow_grid(sizes);
    for (const cost::Calibration::Dot& dot : narrow_grid(sizes))
      narrow_dots[dtype].push_back(probes.add_run(dot_probe(dot, dtype)));
  }
  constexpr std::array kKinds = {OpKind::add,         OpKind::multiply, OpKind::divide,
                                 OpKind::maximum,     OpKind::negate,   OpKind::select,
                                 OpKind::exponential, OpKind::tanh,     OpKind::log,
                                 OpKind::sqrt,        OpKind::rsqrt};
  std::map<OpKind, std::size_t> chains;
  for (const OpKind kind : kKinds)
    chains[kind] = probes.add_run(chain_probe(kind, sizes.loop_elements, kLoopChain));
  const std::size_t reduce = probes.add_run(reduce_probe(sizes.loop_elements));
  const std::size_t tiny = probes.add_run(chain_probe(OpKind::add, 1, 1));
  // What a loop writes elsewhere is as many bytes as it reads, and both lie between two uses.
  std::vector<std::size_t> updates, copies;
  for (const std::int64_t bytes : sizes.reuse_bytes) {
    updates.push_back(probes.add_run(update_probe(bytes / 4)));
    copies.push_back(probes.add_run(chain_probe(OpKind::add, bytes / 8, 1)));
  }
  const std::size_t stream =
      copies.empty() ? probes.add_run(chain_probe(OpKind::add, sizes.stream_elements, 1))
                     : copies.back();
  std::array<std::vector<std::size_t>, 2> transposed;
  if (!drives_gpus(setup)) {
    for (const cost::Calibration::Dot& dot : narrow_grid(sizes)) {
      transposed[0].push_back(probes.add_run(dot_probe(dot, DType::f32, Layout::columns)));
      transposed[1].push_back(probes.add_run(dot_probe(dot, DType::f32, Layout::rows)));
    }
    result.dots_of_columns = result.dots_of_rows = narrow_grid(sizes);
  }
  std::size_t small = 0, large = 0, reduced = 0;
  if (setup.num_ranks > 1) {
    small = probes.add_message(0, 1, kSmallMessage);
    large = probes.add_message(0, 1, sizes.large_message);
    reduced = probes.add_all_reduce(sizes.large_message);
  }

  const auto session = runtime::start_session(probes.finish(), setup.session);
  const topology::OtherWork others;
  const plan::StepTrace trace = session->run_steps(1, true);
  const double others_share = others.busy_cores() / topology::discover_machine().num_cores;
  const auto best = [&](std::size_t probe) { return probes.seconds(trace, probe).best; };
  const auto typical = [&](std::size_t probe) { return probes.seconds(trace, probe).typical; };

  result.kernel_latency_s = typical(tiny);
  double typical_s = 0, best_s = 0;  // the longest dots weigh most, and feel other work most
  for (std::size_t i = 0; i < dots.size(); ++i) {
    result.dots[i].seconds = typical(dots[i]);
    typical_s += typical(dots[i]);
    best_s += best(dots[i]);
    result.peak_flops = std::max(result.peak_flops, flops(result.dots[i]) / best(dots[i]));
  }
  for (auto& [dtype, narrow] : result.narrow_dots) {
    for (std::size_t i = 0; i < narrow.dots.size(); ++i) {
      const std::size_t probe = narrow_dots[dtype][i];
      narrow.dots[i].seconds = typical(probe);
      narrow.peak_flops = std::max(narrow.peak_flops, flops(narrow.dots[i]) / best(probe));
    }
  }
  for (std::size_t i = 0; i < transposed[0].size(); ++i) {
    result.dots_of_columns[i].seconds = typical(transposed[0][i]);
    result.dots_of_rows[i].seconds = typical(transposed[1][i]);
  }
  const double per_chain = static_cast<double>(sizes.loop_elements * kLoopChain);
  const auto per_element = [&](std::size_t probe) {
    return std::max(0.0, typical(probe) - result.kernel_latency_s) / per_chain;
  };
  for (const auto& [kind, probe] : chains) result.element_s[kind] = per_element(probe);
  // These probes hold a cheap op beside the one that they are about.
  result.element_s[OpKind::exponential] =
      std::max(0.0, result.element_s[OpKind::exponential] - result.element_s[OpKind::negate]);
  result.element_s[OpKind::reduce] =
      std::max(0.0, per_element(reduce) - result.element_s[OpKind::add]);
  for (const OpKind kind : {OpKind::subtract, OpKind::minimum, OpKind::convert, OpKind::compare,
                            OpKind::iota, OpKind::absolute, OpKind::clamp}) {
    result.element_s[kind] = result.element_s[OpKind::add];
  }
  const double stream_bytes =  // read once, written once
      copies.empty() ? 2.0 * 4 * static_cast<double>(sizes.stream_elements)
                     : static_cast<double>(sizes.reuse_bytes.back());
  result.memory_bytes_per_s = stream_bytes / typical(stream);
  result.peak_bytes_per_s = stream_bytes / best(stream);
  result.copy_bytes_per_s = result.memory_bytes_per_s;
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const auto bytes = static_cast<double>(sizes.reuse_bytes[i]);
    const double near_read_s = i == 0 ? 0 : result.reach.back().read_s,
                 near_write_s = i == 0 ? 0 : result.reach.back().write_s;
    const auto moving_s = [&](std::size_t probe) {
      return std::max(0.0, typical(probe) - result.kernel_latency_s);
    };
    // An update reads all of it and writes it, a copy reads half and writes half.
    const double read_s = std::max(near_read_s, moving_s(updates[i]) / (2 * bytes));
    const double write_s =
        std::max({near_write_s, read_s, moving_s(copies[i]) / (bytes / 2) - read_s});
    result.reach.push_back({bytes, read_s, write_s});
    result.peak_bytes_per_s = std::max(
        {result.peak_bytes_per_s, i + 1 == updates.size() ? 2 * bytes / best(updates[i]) : 0});
  }
  if (setup.num_ranks > 1) {
    const double bytes = 4.0 * static_cast<double>(sizes.large_message);
    result.intra_host = {bytes / std::max(1e-9, typical(large) - typical(small)), typical(small)};
    result.peak_link_bytes_per_s =
        std::max(bytes / best(large), drives_gpus(setup) ? 0 : cached_copy_bytes_per_s());
    // A ring sends 2 (n - 1) / n of the bytes and adds (n - 1) / n of them.
    const double share =
        static_cast<double>(setup.num_ranks - 1) / static_cast<double>(setup.num_ranks);
    const double adding_s = typical(reduced) - 2 * share * bytes / result.intra_host.bytes_per_s -
                            2 * (setup.num_ranks - 1) * result.intra_host.latency_s;
    if (adding_s > 0) result.reduce_bytes_per_s = share * bytes / adding_s;
  }
  // What others do on this host's cores, a GPU does not feel.
  return {std::move(result),
          std::max(typical_s / best_s - 1, drives_gpus(setup) ? 0 : others_share)};
}

bool is_disturbed(const cost::Calibration& calibration) {
  return calibration.fingerprint.ends_with(kDisturbed);
}

std::string as_disturbed(const std::string& fingerprint) { return fingerprint + kDisturbed; }

std::string as_calm(const std::string& fingerprint) {
  return fingerprint.substr(0, fingerprint.find(kDisturbed));
}

bool is_calm(const CalibrationRun& run) {
  constexpr double kMostDisturbance = 0.1;  // 0.015 to 0.025 on an idle machine
  return run.disturbance <= kMostDisturbance;
}

CalibrationRun calmest(const std::function<CalibrationRun()>& run, int most) {
  CalibrationRun calm = run();
  for (int i = 1; i < most && !is_calm(calm); ++i) {
    CalibrationRun again = run();
    if (again.disturbance < calm.disturbance) calm = std::move(again);
  }
  return calm;
}

cost::Calibration calibration_for(const WorkerSetup& setup) {
  constexpr int kMostRuns = 4;
  if (drives_gpus(setup) && topology::discover_gpus().is_fake())
    return calibrate_machine(setup).calibration;
  if (std::optional<cost::Calibration> cached = store::load_calibration(
          calibration_fingerprint(setup), store::cache_folder(), store::kMostCalibrationAge_s))
    return *cached;
  CalibrationRun fresh = calmest([&] { return calibrate_machine(setup); }, kMostRuns);
  if (is_calm(fresh)) store::save_calibration(fresh.calibration);
  else fresh.calibration.fingerprint = as_disturbed(fresh.calibration.fingerprint);
  return fresh.calibration;
}

}  // namespace rhino::calibrate
