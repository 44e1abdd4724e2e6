// SPDX-License-Identifier: Apache-2.0
// What an estimate asks a schedule with waits for the same as what a plan does.
#include <catch2/catch.hpp>
#include <set>

#include "evaluate/evaluator.hpp"
#include "evaluate/planner.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "planning.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

using Ends = std::pair<ChunkPass, ChunkPass>;

/// Keeps the ends of edges that it is asked with, weight passes as backward ones: drafts may be of
/// passes that are whole.
class NotingSchedule final : public Schedule {
 public:
  explicit NotingSchedule(Schedule& schedule) : schedule_(schedule) {}
  Placement placement(std::int32_t num_meshes) override { return schedule_.placement(num_meshes); }
  PipelineSchedule schedule(const PipelineProblem& problem) override {
    const auto whole = [](ChunkPass pass) {
      if (pass.pass == Pass::weight) pass.pass = Pass::backward;
      return pass;
    };
    std::set<Ends>& edges = problem.is_draft ? drafted : planned;
    edges.clear();
    for (const PipelineEdge& edge : problem.edges) edges.insert({whole(edge.from), whole(edge.to)});
    return schedule_.schedule(problem);
  }
  std::set<Ends> drafted, planned;

 private:
  Schedule& schedule_;
};

}  // namespace

TEST_CASE("an estimate's schedule waits for what the plan's does, on one mesh too") {
  int num_checked = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const char* const names[] = {"schedule/zb_v", "schedule/hanayo", "schedule/interleaved_1f1b",
                                 "schedule/breadth_first"};
    CAPTURE(seed, names[seed % 4]);
    const Program program = ir::training_step(
        seed % 3 == 0 ? models::branching_forward(16, 16, 4) : models::random_forward(seed, 16, 30),
        {.kind = ir::Optimizer::Kind::sgd, .learning_rate = 0.01});
    Planning planning(program, modelled_cluster(4), names[seed % 4]);
    StrategyDraft draft{.num_micro_batches = 4, .chunks = planning.chunks(2, {{"data", 2}})};
    draft.batch_axis = 0;
    Strategy strategy;
    try {
      strategy = sharding::complete(program, draft);
    } catch (const Error&) {
      continue;  // fewer dots than chunks
    }
    NotingSchedule schedule(planning.context().schedule);
    const evaluate::PlanContext context{program, planning.cost(), planning.context().resharding,
                                        schedule};
    evaluate::make_plan(context, strategy);
    evaluate::PlanEvaluator(context, 0).estimate(strategy);
    CHECK(schedule.drafted == schedule.planned);
    ++num_checked;
  }
  CHECK(num_checked >= 10);
}

}  // namespace rhino::test
