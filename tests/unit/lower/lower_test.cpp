// SPDX-License-Identifier: Apache-2.0
#include "lower/lower.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "ir/builder.hpp"
#include "ir/flops.hpp"
#include "ir/training_step.hpp"
#include "models/models.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

using namespace rhino;
using namespace rhino::lower;

namespace {

using Kind = KernelGroup::Kind;

std::int64_t count(const LoweredProgram& lowered, Kind kind) {
  return std::ranges::count(lowered.groups, kind, &KernelGroup::kind);
}

/// The op that makes what `value` shows; kNoValue for inputs, constants and leaves.
ValueId maker(const LoweredProgram& lowered, const std::set<ValueId>& runs, ValueId value) {
  while (!runs.contains(value)) {
    const Op& op = lowered.program.producer(value);
    if (lowered.views[at(value)].base == kNoValue || op.operands.empty()) return kNoValue;
    value = op.operands[0];
  }
  return value;
}

bool is_given(const LoweredProgram& lowered, ValueId base) {
  const OpKind kind = lowered.program.producer(base).kind;
  return kind == OpKind::parameter || kind == OpKind::constant;
}

/// Every op runs once, after those whose results it reads, in a group that names its bases.
void check_order(const LoweredProgram& lowered) {
  std::set<ValueId> runs, done, written;
  for (const KernelGroup& group : lowered.groups) {
    for (ValueId op : group.ops) CHECK(runs.insert(op).second);
  }
  for (const KernelGroup& group : lowered.groups) {
    const std::set<ValueId> own(group.ops.begin(), group.ops.end());
    for (ValueId op : group.ops) {
      for (ValueId operand : lowered.program.op(op).operands) {
        const ValueId source = maker(lowered, runs, operand);
        CHECK((source == kNoValue || done.contains(source) || own.contains(source)));
      }
    }
    for (ValueId base : group.inputs) CHECK((is_given(lowered, base) || written.contains(base)));
    done.insert(own.begin(), own.end());
    written.insert(group.outputs.begin(), group.outputs.end());
  }
  for (const Output& output : lowered.program.outputs) {
    CHECK(written.contains(lowered.views[at(output.value)].base));
  }
}

ValueId owner(const LoweredProgram& lowered, ValueId id) {
  while (lowered.placed_in[at(id)] != kNoValue) id = lowered.placed_in[at(id)];
  return id;
}

/// Bases in the workspace that are needed at once lie apart.
void check_workspace(const LoweredProgram& lowered) {
  struct Block {
    ValueId id;
    std::int64_t begin, end;
    std::size_t first, last;
  };
  std::vector<Block> blocks;
  for (ValueId id = 0; id < lowered.program.size(); ++id) {
    const std::int64_t offset = lowered.offsets[at(id)];
    if (offset < 0) continue;
    Block block{id, offset, offset + num_bytes(lowered.program.shape(id)), lowered.groups.size(),
                0};
    for (std::size_t g = 0; g < lowered.groups.size(); ++g) {
      const KernelGroup& group = lowered.groups[g];
      if (std::ranges::count(group.inputs, id) + std::ranges::count(group.outputs, id) == 0)
        continue;
      block.first = std::min(block.first, g);
      block.last = g;
    }
    CHECK(block.end <= lowered.workspace_bytes);
    CHECK(offset % 64 == 0);
    bool overlaps = false;
    for (const Block& other : blocks) {
      const bool replaces = owner(lowered, other.id) == owner(lowered, id) &&
                            (other.last == block.first || block.last == other.first);
      overlaps = overlaps || (!replaces && other.begin < block.end && block.begin < other.end &&
                              other.first <= block.last && block.first <= other.last);
    }
    CHECK_FALSE(overlaps);
    blocks.push_back(block);
  }
}

/// Nothing reads an input or a temporary after it was overwritten.
void check_overwritten(const LoweredProgram& lowered) {
  for (ValueId id = 0; id < lowered.program.size(); ++id) {
    const ValueId input = lowered.placed_in[at(id)];
    if (input == kNoValue) continue;
    if (lowered.placed_out[at(id)] < 0) {
      CHECK(lowered.offsets[at(id)] >= 0);
      CHECK(lowered.offsets[at(id)] == lowered.offsets[at(input)]);
      CHECK(num_bytes(lowered.program.shape(id)) == num_bytes(lowered.program.shape(input)));
    }
    bool is_overwritten = false;
    for (const KernelGroup& group : lowered.groups) {
      CHECK_FALSE((is_overwritten && std::ranges::count(group.inputs, input) > 0));
      is_overwritten = is_overwritten || std::ranges::count(group.outputs, id) > 0;
    }
  }
}

void check_all(const LoweredProgram& lowered) {
  check_order(lowered);
  check_workspace(lowered);
  check_overwritten(lowered);
}

LoweredProgram lower_gpt(const std::string& preset, std::int64_t layers, std::int64_t batch) {
  models::GptConfig config = models::gpt_preset(preset);
  config.num_layers = layers;
  return lower::lower(ir::training_step(models::gpt_forward(config, batch), {}));
}

const KernelGroup& only_group(const LoweredProgram& lowered) {
  REQUIRE(lowered.groups.size() == 1);
  return lowered.groups[0];
}

/// Bytes of values between kernels other than inputs and outputs.
std::int64_t num_temporaries(const LoweredProgram& lowered) {
  return std::ranges::count_if(lowered.offsets, [](std::int64_t offset) { return offset >= 0; });
}

}  // namespace

TEST_CASE("lowered random programs keep order, lifetimes and old values") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Program program = ir::training_step(models::random_forward(seed, 4, 40), {});
    const LoweredProgram lowered = lower::lower(program);
    check_all(lowered);
    double flops = 0;
    for (const KernelGroup& group : lowered.groups) flops += group.flops;
    CHECK(flops >= ir::dot_flops(program));
  }
}

TEST_CASE("lowering is a function of the program") {
  const Program program = ir::training_step(models::random_forward(3, 4, 60), {});
  const LoweredProgram a = lower::lower(program), b = lower::lower(program);
  CHECK(a.groups == b.groups);
  CHECK(a.views == b.views);
  CHECK(a.offsets == b.offsets);
}

TEST_CASE("a layer of gpt is ten loops beside its dots") {
  const LoweredProgram two = lower_gpt("1m", 2, 4), four = lower_gpt("1m", 4, 4);
  check_all(four);
  // Forward: two layer norms with residuals, bias, softmax, GELU. Backward: the same, bias gradient
  // and softmax.
  CHECK(count(four, Kind::loop) - count(two, Kind::loop) <= 2 * 10);
  CHECK(count(two, Kind::loop) <= 2 * 10 + 7);
  CHECK(count(four, Kind::dot) - count(two, Kind::dot) == 2 * 18);
  // Query, key and value gradients are written where their concatenation wants them.
  for (const KernelGroup& group : four.groups) {
    if (group.kind == Kind::other && four.program.op(group.ops[0]).kind == OpKind::concatenate) {
      CHECK(group.inputs.empty());
    }
  }
}

TEST_CASE("the update of all parameters of gpt overwrites them in one or two kernels") {
  const LoweredProgram lowered = lower_gpt("1m", 3, 4);
  std::set<const KernelGroup*> writers;
  std::size_t num_states = 0;
  for (const Output& output : lowered.program.outputs) {
    if (output.kind != OutputKind::updated_state) continue;
    const ValueId base = lowered.views[at(output.value)].base;
    CHECK(lowered.placed_in[at(base)] == lowered.program.inputs[at(output.input)].value);
    ++num_states;
    for (const KernelGroup& group : lowered.groups) {
      if (std::ranges::count(group.outputs, base) > 0) writers.insert(&group);
    }
  }
  CHECK(num_states == 3 * 40);
  CHECK(writers.size() <= 2);
}

TEST_CASE("softmax over the last dim is one kernel without temporaries") {
  ir::Builder b("softmax");
  const Shape shape{DType::f32, {6, 5, 32}};
  const ValueId x = b.input(InputKind::batch, shape, {}, "x");
  const ValueId largest = b.reduce(x, {2}, Reduction::max);
  const ValueId shifted = b.sub(x, b.broadcast_in_dim(largest, shape.dims, {0, 1}));
  const ValueId e = b.unary(OpKind::exponential, shifted);
  const ValueId sum = b.reduce(e, {2}, Reduction::sum);
  b.output(b.div(e, b.broadcast_in_dim(sum, shape.dims, {0, 1})), OutputKind::value);
  const LoweredProgram lowered = lower::lower(std::move(b).finish());
  const KernelGroup& group = only_group(lowered);
  CHECK(group.space == std::vector<std::int64_t>{30, 32});
  CHECK(num_temporaries(lowered) == 0);
  CHECK(group.bytes == 2.0 * 6 * 5 * 32 * 4);
}

TEST_CASE("statistics of an image's groups leave no loop with rows as short as those") {
  ir::Builder b("groups");
  const std::vector<std::int64_t> dims{4, 9, 9, 8, 5};  // images, pixels, groups, features
  const ValueId x = b.input(InputKind::batch, {DType::f32, dims}, {}, "x");
  const auto spread = [&](ValueId value) { return b.broadcast_in_dim(value, dims, {0, 3}); };
  const ValueId below = b.sub(x, spread(b.reduce(x, {1, 2, 4}, Reduction::sum)));
  b.output(b.mul(below, spread(b.reduce(b.mul(below, below), {1, 2, 4}, Reduction::sum))),
           OutputKind::value);
  const LoweredProgram lowered = lower::lower(std::move(b).finish());
  check_all(lowered);
  std::int64_t num_loops = 0;
  for (const KernelGroup& group : lowered.groups) {
    REQUIRE(group.kind == Kind::loop);
    for (const LoopNest& nest : group.nests) {
      if (nest.rows * nest.columns != 4 * 9 * 9 * 8 * 5) continue;
      CHECK(nest.columns == 8 * 5);
      ++num_loops;
    }
  }
  CHECK(num_loops == 3);  // the sum, that of squares, and the result
}

TEST_CASE("a bias gradient joins the loop that makes what it sums") {
  ir::Builder b("bias");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {64, 48}}, {}, "x");
  const ValueId y = b.unary(OpKind::tanh, x);
  b.output(y, OutputKind::value);
  b.output(b.reduce(y, {0}, Reduction::sum), OutputKind::value);
  const LoweredProgram lowered = lower::lower(std::move(b).finish());
  CHECK(only_group(lowered).nests[0].columns == 48);
}

TEST_CASE("what is made of constants has no memory") {
  ir::Builder b("mask");
  const Shape square{DType::s32, {32, 32}};
  const ValueId x = b.input(InputKind::batch, {DType::f32, {4, 32, 32}}, {}, "x");
  const ValueId seen = b.compare(Comparison::ge, b.iota(square, 0), b.iota(square, 1));
  const ValueId mask = b.broadcast_in_dim(seen, {4, 32, 32}, {1, 2});
  b.output(b.select(mask, x, b.fill(b.shape(x), 0)), OutputKind::value);
  const LoweredProgram lowered = lower::lower(std::move(b).finish());
  CHECK(only_group(lowered).inputs.size() == 1);
  CHECK(num_temporaries(lowered) == 0);
}

TEST_CASE("a dot accumulates into the input that its sum overwrites") {
  ir::Builder b("accumulation");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {8, 6}}, {}, "x");
  const ValueId y = b.input(InputKind::batch, {DType::f32, {8, 4}}, {}, "y");
  const ValueId sum = b.input(InputKind::optimizer_state, {DType::f32, {4, 6}}, {}, "sum");
  const ValueId product = b.dot(x, y, {{}, {}, {0}, {0}});
  b.output(b.add(sum, b.transpose(product, {1, 0})), OutputKind::updated_state, 2);
  const LoweredProgram lowered = lower::lower(std::move(b).finish());
  CHECK(only_group(lowered).kind == Kind::dot);
  CHECK(only_group(lowered).ops.size() == 2);
  CHECK(num_temporaries(lowered) == 0);
}

TEST_CASE("a dot writes the layout that the transpose after it wants") {
  ir::Builder b("layout");
  const ValueId p = b.input(InputKind::batch, {DType::f32, {2, 3, 8, 8}}, {}, "p");
  const ValueId v = b.input(InputKind::batch, {DType::f32, {2, 8, 3, 4}}, {}, "v");
  const ValueId w = b.input(InputKind::batch, {DType::f32, {12, 5}}, {}, "w");
  const ValueId mixed = b.dot(p, v, {{0, 1}, {0, 2}, {3}, {1}});
  const ValueId rows = b.reshape(b.transpose(mixed, {0, 2, 1, 3}), {16, 12});
  b.output(b.dot(rows, w, {{}, {}, {1}, {0}}), OutputKind::value);
  const LoweredProgram lowered = lower::lower(std::move(b).finish());
  CHECK(lowered.groups.size() == 2);
  CHECK(count(lowered, Kind::dot) == 2);
}

TEST_CASE("a loop writes over the temporary that it is the last to read") {
  const auto lowered_with = [](auto&& finish) {
    ir::Builder b("over");
    const ValueId x = b.input(InputKind::batch, {DType::f32, {16, 16}}, {}, "x");
    const DotAttr product{{}, {}, {1}, {0}};
    const ValueId made = b.dot(x, x, product), bent = b.unary(OpKind::tanh, made);
    finish(b, made, bent);
    b.output(b.dot(bent, x, product), OutputKind::value);
    LoweredProgram lowered = lower::lower(std::move(b).finish());
    check_all(lowered);
    return lowered;
  };
  const auto num_over = [](const LoweredProgram& lowered) {
    return std::ranges::count_if(lowered.placed_in, [](ValueId in) { return in != kNoValue; });
  };
  const LoweredProgram over = lowered_with([](auto&&...) {});
  CHECK(num_over(over) == 1);
  CHECK(over.workspace_bytes == 16 * 16 * 4);
  // Read by a later kernel, or by a later op of the loop, or at other elements.
  const auto later = [](ir::Builder& b, ValueId made, ValueId) {
    b.output(b.dot(made, made, {{}, {}, {1}, {0}}), OutputKind::value);
  };
  const auto again = [](ir::Builder& b, ValueId made, ValueId bent) {
    b.output(b.add(made, bent), OutputKind::value);
  };
  const auto turned = [](ir::Builder& b, ValueId made, ValueId) {
    b.output(b.unary(OpKind::negate, b.transpose(made, {1, 0})), OutputKind::value);
  };
  CHECK(num_over(lowered_with(later)) == 0);
  CHECK(num_over(lowered_with(again)) == 0);
  CHECK(num_over(lowered_with(turned)) == 0);
}

TEST_CASE("an input whose old value is needed later is not overwritten") {
  ir::Builder b("swap");
  const Shape shape{DType::f32, {16}};
  const ValueId x = b.input(InputKind::parameter, shape, {}, "x");
  const ValueId y = b.input(InputKind::parameter, shape, {}, "y");
  b.output(b.unary(OpKind::negate, b.reverse(x, {0})), OutputKind::updated_state,
           0);                                                       // reads others
  b.output(b.unary(OpKind::tanh, y), OutputKind::updated_state, 1);  // reads itself
  const LoweredProgram lowered = lower::lower(std::move(b).finish());
  check_all(lowered);
  const auto base_of = [&](std::size_t output) {
    return lowered.views[at(lowered.program.outputs[output].value)].base;
  };
  CHECK(lowered.placed_in[at(base_of(0))] == kNoValue);
  CHECK(lowered.offsets[at(base_of(0))] >= 0);
  CHECK(lowered.placed_in[at(base_of(1))] == y);
}

TEST_CASE("rows of any vocabulary are folded in one pass by GPUs, on CPUs those that caches hold") {
  const auto num_nests = [](std::int64_t columns, lower::Kernels kernels) {
    ir::Builder b("rows");
    const std::vector<std::int64_t> dims{8, columns};
    const ValueId x = b.input(InputKind::batch, {DType::f32, dims}, {}, "x");
    const ValueId sum = b.reduce(x, {1}, Reduction::sum);
    b.output(b.mul(x, b.broadcast_in_dim(sum, dims, {0})), OutputKind::value);
    const LoweredProgram lowered = lower::lower(std::move(b).finish(), kernels);
    check_all(lowered);
    std::size_t count = 0;
    for (const KernelGroup& group : lowered.groups) count += group.nests.size();
    return count;
  };
  Cluster cluster;
  cluster.models = {{.num_multiprocessors = 132}};
  const lower::Kernels of_gpus = lower::kernels_of(cluster);
  CHECK(of_gpus == lower::kernels_of_gpus(false));
  cluster.models.emplace_back();
  const lower::Kernels of_some = lower::kernels_of(cluster);
  for (const std::int64_t columns : {65536, 65537, 128256, 256000, 262144, 262145}) {
    INFO(columns);
    CHECK(num_nests(columns, of_gpus) == (columns <= 262144 ? 1 : 2));
    CHECK(num_nests(columns, of_some) == (columns <= 65536 ? 1 : 2));
    CHECK(num_nests(columns, {}) == (columns <= 65536 ? 1 : 2));
  }
}

TEST_CASE("a collective is refused with its place") {
  ir::Builder b("spmd");
  Op op{.kind = OpKind::all_reduce, .shape = {DType::f32, {4}}};
  op.operands = {b.input(InputKind::batch, {DType::f32, {4}}, {}, "x")};
  op.attributes = CollectiveAttr{{0}, Reduction::sum};
  b.output(b.add(std::move(op), 2), OutputKind::value);
  const Program program = std::move(b).finish();
  CHECK_THROWS_AS(lower::lower(program), Error);
  CHECK_THROWS_WITH(lower::lower(program), Catch::Contains("all-reduce"));
}

TEST_CASE("a step of gpt 2.6b is fused into fewer kernels than half its ops") {
  const Program program = ir::training_step(models::gpt_forward(models::gpt_preset("2.6b"), 8), {});
  const LoweredProgram lowered = lower::lower(program);
  CAPTURE(program.size());
  CHECK(lowered.groups.size() < static_cast<std::size_t>(program.size()) / 2);
}
