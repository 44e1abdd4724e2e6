// SPDX-License-Identifier: Apache-2.0
#include "common/looped_chunks.hpp"
#include "common/one_forward_one_backward.hpp"
#include "common/played_chunks.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Chimera (Li, Hoefler, arXiv 2107.06925, section 3): two replicas of the pipeline in opposite
/// directions, micro-batches by turns through the one and the other, each 1F1B in the gaps of the
/// other. p is even.
///
///   bubble   (p - 2) BW with equal stages, free transfers, m = p and BW no shorter than F; of more
///            micro-batches more, the longer BW are: they get in the way of F's of the other way
///   memory   stage i keeps min(m / 2, p - i) + min(m / 2, i + 1) micro-batches at most, and two
///            stages' parameters
class Chimera : public Schedule {
 public:
  explicit Chimera(const Options&) {}

  Placement placement(int num_meshes) override { return common::both_ways(num_meshes); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    const std::int32_t stages = problem.num_meshes;
    common::chunks_by_mesh(problem, placement(stages));
    if (problem.num_micro_batches < 2)
      throw Error("two directions take two micro-batches at least");
    common::PlayedChunks::Rules rules{.micro_batches = {{}, {}}, .most_kept = {}};
    for (std::int32_t m = 0; m < problem.num_micro_batches; ++m)
      rules.micro_batches[static_cast<std::size_t>(m % 2)].push_back(m);
    for (std::int32_t chunk = 0; chunk < 2 * stages; ++chunk)
      rules.most_kept.push_back(stages - chunk % stages);
    return common::PlayedChunks(problem, std::move(rules)).play();
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    const ChunkCost* chunk = common::equal_chunks(problem);
    if (chunk == nullptr || problem.num_micro_batches != problem.num_meshes ||
        chunk->backward_weight_s < chunk->forward_s)
      return std::nullopt;
    return (problem.num_meshes - 2) * chunk->backward_weight_s;
  }
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/chimera", rhino::Chimera,
             "two replicas in opposite directions, 1F1B in the gaps of 1F1B")
