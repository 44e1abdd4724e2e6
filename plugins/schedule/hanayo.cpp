// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "common/looped_chunks.hpp"
#include "common/one_forward_one_backward.hpp"
#include "common/option_values.hpp"
#include "common/played_chunks.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Hanayo (Liu et al., arXiv 2308.15762, section 3): micro-batches go forth and back over the
/// meshes, w times (option waves: 1), so that one direction does what Chimera takes two replicas
/// for; backward passes first, then forwards of late chunks, p micro-batches under way at most.
///
///   bubble   2 (p - 1) F of a stage, with equal stages, BW = 2 F, free transfers, m = p and w = 1,
///            by simulation: a share of (2p - 2) / (5p - 2). More waves have nearly a w-th of it;
///            of more micro-batches each p more wait for those before them
///   memory   no stage keeps more than p micro-batches
class Hanayo : public Schedule {
 public:
  explicit Hanayo(const Options& options)
      : waves_(common::whole_option(options, "waves", 1, {.least = 1, .most = 32})) {}

  Placement placement(int num_meshes) override {
    return common::waved(num_meshes, static_cast<std::int32_t>(waves_));
  }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    common::chunks_by_mesh(problem, placement(problem.num_meshes));
    std::vector<std::int32_t> all(static_cast<std::size_t>(problem.num_micro_batches));
    std::iota(all.begin(), all.end(), 0);
    common::PlayedChunks::Rules rules{.micro_batches = {all}, .most_kept = {}};
    rules.most_kept.assign(problem.chunks.size(), problem.num_meshes);
    return common::PlayedChunks(problem, std::move(rules)).play();
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    const ChunkCost* chunk = common::equal_chunks(problem);
    if (chunk == nullptr || chunk->backward_weight_s != 2 * chunk->forward_s || waves_ > 1 ||
        problem.num_micro_batches != problem.num_meshes)
      return std::nullopt;
    return 4 * (problem.num_meshes - 1) * chunk->forward_s;
  }

 private:
  const std::int64_t waves_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/hanayo", rhino::Hanayo, "waves forth and back over the meshes")
