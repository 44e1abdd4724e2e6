// SPDX-License-Identifier: Apache-2.0
#include "calibrate/probes.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ir/autodiff.hpp"
#include "ir/builder.hpp"
#include "ir/channels_last.hpp"
#include "ir/dead_ops.hpp"
#include "models/layers.hpp"
#include "topology/discover.hpp"
#include "topology/gpus.hpp"

namespace rhino::calibrate {
namespace {

const Sizes kCpuSizes{
    .extents = {80, 320, 1280},
    .few = 24,
    .heads = {40, 80, 160, 320},
    .head = 40,
    .batch = 12,
    .wide = {720, 5000, 360},
    .loop_elements = 12000,
    .rows = {40, 120, 240, 640, 2400},
    .stream_elements = 12'000'000,
    .large_message = 6'000'000,
    .reuse_bytes = {256'000, 1'000'000, 4'000'000, 16'000'000, 32'000'000, 96'000'000},
    .sums = {10'000, 40'000, 160'000, 640'000, 4'000'000, 16'000'000},
    .moves = {10'000, 160'000, 1'000'000, 4'000'000, 16'000'000},
    .images = {{2, 24, 24, 24},
               {4, 12, 48, 48},
               {2, 6, 96, 96},
               {2, 24, 48, 96, 1},
               {2, 48, 3, 24, 7, 2},
               {8, 8, 8, 16},
               {8, 4, 16, 16},
               {8, 2, 48, 48},
               {4, 2, 256, 192},
               {4, 4, 192, 256},
               {8, 4, 24, 48, 1}}};
const Sizes kGpuSizes{.extents = {256, 1024, 4096},
                      .few = 0,
                      .heads = {128, 256, 512, 1024},
                      .head = 64,
                      .batch = 16,
                      .wide = {2048, 16384, 1024},
                      .loop_elements = 960'000,
                      .rows = {128, 1024, 8192},
                      .stream_elements = 1 << 27,
                      .large_message = 1 << 26,
                      .attention_batch = 8,
                      .attention_heads = 16,
                      .attention_rows = 1024,
                      .attention_depths = {64, 96, 128},
                      .has_large_narrow = true,
                      .fold_elements = 1 << 23,
                      .hot_turns = 1500,
                      .hot_elements = 1 << 25,
                      .images = {{16, 64, 128, 128},
                                 {16, 32, 256, 256},
                                 {16, 16, 512, 512},
                                 {16, 8, 1024, 1024},
                                 {32, 56, 64, 256, 1},
                                 {32, 224, 3, 64, 7, 2}}};
/// Fakes: to see it run.
const Sizes kToySizes{.extents = {8, 16, 24},
                      .few = 0,
                      .heads = {4, 8, 12, 16},
                      .head = 4,
                      .batch = 2,
                      .wide = {12, 20, 8},
                      .loop_elements = 1200,
                      .rows = {120},
                      .stream_elements = 4096,
                      .large_message = 4096,
                      .attention_batch = 1,
                      .attention_heads = 2,
                      .attention_rows = 8,
                      .attention_depths = {8},
                      .has_large_narrow = true,
                      .fold_elements = 2400,
                      .hot_turns = 2,
                      .hot_elements = 1024,
                      .images = {{1, 6, 2, 3}}};

}  // namespace

bool drives_gpus(const WorkerSetup& setup) { return setup.session.device == "cuda"; }

const Sizes& sizes_of(const WorkerSetup& setup) {
  if (!drives_gpus(setup)) return kCpuSizes;
  return topology::discover_gpus().is_fake() ? kToySizes : kGpuSizes;
}

Cluster cluster_of(const WorkerSetup& setup) {
  if (!drives_gpus(setup)) return topology::discover_local(setup.num_ranks);
  Cluster cluster = topology::gpu_cluster(topology::discover_gpus(), setup.num_ranks);
  cluster.software.attention = !setup.session.gpu.keeps_scores;
  return cluster;
}

Probe dot_probe(const cost::Calibration::Dot& dot, DType dtype, Layout layout) {
  ir::Builder b("dot");
  struct Operand {
    Shape shape;
    std::int64_t batch, row, column;  ///< dims
  };
  // Heads of a batch lie beside each other in the rows of a longer matrix.
  const auto operand = [&](std::int64_t rows, std::int64_t columns) {
    const bool are_heads = dot.batch > 1 && columns < rows;
    return are_heads ? Operand{{dtype, {rows, dot.batch, columns}}, 1, 0, 2}
                     : Operand{{dtype, {dot.batch, rows, columns}}, 0, 1, 2};
  };
  const bool columns = layout == Layout::columns, rows = layout == Layout::rows;
  const Operand lhs = columns ? operand(dot.k, dot.m) : operand(dot.m, dot.k),
                rhs = rows ? operand(dot.n, dot.k) : operand(dot.k, dot.n);
  const ValueId x = b.input(InputKind::batch, lhs.shape, {}, "x"),
                y = b.input(InputKind::batch, rhs.shape, {}, "y");
  const ValueId z = b.dot(x, y,
                          {.lhs_batch = {lhs.batch},
                           .rhs_batch = {rhs.batch},
                           .lhs_contracting = {columns ? lhs.row : lhs.column},
                           .rhs_contracting = {rows ? rhs.column : rhs.row}});
  b.output(z, OutputKind::value);
  const Shape output = b.shape(z);
  return {std::move(b).finish(), {lhs.shape, rhs.shape}, output};
}

Probe convolution_probe(const Images& images, DType dtype, Pass pass) {
  const auto& [batch, side, in, out, size, stride] = images;
  ir::Builder b("images");
  const ValueId x = b.input(InputKind::batch, {dtype, {batch, side, side, in}}, {}, "x"),
                w = b.input(InputKind::parameter, {dtype, {size, size, in, out}}, {}, "w");
  ConvolutionAttr attr = ir::channels_last(2);
  attr.strides.assign(2, stride);
  attr.low.assign(2, (size - 1) / 2);
  attr.high.assign(2, size / 2);
  const ValueId y = b.add(Op{.kind = OpKind::convolution, .operands = {x, w}, .attributes = attr});
  const ValueId seed = b.input(InputKind::batch, b.shape(y), {}, "seed"),
                loss = b.reduce(models::widened(b, b.mul(y, seed)), {0, 1, 2, 3}, Reduction::sum);
  Program all = std::move(b).finish();
  ValueId last = y;
  if (pass != Pass::forward)
    last = ir::append_gradients(all, loss, {pass == Pass::of_images ? x : w}).front();
  all.outputs = {{.value = last, .kind = OutputKind::value}};
  all = ir::without_dead_ops(all);
  const auto found = std::ranges::find(all.ops, OpKind::convolution, &Op::kind);
  ir::Builder alone("convolution");
  Probe probe;
  Op op{.kind = OpKind::convolution, .attributes = found->attributes};
  for (const ValueId operand : found->operands) {
    probe.inputs.push_back(all.shape(operand));
    op.operands.push_back(alone.input(InputKind::batch, all.shape(operand), {}, "operand"));
  }
  const ValueId made = alone.add(std::move(op));
  alone.output(made, OutputKind::value);
  probe.output = alone.shape(made);
  probe.program = std::move(alone).finish();
  return probe;
}

Probe products_probe(std::int64_t rows, std::int64_t size, std::int64_t count, Layout layout,
                     bool is_apart) {
  ir::Builder b("products");
  const Shape shape{DType::f32, {rows, size}}, weight{DType::f32, {size, size}};
  ValueId y = b.input(InputKind::batch, shape, {}, "x");
  Probe probe{.inputs = {shape}, .output = shape, .is_apart = is_apart};
  for (std::int64_t i = 0; i < count; ++i) {
    const ValueId w = b.input(InputKind::parameter, weight, {}, "w" + std::to_string(i));
    y = b.dot(y, w, {.lhs_contracting = {1}, .rhs_contracting = {layout == Layout::rows ? 1 : 0}});
    probe.inputs.push_back(weight);
  }
  b.output(y, OutputKind::value);
  probe.program = std::move(b).finish();
  return probe;
}

Probe chain_probe(OpKind kind, std::int64_t elements, std::int64_t length) {
  ir::Builder b("chain");
  const Shape shape{DType::f32, {elements}};
  const ValueId x = b.input(InputKind::batch, shape, {}, "x");
  ValueId y = x;
  for (std::int64_t i = 0; i < length; ++i) {
    switch (kind) {
      case OpKind::add:
      case OpKind::subtract:
      case OpKind::multiply:
      case OpKind::divide:
      case OpKind::maximum:
      case OpKind::power: y = b.binary(kind, y, x); break;
      case OpKind::select: y = b.select(b.compare(Comparison::gt, y, x), y, x); break;
      case OpKind::exponential: y = b.unary(kind, b.unary(OpKind::negate, y)); break;
      default: y = b.unary(kind, y); break;
    }
  }
  b.output(y, OutputKind::value);
  return {std::move(b).finish(), {shape}, shape};
}

Probe steps_probe(OpKind kind, std::int64_t elements) {
  ir::Builder b("steps");
  const Shape shape{DType::f32, {elements}};
  ValueId last = b.input(InputKind::batch, shape, {}, "x"), value = b.binary(kind, last, last);
  for (std::int64_t i = 1; i < kLoopSteps; ++i)
    last = std::exchange(value, b.binary(kind, value, last));
  b.output(value, OutputKind::value);
  return {std::move(b).finish(), {shape}, shape};
}

Probe terms_probe(std::optional<OpKind> kind, std::int64_t elements) {
  ir::Builder b("terms");
  const Shape shape{DType::f32, {elements}};
  const ValueId x = b.input(InputKind::batch, shape, {}, "x");
  const auto term = [&](std::int64_t i) {
    const ValueId y = b.scale(x, 1 + 0.01 * static_cast<double>(i));
    if (!kind) return y;
    if (*kind == OpKind::divide) return b.div(y, x);
    return *kind == OpKind::select ? b.select(b.compare(Comparison::gt, y, x), y, x)
                                   : b.unary(*kind, y);
  };
  ValueId sum = term(0);
  for (std::int64_t i = 1; i < kLoopSteps; ++i) sum = b.add(sum, term(i));
  b.output(sum, OutputKind::value);
  return {std::move(b).finish(), {shape}, shape};
}

Probe columns_probe(std::int64_t elements, std::int64_t columns) {
  ir::Builder b("columns");
  const Shape shape{DType::f32, {std::max<std::int64_t>(1, elements / columns), columns}};
  ValueId last = b.input(InputKind::batch, shape, {}, "x"), value = last;
  std::vector<ValueId> sums;
  for (std::int64_t i = 0; i < kColumnSums; ++i) {
    last = std::exchange(value, b.add(value, last));
    sums.push_back(b.reduce(value, {0}, Reduction::sum));
  }
  for (const ValueId sum : sums) b.output(sum, OutputKind::value);
  const Shape output = b.shape(sums.front());
  return {.program = std::move(b).finish(),
          .inputs = {shape},
          .output = output,
          .more_outputs = std::vector<Shape>(sums.size() - 1, output)};
}

Probe turn_probe(std::int64_t elements, std::int64_t row) {
  ir::Builder b("turn");
  constexpr std::int64_t kRows = 4;
  const Shape shape{DType::f32, {std::max<std::int64_t>(1, elements / row / kRows), kRows, row}};
  const ValueId x = b.input(InputKind::batch, shape, {}, "x");
  const ValueId turned = b.transpose(x, {1, 0, 2});
  b.output(turned, OutputKind::value);
  const Shape output = b.shape(turned);
  return {std::move(b).finish(), {shape}, output};
}

Probe update_probe(std::int64_t elements) {
  ir::Builder b("update");
  const Shape shape{DType::f32, {elements}};
  const ValueId x = b.input(InputKind::optimizer_state, shape, {}, "x");
  b.output(b.add(x, x), OutputKind::updated_state, 0);
  return {std::move(b).finish(), {shape}, shape, true};
}

Probe sum_probe(std::int64_t elements) {
  ir::Builder b("sum");
  const Shape shape{DType::f32, {elements}};
  const ValueId x = b.input(InputKind::optimizer_state, shape, {}, "x"),
                y = b.input(InputKind::batch, shape, {}, "y");
  b.output(b.add(x, y), OutputKind::updated_state, 0);
  return {.program = std::move(b).finish(),
          .inputs = {shape, shape},
          .output = shape,
          .in_place = true,
          .is_apart = true};
}

Probe fold_probe(std::int64_t elements, std::int64_t row) {
  ir::Builder b("fold");
  const Shape shape{DType::f32, {std::max<std::int64_t>(1, elements / row), row}};
  const ValueId x = b.input(InputKind::batch, shape, {}, "x");
  ValueId y = x;
  for (std::int64_t i = 0; i < kFoldChain; ++i) {
    const ValueId folded = b.reduce(y, {1}, i % 2 == 0 ? Reduction::sum : Reduction::max);
    y = b.scale(b.sub(y, b.broadcast_in_dim(folded, shape.dims, {0})), 0.5);
  }
  b.output(y, OutputKind::value);
  return {std::move(b).finish(), {shape}, shape};
}

Probe attention_probe(const Sizes& sizes, DType dtype, std::int64_t depth, bool is_backward) {
  const std::int64_t batch = sizes.attention_batch, heads = sizes.attention_heads,
                     rows = sizes.attention_rows;
  const Shape query{dtype, {batch, rows, heads, 1, depth}}, key{dtype, {batch, rows, heads, depth}};
  ir::Builder b("attention");
  const ValueId q = b.input(InputKind::parameter, query, {}, "q"),
                k = b.input(InputKind::parameter, key, {}, "k"),
                v = b.input(InputKind::parameter, key, {}, "v");
  if (!is_backward) {
    b.output(models::attention(b, q, k, v, {.is_causal = true}), OutputKind::value);
    return {std::move(b).finish(), {query, key, key}, query};
  }
  const ValueId seed = b.input(InputKind::batch, query, {}, "seed");
  const ValueId mixed = models::attention(b, q, k, v, {.is_causal = true});
  const ValueId loss =
      b.reduce(models::widened(b, b.mul(mixed, seed)), {0, 1, 2, 3, 4}, Reduction::sum);
  Program program = std::move(b).finish();
  for (const ValueId gradient : ir::append_gradients(program, loss, {q, k, v}))
    program.outputs.push_back({.value = gradient, .kind = OutputKind::value});
  return {.program = std::move(program),
          .inputs = {query, key, key, query},
          .output = query,
          .more_outputs = {key, key}};
}

namespace {

/// Of few rows, forward and backward, and of few terms, as the gradient of a weight is then.
void add_few(const Sizes& sizes, std::vector<cost::Calibration::Dot>& grid) {
  if (sizes.few == 0) return;
  const std::int64_t middle = sizes.extents[1], large = sizes.extents[2];
  for (const auto& [n, k] : {std::pair(middle, middle), {middle, large}, {large, middle}}) {
    grid.push_back({1, sizes.few, n, k, 0});
    grid.push_back({1, n, k, sizes.few, 0});
  }
}

/// Of many rows and as many terms, as layers of large models have them.
void add_layers(const Sizes& sizes, std::vector<cost::Calibration::Dot>& grid) {
  if (!sizes.has_large_narrow) return;
  const std::int64_t middle = sizes.extents[1], wide = sizes.extents[2] / 2,
                     rows = 2 * sizes.extents[2];
  for (const auto& [m, n, k] : {std::tuple(rows, rows, wide),
                                {rows, wide, rows},
                                {wide, rows, rows},
                                {rows, middle, middle},
                                {middle, middle, rows}})
    grid.push_back({1, m, n, k, 0});
}

}  // namespace

std::vector<cost::Calibration::Dot> dot_grid(const Sizes& sizes) {
  std::vector<cost::Calibration::Dot> grid;
  for (const std::int64_t m : sizes.extents) {
    for (const std::int64_t n : sizes.extents) {
      for (const std::int64_t k : sizes.extents) grid.push_back({1, m, n, k, 0});
    }
  }
  for (const std::int64_t size : sizes.heads) {
    grid.push_back({sizes.batch, size, size, sizes.head, 0});
    grid.push_back({sizes.batch, size, sizes.head, size, 0});
    grid.push_back({sizes.batch, sizes.head, size, size, 0});
  }
  const auto [tokens, words, width] = sizes.wide;
  grid.push_back({1, tokens, words, width, 0});
  grid.push_back({1, tokens, width, words, 0});
  grid.push_back({1, words, width, tokens, 0});
  add_layers(sizes, grid);
  add_few(sizes, grid);
  return grid;
}

std::vector<cost::Calibration::Dot> narrow_grid(const Sizes& sizes) {
  const auto [small, middle, large] = sizes.extents;
  const std::int64_t rows = sizes.heads[2];
  std::vector<cost::Calibration::Dot> grid{{1, small, small, small, 0},
                                           {1, middle, middle, middle, 0},
                                           {1, large, large, middle, 0},
                                           {1, middle, large, large, 0},
                                           {1, large, small, large, 0},
                                           {sizes.batch, rows, rows, sizes.head, 0},
                                           {sizes.batch, rows, sizes.head, rows, 0}};
  add_layers(sizes, grid);
  if (sizes.has_large_narrow) grid.push_back({1, large, large, large, 0});
  return grid;
}

std::vector<cost::Calibration::Dot> transposed_grid(const Sizes& sizes) {
  const auto [small, middle, large] = sizes.extents;
  std::vector<cost::Calibration::Dot> grid = narrow_grid(sizes);
  grid.push_back({1, small, middle, middle, 0});
  grid.push_back({1, small, large, large, 0});
  add_few(sizes, grid);
  return grid;
}

Probe stream_probe(const Sizes& sizes) {
  return chain_probe(OpKind::add, sizes.stream_elements, 1);
}

}  // namespace rhino::calibrate
