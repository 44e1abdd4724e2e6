// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/candidate.hpp"
#include "common/cutting.hpp"
#include "common/linear_stages.hpp"
#include "common/needed_text.hpp"
#include "common/shortlist.hpp"
#include "common/stage_sizes.hpp"
#include "rhino/error.hpp"

namespace rhino::common {

/// Pipelines whose stages have meshes of their own: where each begins, how many devices it has, on
/// which axes, and how they cut its values, chosen together. Each size of mesh cuts the whole
/// program as is cheapest there, and a stage takes what its ops then do.
class UnequalStages {
 public:
  struct Options {
    std::size_t most_axes = 2;
    std::int64_t num_stages = 0;  ///< 0: any number
  };

  /// Both are borrowed.
  UnequalStages(const SearchProblem& problem, Cutting& cutting, const Options& options)
      : problem_(problem), cutting_(cutting), options_(options) {}

  /// No strategy of the first so many devices takes less: each dot where devices times seconds are
  /// least, all devices at work all the time. Infinite: there are none.
  double least_s(std::int64_t num_devices) const {
    double least_s = std::numeric_limits<double>::infinity();
    if (num_devices < 3 || !is_plain()) return least_s;
    for (const std::int64_t count : problem_.micro_batch_counts) {
      try {
        least_s =
            std::min(least_s, cutting_.strategies().least_device_s(meshes(num_devices, count)));
      } catch (const Error&) {  // the batch does not divide
      }
    }
    return least_s / static_cast<double>(num_devices);
  }

  /// Adds those of the first so many devices that fit by their estimate, in as many micro-batches
  /// as what is the quickest so far has, and as the most. None where devices or hosts differ, or
  /// the schedule lets a mesh have more than one chunk.
  void run(std::int64_t num_devices, Shortlist& shortlist) {
    if (num_devices < 3 || !is_plain()) return;
    std::vector<std::int64_t> counts{problem_.micro_batch_counts.back()};
    const auto quickest = std::ranges::min_element(shortlist.all(), {}, &Candidate::step_s);
    if (quickest != shortlist.all().end() &&
        !contains(counts, quickest->configuration.num_micro_batches))
      counts.push_back(quickest->configuration.num_micro_batches);
    for (const std::int64_t count : counts) {
      for (Candidate& one : found(num_devices, count)) shortlist.add(std::move(one));
    }
  }

 private:
  /// A mesh, and how it cuts the program.
  struct Cut {
    std::vector<std::int64_t> axes;
    std::int64_t num_devices = 1;
    std::vector<ShardingSpec> specs;
    LinearStages work;
  };

  static constexpr std::size_t kMostUnits = 64, kMostFound = 6;

  std::vector<Candidate> found(std::int64_t num_devices, std::int64_t num_micro_batches) {
    std::vector<Candidate> found;
    add_cuts(num_devices, num_micro_batches);
    if (cuts_.empty()) return found;
    const std::vector<std::size_t> borders = cuts_.front().work.borders(kMostUnits);
    const StageSizes stages(sizes(borders), num_devices, devices_per_host(), num_micro_batches);
    for (const StageSizes::Plan& plan : stages.run()) {
      if (found.size() == kMostFound) break;
      if (options_.num_stages != 0 && std::ssize(plan.stages) != options_.num_stages) continue;
      if (is_unequal(plan)) add(plan, borders, num_micro_batches, found);
    }
    return found;
  }

  std::int64_t devices_per_host() const {
    return std::ssize(problem_.cluster.hosts.front().devices);
  }

  bool is_plain() const {
    const Cluster& cluster = problem_.cluster;
    for (const Host& host : cluster.hosts)
      if (std::ssize(host.devices) != devices_per_host()) return false;
    for (const std::int32_t model : cluster.model_of)
      if (model != cluster.model_of.front()) return false;
    return cluster.own_links.empty() && is_chain();
  }

  /// Whether the schedule, which may refuse searchers at all, gives each of two meshes a chunk.
  bool is_chain() const {
    try {
      const std::vector<Chunk> two = cutting_.strategies().chunks(2, {{"a", 1}});
      return two.size() == 2 && two.front().mesh.devices == std::vector<DeviceId>{0} &&
             two.back().mesh.devices == std::vector<DeviceId>{1};
    } catch (const Error&) {
      return false;
    }
  }

  /// Of fewer devices; axes in another order cut dots alike.
  std::vector<SpaceOptions> meshes(std::int64_t num_devices, std::int64_t num_micro_batches) const {
    std::vector<SpaceOptions> meshes;
    for (std::int64_t count = 1; count < num_devices; ++count) {
      for (const auto& axes : factorizations(count, options_.most_axes)) {
        if (!std::ranges::is_sorted(axes)) continue;
        const Configuration one{1, axes, num_micro_batches};
        meshes.push_back({.mesh = cutting_.strategies().chunks(1, one.mesh_axes()).front().mesh,
                          .num_micro_batches = num_micro_batches,
                          .strided = cutting_.options().strided});
      }
    }
    return meshes;
  }

  /// Of all meshes of fewer devices over which the batch divides.
  void add_cuts(std::int64_t num_devices, std::int64_t num_micro_batches) {
    cuts_.clear();
    for (std::int64_t count = 1; count < num_devices; ++count) {
      for (const auto& axes : factorizations(count, options_.most_axes)) {
        const Configuration one{1, axes, num_micro_batches};
        try {
          const CutChoice choice = cutting_.choice(one, Cutting::segments);
          const choice::Labels labels =
              choice.solve(cutting_.effort(one, Cutting::segments)).labels;
          cuts_.push_back({axes, count, choice.strategy(labels).specs,
                           LinearStages(problem_.program, by_op(choice.all_seconds(labels)))});
        } catch (const Error&) {  // the batch does not divide: so it is said of equal meshes
        }
      }
    }
  }

  /// What belongs to an input goes to the first forward op that reads it.
  std::vector<double> by_op(std::vector<double> seconds) const {
    const Program& program = problem_.program;
    std::vector<bool> is_taken(at(program.size()));
    for (ValueId id = 0; id < program.size(); ++id) {
      if (program.op(id).phase != Phase::forward) continue;
      for (const ValueId operand : program.op(id).operands) {
        if (!program.op(operand).operands.empty() || is_taken[at(operand)]) continue;
        is_taken[at(operand)] = true;
        seconds[at(id)] += std::exchange(seconds[at(operand)], 0);
      }
    }
    return seconds;
  }

  std::vector<StageSizes::Size> sizes(const std::vector<std::size_t>& borders) const {
    std::vector<StageSizes::Size> sizes;
    for (const Cut& cut : cuts_) {
      StageSizes::Size& size = sizes.emplace_back();
      size.num_devices = cut.num_devices;
      for (std::size_t i = 0; i + 1 < borders.size(); ++i)
        size.work_s.push_back(cut.work.work(borders[i], borders[i + 1]));
    }
    return sizes;
  }

  static bool is_unequal(const StageSizes::Plan& plan) {
    return std::ranges::any_of(plan.stages, [&](const StageSizes::Stage& stage) {
      return stage.size != plan.stages.front().size;
    });
  }

  void add(const StageSizes::Plan& plan, const std::vector<std::size_t>& borders,
           std::int64_t num_micro_batches, std::vector<Candidate>& found) {
    Candidate candidate;
    candidate.configuration.num_stages = std::ssize(plan.stages);
    candidate.configuration.num_micro_batches = num_micro_batches;
    try {
      candidate.strategy = strategy(plan, borders, num_micro_batches);
      for (const Recompute recompute : kLeastFirst) {
        candidate.configuration.recompute = recompute;
        set_recompute(candidate.strategy, problem_.program, recompute);
        candidate.estimate = cutting_.strategies().estimate(candidate.strategy);
        if (is_small(problem_, candidate.estimate)) return found.push_back(std::move(candidate));
      }
      cutting_.strategies().reject(candidate.strategy.name,
                                   needed_text(candidate.estimate.peak_bytes));
    } catch (const Error& error) {
      cutting_.strategies().reject(candidate.strategy.name, error.what());
    }
  }

  Strategy strategy(const StageSizes::Plan& plan, const std::vector<std::size_t>& borders,
                    std::int64_t num_micro_batches) {
    StrategyDraft draft;
    draft.num_micro_batches = num_micro_batches;
    draft.chunk_of.assign(at(problem_.program.size()), -1);
    const std::vector<ValueId>& ops = cuts_.front().work.ops();
    DeviceId next = 0;
    for (const StageSizes::Stage& stage : plan.stages) {
      const Cut& cut = cuts_[stage.size];
      draft.name += (draft.chunks.empty() ? "stages on " : " + ") + text(cut.axes);
      for (std::size_t i = borders[stage.begin]; i < borders[stage.end]; ++i)
        draft.chunk_of[at(ops[i])] = static_cast<std::int32_t>(draft.chunks.size());
      Mesh& mesh = draft.chunks.emplace_back().mesh;
      Configuration padded{1, cut.axes, num_micro_batches};
      padded.axes.resize(options_.most_axes, 1);
      mesh.axes = padded.mesh_axes();
      for (std::int64_t d = 0; d < cut.num_devices; ++d) mesh.devices.push_back(next++);
    }
    draft.name += ", " + micro_batches_text(num_micro_batches);
    Strategy made = cutting_.strategies().complete(draft);
    for (ValueId id = 0; id < problem_.program.size(); ++id) {
      const std::int32_t chunk = made.chunk_of[at(id)];
      if (chunk >= 0) made.specs[at(id)] = cuts_[plan.stages[at(chunk)].size].specs[at(id)];
    }
    return made;
  }

  static std::string text(const std::vector<std::int64_t>& axes) {
    std::string text;
    for (const std::int64_t size : axes) text += (text.empty() ? "" : "x") + std::to_string(size);
    return text;
  }

  const SearchProblem& problem_;
  Cutting& cutting_;
  Options options_;
  std::vector<Cut> cuts_;
};

}  // namespace rhino::common
