// SPDX-License-Identifier: Apache-2.0
#include "calibrate/machine_probes.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "cost/collectives.hpp"
#include "cost/dot_products.hpp"
#include "lower/lower.hpp"

namespace rhino::calibrate {
namespace {

/// Spread over seconds, with as many steps: a shared core is slow for milliseconds now and then.
constexpr int kRepetitions = 3;
constexpr std::int64_t kSmallMessage = 8;
/// Of all timed turns of a dot, where they are not the most: a millisecond of a core.
constexpr double kFlopsOfTurns = 8e7;
/// Of a dot that takes so long that what it reads from afar the first time is no part that counts.
constexpr double kLongFlops = 5e8;

double flops(const cost::Calibration::Dot& dot) {
  return 2.0 * static_cast<double>(dot.batch) * static_cast<double>(dot.m) *
         static_cast<double>(dot.n) * static_cast<double>(dot.k);
}

/// Short ones often, for what counts of a probe is the time in which it looks.
Turns turns_of(const cost::Calibration::Dot& dot) {
  const double own = flops(dot);
  return {.warm = own > kLongFlops ? 1 : kWarmPasses,
          .timed = static_cast<int>(std::clamp(std::ceil(kFlopsOfTurns / own), 2.0, 16.0))};
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

constexpr std::array kSteps = {OpKind::add, OpKind::multiply, OpKind::maximum};
constexpr std::array kTerms = {OpKind::divide, OpKind::negate, OpKind::select, OpKind::exponential,
                               OpKind::tanh,   OpKind::log,    OpKind::sqrt,   OpKind::rsqrt};
constexpr std::array kNarrow = {DType::bf16, DType::f16};

}  // namespace

/// What probes took. Kernels of steps are held up as all runs together were.
class MachineProbes::Readings {
 public:
  Readings(const ProbePlan& probes, const std::vector<plan::StepTrace>& steps, bool of_gpus)
      : probes_(probes), steps_(steps), held_up_(of_gpus ? 1 : probes.held_up(steps)) {}

  double held_up() const { return held_up_; }
  double best(std::size_t probe) const { return probes_.seconds(steps_, probe).best; }
  double calm_s(std::size_t probe) const { return probes_.seconds(steps_, probe).typical; }
  double typical(std::size_t probe) const { return held_up_ * calm_s(probe); }

 private:
  const ProbePlan& probes_;
  const std::vector<plan::StepTrace>& steps_;
  double held_up_;
};

cost::Calibration::NarrowDots heated(cost::Calibration::NarrowDots dots, double hot_s) {
  const double longer = std::max(1.0, hot_s / dots.dots.back().seconds);
  for (cost::Calibration::Dot& dot : dots.dots) dot.seconds *= longer;
  return dots;
}

MachineProbes::MachineProbes(const WorkerSetup& setup)
    : setup_(setup), sizes_(sizes_of(setup)), probes_(cluster_of(setup), kRepetitions) {
  add_dots();
  add_convolutions();
  add_attentions();
  add_loops();
  memory_ = MemoryProbes(sizes_, probes_);
  stream_ = probes_.add_run(stream_probe(sizes_));
  if (setup_.num_ranks > 1) add_links();
}

/// How much longer a dot takes with an operand transposed is told right beside it: shared cores
/// have another speed a second later.
void MachineProbes::add_dots() {
  for (std::vector<std::size_t>& probes : transposed_) {
    if (!drives_gpus(setup_)) probes.resize(transposed_grid(sizes_).size());
  }
  for (const cost::Calibration::Dot& dot : dot_grid(sizes_)) {
    const Turns turns = drives_gpus(setup_) ? Turns{.warm = kWarmPasses} : turns_of(dot);
    dots_.push_back(probes_.add_run(dot_probe(dot, DType::f32), turns));
    if (!drives_gpus(setup_)) add_transposed_dot(dot);
  }
  for (const DType dtype : kNarrow) {
    for (const cost::Calibration::Dot& dot : narrow_grid(sizes_))
      narrow_dots_[dtype].push_back(probes_.add_run(dot_probe(dot, dtype)));
  }
  if (sizes_.hot_turns == 0) return;
  const Probe stream = update_probe(sizes_.hot_elements);
  for (const DType dtype : kNarrow) {
    const Probe dot = dot_probe(narrow_grid(sizes_).back(), dtype);
    hot_dots_[dtype] = probes_.add_hot_run(dot, stream, sizes_.hot_turns);
  }
}

/// Of 16 bits where they are products of their own.
void MachineProbes::add_convolutions() {
  for (const DType dtype : {DType::f32, DType::bf16}) {
    if (dtype != DType::f32 && !drives_gpus(setup_)) continue;
    for (const Images& images : sizes_.images) {
      for (const Pass pass : {Pass::forward, Pass::of_images, Pass::of_kernel}) {
        const Probe probe = convolution_probe(images, dtype, pass);
        convolutions_[dtype].emplace_back(
            cost::patch_extents(probe.program, probe.program.outputs.front().value),
            probes_.add_run(probe));
      }
    }
  }
}

void MachineProbes::add_attentions() {
  const lower::Kernels kernels = lower::kernels_of(cluster_of(setup_));
  if (!kernels.attention) return;
  for (const std::int64_t depth : sizes_.attention_depths) {
    for (const DType dtype : {DType::f32, DType::bf16}) {
      const Probe forward = attention_probe(sizes_, dtype, depth, false),
                  backward = attention_probe(sizes_, dtype, depth, true);
      attended_.push_back({.dtype = dtype, .depth = depth});
      Attention& added = attentions_.emplace_back();
      added.forward = probes_.add_run(forward);
      added.backward = probes_.add_run(backward);
      added.dots.forward = cost::attention_dots(lower::lower(forward.program, kernels)).forward;
      added.dots.backward = cost::attention_dots(lower::lower(backward.program, kernels)).backward;
    }
  }
}

void MachineProbes::add_loops() {
  const std::int64_t elements = sizes_.loop_elements;
  for (const OpKind kind : kSteps) steps_of_[kind] = probes_.add_run(steps_probe(kind, elements));
  for (const OpKind kind : kTerms) terms_of_[kind] = probes_.add_run(terms_probe(kind, elements));
  multiples_ = probes_.add_run(terms_probe(std::nullopt, elements));
  one_ = probes_.add_run(chain_probe(OpKind::add, elements, 1));
  const std::int64_t folded = sizes_.folded();
  columns_ = probes_.add_run(columns_probe(folded, sizes_.rows[sizes_.rows.size() / 2]));
  turned_ = probes_.add_run(turn_probe(elements, sizes_.rows[0]));
  for (const std::int64_t row : sizes_.rows)
    folds_.push_back(probes_.add_run(fold_probe(folded, row)));
  one_folded_ = folded == elements ? one_ : probes_.add_run(chain_probe(OpKind::add, folded, 1));
  tiny_ = probes_.add_run(chain_probe(OpKind::add, 1, 1));
}

void MachineProbes::add_transposed_dot(const cost::Calibration::Dot& dot) {
  const std::vector<cost::Calibration::Dot> grid = transposed_grid(sizes_);
  const auto found = std::ranges::find(grid, dot);
  if (found == grid.end()) return;
  const auto index = static_cast<std::size_t>(found - grid.begin());
  constexpr std::array kLayouts{Layout::columns, Layout::rows};
  for (std::size_t i = 0; i < kLayouts.size(); ++i)
    transposed_[i][index] = probes_.add_run(dot_probe(dot, DType::f32, kLayouts[i]), turns_of(dot));
}

void MachineProbes::add_links() {
  using Runs = plan::CommunicationKind;
  small_ = probes_.add_message(0, 1, kSmallMessage);
  large_ = probes_.add_message(0, 1, sizes_.large_message);
  if (sizes_.sums.empty())
    reduced_ = probes_.add_collective(Runs::all_reduce, sizes_.large_message);
  kinds_ = {collectives(OpKind::all_reduce, Runs::all_reduce, sizes_.sums, 1),
            collectives(OpKind::all_gather, Runs::all_gather, sizes_.moves, setup_.num_ranks),
            collectives(OpKind::reduce_scatter, Runs::reduce_scatter, sizes_.moves, 1),
            collectives(OpKind::all_to_all, Runs::all_to_all, sizes_.moves, 1)};
}

MachineProbes::Kind MachineProbes::collectives(OpKind kind, plan::CommunicationKind runs,
                                               const std::vector<std::int64_t>& elements,
                                               std::int64_t parts) {
  Kind made{kind, {}};
  for (const std::int64_t all : elements) {
    const std::int64_t operand = all / setup_.num_ranks * setup_.num_ranks / parts;
    made.probes.emplace_back(operand, probes_.add_collective(runs, operand));
  }
  return made;
}

CalibrationRun MachineProbes::read(const std::vector<plan::StepTrace>& steps) const {
  const Readings of(probes_, steps, drives_gpus(setup_));
  cost::Calibration result;
  result.kernel_latency_s = of.typical(tiny_);
  read_dots(of, result);
  read_convolutions(of, result);
  read_attentions(of, result);
  read_loops(of, result);
  result.memory_bytes_per_s = sizes_.stream_bytes() / of.typical(stream_);
  result.peak_bytes_per_s = sizes_.stream_bytes() / of.best(stream_);
  result.copy_bytes_per_s = result.memory_bytes_per_s;
  memory_.read(
      [&](std::size_t probe) {
        return ProbeSeconds{of.typical(probe), of.best(probe)};
      },
      result);
  if (setup_.num_ranks > 1) read_links(of, result);
  double dots_s = 0, best_s = 0;  // the longest dots weigh most, and feel other work most
  for (const std::size_t dot : dots_) {
    dots_s += of.calm_s(dot);
    best_s += of.best(dot);
  }
  return {std::move(result), std::max(dots_s / best_s, of.held_up()) - 1};
}

void MachineProbes::read_dots(const Readings& of, cost::Calibration& result) const {
  result.dots = dot_grid(sizes_);
  for (std::size_t i = 0; i < dots_.size(); ++i) {
    result.dots[i].seconds = of.typical(dots_[i]);
    result.peak_flops = std::max(result.peak_flops, flops(result.dots[i]) / of.best(dots_[i]));
  }
  for (const auto& [dtype, probes] : narrow_dots_) {
    cost::Calibration::NarrowDots& narrow = result.narrow_dots[dtype];
    narrow.dots = narrow_grid(sizes_);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      narrow.dots[i].seconds = of.typical(probes[i]);
      narrow.peak_flops = std::max(narrow.peak_flops, flops(narrow.dots[i]) / of.best(probes[i]));
    }
    const auto hot = hot_dots_.find(dtype);
    if (hot != hot_dots_.end()) narrow = heated(std::move(narrow), of.typical(hot->second));
  }
  if (transposed_[0].empty()) return;
  result.dots_of_columns = result.dots_of_rows = transposed_grid(sizes_);
  for (std::size_t i = 0; i < transposed_[0].size(); ++i) {
    result.dots_of_columns[i].seconds = of.typical(transposed_[0][i]);
    result.dots_of_rows[i].seconds = of.typical(transposed_[1][i]);
  }
}

void MachineProbes::read_convolutions(const Readings& of, cost::Calibration& result) const {
  const cost::CostModel cost(cluster_of(setup_), &result);
  for (const auto& [dtype, all] : convolutions_) {
    std::vector<cost::Calibration::Convolution> measured;
    for (const auto& [extents, probe] : all) {
      measured.push_back({extents.batch, extents.m, extents.n, extents.k,
                          of.typical(probe) / cost.convolution_s(dtype, extents)});
    }
    result.convolutions[dtype] = std::move(measured);
  }
}

void MachineProbes::read_attentions(const Readings& of, cost::Calibration& result) const {
  result.attentions = attended_;
  for (std::size_t i = 0; i < attentions_.size(); ++i) {
    const auto rate = [&](const cost::AttentionDots::Pass& pass, std::size_t probe) {
      return pass.flops / std::max(1e-9, of.typical(probe) - result.kernel_latency_s);
    };
    const Attention& probe = attentions_[i];
    result.attentions[i].forward_flops_per_s = rate(probe.dots.forward, probe.forward);
    result.attentions[i].backward_flops_per_s = rate(probe.dots.backward, probe.backward);
  }
}

void MachineProbes::read_loops(const Readings& of, cost::Calibration& result) const {
  const auto elements = static_cast<double>(sizes_.loop_elements);
  const std::int64_t folded = sizes_.folded();
  const double one_s = of.typical(one_), one_folded_s = of.typical(one_folded_);
  const auto beyond = [&](std::size_t probe, double base_s) {
    return std::max(0.0, of.typical(probe) - base_s) / elements;
  };
  for (const auto& [kind, probe] : steps_of_)
    result.element_s[kind] = beyond(probe, one_s) / (kLoopSteps - 1);
  for (const auto& [kind, probe] : terms_of_)
    result.element_s[kind] = beyond(probe, of.typical(multiples_)) / kLoopSteps;
  const double add_s = result.element_s[OpKind::add];
  result.column_s = std::max(
      0.0,
      (of.typical(columns_) - one_folded_s) / (static_cast<double>(folded) * kColumnSums) - add_s);
  result.element_s[OpKind::transpose] = beyond(turned_, one_s) + add_s;
  for (std::size_t i = 0; i < folds_.size(); ++i) {
    const std::int64_t row = sizes_.rows[i];
    const double own_s =
        (of.typical(folds_[i]) - one_folded_s) / static_cast<double>(kFoldChain * (folded / row)) -
        2 * add_s * static_cast<double>(row);
    result.folds.push_back({row, std::max(0.0, own_s)});
  }
  result.element_s[OpKind::reduce] =
      result.folds.back().seconds / static_cast<double>(sizes_.rows.back());
  for (const OpKind kind : {OpKind::subtract, OpKind::minimum, OpKind::convert, OpKind::compare,
                            OpKind::iota, OpKind::absolute, OpKind::clamp})
    result.element_s[kind] = add_s;
}

void MachineProbes::read_links(const Readings& of, cost::Calibration& result) const {
  const double bytes = 4.0 * static_cast<double>(sizes_.large_message);
  const double small_s = of.calm_s(small_);
  result.intra_host = {bytes / std::max(1e-9, of.calm_s(large_) - small_s), small_s};
  result.peak_link_bytes_per_s =
      std::max(bytes / of.best(large_), drives_gpus(setup_) ? 0 : cached_copy_bytes_per_s());
  // A ring sends 2 (n - 1) / n of the bytes and adds (n - 1) / n of them.
  const double ranks = setup_.num_ranks, share = (ranks - 1) / ranks;
  if (sizes_.sums.empty()) {
    const double adding_s = of.calm_s(reduced_) - 2 * (ranks - 1) * result.intra_host.latency_s -
                            2 * share * bytes / result.intra_host.bytes_per_s;
    if (adding_s > 0) result.reduce_bytes_per_s = share * bytes / adding_s;
  }
  for (const Kind& each : kinds_) {
    std::vector<CollectiveShare> shares;
    for (const auto& [elements, probe] : each.probes)
      shares.push_back(share_of(each.kind, 4.0 * static_cast<double>(elements), of.calm_s(probe),
                                result.intra_host));
    if (each.kind == OpKind::all_reduce) result.collective_shares = std::move(shares);
    else if (!shares.empty()) result.shares_of_kind[each.kind] = std::move(shares);
  }
}

/// What prices are to make of the links' rate, that a collective over all ranks takes `seconds`.
CollectiveShare MachineProbes::share_of(OpKind kind, double bytes, double seconds,
                                        const Link& link) const {
  constexpr double kLeastPart = 0.25;  // of a small one all may be latency
  Cluster cluster = cluster_of(setup_);
  cluster.intra_host = link;
  cost::CollectiveProblem problem{kind, bytes};
  for (DeviceId device = 0; device < setup_.num_ranks; ++device) problem.group.push_back(device);
  const cost::Links links(cluster);
  const cost::CollectiveFlow flow = cost::collective_flow(problem, cluster, links);
  return {
      .bytes = bytes / setup_.num_ranks,
      .share = flow.transfer_s(links) / std::max(seconds - flow.latency_s, kLeastPart * seconds),
      .members = setup_.num_ranks};
}

}  // namespace rhino::calibrate
