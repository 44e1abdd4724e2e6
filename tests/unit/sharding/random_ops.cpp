// SPDX-License-Identifier: Apache-2.0
#include "random_ops.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "ir/builder.hpp"

namespace rhino::test {
namespace {

using Dims = std::vector<std::int64_t>;

class OpMaker {
 public:
  explicit OpMaker(Random& random) : random_(random), builder_("op") {}

  OneOp finish() && {
    Program program = builder_.program();
    program.outputs = {{program.size() - 1, OutputKind::value, -1}};
    return {std::move(program), std::move(inputs_)};
  }

  void elementwise() {
    const Dims dims = any_dims(3);
    switch (draw(random_, 12)) {
      case 0: builder_.unary(OpKind::negate, input(dims)); break;
      case 1: builder_.unary(OpKind::exponential, input(dims)); break;
      case 2: builder_.convert(input(dims), DType::f64); break;
      case 3: binary(OpKind::add, dims); break;
      case 4: binary(OpKind::subtract, dims); break;
      case 5: binary(OpKind::multiply, dims); break;
      case 6: binary(OpKind::maximum, dims); break;
      case 7: {
        const ValueId numerator = input(dims);
        builder_.div(numerator, nonzero(dims));
        break;
      }
      case 8: {
        const ValueId a = input(dims);
        builder_.compare(Comparison::lt, a, input(dims));
        break;
      }
      case 9: {
        const ValueId predicate = input(dims, DType::pred), a = input(dims);
        builder_.select(predicate, a, input(dims));
        break;
      }
      case 10: {
        const ValueId low = input(dims), a = input(dims);
        builder_.clamp(low, a, input(dims));
        break;
      }
      default: {
        const ValueId same = input(dims);
        builder_.mul(same, same);
      }
    }
  }

  void broadcast() {
    const Dims result = any_dims(4);
    Dims dims, from;
    for (std::size_t d = 0; d < result.size(); ++d) {
      if (draw(random_, 2)) continue;
      dims.push_back(static_cast<std::int64_t>(d));
      from.push_back(result[d]);
    }
    builder_.broadcast_in_dim(input(from), result, dims);
  }

  void reshape() {
    static const std::vector<std::vector<Dims>> kAlike = {
        {{4, 6}, {24}, {6, 4}, {2, 12}, {2, 2, 6}, {3, 8}, {1, 24, 1}, {2, 3, 4}},
        {{8, 12}, {96}, {2, 4, 12}, {4, 24}, {8, 3, 4}, {6, 16}, {2, 48}, {4, 2, 3, 4}},
        {{4, 4, 6}, {16, 6}, {4, 24}, {8, 12}, {2, 8, 6}, {4, 6, 4}, {12, 8}, {4, 1, 24}}};
    const auto& alike = pick(kAlike);
    const Dims& from = pick(alike);
    builder_.reshape(input(from), pick(alike));
  }

  void transpose() {
    const Dims dims = any_dims(4);
    Dims permutation(dims.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    std::shuffle(permutation.begin(), permutation.end(), random_);
    builder_.transpose(input(dims), permutation);
  }

  void slice() {
    const Dims dims = any_dims(3);
    Dims starts(dims.size(), 0), limits = dims, strides(dims.size(), 1);
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (draw(random_, 2)) continue;
      starts[d] = draw(random_, dims[d]);
      limits[d] = starts[d] + 1 + draw(random_, dims[d] - starts[d]);
      strides[d] = 1 + draw(random_, 2);
    }
    builder_.slice(input(dims), starts, limits, strides);
  }

  void pad() {
    const Dims dims = any_dims(3);
    Dims low(dims.size()), high(dims.size()), interior(dims.size());
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (draw(random_, 2)) continue;
      low[d] = draw(random_, 3) - (dims[d] > 1 ? 1 : 0);
      high[d] = draw(random_, 3);
      interior[d] = draw(random_, 2);
    }
    const ValueId a = input(dims);
    const ValueId fill = builder_.constant(DType::f32, static_cast<double>(draw(random_, 2)));
    builder_.pad(a, fill, low, high, interior);
  }

  void concatenate() {
    const Dims dims = any_dims(3);
    const std::int64_t dim = draw(random_, static_cast<std::int64_t>(dims.size()));
    std::vector<ValueId> parts;
    for (std::int64_t i = 0; i < 2; ++i) {
      Dims part = dims;
      part[static_cast<std::size_t>(dim)] = 1 + draw(random_, 4);
      parts.push_back(input(part));
    }
    builder_.concatenate(parts, dim);
  }

  void reverse() {
    const Dims dims = any_dims(3);
    builder_.reverse(input(dims), some_dims(dims.size()));
  }

  void reduce() {
    const Dims dims = any_dims(3);
    const auto reduction = Reduction(draw(random_, 6));
    const bool logical = reduction == Reduction::logical_and || reduction == Reduction::logical_or;
    builder_.reduce(input(dims, logical ? DType::pred : DType::f32), some_dims(dims.size()),
                    reduction);
  }

  void dot() {
    DotAttr attributes;
    Dims lhs, rhs;
    for (std::int64_t b = draw(random_, 3); b > 0; --b) {
      const std::int64_t size = extent();
      add_dim(lhs, size, attributes.lhs_batch);
      add_dim(rhs, size, attributes.rhs_batch);
    }
    for (std::int64_t c = 1 + draw(random_, 2); c > 0; --c) {
      const std::int64_t size = extent();
      add_dim(lhs, size, attributes.lhs_contracting);
      add_dim(rhs, size, attributes.rhs_contracting);
    }
    for (std::int64_t f = draw(random_, 3); f > 0; --f) lhs.push_back(extent());
    for (std::int64_t f = draw(random_, 3); f > 0; --f) rhs.push_back(extent());
    const ValueId a = input(lhs);
    builder_.dot(a, input(rhs), attributes);
  }

  void convolution() {
    const std::int64_t window = 1 + 2 * draw(random_, 2);
    ConvolutionAttr attributes;
    attributes.input_spatial = attributes.kernel_spatial = attributes.output_spatial = {2};
    attributes.strides = attributes.lhs_dilation = attributes.rhs_dilation = {1};
    attributes.low = attributes.high = {window / 2};
    attributes.feature_groups = 1 + draw(random_, 2);
    const std::int64_t in = 4, out = 6;
    const ValueId image = input({6, in, 4});
    const ValueId kernel = input({out, in / attributes.feature_groups, window});
    builder_.add(make(OpKind::convolution, {6, out, 4}, {image, kernel}, attributes));
  }

  void gather() {
    const std::int64_t rows = 6, columns = extent(), depth = 4;
    GatherAttr attributes;
    const bool first = draw(random_, 2) != 0;
    attributes.offset_dims = first ? Dims{0, 3} : Dims{2, 3};
    attributes.collapsed_slice_dims = {0};
    attributes.start_index_map = {0};
    attributes.slice_sizes = {1, columns, draw(random_, 2) ? depth : 2};
    attributes.index_vector_dim = 2;
    const ValueId table = input({rows, columns, depth});
    builder_.gather(table, indices({extent(), extent()}, rows + 2), attributes);
  }

  void scatter() {
    const std::int64_t rows = 6, columns = extent();
    const Dims index{extent(), extent()};
    ScatterAttr attributes;
    attributes.update_window_dims = {2};
    attributes.inserted_window_dims = {0};
    attributes.scatter_dims_to_operand_dims = {0};
    attributes.index_vector_dim = 2;
    const bool on_zero = draw(random_, 2) != 0;
    const Shape table_shape{DType::f32, {rows, columns}};
    const ValueId table = on_zero ? builder_.fill(table_shape, 0) : input(table_shape.dims);
    const ValueId where = indices(index, rows + 2);
    builder_.scatter(table, where, input({index[0], index[1], columns}), attributes);
  }

  void dynamic_slice() {
    const Dims dims = any_dims(2);
    Dims sizes = dims;
    std::vector<ValueId> starts;
    const ValueId tensor = input(dims);
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (draw(random_, 2)) sizes[d] = 1 + draw(random_, dims[d]);
      starts.push_back(indices({}, dims[d] + 1));
    }
    builder_.dynamic_slice(tensor, starts, sizes);
  }

  void dynamic_update_slice() {
    const Dims dims = any_dims(2);
    Dims sizes = dims;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (draw(random_, 2)) sizes[d] = 1 + draw(random_, dims[d]);
    }
    const ValueId tensor = input(dims), update = input(sizes);
    std::vector<ValueId> starts;
    for (std::int64_t size : dims) starts.push_back(indices({}, size + 1));
    builder_.dynamic_update_slice(tensor, update, starts);
  }

  void reduce_window() {
    const Dims dims{extent(), 6, 4};
    WindowAttr window{{1, 2, 1},
                      {1, 2, 1},
                      {0, 0, 0},
                      {0, 0, 0},
                      draw(random_, 2) ? Reduction::sum : Reduction::max};
    builder_.add(make(OpKind::reduce_window, {dims[0], 3, 4}, {input(dims)}, window));
  }

  void select_and_scatter() {
    const Dims dims{extent(), 6, 4};
    const WindowAttr window{{1, 2, 1}, {1, 2, 1}, {0, 0, 0}, {0, 0, 0}, Reduction::max};
    const ValueId tensor = input(dims), source = input({dims[0], 3, 4});
    builder_.add(make(OpKind::select_and_scatter, dims, {tensor, source}, window));
  }

  void sort() {
    const Dims dims = any_dims(2);
    const std::int64_t dim = draw(random_, static_cast<std::int64_t>(dims.size()));
    builder_.add(make(OpKind::sort, dims, {input(dims)}, DimAttr{dim}));
  }

 private:
  template <class T>
  const T& pick(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(
        draw(random_, static_cast<std::int64_t>(choices.size())))];
  }

  std::int64_t extent() { return pick(Dims{1, 2, 3, 4, 6, 8, 12}); }

  Dims any_dims(std::int64_t max_rank) {
    Dims dims(static_cast<std::size_t>(1 + draw(random_, max_rank)));
    for (std::int64_t& size : dims) size = extent();
    return dims;
  }

  Dims some_dims(std::size_t rank) {
    Dims dims;
    for (std::size_t d = 0; d < rank; ++d) {
      if (draw(random_, 2)) dims.push_back(static_cast<std::int64_t>(d));
    }
    return dims;
  }

  void add_dim(Dims& dims, std::int64_t size, Dims& list) {
    list.push_back(static_cast<std::int64_t>(dims.size()));
    dims.push_back(size);
  }

  ValueId input(const Dims& dims, DType dtype = DType::f32) {
    inputs_.push_back(random_tensor(random_, {dtype, dims}));
    return builder_.input(InputKind::batch, {dtype, dims}, {}, "x");
  }

  ValueId nonzero(const Dims& dims) {
    const ValueId id = input(dims);
    for (double& element : inputs_.back().elements) element = element == 0 ? 1 : element;
    return id;
  }

  // In [-1, bound): some out of range.
  ValueId indices(const Dims& dims, std::int64_t bound) {
    ir::Tensor tensor{{DType::s32, dims}, {}};
    for (std::int64_t i = num_elements(dims); i > 0; --i) {
      tensor.elements.push_back(static_cast<double>(draw(random_, bound + 1) - 1));
    }
    inputs_.push_back(tensor);
    return builder_.input(InputKind::batch, tensor.shape, {}, "indices");
  }

  void binary(OpKind kind, const Dims& dims) {
    const ValueId a = input(dims);
    builder_.binary(kind, a, input(dims));
  }

  static Op make(OpKind kind, const Dims& dims, std::vector<ValueId> operands,
                 Attributes attributes) {
    Op op;
    op.kind = kind;
    op.shape = {DType::f32, dims};
    op.operands = std::move(operands);
    op.attributes = std::move(attributes);
    return op;
  }

  Random& random_;
  ir::Builder builder_;
  std::vector<ir::Tensor> inputs_;
};

constexpr std::array kCases = {
    &OpMaker::elementwise,
    &OpMaker::broadcast,
    &OpMaker::reshape,
    &OpMaker::transpose,
    &OpMaker::slice,
    &OpMaker::pad,
    &OpMaker::concatenate,
    &OpMaker::reverse,
    &OpMaker::reduce,
    &OpMaker::dot,
    &OpMaker::convolution,
    &OpMaker::gather,
    &OpMaker::scatter,
    &OpMaker::dynamic_slice,
    &OpMaker::dynamic_update_slice,
    &OpMaker::reduce_window,
    &OpMaker::select_and_scatter,
    &OpMaker::sort,
};

}  // namespace

std::int64_t num_op_cases() { return static_cast<std::int64_t>(kCases.size()); }

OneOp random_op(Random& random, std::int64_t index) {
  OpMaker maker(random);
  (maker.*kCases[static_cast<std::size_t>(index)])();
  return std::move(maker).finish();
}

OneOp random_op(Random& random) { return random_op(random, draw(random, num_op_cases())); }

}  // namespace rhino::test
