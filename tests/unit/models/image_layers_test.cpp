// SPDX-License-Identifier: Apache-2.0
#include "models/image_layers.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "ir/initial_values.hpp"
#include "ir/reference.hpp"

using namespace rhino;

namespace {

constexpr std::int64_t kBatch = 2, kRows = 3, kColumns = 5, kFeatures = 6;

/// The layer that `make` adds to an image, and all inputs, image first.
struct Layer {
  template <class Make>
  explicit Layer(Make make) {
    ir::Builder b("layer");
    const ValueId x =
        b.input(InputKind::parameter, {DType::f64, {kBatch, kRows, kColumns, kFeatures}},
                {Initializer::Kind::normal, 0.5, 2}, "x");
    b.output(make(b, x), OutputKind::value);
    const Program program = std::move(b).finish();
    inputs = ir::initial_tensors(program, 3);
    for (double& element : inputs.back().elements) element += 0.25;  // a bias that is none
    result = ir::evaluate(program, inputs, ir::Precision::f64)[0];
  }

  static double at(const ir::Tensor& image, std::int64_t n, std::int64_t y, std::int64_t x,
                   std::int64_t f) {
    const std::vector<std::int64_t>& d = image.shape.dims;
    return image.elements.at(std::size_t(((n * d[1] + y) * d[2] + x) * d[3] + f));
  }
  template <class Expect>
  void check(const std::vector<std::int64_t>& dims, Expect expect) const {
    REQUIRE(result.shape.dims == dims);
    for (std::int64_t n = 0; n < dims[0]; ++n)
      for (std::int64_t y = 0; y < dims[1]; ++y)
        for (std::int64_t x = 0; x < dims[2]; ++x)
          for (std::int64_t f = 0; f < dims[3]; ++f) {
            CAPTURE(n, y, x, f);
            CHECK(at(result, n, y, x, f) == Approx(expect(n, y, x, f)).margin(1e-12));
          }
  }

  std::vector<ir::Tensor> inputs;
  ir::Tensor result;
};

}  // namespace

TEST_CASE("a convolution layer is a sum over the pixels around, less at the border") {
  const std::int64_t stride = GENERATE(1, 2), features = 4;
  CAPTURE(stride);
  const Layer layer([&](ir::Builder& b, ValueId x) {
    return models::convolution(b, x, {.name = "c", .features = features, .stride = stride});
  });
  const auto halved = [&](std::int64_t size) { return (size + stride - 1) / stride; };
  layer.check({kBatch, halved(kRows), halved(kColumns), features},
              [&](std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t f) {
                double sum = layer.inputs[2].elements.at(std::size_t(f));
                for (std::int64_t i = 0; i < 9 * kFeatures; ++i) {
                  const std::int64_t row = y * stride + i / kFeatures / 3 - 1,
                                     column = x * stride + i / kFeatures % 3 - 1;
                  if (row < 0 || row >= kRows || column < 0 || column >= kColumns) continue;
                  sum += Layer::at(layer.inputs[0], n, row, column, i % kFeatures) *
                         layer.inputs[1].elements.at(std::size_t(i * features + f));
                }
                return sum;
              });
}

TEST_CASE("a group norm makes features of a group have mean 0 and variance 1") {
  const std::int64_t groups = GENERATE(1, 2, 6);
  CAPTURE(groups);
  const Layer layer(
      [&](ir::Builder& b, ValueId x) { return models::group_norm(b, x, "norm", groups); });
  const std::int64_t size = kFeatures / groups, count = kRows * kColumns * size;
  layer.check({kBatch, kRows, kColumns, kFeatures},
              [&](std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t f) {
                double mean = 0, squares = 0;
                for (std::int64_t i = 0; i < count; ++i) {
                  const double value = Layer::at(layer.inputs[0], n, i / size / kColumns,
                                                 i / size % kColumns, f / size * size + i % size);
                  mean += value / double(count), squares += value * value / double(count);
                }
                const double normed = (Layer::at(layer.inputs[0], n, y, x, f) - mean) /
                                      std::sqrt(squares - mean * mean + 1e-5);
                return normed * layer.inputs[1].elements.at(std::size_t(f)) +
                       layer.inputs[2].elements.at(std::size_t(f));
              });
}

TEST_CASE("a batch norm makes features of the samples that share statistics normal") {
  const std::int64_t samples = GENERATE(1, 2);
  CAPTURE(samples);
  const Layer layer(
      [&](ir::Builder& b, ValueId x) { return models::batch_norm(b, x, "norm", samples); });
  const std::int64_t pixels = kRows * kColumns, count = samples * pixels;
  layer.check({kBatch, kRows, kColumns, kFeatures}, [&](std::int64_t n, std::int64_t y,
                                                        std::int64_t x, std::int64_t f) {
    double mean = 0, squares = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const double value = Layer::at(layer.inputs[0], n / samples * samples + i / pixels,
                                     i % pixels / kColumns, i % kColumns, f);
      mean += value / double(count), squares += value * value / double(count);
    }
    const double normed =
        (Layer::at(layer.inputs[0], n, y, x, f) - mean) / std::sqrt(squares - mean * mean + 1e-5);
    return normed * layer.inputs[1].elements.at(std::size_t(f)) +
           layer.inputs[2].elements.at(std::size_t(f));
  });
}

TEST_CASE("the largest pixel of a window is one of the image's, the mean pixel of all of them") {
  const Layer largest([](ir::Builder& b, ValueId x) {
    return models::largest_pixel(b, x, {.size = 3, .stride = 2, .margin = 1});
  });
  largest.check({kBatch, 2, 3, kFeatures},
                [&](std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t f) {
                  double most = -1e9;
                  for (std::int64_t i = 0; i < 9; ++i) {
                    const std::int64_t row = 2 * y + i / 3 - 1, column = 2 * x + i % 3 - 1;
                    if (row < 0 || row >= kRows || column < 0 || column >= kColumns) continue;
                    most = std::max(most, Layer::at(largest.inputs[0], n, row, column, f));
                  }
                  return most;
                });
  const Layer mean([](ir::Builder& b, ValueId x) {
    return b.reshape(models::mean_pixel(b, x), {kBatch, 1, 1, kFeatures});
  });
  mean.check({kBatch, 1, 1, kFeatures},
             [&](std::int64_t n, std::int64_t, std::int64_t, std::int64_t f) {
               double sum = 0;
               for (std::int64_t i = 0; i < kRows * kColumns; ++i)
                 sum += Layer::at(mean.inputs[0], n, i / kColumns, i % kColumns, f);
               return sum / double(kRows * kColumns);
             });
}

TEST_CASE("a doubled image has every pixel four times") {
  const Layer layer([](ir::Builder& b, ValueId x) { return models::doubled(b, x); });
  layer.check({kBatch, 2 * kRows, 2 * kColumns, kFeatures},
              [&](std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t f) {
                return Layer::at(layer.inputs[0], n, y / 2, x / 2, f);
              });
}
