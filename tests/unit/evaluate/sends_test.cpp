// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include "../simulate/device_network.hpp"
#include "ir/builder.hpp"
#include "ir/training_step.hpp"
#include "plan/validate.hpp"
#include "planning.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "simulate/simulate.hpp"

namespace rhino::test {
namespace {

/// Seconds of one micro-batch in a stage, in dots of one second each: `weights` have a gradient of
/// either kind, `constants` of activations alone, `squares` two of activations.
struct Stage {
  int weights = 1, constants = 0, squares = 0;
  double forward_s() const { return weights + constants + squares; }
  double activation_s() const { return weights + constants + 2 * squares; }
  double weight_s() const { return weights; }
};

struct Pipeline {
  std::vector<Stage> stages;
  std::int64_t num_micro_batches = 1;
  double transfer_s = 0;  ///< until the first byte of a tile is there
  double link_s = 0;      ///< that a tile takes of the links of both ends
  /// Of a tile; one of 64 is of 32 KiB: such messages wait for their receivers, and each device has
  /// two of them under way.
  std::int64_t extent = 64;
};

/// A step of such stages, and the stage of every forward value.
struct Work {
  explicit Work(const Pipeline& pipeline) {
    ir::Builder b("stages");
    const std::int64_t extent = pipeline.extent;
    const Shape tile{DType::f64, {pipeline.num_micro_batches, extent, extent}},
        weight{DType::f64, {extent, extent}};
    const DotAttr batched{{0}, {0}, {2}, {1}};
    ValueId x = b.input(InputKind::batch, tile, {}, "x");
    const ValueId bias = b.input(InputKind::parameter, weight, {}, "bias");
    x = b.add(x, b.broadcast_in_dim(bias, tile.dims, {1, 2}));
    for (std::size_t s = 0; s < pipeline.stages.size(); ++s) {
      const Stage& stage = pipeline.stages[s];
      for (int i = 0; i < stage.weights; ++i)
        x = b.dot(x, b.input(InputKind::parameter, weight, {}, "w"), {{}, {}, {2}, {0}});
      for (int i = 0; i < stage.constants; ++i)
        x = b.dot(x, b.input(InputKind::batch, tile, {}, "c"), batched);
      for (int i = 0; i < stage.squares; ++i) x = b.dot(x, x, batched);
      if (s + 1 == pipeline.stages.size())
        b.output(b.reduce(x, {0, 1, 2}, Reduction::sum), OutputKind::loss);
      chunk_of.resize(b.program().ops.size(), static_cast<std::int32_t>(s));
    }
    step = ir::training_step(std::move(b).finish(), {.kind = ir::Optimizer::Kind::sgd});
    chunk_of.resize(step.ops.size(), 0);
  }
  Program step;
  std::vector<std::int32_t> chunk_of;
};

/// A device per stage that makes one such dot a second; all else but transfers is free.
Cluster cluster_for(const Pipeline& pipeline, double memory_bytes) {
  Cluster cluster = modelled_cluster(static_cast<std::int32_t>(pipeline.stages.size()));
  cluster.models = {{.memory_bytes = memory_bytes,
                     .memory_bytes_per_s = 1e30,
                     .peak_flops = {{DType::f64, std::pow(pipeline.extent, 3) * 2}}}};
  const double tile_bytes = static_cast<double>(pipeline.extent * pipeline.extent) * 8;
  cluster.intra_host = {.bytes_per_s = pipeline.link_s > 0 ? tile_bytes / pipeline.link_s : 1e30,
                        .latency_s = pipeline.transfer_s};
  return cluster;
}

plan::ExecutionPlan plan_of(const Pipeline& pipeline, const std::string& schedule,
                            double memory_bytes = 1e12) {
  const Work work(pipeline);
  Planning planning(work.step, cluster_for(pipeline, memory_bytes), "schedule/" + schedule);
  StrategyDraft draft;
  draft.num_micro_batches = pipeline.num_micro_batches;
  draft.chunks = planning.chunks(static_cast<std::int32_t>(pipeline.stages.size()), {{"data", 1}});
  draft.batch_axis = 0;
  draft.chunk_of = work.chunk_of;
  return evaluate::make_plan(planning.context(), sharding::complete(work.step, draft));
}

double simulated_s(const plan::ExecutionPlan& plan) {
  return simulate::simulate(plan, cost::CostModel(plan.cluster)).makespan_s;
}

/// Direct list execution: each device works off its list, a transfer delays its receiver alone. The
/// gradient leaves after the gradients of activations. Nobody posts a receive or waits for a send:
/// tiles leave a device in the order in which they are made, those of 32 KiB two at a time.
class ListExecution {
 public:
  ListExecution(const Pipeline& pipeline, const std::string& schedule)
      : pipeline_(pipeline),
        order_(order_of(pipeline, schedule)),
        network_(cluster_for(pipeline, 1e12)),
        stages_(order_.size()) {
    for (auto& there : there_)
      there.assign(order_.size(), std::vector<bool>(at(pipeline.num_micro_batches)));
    there_[0].front().flip();
    there_[1].back().flip();
  }

  double run() {
    while (true) {
      for (std::size_t s = 0; s < order_.size(); ++s) begin_pass(s);
      for (std::size_t s = 0; s < order_.size(); ++s) send(s);
      const double event_s = events_.empty() ? kNever : events_.begin()->first;
      const double next_s = std::min(event_s, network_.next_arrival_s());
      if (next_s == kNever) return now_s_;
      now_s_ = next_s;
      for (const std::int32_t id : network_.take_arrived(now_s_)) arrive(tiles_[at(id)]);
      while (!events_.empty() && events_.begin()->first <= now_s_)
        events_.extract(events_.begin()).mapped()();
    }
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  struct Tile {
    bool is_gradient = false;
    std::size_t from = 0, to = 0, micro_batch = 0;
  };
  struct State {
    std::size_t next = 0, num_under_way = 0;
    bool is_busy = false;
    std::deque<Tile> made;
  };

  static std::vector<std::vector<Action>> order_of(const Pipeline& pipeline,
                                                   const std::string& schedule) {
    PipelineProblem problem;
    problem.num_micro_batches = pipeline.num_micro_batches;
    problem.num_meshes = static_cast<std::int32_t>(pipeline.stages.size());
    return plugin::make_schedule(plugins().find("schedule/" + schedule), Options())
        ->schedule(problem)
        .order;
  }

  void begin_pass(std::size_t s) {
    State& state = stages_[s];
    if (state.is_busy || state.next == order_[s].size()) return;
    const Action& action = order_[s][state.next];
    const bool is_forward = action.kind == ActionKind::forward;
    const bool is_weight = action.kind == ActionKind::weight;
    if (!is_weight && !there_[!is_forward][s][at(action.micro_batch)]) return;
    ++state.next;
    state.is_busy = true;
    const Stage& stage = pipeline_.stages[s];
    double busy_s = now_s_;
    if (!is_weight) {
      busy_s += is_forward ? stage.forward_s() : stage.activation_s();
      const std::size_t to = is_forward ? s + 1 : s - 1;  // -1 is behind the last, too
      if (to < order_.size())
        events_.emplace(busy_s, [=, this, m = at(action.micro_batch)] {
          stages_[s].made.push_back({!is_forward, s, to, m});
        });
    }
    if (is_weight || action.kind == ActionKind::backward_weight) busy_s += stage.weight_s();
    events_.emplace(busy_s, [=, this] { stages_[s].is_busy = false; });
  }

  bool is_small() const { return pipeline_.extent < 64; }

  void send(std::size_t s) {
    State& state = stages_[s];
    while (!state.made.empty() && (is_small() || state.num_under_way < 2)) {
      ++state.num_under_way;
      events_.emplace(now_s_ + pipeline_.transfer_s, [=, this, tile = state.made.front()] {
        network_.send({.id = static_cast<std::int32_t>(tiles_.size()),
                       .from = static_cast<DeviceId>(tile.from),
                       .to = static_cast<DeviceId>(tile.to),
                       .bytes = static_cast<double>(pipeline_.extent * pipeline_.extent) * 8,
                       .is_small = is_small()},
                      now_s_);
        tiles_.push_back(tile);
      });
      state.made.pop_front();
    }
  }

  void arrive(const Tile& tile) {
    there_[tile.is_gradient][tile.to][tile.micro_batch] = true;
    --stages_[tile.from].num_under_way;
  }

  const Pipeline& pipeline_;
  std::vector<std::vector<Action>> order_;
  test::DeviceNetwork network_;
  std::vector<State> stages_;
  std::vector<std::vector<bool>> there_[2];  ///< [gradient][stage][micro-batch]
  std::vector<Tile> tiles_;                  ///< by the number that the network knows them by
  std::multimap<double, std::function<void()>> events_;
  double now_s_ = 0;
};

double listed_s(const Pipeline& pipeline, const std::string& schedule) {
  return ListExecution(pipeline, schedule).run();
}

Pipeline equal_stages(const Stage& stage) { return {std::vector<Stage>(4, stage), 12, 12}; }

}  // namespace

TEST_CASE("eager-1F1B hides transfers as long as a forward, in plans as in direct list execution") {
  // F, B, W = 12, 13, 10: the gradient leaves after B.
  const Pipeline after_b = equal_stages({.weights = 10, .constants = 1, .squares = 1});
  CHECK(listed_s(after_b, "1f1b") == 679);
  CHECK(listed_s(after_b, "eager_1f1b") == 567);
  CHECK(listed_s(after_b, "zb_h1") == 679);
  // No gradients of weights: it leaves at the end of all 23.
  const Pipeline at_end = equal_stages({.weights = 0, .constants = 1, .squares = 11});
  CHECK(listed_s(at_end, "1f1b") == 789);
  CHECK(listed_s(at_end, "eager_1f1b") == 597);
  for (const Pipeline& pipeline : {after_b, at_end}) {
    for (const char* schedule : {"1f1b", "eager_1f1b", "zb_h1"}) {
      CAPTURE(schedule);
      CHECK(simulated_s(plan_of(pipeline, schedule)) ==
            Approx(listed_s(pipeline, schedule)).epsilon(0.01));
    }
  }
}

TEST_CASE("plans of any stages, latencies and links take the time of direct list execution") {
  for (unsigned seed = 0; seed < 240; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](int least, int most) {
      return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
    };
    Pipeline pipeline;
    pipeline.num_micro_batches = draw(2, 10);
    pipeline.extent = draw(0, 1) > 0 ? 64 : 16;
    for (int stages = draw(2, 5); stages > 0; --stages)
      pipeline.stages.push_back({draw(1, 4), draw(0, 2), draw(0, 2)});
    double shortest_s = 20;
    for (const Stage& stage : pipeline.stages)
      if (pipeline.extent > 16) shortest_s = std::min(shortest_s, stage.forward_s());
    pipeline.transfer_s = 0.5 * draw(0, static_cast<int>(2 * shortest_s));
    // None, up to a forward pass, and so long that tiles queue.
    const int most = std::array{0, 4, 16}[seed / 4 % 3];
    pipeline.link_s = 0.25 * draw(0, static_cast<int>(most * shortest_s));
    const char* schedule = std::array{"gpipe", "1f1b", "eager_1f1b", "zb_h1"}[seed % 4];
    CAPTURE(seed, schedule, pipeline.transfer_s, pipeline.link_s, pipeline.num_micro_batches);
    const plan::ExecutionPlan plan = plan_of(pipeline, schedule);
    plan::validate(plan);
    CHECK(simulated_s(plan) == Approx(listed_s(pipeline, schedule)).epsilon(1e-6));
  }
}

TEST_CASE("where memory is short, sends are waited for sooner, only as far as they must") {
  const Pipeline pipeline{std::vector<Stage>(3, {.weights = 2}), 8, 9};
  const char* schedule = GENERATE("gpipe", "eager_1f1b", "zb_h1");
  CAPTURE(schedule);
  plan::ExecutionPlan plan = plan_of(pipeline, schedule);
  std::vector<double> seconds{simulated_s(plan)};
  while (true) {
    const auto memory = static_cast<double>(plan::peak_bytes(plan) - 1);
    plan = plan_of(pipeline, schedule, memory);
    if (static_cast<double>(plan::peak_bytes(plan)) > memory) break;
    plan::validate(plan);
    seconds.push_back(simulated_s(plan));
    CHECK(seconds.back() >= seconds[seconds.size() - 2] * (1 - 1e-9));
  }
  CHECK_THROWS_WITH(plan::validate(plan), Catch::Contains("of buffers"));
  CHECK(seconds.back() > seconds.front());
}

}  // namespace rhino::test
