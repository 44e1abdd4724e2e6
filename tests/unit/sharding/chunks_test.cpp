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

constexpr double kTolerance = 1 + sharding::kBalanceTolerance + 1e-9;

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

  /// Bytes, and work of the busiest chunk.
  std::pair<double, double> cheapest(double limit) {
    std::pair<double, double> least{std::numeric_limits<double>::infinity(), 0};
    visit(0, [&] {
      const double busiest = bottleneck(graph_, chunk_of_, num_chunks_);
      if (busiest <= limit)
        least = std::min(least, {sharding::crossing_bytes(graph_, chunk_of_), busiest});
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

// Each op reads the one before and some an earlier one too: there is one order.
Program small_chain(Random& random, std::int64_t num_ops) {
  ir::Builder builder("chain");
  std::vector<ValueId> values{builder.input(InputKind::batch, {DType::f32, {4, 2}}, {}, "x")};
  for (std::int64_t i = 0; i < num_ops; ++i) {
    const ValueId last = values.back();
    const ValueId earlier = values[at(draw(random, static_cast<std::int64_t>(values.size())))];
    const std::int64_t width = builder.shape(last).dims[1];
    if (i % 3 == 0) {
      const ValueId weight =
          builder.input(InputKind::parameter, {DType::f32, {width, 1 + draw(random, 4)}}, {}, "w");
      values.push_back(builder.dot(last, weight, {{}, {}, {1}, {0}}));
    } else if (earlier != last && builder.shape(last) == builder.shape(earlier)) {
      values.push_back(builder.add(last, earlier));
    } else {
      values.push_back(builder.unary(OpKind::tanh, last));
    }
  }
  return std::move(builder).finish();
}

// Work of the busiest of `num_chunks` runs between `borders`, first and last among them, where it
// is least.
double least_bottleneck(const std::vector<double>& borders, std::size_t num_chunks) {
  std::vector<double> best(borders.size(), std::numeric_limits<double>::infinity());
  best[0] = 0;
  for (std::size_t chunk = 0; chunk < num_chunks; ++chunk) {
    for (std::size_t end = borders.size(); end-- > 0;) {
      best[end] = std::numeric_limits<double>::infinity();
      for (std::size_t begin = 0; begin < end; ++begin)
        best[end] = std::min(best[end], std::max(best[begin], borders[end] - borders[begin]));
    }
  }
  return best.back();
}

// Forward work in front of every place where a gpt may be cut: behind its dots, or where the
// residual alone crosses.
std::vector<double> gpt_borders(const models::GptConfig& config, bool between_residuals) {
  const auto hidden = static_cast<double>(config.hidden),
             sequence = static_cast<double>(config.sequence);
  const double projection = 2 * hidden * hidden, mixing = 2 * sequence * hidden;
  std::vector<double> borders{0};
  double work = 0;
  for (std::int64_t layer = 0; layer < config.num_layers; ++layer) {
    for (const auto& block : {std::vector<double>{3 * projection, mixing, mixing, projection},
                              std::vector<double>{4 * projection, 4 * projection}}) {
      for (std::size_t dot = 0; dot < block.size(); ++dot) {
        work += block[dot];
        if (!between_residuals || dot + 1 == block.size()) borders.push_back(work);
      }
    }
  }
  borders.push_back(work + 2 * hidden * static_cast<double>(config.vocabulary));
  return borders;
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
    const double limit = kTolerance * all.least_bottleneck();
    INFO("seed " << seed);
    const auto chunk_of = sharding::cut_movable(graph, num_chunks);
    // An order that no walk meets may balance better: the cut must come close.
    CHECK(bottleneck(graph, chunk_of, num_chunks) <= 1.5 * limit);
    if (bottleneck(graph, chunk_of, num_chunks) > limit) continue;
    const double least = all.cheapest(limit).first,
                 found = sharding::crossing_bytes(graph, chunk_of);
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

TEST_CASE("cuts of chains are the best there are, in bytes and then in balance") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const auto num_chunks = static_cast<std::int32_t>(2 + draw(random, 3));
    const Program program = small_chain(random, 13);
    const sharding::OpGraph graph(program);
    AllCuts all(graph, num_chunks);
    const auto chunk_of = sharding::cut_movable(graph, num_chunks);
    INFO("seed " << seed << ", " << num_chunks << " chunks");
    CHECK(std::pair(sharding::crossing_bytes(graph, chunk_of),
                    bottleneck(graph, chunk_of, num_chunks)) ==
          all.cheapest(kTolerance * all.least_bottleneck()));
  }
}

TEST_CASE("the residual alone crosses between chunks of a gpt where work allows it") {
  int num_residual = 0, num_other = 0;
  for (const char* preset : {"15m", "1.3b", "2.6b", "6.7b"}) {
    const models::GptConfig config = models::gpt_preset(preset);
    const Program program = models::gpt_forward(config, 8);
    const sharding::OpGraph graph(program);
    const auto table_bytes = static_cast<double>(4 * config.vocabulary * config.hidden),
               residual_bytes = static_cast<double>(4 * 8 * config.sequence * config.hidden);
    for (const std::int32_t num_chunks : {2, 4, 8, 16}) {
      if (num_chunks > config.num_layers) continue;
      const double bytes =
          sharding::crossing_bytes(graph, sharding::cut_movable(graph, num_chunks));
      const double least_bytes = (num_chunks - 1) * (table_bytes + residual_bytes);
      const bool allows = least_bottleneck(gpt_borders(config, true), at(num_chunks)) <=
                          kTolerance * least_bottleneck(gpt_borders(config, false), at(num_chunks));
      CAPTURE(preset, num_chunks, (bytes - least_bytes) / residual_bytes);
      CHECK((bytes == least_bytes) == allows);
      ++(allows ? num_residual : num_other);
    }
  }
  CHECK(num_residual == 11);
  CHECK(num_other == 3);
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
