// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/segments.hpp"
#include "common/strategy_graph.hpp"
#include "rhino/error.hpp"
#include "rhino/search.hpp"

/// What a strategy is of beside the cuts of its values: stages, mesh axes, micro-batches, and what
/// is made anew.
namespace rhino::common {

/// What backward passes make anew.
enum class Recompute : std::uint8_t {
  nothing,
  cheap,     ///< all but dots, convolutions and the like
  most,      ///< and of these such as take little time for their bytes, as attention's do
  segments,  ///< all but what leaves segments, one after the other
  all,       ///< whole forward passes of chunks
};
inline constexpr Recompute kLeastFirst[] = {Recompute::nothing, Recompute::cheap, Recompute::most,
                                            Recompute::segments, Recompute::all};

struct Configuration {
  std::int64_t num_stages = 1;
  std::vector<std::int64_t> axes;  ///< of the mesh of each stage, major first
  std::int64_t num_micro_batches = 1;
  Recompute recompute = Recompute::nothing;
  bool operator==(const Configuration&) const = default;

  bool is_of_mesh(const Configuration& other) const {
    return num_stages == other.num_stages && axes == other.axes;
  }

  /// Of one stage.
  std::int64_t num_devices() const {
    std::int64_t count = 1;
    for (const std::int64_t size : axes) count *= size;
    return count;
  }

  /// By how much passes that wait for others lengthen a step of which stages do equal parts.
  double fill() const {
    return 1 + static_cast<double>(num_stages - 1) / static_cast<double>(num_micro_batches);
  }

  std::string name() const {
    constexpr const char* kWords[] = {"", ", recomputing what is cheap", ", recomputing most",
                                      ", recomputing segments", ", recomputing"};
    std::string text = "stage " + std::to_string(num_stages) + " x mesh ";
    for (std::size_t i = 0; i < axes.size(); ++i)
      text += (i > 0 ? "x" : "") + std::to_string(axes[i]);
    return text + ", " + micro_batches_text(num_micro_batches) +
           kWords[static_cast<std::size_t>(recompute)];
  }

  std::vector<MeshAxis> mesh_axes() const {
    std::vector<MeshAxis> named;
    for (std::size_t i = 0; i < axes.size(); ++i)
      named.push_back({std::string(1, static_cast<char>('a' + i)), axes[i]});
    return named;
  }
};

/// Whatever their micro-batches.
inline bool is_of_any(const Configuration& one, const std::vector<Configuration>& meshes) {
  return std::ranges::any_of(meshes, [&](const Configuration& of) { return of.is_of_mesh(one); });
}

/// All ordered factorizations into at most so many factors of at least 2; {1} of 1.
inline std::vector<std::vector<std::int64_t>> factorizations(std::int64_t number,
                                                             std::size_t most_factors) {
  std::vector<std::vector<std::int64_t>> all{{number}};
  if (most_factors == 1) return all;
  for (std::int64_t first = 2; first < number; ++first) {
    if (number % first != 0) continue;
    for (std::vector<std::int64_t> rest : factorizations(number / first, most_factors - 1)) {
      rest.insert(rest.begin(), first);
      all.push_back(std::move(rest));
    }
  }
  return all;
}

/// Devices that a strategy may do with, most first: those of all hosts, of the first half of them,
/// and so on down to one host and to one device. Where links are slow, fewer may be quicker.
inline std::vector<std::int64_t> device_counts(const Cluster& cluster) {
  std::vector<std::int64_t> counts;
  for (std::size_t hosts = cluster.hosts.size(); hosts > 0; hosts /= 2) {
    std::int64_t count = 0;
    for (std::size_t h = 0; h < hosts; ++h) count += std::ssize(cluster.hosts[h].devices);
    counts.push_back(count);
  }
  if (counts.back() > 1) counts.push_back(1);
  return counts;
}

/// All that use the first so many devices of a cluster, without recomputation.
inline std::vector<Configuration> configurations(const SearchProblem& problem,
                                                 std::int64_t num_devices, std::size_t most_axes) {
  std::vector<Configuration> all;
  for (std::int64_t stages = 1; stages <= num_devices; ++stages) {
    if (num_devices % stages != 0) continue;
    for (const auto& axes : factorizations(num_devices / stages, most_axes)) {
      for (const std::int64_t count : problem.micro_batch_counts)
        all.push_back({stages, axes, count});
    }
  }
  return all;
}

/// Of any of the device counts.
inline std::vector<Configuration> configurations(const SearchProblem& problem,
                                                 std::size_t most_axes) {
  std::vector<Configuration> all;
  for (const std::int64_t count : device_counts(problem.cluster)) {
    for (Configuration& one : configurations(problem, count, most_axes))
      all.push_back(std::move(one));
  }
  return all;
}

/// Those that differ in micro-batches alone; they stand together.
inline std::vector<std::vector<Configuration>> by_mesh(const std::vector<Configuration>& all) {
  std::vector<std::vector<Configuration>> groups;
  for (const Configuration& configuration : all) {
    const bool is_new = groups.empty() || groups.back().front().axes != configuration.axes;
    if (is_new) groups.emplace_back();
    groups.back().push_back(configuration);
  }
  return groups;
}

inline std::vector<Configuration> every_second(const std::vector<Configuration>& all) {
  std::vector<Configuration> some;
  for (std::size_t i = 0; i < all.size(); i += 2) some.push_back(all[i]);
  return some;
}

namespace detail {

inline bool is_heavy(const Op& op) {
  return op.kind == OpKind::dot || op.kind == OpKind::convolution;
}

/// Multiplications per byte that is kept.
inline double intensity(const Program& program, const Op& op) {
  double terms = 1;
  if (const auto* dot = op.attributes.get_if<DotAttr>()) {
    for (const std::int64_t dim : dot->lhs_contracting)
      terms *= static_cast<double>(program.shape(op.operands[0]).dims[at(dim)]);
  }
  return terms / static_cast<double>(dtype_bytes(op.shape.dtype));
}

}  // namespace detail

/// Values as Strategy::recompute lists them.
inline std::vector<ValueId> recomputed(const Program& program, Recompute recompute) {
  std::vector<ValueId> values;
  if (recompute == Recompute::nothing || recompute == Recompute::all) return values;
  if (recompute == Recompute::segments) return remade_segments(program);
  double most = 0;
  for (const Op& op : program.ops) {
    if (op.phase == Phase::forward && op.kind == OpKind::dot)
      most = std::max(most, detail::intensity(program, op));
  }
  for (ValueId id = 0; id < program.size(); ++id) {
    const Op& op = program.op(id);
    const bool is_wanted =
        !detail::is_heavy(op) || (recompute == Recompute::most && op.kind == OpKind::dot &&
                                  detail::intensity(program, op) < most / 4);
    if (op.phase == Phase::forward && !op.operands.empty() && is_wanted) values.push_back(id);
  }
  return values;
}

/// Lets all chunks of a strategy make so much anew.
inline void set_recompute(Strategy& strategy, const Program& program, Recompute recompute) {
  strategy.recompute = recomputed(program, recompute);
  for (Chunk& chunk : strategy.chunks) chunk.recompute = recompute == Recompute::all;
}

/// Runs a strategy in so many micro-batches: what mesh axes cut of each follows, what they cut in
/// strips of its own stays. Whether that divides, the core says.
inline void set_micro_batches(Strategy& strategy, std::int64_t count) {
  const std::vector<MeshAxis>& axes = strategy.chunks.front().mesh.axes;
  for (ShardingSpec& spec : strategy.specs) {
    for (DimSharding& dim : spec.dims) {
      auto split = std::ranges::find(dim.splits, kMicroAxis, &AxisSplit::axis);
      if (split == dim.splits.end()) continue;
      std::int64_t before = split->period / strategy.num_micro_batches;
      std::int64_t now = split->period / count;
      while (++split != dim.splits.end() && split->period == before) {
        split->period = now;
        before /= axes[at(split->axis)].size;
        now /= axes[at(split->axis)].size;
      }
    }
  }
  strategy.num_micro_batches = count;
}

/// A strategy of a configuration whose values are cut by micro-batches alone; `stage_of` as of
/// StrategyDraft::chunk_of. Throws Error where the batch does not divide, or there are too few ops
/// for so many stages.
inline Strategy uncut(const SearchProblem& problem, Strategies& strategies,
                      const Configuration& configuration,
                      const std::vector<std::int32_t>& stage_of = {}) {
  StrategyDraft draft{
      .name = configuration.name(),
      .num_micro_batches = configuration.num_micro_batches,
      .chunks = strategies.chunks(static_cast<std::int32_t>(configuration.num_stages),
                                  configuration.mesh_axes()),
      .annotations = {},
      .chunk_of = stage_of,
      .recompute = recomputed(problem.program, configuration.recompute),
      .gradient_sums = {}};
  for (Chunk& chunk : draft.chunks) chunk.recompute = configuration.recompute == Recompute::all;
  return strategies.complete(draft);
}

/// Of the graph that cuts the values of a strategy, by how its chunks run.
inline StrategyGraph::Options graph_options(const SearchProblem& problem, ChunkFlow flow,
                                            const Strategy& strategy) {
  return {.num_micro_batches = strategy.num_micro_batches,
          .chunk_of = strategy.chunk_of,
          .flow = std::move(flow),
          .pins = problem.pins,
          .axes = strategy.chunks.front().mesh.axes};
}

/// The first; nullptr: there is none.
inline const Pin* broken_pin(const SearchProblem& problem, const Strategy& strategy) {
  const auto broken = std::ranges::find_if_not(problem.pins, [&](const Pin& pin) {
    const std::int32_t chunk = std::max(strategy.chunk_of[at(pin.value)], 0);
    return pin.allows(strategy.specs[at(pin.value)], strategy.chunks[at(chunk)].mesh.axes);
  });
  return broken == problem.pins.end() ? nullptr : &*broken;
}

inline bool keeps_pins(const SearchProblem& problem, const Strategy& strategy) {
  return broken_pin(problem, strategy) == nullptr;
}

/// What configurations take at least: a step has to run all dots, each at best in its quickest cut,
/// and of unlike meshes on that which is the quickest for it.
class LeastSteps {
 public:
  /// Borrowed.
  LeastSteps(const Cluster& cluster, Strategies& strategies, bool strided)
      : cluster_(cluster), strategies_(strategies), strided_(strided) {}

  /// Of a device, in dots, where the stages share them equally. Infinite: the batch does not
  /// divide; whoever searches says why.
  double of(const Configuration& one) {
    const auto [found, is_new] =
        known_.try_emplace({one.num_stages, one.axes, one.num_micro_batches});
    if (is_new) found->second = seconds(one);
    return found->second;
  }

  /// No strategy of these takes less.
  double of(const std::vector<Configuration>& all) {
    double least_s = std::numeric_limits<double>::infinity();
    for (const Configuration& one : all) least_s = std::min(least_s, of(one));
    return least_s;
  }

 private:
  double seconds(const Configuration& one) {
    try {
      return strategies_.least_device_s(unlike_meshes(one)) /
             static_cast<double>(one.num_stages * one.num_devices());
    } catch (const Error&) {
      return std::numeric_limits<double>::infinity();
    }
  }

  /// The first of each kind: in dots, meshes of the same models take the same time.
  std::vector<SpaceOptions> unlike_meshes(const Configuration& one) const {
    std::vector<SpaceOptions> meshes;
    std::set<std::vector<std::int32_t>> known;
    const auto stages = static_cast<std::int32_t>(one.num_stages);
    for (const Chunk& chunk : strategies_.chunks(stages, one.mesh_axes())) {
      std::vector<std::int32_t> models;
      for (const DeviceId device : chunk.mesh.devices)
        models.push_back(cluster_.model_of[at(device)]);
      if (known.insert(std::move(models)).second)
        meshes.push_back(
            {.mesh = chunk.mesh, .num_micro_batches = one.num_micro_batches, .strided = strided_});
    }
    return meshes;
  }

  const Cluster& cluster_;
  Strategies& strategies_;
  bool strided_;
  /// By stages, axes and micro-batches.
  std::map<std::tuple<std::int64_t, std::vector<std::int64_t>, std::int64_t>, double> known_;
};

}  // namespace rhino::common
