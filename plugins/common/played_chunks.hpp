// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "rhino/pipeline.hpp"

namespace rhino::common {

/// Orders forwards and whole backward passes by playing a chain of chunks through with F = 1, BW =
/// 2 and free transfers: a mesh does what it can begin first; of what it can begin at once a
/// backward pass, else the forward of its latest chunk. Micro-batches keep their order.
class PlayedChunks {
 public:
  struct Rules {
    std::vector<std::vector<std::int32_t>> micro_batches;  ///< per replica
    /// Per chunk: micro-batches between its F and their BW.
    std::vector<std::int32_t> most_kept;
  };

  PlayedChunks(const PipelineProblem& problem, Rules rules)
      : rules_(std::move(rules)),
        chunks_each_(static_cast<std::int32_t>(problem.chunks.size()) / problem.num_replicas),
        free_s_(static_cast<std::size_t>(problem.num_meshes)) {
    for (const ChunkCost& cost : problem.chunks) chunks_.emplace_back().mesh = cost.mesh;
    schedule_.order.resize(free_s_.size());
  }

  PipelineSchedule play() && {
    while (const std::optional<Step> next = first()) run(*next);
    return std::move(schedule_);
  }

 private:
  struct Chunk {
    std::int32_t mesh = 0;
    std::vector<std::int64_t> forward_s, backward_s;  ///< when those that are done end
  };
  /// In the order of preference.
  struct Step {
    std::int64_t begin_s = 0;
    bool is_forward = false;
    std::int32_t rank = 0;
    std::int32_t chunk = 0;
    auto operator<=>(const Step&) const = default;
  };

  static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }
  const std::vector<std::int32_t>& micro_batches(std::int32_t chunk) const {
    return rules_.micro_batches[at(chunk / chunks_each_)];
  }

  std::optional<Step> first() const {
    std::optional<Step> best;
    for (std::int32_t c = 0; c < std::ssize(chunks_); ++c) {
      for (const std::optional<Step>& step : {backward(c), forward(c)}) {
        if (step && (!best || *step < *best)) best = step;
      }
    }
    return best;
  }
  std::optional<Step> forward(std::int32_t c) const {
    const Chunk& chunk = chunks_[at(c)];
    const std::size_t number = chunk.forward_s.size();
    const bool has_room = number - chunk.backward_s.size() < at(rules_.most_kept[at(c)]);
    if (number == micro_batches(c).size() || !has_room) return std::nullopt;
    std::int64_t ready_s = 0;
    if (c % chunks_each_ > 0) {
      const std::vector<std::int64_t>& before_s = chunks_[at(c - 1)].forward_s;
      if (before_s.size() <= number) return std::nullopt;
      ready_s = before_s[number];
    }
    return Step{std::max(ready_s, free_s_[at(chunk.mesh)]), true, -(c % chunks_each_), c};
  }
  std::optional<Step> backward(std::int32_t c) const {
    const Chunk& chunk = chunks_[at(c)];
    const std::size_t number = chunk.backward_s.size();
    if (number == chunk.forward_s.size()) return std::nullopt;
    std::int64_t ready_s = chunk.forward_s[number];
    if ((c + 1) % chunks_each_ > 0) {
      const std::vector<std::int64_t>& behind_s = chunks_[at(c + 1)].backward_s;
      if (behind_s.size() <= number) return std::nullopt;
      ready_s = std::max(ready_s, behind_s[number]);
    }
    return Step{std::max(ready_s, free_s_[at(chunk.mesh)]), false, c % chunks_each_, c};
  }

  void run(const Step& step) {
    Chunk& chunk = chunks_[at(step.chunk)];
    std::vector<std::int64_t>& ends_s = step.is_forward ? chunk.forward_s : chunk.backward_s;
    const ActionKind kind = step.is_forward ? ActionKind::forward : ActionKind::backward_weight;
    schedule_.order[at(chunk.mesh)].push_back(
        {kind, step.chunk, micro_batches(step.chunk)[ends_s.size()]});
    free_s_[at(chunk.mesh)] = step.begin_s + (step.is_forward ? 1 : 2);
    ends_s.push_back(free_s_[at(chunk.mesh)]);
  }

  const Rules rules_;
  const std::int32_t chunks_each_;
  std::vector<Chunk> chunks_;
  std::vector<std::int64_t> free_s_;  ///< [mesh]
  PipelineSchedule schedule_;
};

}  // namespace rhino::common
