// SPDX-License-Identifier: Apache-2.0
#include "lower/view.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "ir/builder.hpp"
#include "ir/reference.hpp"
#include "ir/strided.hpp"
#include "rhino/index.hpp"

using namespace rhino;
using namespace rhino::lower;

namespace {

/// What `view` shows of a base whose element i is i.
std::vector<double> shown(const View& view, const Dims& dims) {
  std::vector<double> elements;
  ir::for_each_index<1>(dims, {view.strides}, {view.offset}, [&](const ir::Offsets<1>& offset) {
    elements.push_back(static_cast<double>(offset[0]));
  });
  return elements;
}

/// A program of one input and a random chain of windows.
class RandomWindows {
 public:
  explicit RandomWindows(std::uint64_t seed) : random_(seed), builder_("windows") {}

  Program run(int length) && {
    ValueId value = builder_.input(InputKind::batch, {DType::f32, {4, 6, 2, 3}}, {}, "x");
    for (int i = 0; i < length; ++i) value = step(value);
    builder_.output(value, OutputKind::value);
    return std::move(builder_).finish();
  }

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bound));
  }

  ValueId step(ValueId value) {
    const Dims dims = builder_.shape(value).dims;
    const auto rank = static_cast<std::int64_t>(dims.size());
    switch (below(5)) {
      case 0: {
        Dims order(dims.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random_);
        return builder_.transpose(value, order);
      }
      case 1: {
        Dims starts(dims.size()), limits = dims, strides(dims.size(), 1);
        const std::size_t dim = at(below(rank));
        starts[dim] = below(dims[dim]);
        strides[dim] = 1 + below(2);
        return builder_.slice(value, starts, limits, strides);
      }
      case 2: return builder_.reverse(value, {below(rank)});
      case 3: {
        Dims to(dims.size()), wider = dims;
        const std::int64_t place = below(rank + 1);
        wider.insert(wider.begin() + place, 2);
        for (std::size_t i = 0; i < to.size(); ++i) {
          to[i] = static_cast<std::int64_t>(i) + (static_cast<std::int64_t>(i) >= place ? 1 : 0);
        }
        return num_elements(wider) > 2000 ? value : builder_.broadcast_in_dim(value, wider, to);
      }
      default: {
        if (rank < 2) return value;
        const std::size_t dim = at(below(rank - 1));
        Dims merged = dims;
        merged[dim] *= merged[dim + 1];
        merged.erase(merged.begin() + static_cast<std::ptrdiff_t>(dim) + 1);
        return builder_.reshape(value, merged);
      }
    }
  }

  std::mt19937_64 random_;
  ir::Builder builder_;
};

}  // namespace

TEST_CASE("a chain of windows shows what the reference evaluator moves") {
  int num_reshapes_expressed = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const Program program = RandomWindows(seed).run(6);
    ir::Tensor input{program.shape(0), std::vector<double>(at(num_elements(program.shape(0))))};
    std::iota(input.elements.begin(), input.elements.end(), 0);
    const std::vector<ir::Tensor> expected = ir::evaluate_all(program, {&input, 1});
    View view = dense_view(0, input.shape.dims);
    for (ValueId id = 1; id < program.size(); ++id) {
      const Op& op = program.op(id);
      const std::optional<View> next = view_of(op, program.shape(op.operands[0]).dims, view);
      if (!next) {
        CHECK(op.kind == OpKind::reshape);
        break;
      }
      view = *next;
      if (op.kind == OpKind::reshape) ++num_reshapes_expressed;
      CHECK(shown(view, op.shape.dims) == expected[at(id)].elements);
    }
  }
  CHECK(num_reshapes_expressed > 20);
}

TEST_CASE("strides say a reshape exactly where they can") {
  CHECK(reshaped_strides({4, 6}, {6, 1}, {24}) == Dims{1});
  CHECK(reshaped_strides({4, 6}, {1, 4}, {24}) == std::nullopt);
  CHECK(reshaped_strides({4, 6}, {1, 4}, {2, 2, 3, 2}) == Dims{2, 1, 8, 4});
  CHECK(reshaped_strides({8, 3}, {10, 1}, {2, 4, 3}) == Dims{40, 10, 1});
  CHECK(reshaped_strides({8, 3}, {10, 1}, {2, 12}) == std::nullopt);
  CHECK(reshaped_strides({5, 1, 2}, {0, 7, 0}, {10}) == Dims{0});
  CHECK(reshaped_strides({1, 1}, {9, 9}, {1}) == Dims{0});
}

TEST_CASE("collapsing keeps the order of elements") {
  CHECK(collapsed({2, 3, 4}, {12, 4, 1}) == std::vector<StridedDim>{{24, 1}});
  CHECK(collapsed({2, 3, 4}, {0, 4, 1}) == std::vector<StridedDim>{{2, 0}, {12, 1}});
  CHECK(collapsed({2, 1, 4}, {8, 5, 1}) == std::vector<StridedDim>{{2, 8}, {4, 1}});
  CHECK(collapsed({1, 1}, {3, 3}).empty());
  CHECK(has_dense_strides({2, 1, 4}, {4, 77, 1}));
  CHECK_FALSE(has_dense_strides({2, 4}, {8, 1}));
}
