// SPDX-License-Identifier: Apache-2.0
// schedule/auto against all orders that there are, golden numbers and its bound. It races the other
// schedules in tests/plugins/schedule_race.cpp.
#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>

#include "chains.hpp"
#include "evaluate/pipeline_bound.hpp"
#include "list_execution.hpp"
#include "plugin/registry.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

using namespace rhino;

namespace {

std::unique_ptr<Schedule> make(std::map<std::string, OptionValue> values = {},
                               const std::string& name = "auto") {
  static const plugin::Registry registry({RHINO_TEST_PLUGINS});
  return plugin::make_schedule(registry.find("schedule/" + name), Options(std::move(values)));
}

/// Every order of one mesh's passes, of micro-batches in their order or in any.
class Words {
 public:
  Words(std::int32_t mesh, std::int32_t num_micro_batches, bool is_cut, bool in_any_order)
      : mesh_(mesh), is_cut_(is_cut), in_any_order_(in_any_order), done_(at(num_micro_batches)) {
    extend();
  }
  std::vector<std::vector<Action>> all;

 private:
  void extend() {
    bool is_complete = true;
    for (std::int32_t m = 0; m < std::ssize(done_); ++m) {
      const std::int32_t done = done_[at(m)];
      if (done == (is_cut_ ? 3 : 2)) continue;
      is_complete = false;
      if (!in_any_order_ && m > 0 && done_[at(m - 1)] <= done) continue;
      constexpr ActionKind kCut[] = {ActionKind::forward, ActionKind::backward, ActionKind::weight};
      word_.push_back({is_cut_ || done == 0 ? kCut[done] : ActionKind::backward_weight, mesh_, m});
      ++done_[at(m)];
      extend();
      --done_[at(m)];
      word_.pop_back();
    }
    if (is_complete) all.push_back(word_);
  }

  const std::int32_t mesh_;
  const bool is_cut_, in_any_order_;
  std::vector<std::int32_t> done_;
  std::vector<Action> word_;
};

/// The best of all orders that fit, by trying them.
class BruteForce {
 public:
  BruteForce(const PipelineProblem& problem, bool in_any_order)
      : problem_(problem), in_any_order_(in_any_order) {
    extend({});
  }
  std::optional<test::ChainTimes> best;

 private:
  void extend(const PipelineSchedule& schedule) {
    const auto mesh = static_cast<std::int32_t>(schedule.order.size());
    if (mesh == problem_.num_meshes) return look_at(schedule);
    for (const bool is_cut : {false, true}) {
      const auto count = static_cast<std::int32_t>(problem_.num_micro_batches);
      for (const std::vector<Action>& word : Words(mesh, count, is_cut, in_any_order_).all) {
        PipelineSchedule longer = schedule;
        longer.order.push_back(word);
        extend(longer);
      }
    }
  }
  void look_at(const PipelineSchedule& schedule) {
    try {
      const plan::PassOrder order = plan::pass_order(problem_, schedule);
      if (!test::fits(problem_, order)) return;
      const test::ChainTimes times = test::times(problem_, order);
      if (!best ||
          std::pair(times.period_s, times.makespan_s) < std::pair(best->period_s, best->makespan_s))
        best = times;
    } catch (const Error&) {  // it waits in a circle
    }
  }

  const PipelineProblem& problem_;
  const bool in_any_order_;
};

/// Small whole numbers, so that sums are exact; backward passes that cost something to cut, or not.
PipelineProblem tiny(std::int32_t stages, std::int64_t micro_batches, unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](int least, int most) {
    return static_cast<double>(least + static_cast<int>(random() % unsigned(most - least + 1)));
  };
  PipelineProblem problem = test::chain({stages, micro_batches});
  for (ChunkCost& chunk : problem.chunks) {
    chunk.forward_s = draw(1, 6);
    chunk.backward_s = draw(1, 6);
    chunk.weight_s = draw(0, 6);
    chunk.backward_weight_s = chunk.backward_s + std::max(0., chunk.weight_s - draw(0, 1));
    chunk.update_s = seed % 2 == 0 ? draw(0, 9) : 0;
    chunk.forward_to_backward_bytes = draw(0, 1);
    chunk.forward_to_weight_bytes = 1;
    chunk.backward_to_weight_bytes = draw(0, 1);
    problem.activation_limit_bytes[at(chunk.mesh)] = draw(2, 6);
  }
  for (PipelineEdge& edge : problem.edges) edge.seconds = draw(0, 5);
  problem.is_step_joint = seed % 3 == 1;
  for (ChunkCost& chunk : problem.chunks) {
    const double most_s = chunk.backward_weight_s - chunk.backward_s;
    if (seed % 4 > 1) chunk.weight_first_s = std::min(draw(0, 6), most_s);
  }
  return problem;
}

}  // namespace

TEST_CASE("auto finds the best of all orders where they can be tried") {
  using Size = std::tuple<std::int32_t, std::int64_t, bool, unsigned>;
  const auto [stages, micro_batches, in_any_order, num_seeds] =
      GENERATE(Size{1, 2, true, 10}, Size{2, 2, true, 10}, Size{1, 4, false, 10},
               Size{2, 3, false, 12}, Size{3, 2, false, 12});
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    CAPTURE(stages, micro_batches, in_any_order, seed);
    const PipelineProblem problem = tiny(stages, micro_batches, seed);
    const plan::PassOrder order = plan::pass_order(problem, make()->schedule(problem));
    CHECK(test::fits(problem, order));
    const test::ChainTimes found = test::times(problem, order),
                           best = BruteForce(problem, in_any_order).best.value();
    CHECK(found.period_s == best.period_s);
    CHECK(found.makespan_s == best.makespan_s);
    CHECK(evaluate::pipeline_bound_s(problem) <= best.period_s);
    CHECK(evaluate::pipeline_bound_s(problem) <= best.makespan_s);
  }
}

namespace {

/// Two stages of which nothing takes time or memory but what a case says.
struct Part {
  const char* what;
  std::int64_t micro_batches;
  ChunkCost first, second;
  double there_s, back_s, room;  ///< of the edges; of how many micro-batches the first has room
  double best_s;
};

PipelineProblem problem_of(const Part& part) {
  constexpr double kEnough = 100;
  PipelineProblem problem = test::chain({2, part.micro_batches});
  problem.chunks = {part.first, part.second};
  for (std::int32_t c = 0; c < 2; ++c) {
    ChunkCost& chunk = problem.chunks[at(c)];
    chunk.mesh = c;
    chunk.backward_weight_s = chunk.backward_s + chunk.weight_s;
    chunk.forward_to_weight_bytes = 1;
  }
  problem.activation_limit_bytes = {part.room > 0 ? part.room : kEnough, kEnough};
  for (PipelineEdge& edge : problem.edges)
    edge.seconds = edge.from.pass == Pass::forward ? part.there_s : part.back_s;
  return problem;
}

ChunkCost cost(double forward_s, double backward_s, double weight_s = 0, double update_s = 0) {
  return {
      .forward_s = forward_s, .backward_s = backward_s, .weight_s = weight_s, .update_s = update_s};
}

}  // namespace

/// Each part of the bound once alone, or beside others that it adds to: none may be larger.
TEST_CASE("the bound of a chain is what the best of all orders takes") {
  const ChunkCost free = cost(0, 0), small = cost(1, 1);
  const Part parts[] = {
      {"forward passes", 3, cost(7, 0), free, 0, 0, 0, 21},
      {"backward passes", 3, free, cost(0, 7), 0, 0, 0, 21},
      {"passes for weights", 3, free, cost(0, 0, 7), 0, 0, 0, 21},
      {"updates", 2, cost(1, 0, 0, 9), free, 0, 0, 0, 11},
      {"there, once", 1, small, small, 9, 0, 0, 13},
      {"back, once", 1, small, small, 0, 9, 0, 13},
      {"there and back behind the last", 3, small, free, 5, 4, 0, 3 + 9 + 1},
      {"with little room", 3, small, free, 5, 5, 2, 2 * 12},
      {"with room for one", 3, small, free, 5, 4, 1, 3 * 11},
      {"with room for one, and weights", 3, cost(1, 1, 2), free, 5, 4, 1, 3 * 13},
      {"until the next step begins", 3, small, cost(9, 9), 0, 0, 0, 3 * 18 + 2},
      {"so, forward", 2, cost(7, 1), cost(9, 9), 0, 0, 0, 2 * 18 + 8},
      {"so, backward", 2, cost(1, 7), cost(9, 9), 0, 0, 0, 2 * 18 + 8},
      {"so, there", 2, small, cost(9, 9), 5, 0, 0, 2 * 18 + 7},
      {"so, back", 2, small, cost(9, 9), 0, 5, 0, 2 * 18 + 7},
      {"so, weights of the first", 2, cost(1, 1, 6), cost(9, 9), 0, 0, 0, 2 * 18 + 8},
      {"less what of its own waits", 2, small, cost(9, 9, 1), 0, 0, 0, 2 * 19},
  };
  for (const Part& part : parts) {
    CAPTURE(part.what);
    const PipelineProblem problem = problem_of(part);
    const test::ChainTimes best = BruteForce(problem, false).best.value();
    CAPTURE(best.period_s, best.makespan_s);
    CHECK(std::min(best.period_s, best.makespan_s) == part.best_s);
    CHECK(evaluate::pipeline_bound_s(problem) == Approx(part.best_s));
  }
}

/// Forward passes of 1, 100, 1 and 1: all but the second mesh's first one is in the first's way.
TEST_CASE("the bound of a mesh of two chunks is that of the way from one to the other") {
  PipelineProblem problem = test::chain({4, 1});
  problem.num_meshes = 2;
  problem.activation_limit_bytes.assign(2, 0);
  problem.chunks = {cost(1, 0), cost(100, 0), cost(1, 0), cost(1, 0)};
  for (std::int32_t c = 0; c < 4; ++c) problem.chunks[at(c)].mesh = c % 2;
  CHECK(evaluate::pipeline_bound_s(problem) == 103);
}

/// Two of eight micro-batches at a time, each there for 12 and the 2 of its weights; the second one
/// comes a forward pass later, and goes as much and its weights later.
TEST_CASE("the bound of little room is that of the micro-batches that are there at a time") {
  const Part part{"", 8, cost(1, 1, 2), cost(0, 0), 5, 5, 2, 0};
  CHECK(evaluate::pipeline_bound_s(problem_of(part)) == Approx(8 * 14 / 2. + (1 + 2) / 2.));
}

/// Micro-batches may go through either: of a mesh, through that which is cheaper there.
TEST_CASE("the bound of several replicas is the cheapest one's passes of the busiest mesh") {
  PipelineProblem problem = test::chain({2, 6});
  problem.num_replicas = 2;
  problem.chunks = {cost(1, 2), cost(2, 3), cost(3, 4), cost(1, 1, 2)};
  const std::int32_t mesh_of[] = {0, 1, 1, 0};
  for (std::size_t c = 0; c < 4; ++c) {
    problem.chunks[c].mesh = mesh_of[c];
    problem.chunks[c].backward_weight_s = problem.chunks[c].backward_s + problem.chunks[c].weight_s;
  }
  CHECK(evaluate::pipeline_bound_s(problem) == 6 * (2 + 3));
}

/// Two stages of a U-Transformer, whose last backward pass sends nearly at its end.
TEST_CASE("auto leads by one more micro-batch where gradients leave late") {
  PipelineProblem problem = test::chain({2, 32});
  problem.chunks[0] = {0, 0.144, 0.221, 0.155, 0.364};
  problem.chunks[1] = {1, 0.215, 0.327, 0.21, 0.516};
  problem.chunks[1].weight_first_s = 0.189;
  for (ChunkCost& chunk : problem.chunks) chunk.forward_to_weight_bytes = 1;
  for (PipelineEdge& edge : problem.edges) edge.seconds = 0.154;
  problem.activation_limit_bytes.assign(2, 16);
  const auto period_s = [&](const std::string& name) {
    const plan::PassOrder order = plan::pass_order(problem, make({}, name)->schedule(problem));
    return test::times(problem, order).period_s;
  };
  CHECK(period_s("auto") <= period_s("eager_1f1b") * (1 + 1e-9));
  CHECK(period_s("auto") < 0.98 * period_s("1f1b"));
}

TEST_CASE("auto has the golden bubbles, and what its limit leaves of them") {
  for (const auto& [stages, micro_batches] : {std::pair(4, 12), {8, 24}, {8, 64}, {16, 48}}) {
    for (const std::int32_t limit : {stages, 2 * stages - 2, 2 * stages}) {
      CAPTURE(stages, micro_batches, limit);
      PipelineProblem problem = test::chain({stages, micro_batches, 10, 10, 10});
      problem.activation_limit_bytes.assign(at(stages), limit);
      for (ChunkCost& chunk : problem.chunks) chunk.forward_to_weight_bytes = 1;
      const plan::PassOrder order = plan::pass_order(problem, make()->schedule(problem));
      CHECK(test::fits(problem, order));
      CHECK(test::times(problem, order).period_s ==
            30. * micro_batches + 10. * std::max(0, 2 * stages - 1 - limit));
    }
  }
}

TEST_CASE("drafts keep to the memory, and auto's take no longer than 1F1B") {
  for (unsigned seed = 40000; seed < 40060; ++seed) {
    std::mt19937 random(seed);
    PipelineProblem problem = test::random_chain(random);
    if (seed % 3 == 0)  // halves cost more than the whole
      for (ChunkCost& chunk : problem.chunks) chunk.backward_weight_s -= 2;
    problem.is_draft = true;
    CAPTURE(seed);
    const auto times = [&](const std::string& name) {
      const PipelineSchedule drafted = make({}, name)->schedule(problem);
      CHECK(drafted == make({}, name)->schedule(problem));
      const plan::PassOrder order = plan::pass_order(problem, drafted);
      CHECK(test::fits(problem, order));
      return test::times(problem, order).period_s;
    };
    CHECK(times("auto") <= times("1f1b") * (1 + 1e-9));
    CHECK(times("zero_bubble") >= evaluate::pipeline_bound_s(problem) * (1 - 1e-9));
  }
}

TEST_CASE("drafts of deep pipelines keep to the memory, and beat 1F1B") {
  // Of 8640 passes, 12 960 and 48 600: played by many policies, by few, and by leads alone.
  using Size = std::pair<std::int32_t, std::int64_t>;
  const auto [stages, micro_batches] = GENERATE(Size{24, 120}, Size{24, 180}, Size{60, 270});
  for (unsigned seed = 0; seed < 3; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](int least, int most) {
      return static_cast<double>(least + static_cast<int>(random() % unsigned(most - least + 1)));
    };
    PipelineProblem problem = test::chain({.stages = stages, .micro_batches = micro_batches});
    for (ChunkCost& chunk : problem.chunks) {
      chunk.forward_s = draw(8, 16);
      chunk.backward_s = draw(8, 16);
      chunk.weight_s = draw(6, 14);
      chunk.backward_weight_s = chunk.backward_s + chunk.weight_s;
      chunk.forward_to_weight_bytes = 1;
    }
    for (PipelineEdge& edge : problem.edges) edge.seconds = draw(0, 10);
    problem.activation_limit_bytes.assign(at(stages), 5 * stages / 3);
    problem.is_draft = true;
    const auto period_s = [&](const std::string& name) {
      const plan::PassOrder order = plan::pass_order(problem, make({}, name)->schedule(problem));
      CHECK(test::fits(problem, order));
      return test::times(problem, order).period_s;
    };
    const double known_s = period_s("1f1b"), bound_s = evaluate::pipeline_bound_s(problem);
    for (const char* name : {"auto", "zero_bubble"}) {
      CAPTURE(stages, micro_batches, seed, name);
      const double drafted_s = period_s(name);
      CHECK(drafted_s < known_s);
      CHECK(drafted_s >= bound_s * (1 - 1e-9));
      CHECK(drafted_s <= bound_s * 1.05);
    }
  }
}

TEST_CASE("auto places chunks as it is told, and keeps what there is room for") {
  for (const char* placement : {"interleaved", "v"}) {
    const auto schedule = make({{"placement", std::string(placement)}});
    const std::vector<std::int32_t> meshes = schedule->placement(4).mesh_of_chunk;
    CHECK(meshes == (placement[0] == 'v' ? std::vector<std::int32_t>{0, 1, 2, 3, 3, 2, 1, 0}
                                         : std::vector<std::int32_t>{0, 1, 2, 3, 0, 1, 2, 3}));
    PipelineProblem problem = test::chain({8, 12, 5, 5, 5});
    problem.num_meshes = 4;
    problem.activation_limit_bytes.assign(4, 4);
    for (std::size_t chunk = 0; chunk < 8; ++chunk) {
      problem.chunks[chunk].mesh = meshes[chunk];
      problem.chunks[chunk].forward_to_weight_bytes = 0.5;
    }
    const plan::PassOrder order = plan::pass_order(problem, schedule->schedule(problem));
    for (const std::vector<plan::PassStep>& steps : order.steps) {
      double kept = 0;
      for (const plan::PassStep& step : steps) {
        kept += step.pass == Pass::forward ? 0.5 : step.pass == Pass::weight ? -0.5 : 0;
        CHECK(kept <= 4);
      }
    }
    const double period_s = test::times(problem, order).period_s;
    CAPTURE(placement, period_s);
    // ZB-V has no bubble in the memory of 1F1B where F = B = W.
    if (placement[0] == 'v') CHECK(period_s <= 1.02 * 12 * 30);
    CHECK(period_s >= evaluate::pipeline_bound_s(problem));
  }
  CHECK_THROWS_WITH(make({{"placement", std::string("w")}}),
                    Catch::Contains("it must be chain, interleaved or v"));
}
