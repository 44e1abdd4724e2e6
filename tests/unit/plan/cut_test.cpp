// SPDX-License-Identifier: Apache-2.0
#include "plan/cut.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "ir/builder.hpp"

namespace rhino::test {
namespace {

const Shape kSquare{DType::f32, {64, 64}};

ValueId all_reduce(ir::Builder& b, ValueId a) {
  Op op;
  op.kind = OpKind::all_reduce;
  op.operands = {a};
  op.attributes = CollectiveAttr{{0}, Reduction::sum};
  return b.add(std::move(op));
}
ValueId input(ir::Builder& b, const Shape& shape = kSquare) {
  return b.input(InputKind::parameter, shape, {}, "");
}
ValueId matmul(ir::Builder& b, ValueId x, ValueId y) {
  return b.dot(x, y, DotAttr{{}, {}, {1}, {0}});
}

/// `run0 start0 run1 wait0`: the items in order.
std::string items_of(const plan::CutProgram& cut) {
  constexpr const char* kKinds[] = {"run", "start", "wait", "depart", "arrive"};
  std::string text;
  for (const plan::CutItem& item : cut.items)
    text += (text.empty() ? "" : " ") + std::string(kKinds[static_cast<int>(item.kind)]) +
            std::to_string(item.index);
  return text;
}
plan::CutProgram cut_all(const Program& program) {
  return plan::cut({program, std::vector<std::int32_t>(program.inputs.size(), -1), {}});
}

}  // namespace

TEST_CASE("what does not wait for a collective runs while it is under way") {
  // A layer's backward: the activation gradient goes through a collective, the weight gradient does
  // not.
  ir::Builder b("backward");
  const ValueId dy = input(b), w = input(b), x = input(b);
  const ValueId dw = matmul(b, x, dy);
  const ValueId dx = all_reduce(b, matmul(b, dy, w));
  b.output(dw, OutputKind::value);
  b.output(b.unary(OpKind::tanh, dx), OutputKind::value);
  const Program program = std::move(b).finish();
  const plan::CutProgram cut = cut_all(program);
  CHECK(items_of(cut) == "run0 start0 run1 wait0 run2");
  CHECK(cut.runs[1].outputs == std::vector<ValueId>{dw});
}

TEST_CASE("where collectives block the same runs, each waited for where it starts") {
  // As above; gradients that are reduced for the update alone start as they did.
  ir::Builder b("backward");
  const ValueId dy = input(b), w = input(b), x = input(b);
  const ValueId dw = all_reduce(b, matmul(b, x, dy));
  const ValueId dx = all_reduce(b, matmul(b, dy, w));
  b.output(dw, OutputKind::value);
  b.output(matmul(b, b.unary(OpKind::tanh, dx), w), OutputKind::value);
  const Program program = std::move(b).finish();
  plan::CutProblem problem{program, {-1, -1, -1}, {}, {dw}};
  const plan::CutProgram overlapping = plan::cut(problem);
  CHECK(items_of(overlapping) == "run0 start0 run1 start1 wait0 run2");
  problem.blocks = true;
  const plan::CutProgram blocking = plan::cut(problem);
  CHECK(items_of(blocking) == "run0 start0 wait0 run1 start1 run2");
  for (std::size_t r = 0; r < blocking.runs.size(); ++r)
    CHECK(blocking.runs[r].program == overlapping.runs[r].program);
}

TEST_CASE("independent collectives alike are one communication, unlike ones are not") {
  ir::Builder b("two");
  const ValueId x = input(b), y = input(b);
  const ValueId sum_x = all_reduce(b, x), sum_y = all_reduce(b, y);
  Op op;
  op.kind = OpKind::all_reduce;
  op.operands = {x};
  op.attributes = CollectiveAttr{{0}, Reduction::max};
  const ValueId max_x = b.add(std::move(op));
  b.output(b.add(b.add(sum_x, sum_y), max_x), OutputKind::value);
  const Program program = std::move(b).finish();
  const plan::CutProgram cut = cut_all(program);
  CHECK(items_of(cut) == "start0 start1 wait0 wait1 run0");
  CHECK(cut.collectives[0].operands == std::vector<ValueId>{x, y});
  CHECK(cut.collectives[1].reduction == Reduction::max);
}

TEST_CASE("large collectives go in buckets, each with the work behind it") {
  ir::Builder b("update");
  const Shape large{DType::f32, {1024, 1024}};
  for (int i = 0; i < 3; ++i)
    b.output(b.unary(OpKind::negate, all_reduce(b, input(b, large))), OutputKind::value);
  const Program program = std::move(b).finish();
  CHECK(items_of(cut_all(program)) == "start0 start1 start2 wait0 run0 wait1 run1 wait2 run2");
}

TEST_CASE("reductions leave in buckets as their operands are complete") {
  ir::Builder b("backward");
  const ValueId w = input(b);
  ValueId dy = input(b);
  std::vector<ValueId> gradients, reductions;
  for (int layer = 0; layer < 3; ++layer) {
    gradients.push_back(matmul(b, dy, dy));
    dy = matmul(b, dy, w);
  }
  b.output(dy, OutputKind::value);
  for (const ValueId gradient : gradients) {
    b.output(gradient, OutputKind::value);
    b.output(reductions.emplace_back(all_reduce(b, gradient)), OutputKind::value);
  }
  const Program program = std::move(b).finish();
  const std::int64_t bytes = num_bytes(kSquare);
  const auto items = [&](std::int64_t least_bytes) {
    return items_of(rhino::plan::cut({program, {-1, -1}, {{dy}}, reductions, least_bytes}));
  };
  CHECK(items(bytes) == "run0 depart0 run1 start0 run2 start1 run3 start2");
  CHECK(items(bytes + 1) == "run0 depart0 run1 start0 run2 start1");
  CHECK(items(3 * bytes + 1) == "run0 depart0 run1 start0");
  rhino::plan::CutProblem behind{program, {-1, -1}, {{dy}}, reductions, bytes};
  behind.reduces_last = true;
  CHECK(items_of(rhino::plan::cut(behind)) == "run0 depart0 run1 start0 start1 start2");
}

TEST_CASE("of reductions that are unlike those leave first that are complete first") {
  // As where small gradients stay whole and the others are scattered: the whole ones make a bucket
  // with the last gradient only.
  ir::Builder b("backward");
  const ValueId w = input(b);
  ValueId dy = input(b);
  std::vector<ValueId> gradients, reductions;
  for (int layer = 0; layer < 4; ++layer) {
    gradients.push_back(matmul(b, dy, dy));
    if (layer == 1 || layer == 2) gradients.back() = b.reshape(gradients.back(), {2, 32, 64});
    dy = matmul(b, dy, w);
  }
  for (const ValueId gradient : gradients) {
    Op reduction;
    reduction.kind = b.shape(gradient) == kSquare ? OpKind::all_reduce : OpKind::reduce_scatter;
    reduction.operands = {gradient};
    reduction.attributes = CollectiveAttr{{0}, Reduction::sum};
    b.output(reductions.emplace_back(b.add(std::move(reduction))), OutputKind::value);
  }
  const Program program = std::move(b).finish();
  const plan::CutProgram cut =
      rhino::plan::cut({program, {-1, -1}, {}, reductions, 2 * num_bytes(kSquare)});
  CHECK(items_of(cut) == "run0 start0 run1 start1");
  CHECK(cut.collectives.front().kind == plan::CommunicationKind::reduce_scatter);
}

TEST_CASE("parameters are gathered one bucket ahead of their use") {
  ir::Builder b("forward");
  ValueId x = input(b);
  for (int layer = 0; layer < 4; ++layer) {
    Op gather;
    gather.kind = OpKind::all_gather;
    gather.operands = {input(b, {DType::f32, {32, 64}})};
    gather.attributes = CollectiveAttr{{0}, Reduction::sum};
    x = matmul(b, x, b.reshape(b.add(std::move(gather), 2), {64, 64}));
  }
  b.output(x, OutputKind::value);
  const Program program = std::move(b).finish();
  const std::int64_t bytes = num_bytes(kSquare);
  const auto items = [&](std::int64_t least_bytes) {
    return items_of(rhino::plan::cut(
        {program, {-1, -1, -1, -1, -1}, {}, {}, least_bytes, {false, true, true, true, true}}));
  };
  CHECK(items(bytes) == "start0 start1 wait0 run0 start2 wait1 run1 start3 wait2 run2 wait3 run3");
  CHECK(items(4 * bytes) == "start0 wait0 run0");  // one bucket holds all
}

TEST_CASE("results that are scattered are waited for one bucket later") {
  ir::Builder b("backward");
  const Shape rows{DType::f32, {2, 32, 64}};
  const ValueId x = input(b), old = input(b, {DType::f32, {32, 64}});
  for (int layer = 0; layer < 3; ++layer) {
    Op scatter;
    scatter.kind = OpKind::reduce_scatter;
    scatter.operands = {b.reshape(matmul(b, x, b.scale(x, layer + 2.0)), rows.dims)};
    scatter.attributes = CollectiveAttr{{0}, Reduction::sum};
    b.output(b.add(old, b.add(std::move(scatter))), OutputKind::value);
  }
  const Program program = std::move(b).finish();
  const std::int64_t bytes = num_bytes(kSquare);
  const auto items = [&](std::int64_t least_bytes) {
    return items_of(rhino::plan::cut({program, {-1, -1}, {}, {}, least_bytes}));
  };
  CHECK(items(bytes) == "run0 start0 run1 wait0 start1 run2 run3 wait1 start2 run4 wait2 run5");
  CHECK(items(3 * bytes) == "run0 start0 wait0 run1");
}

TEST_CASE("constants, iotas and broadcasts are repeated, not kept") {
  ir::Builder b("cheap");
  const ValueId row = input(b, {DType::f32, {64}}), x = input(b);
  const ValueId spread = b.broadcast_in_dim(row, {64, 64}, {1});
  const ValueId half = b.fill(kSquare, 0.5);
  const ValueId y = all_reduce(b, b.mul(b.add(x, spread), half));
  b.output(b.mul(b.add(y, spread), half), OutputKind::value);
  const Program program = std::move(b).finish();
  const plan::CutProgram cut = cut_all(program);
  REQUIRE(items_of(cut) == "run0 start0 wait0 run1");
  CHECK(cut.runs[0].inputs.size() == 2);
  CHECK(cut.runs[1].inputs.size() == 2);  // y and the row that is spread
  CHECK(cut.runs[0].outputs.size() == 1);
}

TEST_CASE("an arrival is waited for where it is needed, a departure leaves when it is made") {
  ir::Builder b("pass");
  const ValueId local = input(b), remote = input(b), w = input(b);
  const ValueId early = matmul(b, local, w);
  const ValueId sent = b.add(early, remote);
  b.output(sent, OutputKind::value);
  b.output(matmul(b, sent, w), OutputKind::value);
  const Program program = std::move(b).finish();
  const plan::CutProgram cut = rhino::plan::cut({program, {-1, 7, -1}, {{sent}}});
  CHECK(items_of(cut) == "run0 arrive7 run1 depart0 run2");
}

TEST_CASE("collectives are waited for in the order in which they began") {
  // An update: sums 1 and 2 are under way, 0 comes from elsewhere, and one begins here.
  ir::Builder b("update");
  const ValueId other = input(b), later = input(b), first = input(b), own = input(b);
  b.output(b.scale(all_reduce(b, own), 2), OutputKind::value);
  for (const ValueId sum : {other, first, later}) b.output(b.scale(sum, 2), OutputKind::value);
  const Program program = std::move(b).finish();
  plan::CutProblem problem{program, {0, 2, 1, -1}, {}};
  problem.first_under_way = 1;
  CHECK(items_of(plan::cut(problem)) == "start0 arrive1 run0 arrive2 run1 wait0 run2 arrive0 run3");
}

TEST_CASE("cheap work is fused with what comes after the Wait") {
  ir::Builder b("fused");
  const ValueId x = input(b), w = input(b);
  const ValueId sum = all_reduce(b, matmul(b, x, w));
  b.output(b.mul(sum, b.unary(OpKind::tanh, x)), OutputKind::value);
  const Program program = std::move(b).finish();
  const plan::CutProgram cut = cut_all(program);
  CHECK(items_of(cut) == "run0 start0 wait0 run1");
}

TEST_CASE("ops that nothing needs are left out") {
  ir::Builder b("dead");
  const ValueId x = input(b);
  all_reduce(b, b.unary(OpKind::exponential, x));
  b.output(b.unary(OpKind::negate, x), OutputKind::value);
  const Program program = std::move(b).finish();
  const plan::CutProgram cut = cut_all(program);
  CHECK(items_of(cut) == "run0");
  CHECK(cut.runs[0].program.ops.size() == 2);
}

TEST_CASE("layers that compute alike are the same program") {
  ir::Builder b("layers");
  ValueId x = input(b);
  for (int layer = 0; layer < 3; ++layer) {
    b.set_scope("h" + std::to_string(layer));
    x = all_reduce(b, matmul(b, b.unary(OpKind::tanh, x), input(b)));
  }
  b.output(x, OutputKind::value);
  const Program program = std::move(b).finish();
  const plan::CutProgram cut = cut_all(program);
  REQUIRE(cut.runs.size() == 3);
  CHECK(cut.runs[0].program == cut.runs[1].program);
  CHECK(cut.runs[1].program == cut.runs[2].program);
}

}  // namespace rhino::test
