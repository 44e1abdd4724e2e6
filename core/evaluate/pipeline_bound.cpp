// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pipeline_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// Of the edge between two passes of neighbours.
double crossing_s(const PipelineProblem& problem, const ChunkPass& from, const ChunkPass& to) {
  const auto edge = std::ranges::find_if(
      problem.edges, [&](const PipelineEdge& each) { return each.from == from && each.to == to; });
  return edge == problem.edges.end() ? 0 : edge->seconds;
}

double whole_s(const ChunkCost& chunk) {
  return std::min(chunk.backward_weight_s, chunk.backward_s + chunk.weight_s);
}
/// What of a backward pass may come after its gradient has left.
double late_s(const ChunkCost& chunk) { return std::max(0.0, whole_s(chunk) - chunk.backward_s); }

/// The windows of a mesh, between passes of its own, in which only some of its work is there to do.
class MeshBound {
 public:
  MeshBound(const PipelineProblem& problem, std::int32_t mesh)
      : problem_(problem),
        limit_bytes_(
            problem.activation_limit_bytes.empty() ? 0 : problem.activation_limit_bytes[at(mesh)]),
        all_(static_cast<double>(problem.num_micro_batches)) {
    for (std::int32_t c = 0; c < std::ssize(problem.chunks); ++c)
      if (problem.chunks[at(c)].mesh == mesh) chunks_.push_back(c);
  }

  double seconds() const {
    double work_s = 0, update_s = 0;
    for (const std::int32_t c : chunks_) {
      work_s += all_ * (chunk(c).forward_s + whole_s(chunk(c)));
      update_s += chunk(c).update_s;
    }
    // Updates may lie where passes would idle.
    return work_s + std::max({idle_s(), update_s, chunks_.size() == 1 ? room_s() - work_s : 0});
  }

 private:
  const ChunkCost& chunk(std::int32_t number) const { return problem_.chunks[at(number)]; }
  const ChunkCost& last() const { return chunk(chunks_.back()); }

  /// From the end of F of the last chunk here until its B may begin.
  double there_and_back_s() const {
    const auto end = static_cast<std::int32_t>(problem_.chunks.size()) - 1;
    double seconds = 0;
    for (std::int32_t c = chunks_.back(); c < end; ++c)
      seconds += crossing_s(problem_, {Pass::forward, c}, {Pass::forward, c + 1}) +
                 chunk(c + 1).forward_s + chunk(c + 1).backward_s +
                 crossing_s(problem_, {Pass::backward, c + 1}, {Pass::backward, c});
    return seconds;
  }
  /// From the beginning of the first F here until the first B may begin.
  double until_gradient_s() const {
    double seconds = last().forward_s + there_and_back_s();
    for (std::int32_t c = chunks_.front(); c < chunks_.back(); ++c)
      seconds +=
          chunk(c).forward_s + crossing_s(problem_, {Pass::forward, c}, {Pass::forward, c + 1});
    return seconds;
  }
  /// From the end of the last B here until the next step's first F may begin; or, of one step, what
  /// it lasts before the first F and after the last B.
  double until_next_s() const {
    const std::int32_t first = chunks_.front();
    if (first == 0) return 0;
    double seconds = late_s(chunk(0));
    for (std::int32_t c = 0; c < first; ++c)
      seconds += chunk(c).forward_s + chunk(c).backward_s +
                 crossing_s(problem_, {Pass::forward, c}, {Pass::forward, c + 1}) +
                 crossing_s(problem_, {Pass::backward, c + 1}, {Pass::backward, c});
    return seconds;
  }

  static double forward_bytes(const ChunkCost& chunk) {
    return chunk.forward_to_backward_bytes + chunk.forward_to_weight_bytes;
  }
  /// Whichever of its passes are over.
  static double least_bytes(const ChunkCost& chunk) {
    return chunk.forward_to_weight_bytes +
           std::min(chunk.forward_to_backward_bytes, chunk.backward_to_weight_bytes);
  }
  /// How many micro-batches, `reserved` aside, there is room for; of several chunks a share.
  double room(double bytes, double reserved) const {
    constexpr double kRounding = 1e-9;
    if (limit_bytes_ <= 0 || bytes <= 0) return std::numeric_limits<double>::infinity();
    const double most = limit_bytes_ / bytes;
    return std::max(0.0, (chunks_.size() == 1 ? std::floor(most + kRounding) : most) - reserved);
  }
  /// The most seconds of all chunks' that fit.
  template <class Seconds>
  double most_s(double (*bytes)(const ChunkCost&), double reserved, Seconds&& seconds) const {
    double sum_s = 0, best_s = 0;
    for (const std::int32_t c : chunks_) {
      const double each_s = seconds(chunk(c));
      sum_s += each_s;
      if (each_s > 0) best_s = std::max(best_s, room(bytes(chunk(c)), reserved) * each_s);
    }
    return std::min((all_ - reserved) * sum_s, best_s);
  }

  double idle_s() const {
    const auto forward_s = [](const ChunkCost& chunk) { return chunk.forward_s; };
    const double first_s = std::max(0.0, until_gradient_s() - most_s(forward_bytes, 0, forward_s));
    // Behind the last F no other can fill the time until its B, nor anything but W what follows.
    const double back_s = most_s(least_bytes, 1, whole_s), after_s = there_and_back_s() - back_s,
                 between_s = until_next_s() - most_s(least_bytes, 0, late_s),
                 both_s = there_and_back_s() + until_next_s() - back_s - own_late_s();
    const double end_s =
        std::max(std::max(0.0, after_s) + std::max(0.0, between_s), std::max(0.0, both_s));
    // Where all Fs may come before the first B, both windows may be one.
    const bool is_apart = chunks_.size() == 1 && room(forward_bytes(last()), 0) < all_;
    return is_apart ? first_s + end_s : std::max(first_s + std::max(0.0, between_s), end_s);
  }
  double own_late_s() const {
    double seconds = 0;
    for (const std::int32_t c : chunks_) seconds += late_s(chunk(c));
    return seconds;
  }

  /// Every micro-batch needs its place here until it has been there and back; Fs come one after the
  /// other, and so do the last passes.
  double room_s() const {
    const double places = std::max(1.0, room(least_bytes(last()), 0));
    if (places >= all_) return 0;
    const double kept_s = last().forward_s + there_and_back_s() + last().backward_s,
                 ramp_s = (places - 1) / 2;
    return std::max(
        all_ * (kept_s + late_s(last())) / places + ramp_s * (last().forward_s + late_s(last())),
        all_ * kept_s / places + ramp_s * last().forward_s + until_next_s());
  }

  const PipelineProblem& problem_;
  const double limit_bytes_, all_;
  std::vector<std::int32_t> chunks_;
};

}  // namespace

/// Where there are several replicas: of any mesh the least work that micro-batches bring to it.
static double replicas_bound_s(const PipelineProblem& problem) {
  const std::size_t chunks_each = problem.chunks.size() / at(problem.num_replicas);
  double bound_s = 0;
  for (std::int32_t mesh = 0; mesh < problem.num_meshes; ++mesh) {
    std::vector<double> work_s(at(problem.num_replicas));
    for (std::size_t c = 0; c < problem.chunks.size(); ++c) {
      const ChunkCost& chunk = problem.chunks[c];
      if (chunk.mesh == mesh)
        work_s[c / chunks_each] +=
            chunk.forward_s + std::min(chunk.backward_weight_s, chunk.backward_s + chunk.weight_s);
    }
    bound_s = std::max(bound_s, *std::ranges::min_element(work_s));
  }
  return static_cast<double>(problem.num_micro_batches) * bound_s;
}

double pipeline_bound_s(const PipelineProblem& problem) {
  if (problem.num_replicas > 1) return replicas_bound_s(problem);
  double bound_s = 0;
  for (std::int32_t mesh = 0; mesh < problem.num_meshes; ++mesh)
    bound_s = std::max(bound_s, MeshBound(problem, mesh).seconds());
  return bound_s;
}

}  // namespace rhino::evaluate
