// SPDX-License-Identifier: Apache-2.0
#include "common/looped_chunks.hpp"
#include "common/one_forward_one_backward.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Interleaved 1F1B (Narayanan et al., arXiv 2104.04473, section 2.2; the order is Megatron-LM's):
/// v chunks per mesh, round and round (option chunks: v = 2). Micro-batches go in groups of p
/// through the first chunk of a mesh, the second, and so on; stage i runs 2 (p - i - 1) + (v - 1) p
/// forwards ahead, then forward and backward by turns. m has to divide by p.
///
///   bubble   (p - 1) (F + B + W) / v of each stage, with equal stages and free transfers
///   memory   stage i keeps min(m v, 2 (p - i - 1) + (v - 1) p + 1) chunks of micro-batches, a v-th
///            of a stage's each: the first one p (1 + (p - 1) / (p v)) micro-batches
class Interleaved1F1B : public Schedule {
 public:
  explicit Interleaved1F1B(const Options& options) : chunks_(common::read_chunks(options)) {}

  Placement placement(int num_meshes) override { return common::looped(num_meshes, chunks_); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    if (problem.num_micro_batches % problem.num_meshes != 0)
      throw Error(std::to_string(problem.num_micro_batches) + " micro-batches do not divide into " +
                  "groups of " + std::to_string(problem.num_meshes) + ", one for each stage");
    PipelineSchedule schedule;
    for (const std::vector<std::int32_t>& chunks : common::chunks_by_mesh(problem)) {
      const auto mesh = static_cast<std::int32_t>(schedule.order.size());
      schedule.order.push_back(order_of(chunks, problem, mesh));
    }
    return schedule;
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    return common::whole_bubble_s(problem);
  }

 private:
  static std::vector<Action> order_of(const std::vector<std::int32_t>& chunks,
                                      const PipelineProblem& problem, std::int32_t mesh) {
    const auto rounds = static_cast<std::int32_t>(chunks.size());
    const std::int32_t stages = problem.num_meshes,
                       all = static_cast<std::int32_t>(problem.num_micro_batches) * rounds;
    const std::int32_t ahead =
        std::min(all, (rounds > 1 ? 2 : 1) * (stages - mesh - 1) + (rounds - 1) * stages);
    // Pass k of either direction, of the chunk that is its turn, backward from the last one.
    const auto pass = [&](ActionKind kind, std::int32_t k) {
      const std::int32_t turn = k / stages % rounds;
      const std::int32_t round = kind == ActionKind::forward ? turn : rounds - 1 - turn;
      return Action{kind, chunks[static_cast<std::size_t>(round)],
                    k / (stages * rounds) * stages + k % stages};
    };
    std::vector<Action> order;
    for (std::int32_t k = 0; k < all + ahead; ++k) {
      if (k < all) order.push_back(pass(ActionKind::forward, k));
      if (k >= ahead) order.push_back(pass(ActionKind::backward_weight, k - ahead));
    }
    return order;
  }

  const std::int32_t chunks_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/interleaved_1f1b", rhino::Interleaved1F1B,
             "1F1B over several chunks per mesh, round and round")
