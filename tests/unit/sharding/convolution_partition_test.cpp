// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "ir/builder.hpp"
#include "ir/channels_last.hpp"
#include "partition_harness.hpp"
#include "rhino/index.hpp"
#include "sharding/partition.hpp"

using namespace rhino;
using namespace rhino::test;

namespace {

/// [8, 6, 5, 4] to [8, 6, 5, 8] and so on, in groups; a mean over the batch of squares.
Program grouped_step(Random& random) {
  ir::Builder b("groups");
  const ValueId x = b.input(InputKind::batch, {DType::f32, {8, 6, 5, 4}},
                            {Initializer::Kind::uniform, -1, 1}, "x");
  ConvolutionAttr a = ir::channels_last(2);
  a.low = a.high = {1, 1};
  ValueId out = x;
  std::int64_t features = 4;
  for (int layer = 0; layer < 3; ++layer) {
    a.feature_groups = std::vector<std::int64_t>{1, 2, 4}[at(draw(random, 3))];
    const std::int64_t outputs = 4 + 4 * draw(random, 2);
    const ValueId w =
        b.input(InputKind::parameter, {DType::f32, {3, 3, features / a.feature_groups, outputs}},
                {Initializer::Kind::normal, 0, 0.3}, "w" + std::to_string(layer));
    out = b.unary(OpKind::tanh,
                  b.add(Op{.kind = OpKind::convolution, .operands = {out, w}, .attributes = a}));
    features = outputs;
  }
  const ValueId loss = b.scale(b.reduce(b.mul(out, out), {0, 1, 2, 3}, Reduction::sum), 0.125);
  b.output(loss, OutputKind::loss);
  return step_of(std::move(b).finish());
}

}  // namespace

TEST_CASE("convolutions in groups under random shardings of every op equal the single device") {
  int num_cut = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const Program program = grouped_step(random);
    StrategyDraft draft = draft_on({{draw(random, 2) != 0 ? 2 : 4}}, 1 + draw(random, 2));
    const Strategy strategy = random_strategy(random, program, draft);
    CAPTURE(seed, draft.num_micro_batches);
    check_step(program, strategy, seed);
    for (const sharding::ChunkProgram& part : sharding::partition(program, strategy)) {
      for (ValueId id = 0; id < part.program.size(); ++id) {
        const Op& op = part.program.op(id);
        if (op.kind != OpKind::convolution) continue;
        const auto& a = op.attributes.get<ConvolutionAttr>();
        const bool is_part = std::ranges::none_of(program.ops, [&](const Op& whole) {
          if (whole.kind != OpKind::convolution) return false;
          const auto& w = whole.attributes.get<ConvolutionAttr>();
          return w.feature_groups == a.feature_groups && w.batch_groups == a.batch_groups;
        });
        num_cut += is_part;
      }
    }
  }
  CHECK(num_cut > 0);
}
