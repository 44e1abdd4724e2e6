// SPDX-License-Identifier: Apache-2.0
// What search/rhino finds of images, GPTs and branches, at both levels.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <random>
#include <thread>

#include "common/cut_choice.hpp"
#include "common/cutting.hpp"
#include "common/even_meshes.hpp"
#include "config/topology_file.hpp"
#include "ir/builder.hpp"
#include "ir/channels_last.hpp"
#include "models/t5.hpp"
#include "models/u_transformer.hpp"
#include "models/vgg.hpp"
#include "toys.hpp"

namespace rhino::test {
namespace {

constexpr std::int64_t kSide = 48, kNumLayers = 4;

/// One image of one feature through convolutions that keep its size.
Program one_image() {
  ir::Builder b("one image");
  ValueId x = b.input(InputKind::batch, {DType::f32, {1, kSide, kSide, 1}},
                      {Initializer::Kind::normal, 0, 1}, "x");
  ConvolutionAttr dims = ir::channels_last(2);
  dims.low = dims.high = {1, 1};
  for (std::int64_t layer = 0; layer < kNumLayers; ++layer) {
    const ValueId w = b.input(InputKind::parameter, {DType::f32, {3, 3, 1, 1}},
                              {Initializer::Kind::normal, 0, 0.3}, "w" + std::to_string(layer));
    x = b.unary(OpKind::tanh,
                b.add(Op{.kind = OpKind::convolution, .operands = {x, w}, .attributes = dims}));
  }
  b.output(b.reduce(b.mul(x, x), {0, 1, 2, 3}, Reduction::sum), OutputKind::loss);
  return ir::training_step(std::move(b).finish(), {});
}

}  // namespace

/// Neither samples nor features can be cut, and a pipeline of one micro-batch gains nothing: on n
/// devices a step cannot take less than an n-th of one device's, and cut in space it takes that and
/// a row each way for each convolution forward, for each gradient of its input and of its kernel,
/// whose tile is copied between its rows.
TEST_CASE("an image too large for its batch and features is cut in space") {
  const std::string id = GENERATE("search/rhino", "search/grid");
  const Program step = one_image();
  const Cluster one_device = slow_cluster(1, false), two_devices = slow_cluster(2, false);
  Toy alone(plugins(), step, one_device), both(plugins(), step, two_devices);
  alone.micro_batch_counts = both.micro_batch_counts = {1};
  const Answer one = alone.run(id, {}, 0), two = both.run(id, {}, 0);
  INFO(id << ": " << one.reason << two.reason);
  REQUIRE(one.ok());
  REQUIRE(two.ok());
  const double row_s = kSide * 4 / two_devices.intra_host.bytes_per_s,
               halos_s = (3 * kNumLayers - 1) * (row_s + two_devices.intra_host.latency_s);
  const double tile_bytes = (kSide / 2 + 2) * kSide * 4,
               copies_s =
                   (3 * kNumLayers - 1) * 2 * tile_bytes / two_devices.models[0].memory_bytes_per_s;
  CAPTURE(one.step_s, two.step_s, halos_s, copies_s);
  CHECK(two.step_s > 0.5 * one.step_s);
  CHECK(two.step_s < 1.05 * (0.5 * one.step_s + halos_s + copies_s));
  CHECK(two.step_s < 0.85 * one.step_s);
  int num_cut = 0;
  for (ValueId value = 0; value < step.size(); ++value) {
    const auto& dims = two.strategy.specs[at(value)].dims;
    num_cut += step.op(value).kind == OpKind::convolution && dims.size() == 4 &&
               (!dims[1].splits.empty() || !dims[2].splits.empty());
  }
  CHECK(num_cut >= 2 * kNumLayers - 1);
  CHECK(both.error_of(two.strategy) < 1e-9);
}

TEST_CASE("a strategy in other micro-batches is what is made for these") {
  const Program step = gpt({.num_layers = 2, .batch = 16});
  const Cluster cluster = slow_cluster(4, false);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem&, Strategies& strategies) {
    const auto made = [&](std::int64_t count, AxisId batch_axis) {
      return strategies.complete({.name = "made",
                                  .num_micro_batches = count,
                                  .chunks = strategies.chunks(1, {{"a", 2}, {"b", 2}}),
                                  .batch_axis = batch_axis,
                                  .zero_stage = batch_axis >= 0 ? 1 : 0});
    };
    for (const AxisId batch_axis : {-2, 0, 1}) {
      for (const std::int64_t from : {1, 2, 4}) {
        for (const std::int64_t to : {1, 2, 4}) {
          CAPTURE(batch_axis, from, to);
          Strategy changed = made(from, batch_axis);
          common::set_micro_batches(changed, to);
          CHECK((changed == made(to, batch_axis)));
        }
      }
    }
  });
}

// Messages bound it tightly and choose badly: a choice of labels that are near the bound is the
// least.
TEST_CASE("the cut of two layers over two axes is proved to be the cheapest") {
  const models::GptConfig config{.preset = "toy",
                                 .num_layers = 2,
                                 .hidden = 48,
                                 .num_heads = 12,
                                 .vocabulary = 96,
                                 .sequence = 24};
  const Program step = ir::training_step(models::gpt_forward(config, 24), {});
  const Cluster cluster = slow_cluster(8, true);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    const common::Configuration configuration{2, {2, 2}, 4};
    common::Uncut uncut(problem, strategies, false);
    const common::CutChoice choice(problem, strategies, uncut.of(configuration), configuration,
                                   {.tied = false});
    for (const common::choice::Effort& effort :
         {common::choice::kThorough, common::choice::kExact}) {
      const common::choice::Solution found = choice.solve(effort);
      CHECK(found.bound == found.cost);
    }
  });
}

TEST_CASE("of what is forbidden and what nothing cuts a cut is made that nothing forbids") {
  const Cluster cluster = slow_cluster(4, true);
  const std::vector<Program> steps{
      gpt({.num_layers = 2}),
      ir::training_step(models::vgg_forward(models::vgg_preset("tiny"), 8), {})};
  for (const Program& step : steps) {
    Toy toy(plugins(), step, cluster);
    toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
      for (const common::Configuration& configuration :
           {common::Configuration{1, {2, 2}, 2}, {2, {2}, 4}, {1, {4}, 1}}) {
        const bool is_tied = GENERATE(false, true);
        CAPTURE(step.size(), configuration.name(), is_tied);
        common::Uncut uncut(problem, strategies, false);
        const common::CutChoice choice(problem, strategies, uncut.of(configuration), configuration,
                                       {.tied = is_tied});
        const common::choice::Solution cheapest = choice.solve(common::choice::kLight);
        common::choice::Solution whole{{}, common::choice::kForbidden, 0}, found = cheapest;
        REQUIRE(common::choice::take_of(choice.graph(),
                                        common::uncut_labels(choice.strategy_graph()),
                                        common::choice::kLight, whole));
        // A few of the cheapest cut's labels are others.
        std::mt19937_64 random(7);
        for (int i = 0; i < 20; ++i) {
          const std::size_t node = random() % found.labels.size();
          found.labels[node] = static_cast<std::int32_t>(
              random() % choice.graph().num_labels(static_cast<std::int32_t>(node)));
        }
        found.cost = common::choice::cost(choice.graph(), found.labels);
        REQUIRE(found.cost >= common::choice::kForbidden);
        REQUIRE(choice.repair(found, common::choice::kLight));
        CHECK(found.cost == common::choice::cost(choice.graph(), found.labels));
        CHECK(found.cost >= cheapest.bound * (1 - 1e-9));
        CHECK(found.cost < whole.cost);
        CHECK_NOTHROW(strategies.estimate(choice.strategy(found.labels)));
      }
    });
  }
}

// Images that become sequences have strides of many periods: tables of 90 million entries, of which
// two were made at once, and a search that needed more than 8 GiB.
TEST_CASE("nothing is cut in strides over several axes where tables would be too large") {
  const Program wide =
      ir::training_step(models::u_transformer_forward(models::u_transformer_preset("tiny"), 8), {});
  const Program narrow = gpt({.num_layers = 2});
  const Cluster cluster = slow_cluster(4, true);
  for (const Program* step : {&wide, &narrow}) {
    Toy toy(plugins(), *step, cluster);
    toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
      common::Cutting cutting(problem, strategies, {});
      common::Cutting unstrided(problem, strategies, {.strided = false});
      for (const std::vector<std::int64_t>& axes :
           std::vector<std::vector<std::int64_t>>{{2, 2}, {2}, {4}}) {
        const common::Configuration one{1, axes, 2};
        CAPTURE(step->size(), one.name());
        CHECK(cutting.may_stride(one) == (step == &narrow || axes.size() == 1));
        CHECK_FALSE(unstrided.may_stride(one));
      }
      common::SpaceWidth width(*step, strategies);
      CHECK_FALSE(width.is_wide({1, {2, 2}, 2}, false));
    });
  }
}

// Each is begun while others are on their way, and some are not asked for.
TEST_CASE("a cut that is begun beside others is the one that is found alone") {
  const Program step = gpt({.num_layers = 6, .batch = 16});
  REQUIRE(step.size() >= 1000);  // of fewer ops nothing is begun
  const Cluster cluster = slow_cluster(4, true);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    for (const std::int64_t level : {common::Cutting::segments, common::Cutting::whole}) {
      const common::Cutting::Options options{.level = level};
      common::Cutting alone(problem, strategies, options), beside(problem, strategies, options);
      std::vector<common::Configuration> all = common::configurations(problem, 4, 2);
      std::mt19937_64 random(level);
      std::ranges::shuffle(all, random);
      all.resize(std::min<std::size_t>(all.size(), 4));
      for (auto one = all.begin(); one != all.end(); ++one) {
        for (const double share : alone.shares_of_communication()) {
          const std::int64_t look = random() % 2 == 0 ? common::Cutting::first_look : level;
          beside.begin(*one, look, share);
          if (one + 1 != all.end()) beside.begin(one[1], level, share);
          if (one + 1 != all.end() && random() % 2 == 0) beside.foresee(one[1], look, share);
          const common::Candidate found = beside.cheapest(*one, look, share),
                                  expected = alone.cheapest(*one, look, share);
          CAPTURE(one->name(), look, share);
          CHECK((found.strategy == expected.strategy));
          CHECK(found.table_s == expected.table_s);
          CHECK(found.table_bound_s == expected.table_bound_s);
          CHECK(found.table_bytes == expected.table_bytes);
          if (random() % 3 == 0) beside.forget();
        }
      }
    }
  });
}

// A search's deadline may evaluate: no other thread than the search's may ask it.
TEST_CASE("the deadline of a cut is asked by the thread that waits for it alone") {
  struct Asked final : common::choice::Deadline {
    bool is_over() const override {
      is_alone = is_alone && std::this_thread::get_id() == owner;
      return false;
    }
    const std::thread::id owner = std::this_thread::get_id();
    mutable std::atomic<bool> is_alone = true;
  } const asked;
  const Program step = gpt({.num_layers = 2, .batch = 16});
  const Cluster cluster = slow_cluster(4, true);
  Toy toy(plugins(), step, cluster);
  toy.ask(1e12, [&](const SearchProblem& problem, Strategies& strategies) {
    const common::Configuration configuration{1, {2, 2}, 2};
    common::Uncut uncut(problem, strategies, false);
    common::choice::Effort effort = common::choice::kThorough;
    effort.deadline = &asked;
    common::Helper helper;
    common::Solving solving(helper,
                            common::CutChoice::parts(problem, strategies, uncut.of(configuration),
                                                     configuration, {.tied = false}),
                            effort, 1e30);
    // So that the helper has it, or has had it.
    const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (!solving.is_running() && std::chrono::steady_clock::now() < latest)
      std::this_thread::yield();
    solving.wait();
    CHECK(solving.found().cost == solving.choice().solve(effort).cost);
  });
  CHECK(asked.is_alone);
}

Program gpt_of_16_bits(std::int64_t batch) {
  models::GptConfig config = models::gpt_preset("760m");
  config.dtype = DType::bf16;
  return ir::training_step(models::gpt_forward(config, batch),
                           {.master_weights = true, .wide_gradients = true});
}

Cluster cluster_of(const std::string& name, std::int64_t num_hosts) {
  return config::read_topology(std::string(RHINO_TEST_SOURCE) + "/topologies/" + name + ".yaml",
                               num_hosts);
}

/// At level 2, on one stage: no longer than what the grid finds of data parallelism beside
/// `tensor`.
void check_beside_grid(const Program& step, const Cluster& cluster,
                       const std::vector<std::int64_t>& counts, std::int64_t data,
                       std::int64_t tensor) {
  Toy toy(plugins(), step, cluster);
  toy.micro_batch_counts = counts;
  const double memory_bytes = cluster.models.front().memory_bytes;
  const std::int64_t stage = 1;
  const Answer found = toy.run("search/rhino", {{"level", std::int64_t{2}}}, memory_bytes),
               grid = toy.run("search/grid", {{"stage", stage}, {"data", data}, {"tensor", tensor}},
                              memory_bytes);
  CAPTURE(found.reason, grid.reason, found.strategy.name, grid.strategy.name);
  REQUIRE(found.ok());
  REQUIRE(grid.ok());
  CHECK(found.step_s <= grid.step_s * 1.001);
}

// Data parallelism with ZeRO 2 takes 30 % longer here than its estimate, and the first cut of the
// mesh that is the quickest lies far above its bound.
TEST_CASE("at level 2 an estimate that is far too low does not hide another mesh") {
  check_beside_grid(gpt_of_16_bits(32), cluster_of("p4d_24xlarge", 2), {1, 2}, 8, 2);
}

// 2 of 24 samples, 3 of 16, and 1 of 48 on 16 devices.
TEST_CASE("micro-batches whose samples devices cannot share do not hide fewer of them") {
  const Program step = ir::training_step(models::t5_forward(models::t5_preset("base"), 48), {});
  check_beside_grid(step, cluster_of("dgx_b200", 2), {1, 2, 3, 4, 6, 8, 12}, 16, 1);
}

TEST_CASE("at level 2 what one form of a mesh takes does not hide another form of it") {
  const Cluster cluster = cluster_of("dgx_a100", 1);
  const Program step = gpt_of_16_bits(16);
  Toy toy(plugins(), step, cluster);
  toy.micro_batch_counts = {1, 2};
  const double memory_bytes = cluster.models.front().memory_bytes;
  const Answer found = toy.run("search/rhino", {{"level", std::int64_t{2}}}, memory_bytes);
  CAPTURE(found.reason, found.strategy.name);
  REQUIRE(found.ok());
  toy.ask(memory_bytes, [&](const SearchProblem&, Strategies& strategies) {
    for (std::int32_t zero_stage = 0; zero_stage <= 3; ++zero_stage) {
      const Evaluation data_parallel =
          strategies.evaluate(strategies.complete({.name = "data",
                                                   .chunks = strategies.chunks(1, {{"data", 8}}),
                                                   .batch_axis = 0,
                                                   .zero_stage = zero_stage}));
      CAPTURE(zero_stage);
      CHECK(found.step_s <= data_parallel.step_s);
    }
  });
}

// Memory binds here, and level 2 cuts with less work.
TEST_CASE("of a program of many layers level 3 finds no worse than level 2") {
  const plugin::Registry registry({RHINO_TEST_PLUGINS});
  const Cluster cluster =
      config::read_topology(std::string(RHINO_TEST_SOURCE) + "/topologies/p3_8xlarge_x2.yaml", 0);
  const Program step = ir::training_step(models::gpt_forward(models::gpt_preset("760m"), 256), {});
  Toy toy(registry, step, cluster);
  toy.micro_batch_counts = {8, 16};
  const double memory_bytes = cluster.models.front().memory_bytes;
  const Answer quick = toy.run("search/rhino", {{"level", std::int64_t{2}}}, memory_bytes),
               whole = toy.run("search/rhino", {{"level", std::int64_t{3}}}, memory_bytes);
  CAPTURE(quick.reason, whole.reason, quick.strategy.name, whole.strategy.name);
  REQUIRE(quick.ok());
  REQUIRE(whole.ok());
  CHECK(whole.step_s <= quick.step_s * 1.001);
}

TEST_CASE("strategies of a gpt and of branches compute what one device does") {
  const std::int32_t num_devices = GENERATE(4, 6);
  const bool is_gpt = GENERATE(false, true);
  CAPTURE(num_devices, is_gpt);
  const Program step =
      is_gpt ? gpt({.batch = 12}) : ir::training_step(models::branching_forward(12, 24, 1), {});
  const Cluster cluster = slow_cluster(num_devices, true);
  Toy toy(plugins(), step, cluster);
  const Answer found = toy.run("search/rhino", {}, 1e12);
  REQUIRE(found.reason.empty());
  INFO(found.strategy.name);
  CHECK(toy.error_of(found.strategy) < 1e-9);
}

/// The step of a GPT of width 48 with samples and weights cut by axes of the given sizes.
static double cut_step_s(Toy& toy, const Program& step, const std::vector<MeshAxis>& axes) {
  const auto axis = [&](const std::string& name) {
    return static_cast<AxisId>(std::ranges::find(axes, name, &MeshAxis::name) - axes.begin());
  };
  StrategyDraft draft{.name = "cut", .batch_axis = axis("data")};
  for (const Input& input : step.inputs) {
    const std::vector<std::int64_t>& dims = step.shape(input.value).dims;
    if (input.kind == InputKind::parameter && dims == std::vector<std::int64_t>{48, 192})
      draft.annotations.push_back({input.value, {{}, {axis("tensor")}}});
  }
  double step_s = 0;
  toy.ask(1e12, [&](const SearchProblem&, Strategies& strategies) {
    draft.chunks = strategies.chunks(1, axes);
    step_s = strategies.evaluate(strategies.complete(draft)).step_s;
  });
  return step_s;
}

TEST_CASE("of meshes inside of a host axes in another order take as long, and are left out") {
  const Program step = gpt({.num_layers = 2, .hidden = 48, .sequence = 24, .batch = 24});
  for (const bool two_hosts : {false, true}) {
    const Cluster cluster = slow_cluster(8, two_hosts);
    Toy toy(plugins(), step, cluster);
    toy.micro_batch_counts = {1};
    const double one_s = cut_step_s(toy, step, {{"data", 4}, {"tensor", 2}}),
                 other_s = cut_step_s(toy, step, {{"tensor", 2}, {"data", 4}});
    CAPTURE(two_hosts, one_s, other_s);
    REQUIRE(one_s > 0);
    const bool is_same = std::abs(one_s / other_s - 1) < 1e-9;
    CHECK(is_same != two_hosts);
    toy.ask(1e12, [&](const SearchProblem& problem, Strategies&) {
      std::vector<common::Configuration> all = common::configurations(problem, 8, 2);
      common::leave_turned(cluster, all);
      const auto has = [&](std::int64_t stages, const std::vector<std::int64_t>& axes) {
        return std::ranges::count(all, common::Configuration{stages, axes, 1}) > 0;
      };
      CHECK(has(1, {4, 2}));
      CHECK(has(1, {2, 4}) == two_hosts);
      CHECK(has(2, {2, 2}));
    });
  }
}

}  // namespace rhino::test
