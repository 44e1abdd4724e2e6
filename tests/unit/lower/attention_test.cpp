// SPDX-License-Identifier: Apache-2.0
#include "lower/attention.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

#include "ir/builder.hpp"
#include "ir/initial_values.hpp"
#include "ir/reference.hpp"
#include "ir/training_step.hpp"
#include "lower/attention_passes.hpp"
#include "lower/lower.hpp"
#include "models/catalog.hpp"
#include "models/layers.hpp"
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
    for (const Attention* attention : found)
      CHECK(attention->causal.size() == (form.is_causal ? 1 : 0));
    check_groups(lowered);
    check_same(program, lowered, 1e-5);
    CHECK(largest_temporary(lowered) <= sizes.batch * sizes.heads * sizes.group *
                                            std::max(sizes.rows, sizes.columns) * sizes.depth);
  }
}
