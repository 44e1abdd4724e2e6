// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <optional>

#include "common/greedy_policies.hpp"
#include "common/lead_draft.hpp"
#include "common/one_forward_one_backward.hpp"
#include "common/option_values.hpp"
#include "common/policy_climb.hpp"
#include "common/whole_passes.hpp"
#include "rhino/plugin.hpp"

namespace rhino {
namespace {

/// Automatic scheduling of cut backward passes under a limit of micro-batches in flight (Qi, Wan,
/// Huang, Lin: Zero Bubble Pipeline Parallelism, arXiv 2401.10241, section 3): the pipeline is
/// played through, B before F before W, W in gaps, by a grid of policies, then with changes of
/// single stages' (option changes: 300 of them); the order with the shortest steady period is the
/// answer, of equal ones that with the shortest step. Stages and transfers may differ. Policies are
/// ours; the paper's lie among them.
///
///   bubble   max(0, 2p - 1 - L) F of each stage, with equal stages, F = B = W, free transfers, a
///            limit of L >= p micro-batches and m >= 2p: (p - 1) F as ZB-H1 at L = p, none from L =
///            2p - 1 on, as ZB-H2. Less no schedule has: only L forwards come before a gradient
///   memory   no stage keeps more bytes than it has room for, nor, where nothing is said of that,
///            more than min(m, 2p) micro-batches (option max_in_flight: another number). Where
///            few micro-batches fit beside what lies between B and W, these are one pass
class ZeroBubble : public Schedule {
 public:
  explicit ZeroBubble(const Options& options)
      : max_in_flight_(common::whole_option(options, "max_in_flight", 0, {.least = 0})),
        num_changes_(common::whole_option(options, "changes", 300, {.least = 0})) {}

  Placement placement(int num_meshes) override { return common::one_chunk_per_mesh(num_meshes); }

  PipelineSchedule schedule(const PipelineProblem& problem) override {
    // Cut where one micro-batch has room; or only where as many have as there are stages.
    const std::vector<bool> least = common::whole_where_tight(problem, 1),
                            more = common::whole_where_tight(problem, problem.num_meshes);
    if (problem.is_draft) {
      std::vector<std::vector<bool>> ways{least};
      if (more != least) ways.push_back(more);
      if (auto draft = common::LeadDraft::of(problem, ways, max_in_flight_))
        return *std::move(draft);
    }
    const Answer best = quickest(problem, least);
    if (more == least) return best.schedule;
    const Answer other = quickest(problem, more);
    return common::is_shorter(other.times, best.times) ? other.schedule : best.schedule;
  }

  std::optional<double> bubble_s(const PipelineProblem& problem) override {
    const ChunkCost* chunk = common::equal_chunks(problem);
    if (chunk == nullptr || chunk->backward_s != chunk->forward_s ||
        chunk->weight_s != chunk->forward_s)
      return std::nullopt;
    const double limit = *std::ranges::min_element(problem.activation_limit_bytes);
    std::int64_t most = common::PassGraph::most_of(problem, limit, max_in_flight_);
    if (limit > 0 && forward_bytes(*chunk) > 0)
      most = std::min(most, static_cast<std::int64_t>(limit / forward_bytes(*chunk)));
    const std::int64_t stages = problem.num_meshes;
    if (most < stages || problem.num_micro_batches < 2 * stages) return std::nullopt;
    return static_cast<double>(std::max<std::int64_t>(0, 2 * stages - 1 - most)) * chunk->forward_s;
  }

 private:
  struct Answer {
    common::StepTimes times;
    PipelineSchedule schedule;
  };

  Answer quickest(const PipelineProblem& problem, const std::vector<bool>& is_whole) const {
    const common::PassGraph graph(problem, is_whole, max_in_flight_);
    const std::int64_t work = problem.is_draft ? common::kDraftWork : kAllWork;
    const common::TimedOrder order =
        common::PolicyClimb<common::GreedyPolicies>(graph, work).run(num_changes_);
    return {order.times, common::schedule_of(graph, order.lists)};
  }

  static double forward_bytes(const ChunkCost& chunk) {
    return chunk.forward_to_backward_bytes + chunk.forward_to_weight_bytes;
  }
  static constexpr std::int64_t kAllWork = std::numeric_limits<std::int64_t>::max();
  const std::int64_t max_in_flight_, num_changes_;
};

}  // namespace
}  // namespace rhino

RHINO_PLUGIN("schedule/zero_bubble", rhino::ZeroBubble,
             "cut backward passes, ordered for the stages' times under their memory")
