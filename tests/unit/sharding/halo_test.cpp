// SPDX-License-Identifier: Apache-2.0
#include "sharding/halo.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "ir/builder.hpp"
#include "ir/channels_last.hpp"
#include "partition_harness.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "sharding/partition.hpp"
#include "sharding/rule.hpp"

using namespace rhino;
using namespace rhino::test;

namespace {

constexpr std::int64_t kSamples = 2;

std::int64_t dilated(std::int64_t extent, std::int64_t dilation) {
  return (extent - 1) * dilation + 1;
}

/// One spatial dim of a convolution or pooling whose output has as many blocks as its input.
struct DrawnDim {
  std::int64_t input = 1, output = 1, size = 1, stride = 1, low = 0, high = 0;
  std::int64_t lhs_dilation = 1, rhs_dilation = 1;
};

DrawnDim draw_dim(Random& random, std::int64_t input, bool is_pooling) {
  DrawnDim dim{.input = input};
  dim.size = 1 + draw(random, is_pooling ? 3 : 4);
  if (!is_pooling && draw(random, 3) == 0) dim.rhs_dilation = 2;
  const std::int64_t form = draw(random, is_pooling ? 2 : 4);
  if (form == 1) dim.stride = input % 3 == 0 && draw(random, 2) ? 3 : 2;
  if (form == 2) dim.lhs_dilation = 2;
  if (input % dim.stride != 0) dim.stride = 1;
  dim.output = input * dim.lhs_dilation / dim.stride;
  const std::int64_t spans = (dim.output - 1) * dim.stride + dilated(dim.size, dim.rhs_dilation),
                     padding = spans - dilated(input, dim.lhs_dilation);
  dim.low = is_pooling ? draw(random, std::max<std::int64_t>(padding, 0) + 1)
                       : draw(random, std::abs(padding) + 2) + std::min<std::int64_t>(padding, 0);
  dim.high = padding - dim.low + draw(random, dim.stride);
  if (is_pooling) dim.high = std::max<std::int64_t>(padding - dim.low, 0);
  return dim;
}

/// The same with any padding, as a rule another one than blocks of outputs that begin with those of
/// the input want; cut in `parts` all the same.
DrawnDim draw_drifting_dim(Random& random, std::int64_t input, std::int64_t parts) {
  DrawnDim dim{.input = input};
  do {
    dim.size = 1 + draw(random, 5), dim.stride = 1 + draw(random, 3);
    dim.low = draw(random, 2) ? 0 : draw(random, 5) - 2;
    dim.output = parts * (1 + draw(random, input / dim.stride / parts + 1));
    dim.high = (dim.output - 1) * dim.stride + dim.size - input - dim.low;
  } while (dim.high > dim.size || dim.high < -input / 2 || dim.output * dim.stride == input);
  return dim;
}

/// Which dims of the image are cut, by which axis.
using Cuts = std::vector<std::pair<std::size_t, AxisId>>;

/// A convolution of an image, in groups at times, a pooling of it, and a mean over the batch.
struct DrawnStep {
  Program program;
  ValueId image = kNoValue;
  std::vector<DrawnDim> dims;
};

ConvolutionAttr attributes_of(const std::vector<DrawnDim>& dims) {
  ConvolutionAttr a = ir::channels_last(std::ssize(dims));
  for (std::size_t d = 0; d < dims.size(); ++d) {
    a.strides[d] = dims[d].stride, a.low[d] = dims[d].low, a.high[d] = dims[d].high;
    a.lhs_dilation[d] = dims[d].lhs_dilation, a.rhs_dilation[d] = dims[d].rhs_dilation;
  }
  return a;
}

ValueId pooled(ir::Builder& b, Random& random, ValueId x, Reduction reduction) {
  const std::vector<std::int64_t> extents = b.shape(x).dims;
  WindowAttr window{{1}, {1}, {0}, {0}, reduction};
  const bool is_padded = draw(random, 4) > 0;
  for (std::size_t d = 1; d < extents.size(); ++d) {
    const bool is_spatial = d + 1 < extents.size();
    DrawnDim dim = is_spatial ? draw_dim(random, extents[d], true) : DrawnDim{};
    if (!is_padded && dim.size <= extents[d]) dim.low = dim.high = 0;
    window.sizes.push_back(dim.size), window.strides.push_back(dim.stride);
    window.low.push_back(dim.low), window.high.push_back(dim.high);
  }
  return b.add(Op{.kind = OpKind::reduce_window, .operands = {x}, .attributes = window});
}

DrawnStep step_with(Random& random, const std::vector<DrawnDim>& dims) {
  ir::Builder b("image");
  DrawnStep step;
  step.dims = dims;
  ConvolutionAttr a = attributes_of(step.dims);
  a.feature_groups = 1 + draw(random, 2);
  std::vector<std::int64_t> image{kSamples}, kernel;
  for (const DrawnDim& dim : step.dims) image.push_back(dim.input), kernel.push_back(dim.size);
  image.push_back(2);
  kernel.push_back(2 / a.feature_groups), kernel.push_back(2);
  step.image =
      b.input(InputKind::batch, {DType::f32, image}, {Initializer::Kind::uniform, -1, 1}, "x");
  const auto weight = [&](const std::vector<std::int64_t>& dims, const char* name) {
    return b.input(InputKind::parameter, {DType::f32, dims}, {Initializer::Kind::normal, 0, 0.5},
                   name);
  };
  // A parameter in front, so that the convolution has a gradient of its input.
  const ValueId scale = weight({2}, "scale"), w = weight(kernel, "w");
  const ValueId x = b.mul(step.image, b.broadcast_in_dim(scale, image, {std::ssize(image) - 1}));
  ValueId y = b.add(Op{.kind = OpKind::convolution, .operands = {x, w}, .attributes = a});
  y = b.shift(b.unary(OpKind::tanh, y),
              -1.5);  // below zero: padding must not look like the largest
  y = pooled(b, random, y, draw(random, 3) ? Reduction::max : Reduction::sum);
  std::vector<std::int64_t> all(b.shape(y).dims.size());
  for (std::size_t d = 0; d < all.size(); ++d) all[d] = static_cast<std::int64_t>(d);
  b.output(b.scale(b.reduce(b.mul(y, y), all, Reduction::sum), 1.0 / kSamples), OutputKind::loss);
  step.program = step_of(std::move(b).finish(), ir::Optimizer::Kind::sgd);
  return step;
}

DrawnStep draw_step(Random& random, const std::vector<std::int64_t>& extents) {
  std::vector<DrawnDim> dims;
  for (const std::int64_t extent : extents) dims.push_back(draw_dim(random, extent, false));
  return step_with(random, dims);
}

Strategy cut_images(const DrawnStep& step, const std::vector<std::int64_t>& mesh,
                    const Cuts& cuts) {
  StrategyDraft draft = draft_on({mesh}, 1);
  draft.batch_axis = -2;
  Annotation annotation{step.image, {}};
  annotation.dims.resize(step.dims.size() + 2);
  for (const auto& [dim, axis] : cuts) annotation.dims[dim] = {axis};
  draft.annotations = {annotation};
  return sharding::complete(step.program, draft);
}

/// Elements along dim `d` that block `part` of the outputs reads of blocks before and behind.
struct Reached {
  std::int64_t before = 0, behind = 0;
};
Reached reach_of(const DrawnDim& dim, std::int64_t parts, std::int64_t part) {
  std::set<std::int64_t> read;
  const std::int64_t outputs = dim.output / parts, tile = dim.input / parts;
  for (std::int64_t o = part * outputs; o < (part + 1) * outputs; ++o) {
    for (std::int64_t k = 0; k < dim.size; ++k) {
      const std::int64_t place = o * dim.stride + k * dim.rhs_dilation - dim.low;
      const bool is_element = place >= 0 && place % dim.lhs_dilation == 0;
      if (is_element && place / dim.lhs_dilation < dim.input) read.insert(place / dim.lhs_dilation);
    }
  }
  if (read.empty()) return {};
  return {std::max<std::int64_t>(0, part * tile - *read.begin()),
          std::max<std::int64_t>(0, *read.rbegin() + 1 - (part + 1) * tile)};
}

std::vector<const Op*> exchanges(const Program& program) {
  std::vector<const Op*> found;
  for (const Op& op : program.ops) {
    if (op.kind == OpKind::halo_exchange) found.push_back(&op);
  }
  return found;
}

const Op& convolution_of(const Program& program) {
  return *std::ranges::find(program.ops, OpKind::convolution, &Op::kind);
}

}  // namespace

TEST_CASE("images cut in space give what the single device does, gradients too") {
  int num_cut = 0, num_halos = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    const std::int64_t parts = 2 + draw(random, 3), rank = 1 + draw(random, 3);
    std::vector<std::int64_t> extents(at(rank), 4);
    extents[at(draw(random, rank))] = parts * (rank > 2 ? 2 : 2 * (1 + draw(random, 2)));
    const DrawnStep step = draw_step(random, extents);
    Cuts cuts;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (cuts.empty() && extents[d] % parts == 0 && extents[d] > 4) cuts = {{d + 1, 0}};
    }
    if (cuts.empty()) cuts = {{1, 0}};
    if (extents[cuts[0].first - 1] % parts != 0) continue;
    const Strategy strategy = cut_images(step, {parts}, cuts);
    CAPTURE(seed, parts, extents);
    check_step(step.program, strategy, seed);
    const auto convolution =
        static_cast<std::size_t>(&convolution_of(step.program) - step.program.ops.data());
    num_cut += !strategy.specs[convolution].dims[cuts[0].first].splits.empty();
    for (const sharding::ChunkProgram& part : sharding::partition(step.program, strategy))
      num_halos += !exchanges(part.program).empty();
  }
  CHECK(num_cut > 100);
  CHECK(num_halos > 150);
}

TEST_CASE("windows that drift over the parts of an image are cut exactly") {
  int num_cut = 0, num_drifting = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Random random(seed);
    const std::int64_t parts = 2 + draw(random, 3);
    std::vector<DrawnDim> dims{draw_drifting_dim(random, parts * (2 + draw(random, 4)), parts)};
    if (draw(random, 2)) dims.push_back(draw_dim(random, 4, false));
    const DrawnStep step = step_with(random, dims);
    const Strategy strategy = cut_images(step, {parts}, {{1, 0}});
    CAPTURE(seed, parts, dims[0].input, dims[0].output, dims[0].size, dims[0].stride, dims[0].low);
    check_step(step.program, strategy, seed);
    const auto convolution =
        static_cast<std::size_t>(&convolution_of(step.program) - step.program.ops.data());
    num_cut += !strategy.specs[convolution].dims[1].splits.empty();
    for (const sharding::ChunkProgram& part : sharding::partition(step.program, strategy))
      num_drifting += std::ranges::count(part.program.ops, OpKind::dynamic_slice, &Op::kind) > 0;
  }
  CHECK(num_cut > 60);
  CHECK(num_drifting > 60);
}

TEST_CASE("images cut along two dims exchange corners as well") {
  int num_both = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const DrawnStep step = draw_step(random, {6, 6});
    const Strategy strategy = cut_images(step, {2, 3}, {{1, 0}, {2, 1}});
    CAPTURE(seed);
    check_step(step.program, strategy, seed);
    const auto convolution =
        static_cast<std::size_t>(&convolution_of(step.program) - step.program.ops.data());
    const auto& dims = strategy.specs[convolution].dims;
    num_both += !dims[1].splits.empty() && !dims[2].splits.empty();
  }
  CHECK(num_both > 15);
}

TEST_CASE("images under random shardings of every op equal the single device") {
  int num_halos = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const DrawnStep step = draw_step(random, {4, 12});
    StrategyDraft draft =
        draft_on({draw(random, 2) ? std::vector<std::int64_t>{2, 2} : std::vector<std::int64_t>{3}},
                 1 + draw(random, 2));
    const Strategy strategy = random_strategy(random, step.program, draft);
    CAPTURE(seed);
    check_step(step.program, strategy, seed);
    for (const sharding::ChunkProgram& part : sharding::partition(step.program, strategy))
      num_halos += static_cast<int>(exchanges(part.program).size());
  }
  CHECK(num_halos > 10);
}

TEST_CASE("a halo is what the outputs of some device read of its neighbours, and no more") {
  int num_checked = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const std::int64_t parts = 3 + draw(random, 2);
    DrawnStep step = draw_step(random, {parts * (2 + draw(random, 2))});
    const DrawnDim& dim = step.dims[0];
    const ValueId id =
        static_cast<ValueId>(&convolution_of(step.program) - step.program.ops.data());
    const sharding::OpRule rule = sharding::op_rule(step.program, id);
    const Mesh mesh = make_mesh({parts});
    const auto parts_of = sharding::axis_parts(mesh, 1);
    const auto factor = sharding::find_factor(rule, rule.operands[0][1], {0, dim.input}, parts);
    // Of a device in the middle: those at the ends lack a neighbour.
    const Reached reach = reach_of(dim, parts, 1);
    CAPTURE(seed, parts, dim.input, dim.output, dim.size, dim.stride, dim.low, dim.lhs_dilation,
            dim.rhs_dilation);
    const std::int64_t tile = dim.input / parts;
    if (!factor || rule.factors[at(factor->factor)].kind != sharding::Factor::Kind::parallel)
      continue;
    const bool may = sharding::may_add(rule, {}, *factor, parts_of);
    const bool fits = std::max(reach.before, reach.behind) <= tile;
    if (!may) continue;
    CHECK(fits);
    const auto halos = sharding::operand_halos(rule, {{*factor}, {}}, 0, parts_of);
    const std::int64_t before = halos.empty() ? 0 : halos[0].before,
                       behind = halos.empty() ? 0 : halos[0].behind;
    CHECK(before <= tile);
    CHECK(behind <= tile);
    // A hole at a border may leave an element unread that other strides would read.
    CHECK(before == reach.before);
    CHECK(behind == reach.behind);
    ++num_checked;
  }
  CHECK(num_checked > 100);
}

namespace {

/// 3 x 3, padded by one, of [2, 8, 6, 4] to [2, 8, 6, 4].
DrawnStep plain_step() {
  DrawnStep step;
  ir::Builder b("image");
  step.dims = {{.input = 8, .output = 8, .size = 3, .low = 1, .high = 1},
               {.input = 6, .output = 6, .size = 3, .low = 1, .high = 1}};
  step.image = b.input(InputKind::batch, {DType::f32, {2, 8, 6, 4}},
                       {Initializer::Kind::uniform, -1, 1}, "x");
  const ValueId w = b.input(InputKind::parameter, {DType::f32, {3, 3, 4, 4}},
                            {Initializer::Kind::normal, 0, 0.5}, "w");
  const ValueId y = b.add(Op{.kind = OpKind::convolution,
                             .operands = {step.image, w},
                             .attributes = attributes_of(step.dims)});
  b.output(b.scale(b.reduce(b.mul(y, y), {0, 1, 2, 3}, Reduction::sum), 0.5), OutputKind::loss);
  step.program = step_of(std::move(b).finish(), ir::Optimizer::Kind::sgd);
  return step;
}

}  // namespace

TEST_CASE("a halo exchange carries the rows that the closed formula says") {
  const DrawnStep step = plain_step();
  const Strategy strategy = cut_images(step, {4}, {{1, 0}});
  check_step(step.program, strategy);
  std::vector<std::int64_t> sizes;
  for (const sharding::ChunkProgram& part : sharding::partition(step.program, strategy)) {
    for (const Op* op : exchanges(part.program)) {
      CHECK(op->attributes.get<CollectiveAttr>().before == 1);
      sizes.push_back(num_elements(op->shape));
    }
  }
  // Of the image, once forward and once for the gradient of the kernel: a row each way.
  CHECK(sizes == std::vector<std::int64_t>{2 * 2 * 6 * 4, 2 * 2 * 6 * 4});
}

TEST_CASE("space is not cut where parts do not divide or a halo is wider than a neighbour's tile") {
  const DrawnStep step = plain_step();
  const ValueId id = static_cast<ValueId>(&convolution_of(step.program) - step.program.ops.data());
  const sharding::OpRule rule = sharding::op_rule(step.program, id);
  const auto may_cut = [&](const sharding::OpRule& of, std::size_t dim, std::int64_t extent,
                           std::int64_t parts, AxisId axis) {
    const Mesh mesh = make_mesh({parts});
    const auto split = sharding::find_factor(of, of.result[dim], {axis, extent}, parts);
    return split && sharding::may_add(of, {}, *split,
                                      axis == kMicroAxis ? std::vector<std::int64_t>{parts, 1}
                                                         : sharding::axis_parts(mesh, 1));
  };
  CHECK(may_cut(rule, 1, 8, 8, 0));
  CHECK(!may_cut(rule, 1, 8, 3, 0));
  CHECK(may_cut(rule, 2, 6, 3, 0));
  CHECK(!may_cut(rule, 1, 4, 2, 0));  // strided
  CHECK(!may_cut(rule, 1, 8, 2, kMicroAxis));
  DrawnStep wide = plain_step();
  Op& convolution = wide.program.ops[at(id)];
  auto a = convolution.attributes.get<ConvolutionAttr>();
  a.rhs_dilation = {3, 1}, a.low[0] = a.high[0] = 3;
  convolution.attributes = a;
  const sharding::OpRule reaching = sharding::op_rule(wide.program, id);
  CHECK(may_cut(reaching, 1, 8, 2, 0));
  CHECK(!may_cut(reaching, 1, 8, 4, 0));
}
