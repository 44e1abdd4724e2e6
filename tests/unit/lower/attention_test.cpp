// SPDX-License-Identifier: Apache-2.0
#include "lower/attention.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

#include "ir/builder.hpp"
#include "ir/hlo_text.hpp"
#include "ir/initial_values.hpp"
#include "ir/reference.hpp"
#include "ir/training_step.hpp"
#include "lower/attention_passes.hpp"
#include "lower/lower.hpp"
#include "models/catalog.hpp"
#include "models/layers.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

using namespace rhino;
using namespace rhino::lower;

namespace {

using Part = Attention::Part;

LoweredProgram with_kernels(const Program& program) {
  return lower::lower(program, {.attention = true});
}

std::vector<const Attention*> attentions_of(const LoweredProgram& lowered) {
  std::vector<const Attention*> found;
  for (const KernelGroup& group : lowered.groups) {
    if (group.attention) found.push_back(&*group.attention);
  }
  return found;
}

std::int64_t count(const Attention& attention, Part part) {
  return std::ranges::count(attention.members, part, &Attention::Member::part);
}

/// Bytes of the largest value that lies in memory between kernels and is no input.
std::int64_t largest_temporary(const LoweredProgram& lowered) {
  std::int64_t largest = 0;
  for (ValueId id = 0; id < lowered.program.size(); ++id) {
    if (lowered.offsets[at(id)] >= 0)
      largest = std::max(largest, num_elements(lowered.program.shape(id)));
  }
  return largest;
}

/// Attentions of `batch` x `heads` scores of so many rows and columns.
struct Sizes {
  std::int64_t batch = 2, rows = 5, columns = 7, heads = 3, group = 1, depth = 4;
  DType dtype = DType::f32;
};

struct Form {
  bool is_causal = false, has_bias = false;
};

ValueId input(ir::Builder& b, Shape shape, const std::string& name) {
  return b.input(InputKind::parameter, std::move(shape), {Initializer::Kind::normal, 0, 1}, name);
}

ValueId attention_of(ir::Builder& b, const Sizes& s, const Form& form) {
  const ValueId q = input(b, {s.dtype, {s.batch, s.rows, s.heads, s.group, s.depth}}, "q");
  const ValueId k = input(b, {s.dtype, {s.batch, s.columns, s.heads, s.depth}}, "k");
  const ValueId v = input(b, {s.dtype, {s.batch, s.columns, s.heads, s.depth}}, "v");
  models::Scores scores{.is_causal = form.is_causal};
  if (form.has_bias) {
    scores.bias = b.input(InputKind::batch, {DType::f32, {s.heads, s.rows, s.columns}},
                          {Initializer::Kind::normal, 0, 1}, "bias");
  }
  return models::attention(b, q, k, v, scores);
}

Program forward(const Sizes& s, const Form& form = {}) {
  ir::Builder b("attention");
  b.output(attention_of(b, s, form), OutputKind::value);
  return std::move(b).finish();
}

/// The derivative, too, of the sum of squares.
Program step(const Sizes& s, const Form& form = {}) {
  ir::Builder b("attention");
  const ValueId y = models::widened(b, attention_of(b, s, form));
  const ValueId loss = b.reduce(b.mul(y, y), {0, 1, 2, 3, 4}, Reduction::sum);
  return ir::training_step(models::finished(b, loss), {});
}

/// Outputs of the lowered program, op by op in the order of its groups, are those of the program.
void check_same(const Program& program, const LoweredProgram& lowered, double tolerance) {
  const std::vector<ir::Tensor> inputs = ir::initial_tensors(program, 7);
  const auto expected = ir::evaluate(program, inputs),
             found = ir::evaluate(lowered.program, inputs);
  REQUIRE(expected.size() == found.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double worst = 0;
    for (std::size_t e = 0; e < expected[i].elements.size(); ++e)
      worst = std::max(worst, std::abs(expected[i].elements[e] - found[i].elements[e]));
    CHECK(worst <= tolerance);
  }
}

/// What a group reads was written by one before; each of its ops is in it alone.
void check_groups(const LoweredProgram& lowered) {
  std::set<ValueId> written, runs;
  for (const KernelGroup& group : lowered.groups) {
    for (ValueId op : group.ops) CHECK(runs.insert(op).second);
    for (ValueId base : group.inputs) {
      const OpKind kind = lowered.program.op(base).kind;
      CHECK((kind == OpKind::parameter || kind == OpKind::constant || written.contains(base)));
    }
    written.insert(group.outputs.begin(), group.outputs.end());
    if (!group.attention) continue;
    for (ValueId op : group.ops) CHECK(group.attention->member(op) != nullptr);
    CHECK(group.flops > 0);
    CHECK(group.outputs.size() <=
          static_cast<std::size_t>(count(*group.attention, Part::row_result) +
                                   count(*group.attention, Part::column_result)));
  }
  for (const Output& output : lowered.program.outputs)
    CHECK(written.contains(lowered.views[at(output.value)].base));
}

}  // namespace

TEST_CASE("attention is one group, and its scores have no memory", "[lower][attention]") {
  const Sizes sizes;
  for (const Form form : {Form{}, Form{true, false}, Form{false, true}, Form{true, true}}) {
    const Program program = forward(sizes, form);
    const LoweredProgram lowered = with_kernels(program);
    const auto found = attentions_of(lowered);
    REQUIRE(found.size() == 1);
    CHECK(count(*found[0], Part::product) == 1);
    CHECK(count(*found[0], Part::row_result) == 1);
    CHECK(found[0]->causal.size() == (form.is_causal ? 1 : 0));
    CHECK(is_one_pass(lowered.program, *found[0]));
    CHECK(lowered.groups.size() == 1);
    CHECK(lowered.workspace_bytes == 0);
    check_groups(lowered);
    check_same(program, lowered, 0);
    CHECK(lower::lower(program).groups.size() > 2);
  }
}

TEST_CASE("a training step computes scores again in its backward pass", "[lower][attention]") {
  for (const Form form : {Form{}, Form{true, false}, Form{true, true}}) {
    const Sizes sizes{.group = form.has_bias ? 1 : 2};
    const Program program = step(sizes, form);
    const LoweredProgram lowered = with_kernels(program);
    const auto found = attentions_of(lowered);
    REQUIRE(found.size() == 2);
    CHECK(count(*found[0], Part::row_result) == 1);
    CHECK(count(*found[1], Part::product) == 2);
    CHECK(count(*found[1], Part::row_result) == 1);
    CHECK(count(*found[1], Part::column_result) == 2);
    CHECK(count(*found[1], Part::later_sum) == 1);
    // A running maximum scales the later sum; derivatives of scores have it in them.
    const auto grows = [&](ValueId op, std::size_t operand) {
      return grows_as_exponential(lowered.program, *found[1],
                                  lowered.program.op(op).operands[operand]);
    };
    CHECK(grows(later_sums_of(*found[1])[0], 0));
    CHECK(grows(found[1]->sum, 0));
    const ValueId rows = results_of(*found[1], true)[0];
    CHECK_FALSE(grows(rows, scores_operand(lowered.program, *found[1], rows)));
    for (const Attention* attention : found)
      CHECK(attention->causal.size() == (form.is_causal ? 1 : 0));
    check_groups(lowered);
    check_same(program, lowered, 1e-5);
    CHECK(largest_temporary(lowered) <= sizes.batch * sizes.heads * sizes.group *
                                            std::max(sizes.rows, sizes.columns) * sizes.depth);
  }
}

namespace {

std::int64_t num_of(const Program& program) {
  return static_cast<std::int64_t>(attentions_of(with_kernels(program)).size());
}

/// q k^T of [2, 5, 4] and [2, 7, 4], then what `rest` makes of scores and v [2, 7, 4].
template <class Rest>
Program of_scores(Rest rest) {
  ir::Builder b("near miss");
  const ValueId q = input(b, {DType::f32, {2, 5, 4}}, "q");
  const ValueId k = input(b, {DType::f32, {2, 7, 4}}, "k");
  const ValueId v = input(b, {DType::f32, {2, 7, 4}}, "v");
  const ValueId scores = b.dot(q, k, {{0}, {0}, {2}, {2}});
  rest(b, scores, v);
  return std::move(b).finish();
}

ValueId weighted(ir::Builder& b, ValueId p, ValueId v) { return b.dot(p, v, {{0}, {0}, {2}, {1}}); }

/// exp(x - a) / b, over the last dim.
ValueId divided(ir::Builder& b, ValueId x, Reduction first, Reduction second) {
  const ValueId e = b.unary(OpKind::exponential,
                            b.sub(x, models::broadcast_first(b, b.reduce(x, {2}, first), x)));
  return b.div(e, models::broadcast_first(b, b.reduce(e, {2}, second), e));
}

}  // namespace

TEST_CASE("what only resembles attention stays as it is", "[lower][attention]") {
  CHECK(num_of(of_scores([](ir::Builder& b, ValueId s, ValueId v) {
          b.output(weighted(b, divided(b, s, Reduction::max, Reduction::sum), v),
                   OutputKind::value);
        })) == 1);
  // Scores, or weights, are an output.
  CHECK(num_of(of_scores([](ir::Builder& b, ValueId s, ValueId v) {
          b.output(weighted(b, models::softmax(b, s), v), OutputKind::value);
          b.output(s, OutputKind::value);
        })) == 0);
  CHECK(num_of(of_scores([](ir::Builder& b, ValueId s, ValueId v) {
          const ValueId p = models::softmax(b, s);
          b.output(weighted(b, p, v), OutputKind::value);
          b.output(p, OutputKind::value);
        })) == 0);
  // Somebody else reads the weights.
  CHECK(num_of(of_scores([](ir::Builder& b, ValueId s, ValueId v) {
          const ValueId p = models::softmax(b, s);
          b.output(weighted(b, p, v), OutputKind::value);
          b.output(b.reduce(p, {0, 1}, Reduction::sum), OutputKind::value);
        })) == 0);
  // No softmax: the least in place of the largest, a product in place of a sum, a sum of all, none.
  for (const auto& [first, second] :
       {std::pair(Reduction::min, Reduction::sum), std::pair(Reduction::max, Reduction::product),
        std::pair(Reduction::sum, Reduction::sum)}) {
    CHECK(num_of(of_scores([&](ir::Builder& b, ValueId s, ValueId v) {
            b.output(weighted(b, divided(b, s, first, second), v), OutputKind::value);
          })) == 0);
  }
  CHECK(num_of(of_scores([](ir::Builder& b, ValueId s, ValueId v) {
          const ValueId e = b.unary(OpKind::exponential, s);
          const ValueId all = b.reduce(e, {1, 2}, Reduction::sum);
          b.output(weighted(b, b.div(e, models::broadcast_first(b, all, e)), v), OutputKind::value);
        })) == 0);
  CHECK(num_of(of_scores([](ir::Builder& b, ValueId s, ValueId v) {
          b.output(weighted(b, s, v), OutputKind::value);
        })) == 0);
}

TEST_CASE("the mask of an attention is no score", "[lower][attention]") {
  const Program program = of_scores([](ir::Builder& b, ValueId s, ValueId v) {
    const ValueId lengths = b.input(InputKind::batch, {DType::f32, {2, 7}}, {}, "lengths");
    const ValueId mask = b.broadcast_in_dim(b.shift(lengths, -1), b.shape(s).dims, {0, 2});
    b.output(b.unary(OpKind::tanh, mask), OutputKind::value);
    b.output(weighted(b, models::softmax(b, b.add(s, mask)), v), OutputKind::value);
  });
  const LoweredProgram lowered = with_kernels(program);
  CHECK(attentions_of(lowered).size() == 1);
  check_groups(lowered);
  check_same(program, lowered, 0);
}

TEST_CASE("only what nothing of reaches a result is left out as unseen", "[lower][attention]") {
  const auto causal_of = [](bool adds_after, bool sees_later, double unseen) {
    const Program program = of_scores([&](ir::Builder& b, ValueId s, ValueId v) {
      const Shape square{DType::s32, {5, 7}};
      const ValueId seen = sees_later
                               ? b.compare(Comparison::le, b.iota(square, 0), b.iota(square, 1))
                               : b.compare(Comparison::ge, b.iota(square, 0), b.iota(square, 1));
      const ValueId masked = b.select(b.broadcast_in_dim(seen, b.shape(s).dims, {1, 2}), s,
                                      b.fill(Shape(b.shape(s)), unseen));
      ValueId p = models::softmax(b, masked);
      if (adds_after) p = b.shift(p, 1);
      b.output(weighted(b, p, v), OutputKind::value);
    });
    const LoweredProgram lowered = with_kernels(program);
    REQUIRE(attentions_of(lowered).size() == 1);
    check_same(program, lowered, 0);
    return attentions_of(lowered)[0]->causal.size();
  };
  CHECK(causal_of(false, false, -1e30) == 1);
  CHECK(causal_of(false, false, -1e4) == 0);
  CHECK(causal_of(false, true, -1e30) == 0);
  CHECK(causal_of(true, false, -1e30) == 0);
}

TEST_CASE("a softmax over queries is attention the other way round", "[lower][attention]") {
  const Program program = of_scores([](ir::Builder& b, ValueId s, ValueId v) {
    const ValueId p = b.transpose(models::softmax(b, b.transpose(s, {0, 2, 1})), {0, 2, 1});
    b.output(weighted(b, p, v), OutputKind::value);
  });
  const LoweredProgram lowered = with_kernels(program);
  REQUIRE(attentions_of(lowered).size() == 1);
  const Attention& found = *attentions_of(lowered)[0];
  CHECK(count(found, Part::column_result) == 1);
  CHECK(found.extents[at(found.column)] == 5);
  CHECK(lowered.workspace_bytes == 0);
  check_same(program, lowered, 0);
}

namespace {

Program smallest(const std::string& model, DType dtype) {
  for (const char* preset : {"tiny", "1m"}) {
    try {
      const Options options({{"preset", std::string(preset)}});
      return models::build_forward(model, options, 4, dtype).program;
    } catch (const Error&) {
      // it has others
    }
  }
  return models::build_forward(model, Options(), 4, dtype).program;
}

}  // namespace

TEST_CASE("every model with attention computes it so", "[lower][attention]") {
  struct Case {
    const char* model;
    std::int64_t forward, step;
  };
  // A bias that learns needs the derivatives of all scores: of t5, steps keep the two layers that
  // look at the encoder.
  const Case cases[] = {{"gpt", 2, 4}, {"llama", 2, 4}, {"bert", 2, 4},
                        {"moe", 2, 4}, {"t5", 6, 4},    {"u_transformer", 9, 18}};
  for (const DType dtype : {DType::f32, DType::bf16}) {
    for (const Case& expected : cases) {
      const Program forward = smallest(expected.model, dtype);
      const Program step = ir::training_step(Program(forward), {});
      const LoweredProgram lowered = with_kernels(step);
      check_groups(lowered);
      CHECK(num_of(forward) == expected.forward);
      CHECK(static_cast<std::int64_t>(attentions_of(lowered).size()) == expected.step);
      CHECK(lowered.workspace_bytes < lower::lower(step).workspace_bytes);
    }
  }
}

TEST_CASE("attention that JAX wrote is found, in both passes", "[lower][attention]") {
  struct Case {
    const char* name;
    std::size_t attentions, causal;
  };
  for (const Case& expected : {Case{"gpt", 4, 4},
                               {"bert", 4, 0},
                               {"vit", 2, 0},
                               {"llama", 4, 4},
                               {"diffusion", 2, 0},
                               {"lora", 4, 4}}) {
    std::ifstream file(std::string(RHINO_TEST_DATA) + "/jax/" + expected.name + ".hlo.txt");
    REQUIRE(file.is_open());
    const Program program =
        ir::parse_hlo(std::string(std::istreambuf_iterator<char>(file), {}), expected.name);
    const LoweredProgram lowered = with_kernels(program);
    check_groups(lowered);
    std::size_t causal = 0;
    for (const Attention* attention : attentions_of(lowered)) causal += attention->causal.size();
    CHECK(attentions_of(lowered).size() == expected.attentions);
    CHECK(causal == expected.causal);
  }
}

TEST_CASE("random attentions compute what their programs do", "[lower][attention]") {
  const unsigned seed = std::random_device()();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto any = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(most)) + 1;
  };
  for (int i = 0; i < 40; ++i) {
    const Sizes sizes{any(3),
                      any(4) + 1,
                      any(5) + 1,
                      any(3),
                      any(2),
                      any(6),
                      random() % 3 == 0 ? DType::bf16 : DType::f32};
    const Form form{random() % 2 == 0, random() % 3 == 0};
    const Program program = random() % 2 == 0 ? forward(sizes, form) : step(sizes, form);
    const LoweredProgram lowered = with_kernels(program);
    CHECK(attentions_of(lowered).size() == (program.outputs.size() == 1 ? 1 : 2));
    check_groups(lowered);
    check_same(program, lowered, sizes.dtype == DType::f32 ? 1e-3 : 0.5);
  }
}
