// SPDX-License-Identifier: Apache-2.0
#include "calibrate/machine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <vector>

#include "calibrate/drift.hpp"
#include "calibrate/memory.hpp"
#include "calibrate/probe_plan.hpp"
#include "calibrate/probes.hpp"
#include "codec/fingerprint.hpp"
#include "cost/attention_price.hpp"
#include "cost/collectives.hpp"
#include "lower/lower.hpp"
#include "store/calibration_file.hpp"
#include "topology/discover.hpp"
#include "topology/gpus.hpp"
#include "topology/large_pages.hpp"
#include "topology/other_work.hpp"

namespace rhino::calibrate {
namespace {

constexpr std::int64_t kSmallMessage = 8;

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
constexpr const char* kMethod =
    "each rank, warm lines near and far, dots from two distances, rows each, steps and terms, "
    "sums, large moves, attention, behind barriers, few probes, held up";
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

namespace {

/// Collectives of one kind: elements of an operand, and the number of the probe.
struct KindProbes {
  OpKind kind;
  std::vector<std::pair<std::int64_t, std::size_t>> probes;
};

std::vector<KindProbes> add_collectives(ProbePlan& plan, const Sizes& sizes,
                                        std::int64_t num_ranks) {
  using Kind = plan::CommunicationKind;
  const auto list = [&](OpKind kind, Kind runs, const std::vector<std::int64_t>& elements,
                        std::int64_t parts) {
    KindProbes made{kind, {}};
    for (const std::int64_t all : elements) {
      const std::int64_t operand = all / num_ranks * num_ranks / parts;
      made.probes.emplace_back(operand, plan.add_collective(runs, operand));
    }
    return made;
  };
  return {list(OpKind::all_reduce, Kind::all_reduce, sizes.sums, 1),
          list(OpKind::all_gather, Kind::all_gather, sizes.moves, num_ranks),
          list(OpKind::reduce_scatter, Kind::reduce_scatter, sizes.moves, 1),
          list(OpKind::all_to_all, Kind::all_to_all, sizes.moves, 1)};
}

/// What prices are to make of the links' rate, that a collective over all ranks takes `seconds`.
CollectiveShare share_of(cost::CollectiveProblem problem, double seconds, const WorkerSetup& setup,
                         const Link& link) {
  constexpr double kLeastPart = 0.25;  // of a small one all may be latency
  Cluster cluster = cluster_of(setup);
  cluster.intra_host = link;
  for (DeviceId device = 0; device < setup.num_ranks; ++device) problem.group.push_back(device);
  const cost::Links links(cluster);
  const cost::CollectiveFlow flow = cost::collective_flow(problem, cluster, links);
  return {
      .bytes = problem.bytes / setup.num_ranks,
      .share = flow.transfer_s(links) / std::max(seconds - flow.latency_s, kLeastPart * seconds),
      .members = setup.num_ranks};
}

}  // namespace

std::string calibration_fingerprint(const WorkerSetup& setup) {
  const topology::Machine machine = topology::discover_machine();
  const bool is_fake = drives_gpus(setup) && topology::discover_gpus().is_fake();
  return (is_fake ? kFake : "") +
         codec::fingerprint(machine.processor + "/" + std::to_string(machine.num_cores) + "/" +
                            std::to_string(machine.total_memory_bytes >> 30) + "/" +
                            std::to_string(topology::shared_page_bytes()) + "/" +
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
  // Spread over seconds: a shared core is slow for milliseconds now and then.
  constexpr int kRepetitions = 3, kRuns = 3;
  ProbePlan probes(cluster_of(setup), kRepetitions);
  result.dots = dot_grid(sizes);
  std::vector<std::size_t> dots;
  for (const cost::Calibration::Dot& dot : result.dots)
    dots.push_back(probes.add_run(dot_probe(dot, DType::f32), kWarmPasses));
  std::map<DType, std::vector<std::size_t>> narrow_dots;
  for (const DType dtype : {DType::bf16, DType::f16}) {
    result.narrow_dots[dtype].dots = narrow_grid(sizes);
    for (const cost::Calibration::Dot& dot : narrow_grid(sizes))
      narrow_dots[dtype].push_back(probes.add_run(dot_probe(dot, dtype)));
  }
  const lower::Kernels kernels = lower::kernels_of(cluster_of(setup));
  struct AttentionProbes {
    std::size_t forward = 0, backward = 0;
    cost::AttentionDots dots;
  };
  std::vector<AttentionProbes> attentions;
  for (const std::int64_t depth :
       kernels.attention ? sizes.attention_depths : std::vector<std::int64_t>{}) {
    for (const DType dtype : {DType::f32, DType::bf16}) {
      const Probe forward = attention_probe(sizes, dtype, depth, false),
                  backward = attention_probe(sizes, dtype, depth, true);
      result.attentions.push_back({.dtype = dtype, .depth = depth});
      AttentionProbes& added = attentions.emplace_back();
      added.forward = probes.add_run(forward);
      added.backward = probes.add_run(backward);
      added.dots.forward = cost::attention_dots(lower::lower(forward.program, kernels)).forward;
      added.dots.backward = cost::attention_dots(lower::lower(backward.program, kernels)).backward;
    }
  }
  constexpr std::array kSteps = {OpKind::add, OpKind::multiply, OpKind::maximum};
  constexpr std::array kTerms = {OpKind::divide,      OpKind::negate, OpKind::select,
                                 OpKind::exponential, OpKind::tanh,   OpKind::log,
                                 OpKind::sqrt,        OpKind::rsqrt};
  std::map<OpKind, std::size_t> steps_of, terms_of;
  for (const OpKind kind : kSteps)
    steps_of[kind] = probes.add_run(steps_probe(kind, sizes.loop_elements));
  for (const OpKind kind : kTerms)
    terms_of[kind] = probes.add_run(terms_probe(kind, sizes.loop_elements));
  const std::size_t multiples = probes.add_run(terms_probe(std::nullopt, sizes.loop_elements)),
                    one = probes.add_run(chain_probe(OpKind::add, sizes.loop_elements, 1)),
                    columns = probes.add_run(
                        columns_probe(sizes.loop_elements, sizes.rows[sizes.rows.size() / 2])),
                    turned = probes.add_run(turn_probe(sizes.loop_elements, sizes.rows[0]));
  std::vector<std::size_t> folds;
  for (const std::int64_t row : sizes.rows)
    folds.push_back(probes.add_run(fold_probe(sizes.loop_elements, row)));
  const std::size_t tiny = probes.add_run(chain_probe(OpKind::add, 1, 1));
  const MemoryProbes memory(sizes, probes);
  const std::size_t stream = probes.add_run(stream_probe(sizes));
  std::array<std::vector<std::size_t>, 2> transposed;
  if (!drives_gpus(setup)) {
    for (const cost::Calibration::Dot& dot : transposed_grid(sizes)) {
      transposed[0].push_back(probes.add_run(dot_probe(dot, DType::f32, Layout::columns)));
      transposed[1].push_back(probes.add_run(dot_probe(dot, DType::f32, Layout::rows)));
    }
    result.dots_of_columns = result.dots_of_rows = transposed_grid(sizes);
  }
  std::size_t small = 0, large = 0, reduced = 0;
  std::vector<KindProbes> collectives;
  if (setup.num_ranks > 1) {
    small = probes.add_message(0, 1, kSmallMessage);
    large = probes.add_message(0, 1, sizes.large_message);
    if (sizes.sums.empty())
      reduced = probes.add_collective(plan::CommunicationKind::all_reduce, sizes.large_message);
    collectives = add_collectives(probes, sizes, setup.num_ranks);
  }

  const auto session = runtime::start_session(probes.finish(), setup.session);
  const topology::OtherWork others;
  std::vector<plan::StepTrace> steps;
  for (int i = 0; i < kRuns; ++i) steps.push_back(session->run_steps(1, true));
  const double others_share = others.busy_cores() / topology::discover_machine().num_cores;
  const auto best = [&](std::size_t probe) { return probes.seconds(steps, probe).best; };
  const double held_up = drives_gpus(setup) ? 1 : probes.held_up(steps);
  const auto calm_s = [&](std::size_t probe) { return probes.seconds(steps, probe).typical; };
  const auto typical = [&](std::size_t probe) { return held_up * calm_s(probe); };

  result.kernel_latency_s = typical(tiny);
  double dots_s = 0, best_s = 0;  // the longest dots weigh most, and feel other work most
  for (std::size_t i = 0; i < dots.size(); ++i) {
    result.dots[i].seconds = typical(dots[i]);
    dots_s += calm_s(dots[i]);
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
  for (std::size_t i = 0; i < attentions.size(); ++i) {
    const auto rate = [&](const cost::AttentionDots::Pass& pass, std::size_t probe) {
      return pass.flops / std::max(1e-9, typical(probe) - result.kernel_latency_s);
    };
    const AttentionProbes& probe = attentions[i];
    result.attentions[i].forward_flops_per_s = rate(probe.dots.forward, probe.forward);
    result.attentions[i].backward_flops_per_s = rate(probe.dots.backward, probe.backward);
  }
  const auto elements = static_cast<double>(sizes.loop_elements);
  const double one_s = typical(one);
  for (const auto& [kind, probe] : steps_of)
    result.element_s[kind] = std::max(0.0, typical(probe) - one_s) / (elements * (kLoopSteps - 1));
  for (const auto& [kind, probe] : terms_of)
    result.element_s[kind] =
        std::max(0.0, typical(probe) - typical(multiples)) / (elements * kLoopSteps);
  const double add_s = result.element_s[OpKind::add];
  result.column_s = std::max(0.0, (typical(columns) - one_s) / (elements * kColumnSums) - add_s);
  result.element_s[OpKind::transpose] = std::max(0.0, typical(turned) - one_s) / elements + add_s;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const std::int64_t row = sizes.rows[i];
    const double own_s = (typical(folds[i]) - one_s) /
                             static_cast<double>(kFoldChain * (sizes.loop_elements / row)) -
                         2 * add_s * static_cast<double>(row);
    result.folds.push_back({row, std::max(0.0, own_s)});
  }
  result.element_s[OpKind::reduce] =
      result.folds.back().seconds / static_cast<double>(sizes.rows.back());
  for (const OpKind kind : {OpKind::subtract, OpKind::minimum, OpKind::convert, OpKind::compare,
                            OpKind::iota, OpKind::absolute, OpKind::clamp}) {
    result.element_s[kind] = add_s;
  }
  result.memory_bytes_per_s = sizes.stream_bytes() / typical(stream);
  result.peak_bytes_per_s = sizes.stream_bytes() / best(stream);
  result.copy_bytes_per_s = result.memory_bytes_per_s;
  memory.read([&](std::size_t probe) { return ProbeSeconds{typical(probe), best(probe)}; }, result);
  if (setup.num_ranks > 1) {
    const double bytes = 4.0 * static_cast<double>(sizes.large_message);
    result.intra_host = {bytes / std::max(1e-9, calm_s(large) - calm_s(small)), calm_s(small)};
    result.peak_link_bytes_per_s =
        std::max(bytes / best(large), drives_gpus(setup) ? 0 : cached_copy_bytes_per_s());
    // A ring sends 2 (n - 1) / n of the bytes and adds (n - 1) / n of them.
    const double ranks = setup.num_ranks, share = (ranks - 1) / ranks;
    if (sizes.sums.empty()) {
      const double adding_s = calm_s(reduced) - 2 * (ranks - 1) * result.intra_host.latency_s -
                              2 * share * bytes / result.intra_host.bytes_per_s;
      if (adding_s > 0) result.reduce_bytes_per_s = share * bytes / adding_s;
    }
    for (const KindProbes& each : collectives) {
      std::vector<CollectiveShare> shares;
      for (const auto& [elements, probe] : each.probes)
        shares.push_back(share_of({each.kind, 4.0 * static_cast<double>(elements)}, calm_s(probe),
                                  setup, result.intra_host));
      if (each.kind == OpKind::all_reduce) result.collective_shares = std::move(shares);
      else if (!shares.empty()) result.shares_of_kind[each.kind] = std::move(shares);
    }
  }
  // What others do on this host's cores, a GPU does not feel.
  return {std::move(result),
          std::max({dots_s / best_s - 1, held_up - 1, drives_gpus(setup) ? 0 : others_share})};
}

bool is_disturbed(const cost::Calibration& calibration) {
  return calibration.fingerprint.ends_with(kDisturbed);
}

std::string as_disturbed(const std::string& fingerprint) { return fingerprint + kDisturbed; }

std::string as_calm(const std::string& fingerprint) {
  return fingerprint.substr(0, fingerprint.find(kDisturbed));
}

bool is_calm(const CalibrationRun& run) {
  constexpr double kMostDisturbance = 0.15;  // 0.03 to 0.1 on an idle machine
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
  if (!drives_gpus(setup) || !topology::discover_gpus().is_fake()) {
    const std::string fingerprint = calibration_fingerprint(setup);
    const std::optional<cost::Calibration> kept =
        store::load_calibration(fingerprint, store::cache_folder(), store::kMostCalibrationAge_s);
    if (kept) {
      if (auto now = renewed(*kept, setup)) return *std::move(now);
    }
    if (const auto disturbed =
            store::load_calibration(as_disturbed(fingerprint), store::cache_folder(), kLeastAge_s))
      return *disturbed;
  }
  constexpr int kMostRuns = 3;
  return new_calibration(setup, kMostRuns);
}

cost::Calibration new_calibration(const WorkerSetup& setup, int most_runs) {
  if (drives_gpus(setup) && topology::discover_gpus().is_fake())
    return calibrate_machine(setup).calibration;
  CalibrationRun fresh = calmest([&] { return calibrate_machine(setup); }, most_runs);
  if (!drives_gpus(setup)) fresh.calibration.few_probes = few_probes(setup);
  if (!is_calm(fresh)) fresh.calibration.fingerprint = as_disturbed(fresh.calibration.fingerprint);
  store::save_calibration(fresh.calibration);
  return fresh.calibration;
}

}  // namespace rhino::calibrate
