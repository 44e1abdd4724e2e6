// SPDX-License-Identifier: Apache-2.0
#include "common/looped_chunks.hpp"
#include "common/one_forward_one_backward.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Breadth-first pipeline parallelism (Lamy-Poirier, arXiv 2211.05953): v chunks per mesh, round
/// and round (option chunks: v = 2); all micro-batches through one chunk, then through the next,
/// and back.
///
///   bubble   (p - 1) (F + B + W) / v of each stage, with equal stages, free transfers and m >= p
///   memory   every stage keeps all m micro-batches
class BreadthFirst : public Schedule {
 public:
  explicit BreadthFirst(const Options& options) : chunks_(common::read_chunks(options)) {}

  Placement placement(int num_meshes) override { return common::looped(num_meshes, chunks_); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    PipelineSchedule schedule;
    const auto micro_batches = static_cast<std::int32_t>(problem.num_micro_batches);
    for (const std::vector<std::int32_t>& chunks : common::chunks_by_mesh(problem)) {
      std::vector<Action>& order = schedule.order.emplace_back();
      for (const std::int32_t chunk : chunks) {
        for (std::int32_t m = 0; m < micro_batches; ++m)
          order.push_back({ActionKind::forward, chunk, m});
      }
      for (auto chunk = chunks.rbegin(); chunk != chunks.rend(); ++chunk) {
        for (std::int32_t m = 0; m < micro_batches; ++m)
          order.push_back({ActionKind::backward_weight, *chunk, m});
      }
    }
    return schedule;
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    if (problem.num_micro_batches < problem.num_meshes) return std::nullopt;
    return common::whole_bubble_s(problem);
  }

 private:
  const std::int32_t chunks_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/breadth_first", rhino::BreadthFirst,
             "all micro-batches through each of several chunks per mesh")
