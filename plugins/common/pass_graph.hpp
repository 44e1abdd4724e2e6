// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "rhino/pipeline.hpp"

namespace rhino::common {

/// Passes of a pipeline by number, with what they read of each other: every backward pass in two.
class PassGraph {
 public:
  struct Source {
    std::int32_t pass = 0;
    double seconds = 0;  ///< that what it makes is under way
  };

  explicit PassGraph(const PipelineProblem& problem)
      : num_micro_batches_(static_cast<std::int32_t>(problem.num_micro_batches)),
        sources_(kNumPasses * problem.chunks.size()),
        readers_(sources_.size()),
        seconds_(sources_.size()),
        mesh_of_(sources_.size()) {
    for (std::int32_t chunk = 0; chunk < static_cast<std::int32_t>(problem.chunks.size());
         ++chunk) {
      const ChunkCost& cost = problem.chunks[static_cast<std::size_t>(chunk)];
      const std::array<double, kNumPasses> seconds{cost.forward_s, cost.backward_s, cost.weight_s};
      for (std::size_t pass = 0; pass < kNumPasses; ++pass) {
        const std::int32_t number = of({static_cast<Pass>(pass), chunk});
        seconds_[index(number)] = seconds[pass];
        mesh_of_[index(number)] = cost.mesh;
        if (pass > 0) sources_[index(number)].push_back({number - 1, 0});
      }
    }
    for (const PipelineEdge& edge : problem.edges) {
      sources_[index(of(edge.to))].push_back({of(edge.from), edge.seconds});
      readers_[index(of(edge.from))].push_back(mesh_of(of(edge.to)));
    }
  }

  static std::int32_t of(const ChunkPass& pass) {
    return pass.chunk * static_cast<std::int32_t>(kNumPasses) +
           static_cast<std::int32_t>(pass.pass);
  }
  static std::int32_t chunk_of(std::int32_t pass) {
    return pass / static_cast<std::int32_t>(kNumPasses);
  }
  static Pass kind_of(std::int32_t pass) {
    return static_cast<Pass>(pass % static_cast<std::int32_t>(kNumPasses));
  }
  std::int32_t num_passes() const { return static_cast<std::int32_t>(seconds_.size()); }
  std::int32_t num_micro_batches() const { return num_micro_batches_; }
  const std::vector<Source>& sources(std::int32_t pass) const { return sources_[index(pass)]; }
  /// Meshes that read it over edges.
  const std::vector<std::int32_t>& readers(std::int32_t pass) const {
    return readers_[index(pass)];
  }
  double seconds(std::int32_t pass) const { return seconds_[index(pass)]; }
  /// All passes of a step on the mesh that has most to do.
  double busiest_s() const {
    std::vector<double> work_s;
    for (std::int32_t pass = 0; pass < num_passes(); ++pass) {
      work_s.resize(std::max(work_s.size(), index(mesh_of(pass)) + 1));
      work_s[index(mesh_of(pass))] += num_micro_batches_ * seconds(pass);
    }
    return *std::ranges::max_element(work_s);
  }
  std::int32_t mesh_of(std::int32_t pass) const { return mesh_of_[index(pass)]; }

 private:
  static std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

  std::int32_t num_micro_batches_;
  std::vector<std::vector<Source>> sources_;
  std::vector<std::vector<std::int32_t>> readers_;
  std::vector<double> seconds_;
  std::vector<std::int32_t> mesh_of_;
};

/// When passes of one step end; those that have not been played end never.
class PassEnds {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  explicit PassEnds(const PassGraph& graph)
      : graph_(graph),
        ends_s_(static_cast<std::size_t>(graph.num_passes()) *
                    static_cast<std::size_t>(graph.num_micro_batches()),
                kNever) {}

  /// When all that a pass reads is there.
  double ready_s(std::int32_t pass, std::int32_t micro_batch) const {
    double ready = 0;
    for (const PassGraph::Source& source : graph_.sources(pass))
      ready = std::max(ready, ends_s_[index(source.pass, micro_batch)] + source.seconds);
    return ready;
  }
  void set(std::int32_t pass, std::int32_t micro_batch, double seconds) {
    ends_s_[index(pass, micro_batch)] = seconds;
  }

 private:
  std::size_t index(std::int32_t pass, std::int32_t micro_batch) const {
    return static_cast<std::size_t>(pass) * static_cast<std::size_t>(graph_.num_micro_batches()) +
           static_cast<std::size_t>(micro_batch);
  }

  const PassGraph& graph_;
  std::vector<double> ends_s_;
};

/// A pass of one micro-batch in the order of a mesh.
struct PassUse {
  std::int32_t pass = 0, micro_batch = 0;
};
using PassLists = std::vector<std::vector<PassUse>>;  ///< [mesh]

struct StepTimes {
  double period_s = 0;    ///< of steps back to back, on the mesh that takes longest
  double makespan_s = 0;  ///< of the first
  auto operator<=>(const StepTimes&) const = default;
};

/// What meshes that work off these lists take, what crosses delaying its receiver alone. The lists
/// must not wait for each other in a circle.
inline StepTimes step_times(const PassGraph& graph, const PassLists& lists) {
  constexpr int kSteps = 3;
  std::vector<double> now_s(lists.size(), 0), first_s(lists.size(), 0);
  StepTimes times;
  for (int step = 0; step < kSteps; ++step) {
    PassEnds ends(graph);
    std::vector<std::size_t> next(lists.size(), 0);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t mesh = 0; mesh < lists.size(); ++mesh) {
        for (; next[mesh] < lists[mesh].size(); ++next[mesh]) {
          const PassUse& use = lists[mesh][next[mesh]];
          const double ready_s = ends.ready_s(use.pass, use.micro_batch);
          if (ready_s == PassEnds::kNever) break;
          now_s[mesh] = std::max(now_s[mesh], ready_s) + graph.seconds(use.pass);
          ends.set(use.pass, use.micro_batch, now_s[mesh]);
          moved = true;
        }
      }
    }
    if (step == 0) first_s = now_s;
  }
  for (std::size_t mesh = 0; mesh < lists.size(); ++mesh) {
    times.makespan_s = std::max(times.makespan_s, first_s[mesh]);
    times.period_s = std::max(times.period_s, (now_s[mesh] - first_s[mesh]) / (kSteps - 1));
  }
  return times;
}

}  // namespace rhino::common
