// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "evaluation.hpp"

using namespace rhino;
using namespace rhino::ir;
using namespace rhino::testing;
using Row = std::vector<double>;

namespace {

// StableHLO's definition of gather, index by index.
Tensor gathered(const Tensor& table, const Tensor& indices, const GatherAttr& dims,
                const Shape& result) {
  const auto holds = [](const Dims& list, std::size_t d) {
    return std::find(list.begin(), list.end(), static_cast<std::int64_t>(d)) != list.end();
  };
  return tabulate(result, [&](const Dims& i) {
    Dims batch, offset;
    for (std::size_t d = 0; d < i.size(); ++d) {
      (holds(dims.offset_dims, d) ? offset : batch).push_back(i[d]);
    }
    Dims full(table.shape.dims.size(), 0);
    for (std::size_t k = 0; k < dims.start_index_map.size(); ++k) {
      Dims place = batch;
      if (static_cast<std::size_t>(dims.index_vector_dim) < indices.shape.dims.size()) {
        place.insert(place.begin() + dims.index_vector_dim, static_cast<std::int64_t>(k));
      }
      const auto d = static_cast<std::size_t>(dims.start_index_map[k]);
      full[d] = std::clamp<std::int64_t>(static_cast<std::int64_t>(element(indices, place)), 0,
                                         table.shape.dims[d] - dims.slice_sizes[d]);
    }
    std::size_t next = 0;
    for (std::size_t d = 0; d < full.size(); ++d) {
      if (!holds(dims.collapsed_slice_dims, d)) full[d] += offset[next++];
    }
    return element(table, full);
  });
}

void check_gather(const Tensor& table, const Tensor& indices, const GatherAttr& dims) {
  const Tensor result = compute({table, indices}, OpKind::gather, dims);
  CHECK(result == gathered(table, indices, dims, result.shape));
}

}  // namespace

TEST_CASE("gather follows its definition for rows, windows and index vectors anywhere") {
  std::mt19937 random(3);
  const Tensor table = random_tensor(random, {DType::f32, {6, 4, 3}}, -99, 99);
  const auto indices = [&](Dims dims) {
    return random_tensor(random, {DType::s32, std::move(dims)}, -2, 8);
  };
  check_gather(table, indices({5}), {{1, 2}, {0}, {0}, {1, 4, 3}, 1});
  check_gather(table, indices({5, 2, 1}), {{2, 3}, {0}, {0}, {1, 4, 3}, 2});
  check_gather(table, indices({2, 5}), {{0}, {0, 2}, {2, 0}, {1, 2, 1}, 0});
  check_gather(table, indices({3, 3, 2}), {{0, 2, 4}, {}, {1, 0}, {2, 2, 2}, 1 + 1});
  check_gather(table, indices({3}), {{0, 1}, {1}, {0, 1, 2}, {3, 1, 2}, 0});
}

TEST_CASE("scatter of sums is the transpose of gather where indices are in range") {
  std::mt19937 random(4);
  const Shape table_shape{DType::f32, {6, 4}};
  const Tensor indices = random_tensor(random, {DType::s32, {7, 1}}, 0, 5);
  const Tensor updates = random_tensor(random, {DType::f32, {7, 4}});
  const Tensor table = random_tensor(random, table_shape);
  const Tensor zero = tabulate(table_shape, [](const Dims&) { return 0.0; });
  const Tensor scattered =
      compute({zero, indices, updates}, OpKind::scatter, ScatterAttr{{1}, {0}, {0}, 1});
  const Tensor gathered =
      compute({table, indices}, OpKind::gather, GatherAttr{{1}, {0}, {0}, {1, 4}, 1});
  double lhs = 0, rhs = 0;  // <table, scatter(updates)> == <gather(table), updates>
  for (std::size_t i = 0; i < 24; ++i) lhs += table.elements[i] * scattered.elements[i];
  for (std::size_t i = 0; i < 28; ++i) rhs += gathered.elements[i] * updates.elements[i];
  CHECK(lhs == rhs);
}

TEST_CASE("scatter drops what lies outside and reduces what meets") {
  const Tensor table = f32({4}, {1, 1, 1, 1});
  const auto scatter = [&](Reduction reduction, std::vector<double> where) {
    return compute({table, s32({3, 1}, std::move(where)), f32({3}, {5, -6, 7})}, OpKind::scatter,
                   ScatterAttr{{}, {0}, {0}, 1, reduction})
        .elements;
  };
  CHECK(scatter(Reduction::sum, {1, 1, 3}) == Row{1, 0, 1, 8});
  CHECK(scatter(Reduction::sum, {-1, 4, 0}) == Row{8, 1, 1, 1});
  CHECK(scatter(Reduction::max, {2, 2, 2}) == Row{1, 1, 7, 1});
  CHECK(scatter(Reduction::min, {2, 2, 2}) == Row{1, 1, -6, 1});
  CHECK(scatter(Reduction::product, {0, 0, 1}) == Row{-30, 7, 1, 1});
  // A window that hangs over the end keeps its inner part.
  CHECK(compute({table, s32({1}, {3}), f32({2}, {5, 6})}, OpKind::scatter,
                ScatterAttr{{0}, {}, {0}, 0})
            .elements == Row{1, 1, 1, 6});
  CHECK(compute({table, s32({1}, {-1}), f32({2}, {5, 6})}, OpKind::scatter,
                ScatterAttr{{0}, {}, {0}, 0})
            .elements == Row{7, 1, 1, 1});
}

TEST_CASE("a convolution is a sum over taps of the dilated, padded input") {
  std::mt19937 random(5);
  ConvolutionAttr dims;  // layouts that differ from each other
  dims.input_batch = 1, dims.input_feature = 3, dims.input_spatial = {2, 0};
  dims.kernel_output = 2, dims.kernel_input = 0, dims.kernel_spatial = {3, 1};
  dims.output_batch = 0, dims.output_feature = 2, dims.output_spatial = {1, 3};
  dims.strides = {2, 1}, dims.low = {1, -1}, dims.high = {2, 3};
  dims.lhs_dilation = {2, 1}, dims.rhs_dilation = {1, 2};
  for (const auto& [feature_groups, batch_groups] : {std::pair{1, 1}, {2, 1}, {1, 2}}) {
    dims.feature_groups = feature_groups;
    dims.batch_groups = batch_groups;
    const Tensor x = random_tensor(random, {DType::f32, {7, 4, 5, 6}});
    const Tensor k = random_tensor(random, {DType::f32, {6 / feature_groups, 2, 4, 3}});
    const Tensor y = compute({x, k}, OpKind::convolution, dims);
    const auto input = [&](std::int64_t n, std::int64_t f, std::int64_t row, std::int64_t col) {
      const bool between = row % 2 != 0 || row < 0 || col < 0;
      return between || row / 2 >= 5 || col >= 7 ? 0 : element(x, {col, n, row / 2, f});
    };
    CHECK(y == tabulate(y.shape, [&, fg = feature_groups, bg = batch_groups](const Dims& i) {
            const std::int64_t out = i[2], group = out / (4 / fg);
            const std::int64_t n = i[0] + out / (4 / bg) * (4 / bg);
            double sum = 0;
            for_all({6 / fg, 3, 2}, [&](const Dims& t) {
              sum += element(k, {t[0], t[2], out, t[1]}) *
                     input(n, t[0] + group * (6 / fg), i[1] * 2 + t[1] - 1, i[3] + 2 * t[2] + 1);
            });
            return sum;
          }));
  }
}

TEST_CASE("windows reduce what lies in them, padding apart") {
  const Tensor x = f32({2, 4}, {1, 2, 3, 4, 8, 7, 6, 5});
  const auto window = [&](Reduction reduction) {
    return compute({x}, OpKind::reduce_window,
                   WindowAttr{{2, 2}, {1, 2}, {0, 1}, {0, 1}, reduction});
  };
  CHECK(window(Reduction::sum).elements == Row{9, 18, 9});
  CHECK(window(Reduction::max).elements == Row{8, 7, 5});
  CHECK(window(Reduction::min).elements == Row{1, 2, 4});
}

TEST_CASE("select and scatter adds to the first extreme element of each window") {
  const Tensor x = f32({6}, {3, 1, 3, 2, 9, 0}), source = f32({3}, {10, 20, 30});
  const auto choose = [&](Reduction reduction) {
    return compute({x, source}, OpKind::select_and_scatter,
                   WindowAttr{{3}, {2}, {0}, {1}, reduction})
        .elements;
  };
  CHECK(choose(Reduction::max) == Row{10, 0, 0, 0, 50, 0});
  CHECK(choose(Reduction::min) == Row{0, 10, 0, 20, 0, 30});
}
