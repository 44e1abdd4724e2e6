// SPDX-License-Identifier: Apache-2.0
#include "random_program.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "ir/builder.hpp"
#include "ir/op_traits.hpp"

namespace rhino::testing {
namespace {

using Dims = std::vector<std::int64_t>;

Op make(OpKind kind, std::vector<ValueId> operands, Attributes attributes = {}, Shape shape = {}) {
  return {.kind = kind,
          .shape = std::move(shape),
          .operands = std::move(operands),
          .attributes = std::move(attributes)};
}

void add_elementwise(ir::Builder& b, ValueId x, ValueId n) {
  for (const ir::OpTraits& row : ir::all_traits()) {
    if (row.op_class != ir::OpClass::elementwise || row.arity > 2 || row.read) continue;
    const ValueId operand = row.takes & ir::kFloating ? x : n;
    if (row.arity == 2) b.binary(row.kind, operand, operand);
    else if (row.kind != OpKind::convert && row.kind != OpKind::bitcast_convert)
      b.unary(row.kind, operand);
  }
  for (int c = 0; c < 6; ++c) b.compare(static_cast<Comparison>(c), x, x);
  for (int t = 0; t <= static_cast<int>(DType::pred); ++t) b.convert(x, static_cast<DType>(t));
  const ValueId flag = b.compare(Comparison::lt, x, x);
  b.clamp(b.select(flag, x, x), x, x);
}

void add_movement(ir::Builder& b, ValueId x, ValueId index) {
  b.broadcast_in_dim(x, {4, 2, 6}, {0, 2});
  b.reshape(x, {2, 12});
  b.transpose(x, {1, 0});
  b.slice(x, {1, 0}, {4, 6}, {2, 1});
  b.pad(x, b.constant(DType::f32, 7), {1, -2}, {0, 3}, {2, 0});
  b.pad(b.constant(DType::f32, 7), b.constant(DType::f32, 7), {}, {});
  b.slice(b.constant(DType::f32, 7), {}, {});
  b.concatenate({x, x, x}, 1);
  b.reverse(x, {0, 1});
  b.dynamic_update_slice(x, b.dynamic_slice(x, {index, index}, {2, 3}), {index, index});
}

void add_reductions(ir::Builder& b, ValueId x, ValueId n) {
  for (int r = 0; r < 4; ++r) b.reduce(x, {1}, static_cast<Reduction>(r));
  b.reduce(n, {0, 1}, Reduction::logical_and);
  b.reduce(n, {}, Reduction::logical_or);
  b.dot(x, x, {{0}, {0}, {1}, {1}});
  b.dot(x, x, {{}, {}, {1}, {1}});
  const WindowAttr window{{2, 3}, {1, 2}, {0, 1}, {1, 0}, Reduction::max};
  const ValueId pooled = b.add(make(OpKind::reduce_window, {x}, window));
  b.add(make(OpKind::select_and_scatter, {x, pooled}, window));
  const WindowAttr smallest{{1, 1}, {1, 1}, {0, 0}, {0, 0}, Reduction::min};
  b.add(make(OpKind::select_and_scatter, {x, x}, smallest));
  b.add(make(OpKind::sort, {x, n}, DimAttr{1}));
  b.add(make(OpKind::sort, {n}, DimAttr{0}));
}

void add_convolutions(ir::Builder& b) {
  ConvolutionAttr dims;
  dims.input_batch = 1, dims.input_feature = 3, dims.input_spatial = {2, 0};
  dims.kernel_output = 2, dims.kernel_input = 0, dims.kernel_spatial = {3, 1};
  dims.output_batch = 0, dims.output_feature = 2, dims.output_spatial = {1, 3};
  dims.strides = {2, 1}, dims.low = {1, -1}, dims.high = {2, 3};
  dims.lhs_dilation = {2, 1}, dims.rhs_dilation = {1, 2};
  dims.feature_groups = 2;
  const ValueId x = b.fill({DType::f32, {7, 4, 5, 6}}, 1),
                k = b.fill({DType::f32, {3, 2, 4, 3}}, 2);
  b.add(make(OpKind::convolution, {x, k}, dims));
  ConvolutionAttr plain;  // no spatial dims: a dot
  plain.batch_groups = 2;
  b.add(make(OpKind::convolution,
             {b.fill({DType::f32, {4, 3}}, 1), b.fill({DType::f32, {2, 3}}, 1)}, plain));
}

void add_indexing(ir::Builder& b, ValueId x) {
  const ValueId indices = b.iota({DType::s32, {5, 1}}, 0);
  const ValueId rows = b.gather(x, indices, {{1}, {0}, {0}, {1, 6}, 1});
  for (const Reduction reduction : {Reduction::sum, Reduction::max}) {
    b.scatter(x, indices, rows, {{1}, {0}, {0}, 1, reduction});
  }
}

void add_collectives(ir::Builder& b, ValueId x) {
  b.axis_index({1, 0});
  b.add(make(OpKind::all_reduce, {x}, CollectiveAttr{{0}, Reduction::max}));
  b.add(make(OpKind::all_gather, {x}, CollectiveAttr{{0, 1}}), 8);
  b.add(make(OpKind::reduce_scatter, {x}, CollectiveAttr{{1}}), 4);
  b.add(make(OpKind::all_to_all, {x}, CollectiveAttr{{}, Reduction::min}));
  b.add(make(OpKind::halo_exchange, {x}, CollectiveAttr{{}, Reduction::sum, 1}));
}

// One op more, of operands that fit.
class RandomBuilder {
 public:
  explicit RandomBuilder(std::uint32_t seed) : random_(seed), builder_("random") {}

  Program run(int num_ops) {
    const Initializer normal{Initializer::Kind::normal, 0, 0.02};
    for (int i = 0; i < 3; ++i) {
      Dims dims(pick(3) + 1);
      for (std::int64_t& extent : dims) extent = static_cast<std::int64_t>(pick(5) + 1);
      builder_.input(InputKind::parameter, {DType::f32, dims}, normal, "w" + std::to_string(i));
    }
    while (builder_.program().size() < num_ops) add_op();
    const ValueId last = builder_.program().size() - 1;
    builder_.output(builder_.reduce(last, all_dims(last), Reduction::sum), OutputKind::loss);
    builder_.output(0, OutputKind::updated_state, 0);
    builder_.output(1, OutputKind::gradient, 1);
    return std::move(builder_).finish();
  }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }
  const Dims& dims(ValueId x) { return builder_.shape(x).dims; }

  Dims all_dims(ValueId x) {
    Dims all(dims(x).size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  ValueId floating_value() {
    for (;;) {
      const auto id = static_cast<ValueId>(pick(builder_.program().ops.size()));
      if (builder_.shape(id).dtype == DType::f32) return id;
    }
  }

  void add_op() {
    const auto phase = static_cast<Phase>(pick(3));
    const ValueId x = floating_value();
    builder_.set_phase(phase, phase == Phase::backward ? x : kNoValue);
    builder_.set_scope(pick(2) ? "scope" : "");
    const ValueId made = add_op_on(x);
    if (pick(2)) builder_.name(made, "v" + std::to_string(made));
  }

  ValueId add_op_on(ValueId x) {
    const Dims extents = dims(x);
    const std::size_t rank = extents.size();
    Dims permutation = all_dims(x);
    std::shuffle(permutation.begin(), permutation.end(), random_);
    switch (pick(rank ? 12 : 4)) {
      case 0: return builder_.unary(OpKind::tanh, x);
      case 1: return builder_.scale(x, 0.1 * static_cast<double>(pick(20)));
      case 2: return builder_.select(builder_.compare(Comparison::gt, x, x), x, x);
      case 3: {
        Dims larger = extents;
        larger.insert(larger.begin(), 2);
        if (num_elements(larger) > 2000) return builder_.unary(OpKind::negate, x);
        for (std::int64_t& d : permutation = all_dims(x)) ++d;
        return builder_.broadcast_in_dim(x, larger, permutation);
      }
      case 4: return builder_.transpose(x, permutation);
      case 5: return builder_.reshape(x, {num_elements(extents)});
      case 6: return builder_.reverse(x, {permutation[0]});
      case 7: return builder_.reduce(x, {permutation[0]}, static_cast<Reduction>(pick(4)));
      case 8: return builder_.slice(x, Dims(rank, 0), extents, Dims(rank, 2));
      case 9:
        return builder_.pad(x, builder_.constant(DType::f32, -1.5), Dims(rank, 1), Dims(rank, -1));
      case 10: return builder_.concatenate({x, x}, permutation[0]);
      default: return builder_.dot(x, x, {{}, {}, permutation, permutation});
    }
  }

  std::mt19937 random_;
  ir::Builder builder_;
};

}  // namespace

Program every_op_program() {
  ir::Builder b("every.op");
  const Shape shape{DType::f32, {4, 6}};
  const ValueId x = b.input(InputKind::parameter, shape, {Initializer::Kind::normal, 0, 0.02}, "x");
  const ValueId n = b.input(InputKind::batch, {DType::s32, {4, 6}},
                            {Initializer::Kind::uniform_integer, 0, 1024}, "n");
  b.input(InputKind::optimizer_state, shape, {}, "m", 0);
  const ValueId step = b.input(InputKind::scalar, {DType::s32, {}}, {Initializer::Kind::step}, "");
  b.add(make(OpKind::rng, {}, RngAttr{18446744073709551615U, -0.5, 1e-3}, shape));
  b.iota({DType::s64, {2, 3}}, 1);
  add_elementwise(b, x, n);
  add_movement(b, x, step);
  add_reductions(b, x, n);
  add_convolutions(b);
  add_indexing(b, x);
  add_collectives(b, x);
  b.output(b.reduce(x, {0, 1}, Reduction::sum), OutputKind::loss);
  b.output(b.scale(x, 2), OutputKind::gradient, 0);
  b.output(b.scale(x, 3), OutputKind::updated_state, 2);
  b.output(n, OutputKind::value);
  return std::move(b).finish();
}

Program random_program(std::uint32_t seed, int num_ops) { return RandomBuilder(seed).run(num_ops); }

}  // namespace rhino::testing
