// SPDX-License-Identifier: Apache-2.0
#include "plan/block_layout.hpp"

#include <catch2/catch.hpp>

#include "ir/builder.hpp"
#include "rhino/index.hpp"

namespace rhino::test {
namespace {

const Shape kTile{DType::f32, {64, 64}};

/// What reads the operand of an all-reduce beside it.
enum class Reader { none, before, under_way, other_sum };

/// A forward pass that makes x y and sends it, with places for all.
struct Laid {
  ValueId sent = kNoValue, result = kNoValue;
  plan::BlockLayout layout;
};

Laid laid_out(Reader reader) {
  ir::Builder b("pass");
  const auto input = [&] { return b.input(InputKind::parameter, kTile, {}, ""); };
  const auto matmul = [&](ValueId x, ValueId y) { return b.dot(x, y, DotAttr{{}, {}, {1}, {0}}); };
  const auto sum = [&](ValueId operand, Reduction reduction) {
    Op op;
    op.kind = OpKind::all_reduce;
    op.operands = {operand};
    op.attributes = CollectiveAttr{{0}, reduction};
    return b.add(std::move(op));
  };
  const ValueId x = input(), y = input();
  Laid laid;
  laid.sent = matmul(x, y);
  // What is sent needs it: so it runs before.
  const ValueId early = reader == Reader::before ? b.unary(OpKind::tanh, laid.sent) : kNoValue;
  laid.result = sum(laid.sent, Reduction::sum);
  b.output(b.unary(OpKind::negate, laid.result), OutputKind::value);
  if (reader == Reader::before) b.output(sum(early, Reduction::sum), OutputKind::value);
  if (reader == Reader::under_way) b.output(matmul(laid.sent, x), OutputKind::value);
  if (reader == Reader::other_sum) b.output(sum(laid.sent, Reduction::max), OutputKind::value);
  plan::Block block{.site = {sharding::ChunkPhase::forward, 0},
                    .program = std::move(b).finish(),
                    .inputs = {0, 1},
                    .outputs = {}};
  std::vector<plan::Resident> residents(2, {.origin = plan::Resident::Origin::input});
  for (std::size_t i = 0; i < block.program.outputs.size(); ++i) {
    block.outputs.push_back(static_cast<std::int32_t>(residents.size()));
    residents.push_back({.origin = plan::Resident::Origin::made});
  }
  for (plan::Resident& resident : residents) resident.global = resident.tile = kTile;
  auto cut = std::make_shared<const plan::CutProgram>(
      plan::cut({block.program, std::vector<std::int32_t>(2, -1), {}}));
  laid.layout =
      plan::lay_out(block, std::move(cut), residents, std::vector<bool>(residents.size(), true));
  return laid;
}

/// The result of the sum takes the memory of its operand.
bool is_in_place(const Laid& laid) {
  const plan::Place &from = laid.layout.places[at(laid.sent)],
                    &to = laid.layout.places[at(laid.result)];
  REQUIRE(from.kind != plan::Place::Kind::none);
  REQUIRE(to.kind != plan::Place::Kind::none);
  return from.kind == to.kind && from.index == to.index;
}

}  // namespace

TEST_CASE("a sum is made where its operand lies unless anybody reads that once it has begun") {
  CHECK(is_in_place(laid_out(Reader::none)));
  CHECK(is_in_place(laid_out(Reader::before)));
  CHECK_FALSE(is_in_place(laid_out(Reader::under_way)));
  CHECK_FALSE(is_in_place(laid_out(Reader::other_sum)));
}

}  // namespace rhino::test
