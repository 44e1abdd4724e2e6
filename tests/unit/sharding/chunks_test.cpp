// SPDX-License-Identifier: Apache-2.0
#include "sharding/chunks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "drafts.hpp"
#include "ir/builder.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "spmd_harness.hpp"

namespace rhino::test {
namespace {

constexpr double kTolerance = 1.08;

// A DAG of dots, sums and unary ops over [4, width] values.
Program small_dag(Random& random, std::int64_t num_ops) {
  ir::Builder builder("dag");
  std::vector<ValueId> values{
      builder.input(InputKind::batch, {DType::f32, {4, 2 + draw(random, 3)}}, {}, "x")};
  const auto any = [&] {
    return values[at(draw(random, static_cast<std::int64_t>(values.size())))];
  };
  for (std::int64_t i = 0; i < num_ops; ++i) {
    const ValueId a = any(), b = any();
    const std::int64_t width = builder.shape(a).dims[1];
    if (i % 3 == 0 || draw(random, 4) == 0) {
      const ValueId weight =
          builder.input(InputKind::parameter, {DType::f32, {width, 1 + draw(random, 5)}}, {}, "w");
      values.push_back(builder.dot(a, weight, {{}, {}, {1}, {0}}));
    } else if (builder.shape(a) == builder.shape(b)) {
      values.push_back(builder.add(a, b));
    } else {
      values.push_back(builder.unary(OpKind::tanh, a));
    }
  }
  return std::move(builder).finish();
}

double bottleneck(const sharding::OpGraph& graph, const std::vector<std::int32_t>& chunk_of,
                  std::int32_t num_chunks) {
  std::vector<double> work(at(num_chunks));
  for (ValueId id = 0; id < graph.size(); ++id) {
    if (chunk_of[at(id)] >= 0)
      work[at(chunk_of[at(id)])] += sharding::dot_work(graph.program(), id);
  }
  const bool all_have_work = std::all_of(work.begin(), work.end(), [](double w) { return w > 0; });
  return all_have_work ? *std::max_element(work.begin(), work.end())
                       : std::numeric_limits<double>::infinity();
}

// Every way to deal out movable ops that respects dependencies.
class AllCuts {
 public:
  AllCuts(const sharding::OpGraph& graph, std::int32_t num_chunks)
      : graph_(graph),
        movable_(sharding::movable_ops(graph)),
        num_chunks_(num_chunks),
        chunk_of_(movable_.size(), -1) {}

  double least_bottleneck() {
    double least = std::numeric_limits<double>::infinity();
    visit(0, [&] { least = std::min(least, bottleneck(graph_, chunk_of_, num_chunks_)); });
    return least;
  }

  double least_bytes(double limit) {
    double least = std::numeric_limits<double>::infinity();
    visit(0, [&] {
      if (bottleneck(graph_, chunk_of_, num_chunks_) <= limit) {
        least = std::min(least, sharding::crossing_bytes(graph_, chunk_of_));
      }
    });
    return least;
  }

 private:
  template <class Done>
  void visit(ValueId id, const Done& done) {
    if (id == graph_.size()) return done();
    if (!movable_[at(id)]) return visit(id + 1, done);
    std::int32_t first = 0;
    for (ValueId operand : graph_.op(id).operands) first = std::max(first, chunk_of_[at(operand)]);
    for (std::int32_t chunk = first; chunk < num_chunks_; ++chunk) {
      chunk_of_[at(id)] = chunk;
      visit(id + 1, done);
    }
    chunk_of_[at(id)] = -1;
  }

  const sharding::OpGraph& graph_;
  std::vector<bool> movable_;
  std::int32_t num_chunks_;
  std::vector<std::int32_t> chunk_of_;
};

double total_work(const sharding::OpGraph& graph) {
  double work = 0;
  for (ValueId id = 0; id < graph.size(); ++id) work += sharding::dot_work(graph.program(), id);
  return work;
}

}  // namespace

TEST_CASE("cuts of small DAGs are balanced, and nearly all cross the fewest bytes there can be") {
  int num_cases = 0, num_optimal = 0;
  double bytes = 0, least_bytes = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    const auto num_chunks = static_cast<std::int32_t>(2 + draw(random, 2));
    const Program program = small_dag(random, num_chunks == 2 ? 11 : 8);
    const sharding::OpGraph graph(program);
    AllCuts all(graph, num_chunks);
    const double balanced = kTolerance * total_work(graph) / num_chunks * (1 + 1e-9);
    const double limit = std::max(all.least_bottleneck() * (1 + 1e-9), balanced);
    INFO("seed " << seed);
    const auto chunk_of = sharding::cut_movable(graph, num_chunks);
    // An order that no walk meets may balance better: the cut must come close.
    CHECK(bottleneck(graph, chunk_of, num_chunks) <= 1.5 * limit);
    if (bottleneck(graph, chunk_of, num_chunks) > limit) continue;
    const double least = all.least_bytes(limit), found = sharding::crossing_bytes(graph, chunk_of);
    CHECK(found >= least);
    ++num_cases;
    num_optimal += found == least;
    bytes += found;
    least_bytes += least;
  }
  INFO(num_optimal << " of " << num_cases << " optimal, " << bytes / least_bytes
                   << " times the bytes");
  CHECK(num_cases >= 120);
  CHECK(num_optimal >= 0.95 * num_cases);
  CHECK(bytes <= 1.02 * least_bytes);
}

TEST_CASE("gpt is cut between layers") {
  models::GptConfig config;
  config.num_layers = 8;
  config.hidden = 64;
  config.vocabulary = 128;
  const Program program = ir::training_step(models::gpt_forward(config, 4), {});
  const std::vector<std::int32_t> chunk_of = sharding::cut_into_chunks(program, 4);
  const sharding::OpGraph graph(program);
  for (ValueId id = 0; id < graph.size(); ++id) {
    const Op& op = program.op(id);
    for (const sharding::Use& use : graph.uses(id)) {
      const Op& user = program.op(use.user);
      if (op.phase != Phase::forward || user.phase != Phase::forward) continue;
      if (graph.is_pure(id) || chunk_of[at(id)] == chunk_of[at(use.user)]) continue;
      INFO("op " << id << " '" << op.name << "'");
      const bool is_residual = op.shape.dims == std::vector<std::int64_t>{4, 64, 64};
      CHECK((op.name == "wte" || is_residual));
      if (is_residual) CHECK(chunk_of[at(id)] + 1 == chunk_of[at(use.user)]);
    }
  }
  CHECK(chunk_of[at(find_value(program, "tokens"))] == 0);
  CHECK(chunk_of[at(find_value(program, "labels"))] == 3);
  CHECK(chunk_of[at(find_value(program, "wte"))] == 0);
  CHECK(chunk_of[at(find_value(program, "wte.gradient"))] == 0);
}

TEST_CASE("every value has one border crossing per border, however many read it behind") {
  ir::Builder builder("fan");
  const ValueId x = builder.input(InputKind::batch, {DType::f32, {4, 4}}, {}, "x");
  const ValueId weight = builder.input(InputKind::parameter, {DType::f32, {4, 4}}, {}, "w");
  const DotAttr product{{}, {}, {1}, {0}};
  const ValueId y = builder.dot(x, weight, product);
  const ValueId a = builder.unary(OpKind::tanh, y), b = builder.unary(OpKind::sine, y);
  const ValueId z = builder.dot(builder.add(a, b), weight, product);
  const Program program = std::move(builder).finish();
  std::vector<std::int32_t> chunk_of(program.ops.size(), 1);
  chunk_of[at(x)] = chunk_of[at(weight)] = -1;
  chunk_of[at(y)] = 0;
  CHECK(z == program.size() - 1);
  CHECK(sharding::crossing_bytes(sharding::OpGraph(program), chunk_of) == 2 * 64);
}

TEST_CASE("backward ops run in the chunks of their origins, updates in that of the parameter") {
  const Program program = ir::training_step(
      GENERATE(models::branching_forward(8, 8, 6), models::random_forward(7, 8, 80),
               models::random_forward(11, 8, 80)),
      {});
  const std::vector<std::int32_t> chunk_of = sharding::cut_into_chunks(program, 2);
  for (ValueId id = 0; id < program.size(); ++id) {
    const Op& op = program.op(id);
    if (op.phase == Phase::forward || chunk_of[at(id)] < 0) continue;
    if (op.phase == Phase::backward && op.origin != kNoValue && chunk_of[at(op.origin)] >= 0) {
      CHECK(chunk_of[at(id)] >= chunk_of[at(op.origin)]);
    }
  }
  for (const Output& output : program.outputs) {
    if (output.kind == OutputKind::loss || output.kind == OutputKind::value) continue;
    const ValueId input = program.inputs[at(output.input)].value;
    CHECK(chunk_of[at(output.value)] == chunk_of[at(input)]);
  }
}

TEST_CASE("chunks that a draft gives are kept, and refused where they run backwards") {
  const Program program = ir::training_step(models::branching_forward(8, 8, 4), {});
  StrategyDraft draft = make_draft(2, 1, 1, 2);
  draft.chunk_of.assign(program.ops.size(), 0);
  const ValueId last = find_value(program, "join.weight");
  const sharding::OpGraph graph(program);
  for (const sharding::Use& use : graph.uses(last)) {
    for (ValueId id = use.user; id < program.size(); ++id) draft.chunk_of[at(id)] = 1;
    break;
  }
  const Strategy strategy = sharding::complete(program, draft);
  sharding::check_strategy(program, strategy);
  CHECK(strategy.chunk_of[at(last)] == 1);
  CHECK(strategy.chunk_of[at(find_value(program, "level3.left.weight"))] == 0);
  for (std::int32_t& chunk : draft.chunk_of) chunk = 1 - chunk;
  CHECK_THROWS_WITH(sharding::complete(program, draft), Catch::Contains("of the later chunk 1"));
  draft.chunk_of.pop_back();
  CHECK_THROWS_WITH(sharding::complete(program, draft), Catch::Contains("values into chunks"));
}

TEST_CASE("refuses more chunks than forward dots") {
  const Program program = ir::training_step(models::branching_forward(8, 6, 1), {});
  CHECK_THROWS_WITH(sharding::cut_into_chunks(program, 4),
                    Catch::Contains("has 3 forward dots: too few for 4 chunks"));
}

}  // namespace rhino::test
