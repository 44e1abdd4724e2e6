// SPDX-License-Identifier: Apache-2.0
#include "ir/initial_values.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "ir/element.hpp"
#include "ir/philox.hpp"
#include "ir/strided.hpp"
#include "ir/training_step.hpp"
#include "rhino/error.hpp"

namespace rhino::ir {
namespace {

// Box-Muller: lanes 0 and 1 of a block make elements 0 and 1, lanes 2 and 3 the others.
double normal(PhiloxStream& stream, std::uint64_t index) {
  const PhiloxBlock& block = stream.block(index);
  const std::size_t pair = index % 4 / 2 * 2;
  const double radius = std::sqrt(-2 * std::log((block[pair] + 1.0) * 0x1p-32));
  const double angle = 2 * std::numbers::pi * block[pair + 1] * 0x1p-32;
  return radius * (index % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

// Rounding to `dtype` may reach the excluded end.
double uniform(PhiloxStream& stream, std::uint64_t index, double low, double high, DType dtype) {
  const double value = low + (high - low) * stream.uniform(index);
  return round_to(dtype, value) < high ? value : low;
}

double uniform_integer(PhiloxStream& stream, std::uint64_t index, double low, double high) {
  const auto range = static_cast<std::uint64_t>(high - low);
  return low + static_cast<double>((stream.word(index) * range) >> 32);
}

// Nine sizes, for which no extent of a model is a period, so that every row of a tensor has all.
double moment(PhiloxStream& stream, std::uint64_t index, double power) {
  constexpr std::array<double, 9> kSizes = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
  const double size = kSizes[index % kSizes.size()], part = stream.uniform(index);
  if (power == 1) return (2 * part - 1) * size;
  const double root = (1 + part) / 2 * size;
  return root * root;
}

void check(const Initializer& initializer) {
  if (initializer.kind == Initializer::Kind::uniform_integer) {
    const double range = initializer.b - initializer.a;
    if (!(range >= 1 && range <= 0x1p32)) {
      throw Error("uniform_integer has an empty range or one above 2^32");
    }
  }
}

class Generator {
 public:
  Generator(const Initializer& initializer, std::uint64_t seed, std::int32_t input, DType dtype,
            std::int64_t step)
      : initializer_(initializer),
        stream_(seed,
                static_cast<std::uint64_t>(initializer.same_as < 0 ? input : initializer.same_as)),
        dtype_(dtype),
        step_(step) {
    check(initializer);
  }

  void fill_row(std::int64_t global_index, std::vector<double>& row) {
    auto index = static_cast<std::uint64_t>(global_index);
    for (double& value : row) value = element(index++);
  }

 private:
  double element(std::uint64_t index) {
    const double a = initializer_.a, b = initializer_.b;
    switch (initializer_.kind) {
      case Initializer::Kind::constant: return a;
      case Initializer::Kind::normal: return a + b * normal(stream_, index);
      case Initializer::Kind::uniform: return uniform(stream_, index, a, b, dtype_);
      case Initializer::Kind::uniform_integer: return uniform_integer(stream_, index, a, b);
      case Initializer::Kind::step: return static_cast<double>(step_);
      case Initializer::Kind::moment: return moment(stream_, index, a);
      case Initializer::Kind::doubling:
        return std::min(std::ldexp(a, num_periods(b)), LossScale::kMost);
      case Initializer::Kind::cycle: return std::fmod(static_cast<double>(step_ - 1), b);
    }
    return 0;
  }

  /// That have ended before the step.
  int num_periods(double period) const {
    return static_cast<int>(std::min(std::floor(static_cast<double>(step_ - 1) / period), 1e6));
  }

  const Initializer& initializer_;
  PhiloxStream stream_;
  DType dtype_;
  std::int64_t step_;
};

std::int64_t dot(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<std::int64_t> extents_of(const std::vector<TileBox>& boxes, std::size_t rank) {
  std::vector<std::int64_t> extents(rank);
  for (const TileBox& box : boxes) {
    for (std::size_t d = 0; d < rank; ++d) {
      extents[d] = std::max(extents[d], box.local.start[d] + box.local.size[d]);
    }
  }
  return extents;
}

// Rows along the last dim are consecutive in the tensor and in the tile.
void fill_box(Generator& generator, const Shape& global, const TileBox& box,
              const std::vector<std::int64_t>& tile_strides, std::byte* tile) {
  std::vector<std::int64_t> rows = box.global.size;
  std::int64_t row_size = 1;
  if (!rows.empty()) std::swap(row_size, rows.back());
  const std::vector<std::int64_t> strides = row_major_strides(global.dims);
  std::vector<double> row(static_cast<std::size_t>(row_size));
  const Offsets<2> start{dot(box.global.start, strides), dot(box.local.start, tile_strides)};
  for_each_index<2>(rows, {strides, tile_strides}, start, [&](const Offsets<2>& at) {
    generator.fill_row(at[0], row);
    write_elements(global.dtype, row, tile + at[1] * dtype_bytes(global.dtype));
  });
}

}  // namespace

void fill_initial(const Initializer& initializer, std::uint64_t seed, std::int32_t input,
                  const Shape& global, const std::vector<TileBox>& boxes, std::int64_t step,
                  void* tile) {
  fill_initial(initializer, seed, input, global, boxes, extents_of(boxes, global.dims.size()), step,
               tile);
}

void fill_initial(const Initializer& initializer, std::uint64_t seed, std::int32_t input,
                  const Shape& global, const std::vector<TileBox>& boxes,
                  const std::vector<std::int64_t>& tile_extents, std::int64_t step, void* tile) {
  Generator generator(initializer, seed, input, global.dtype, step);
  const std::vector<std::int64_t> tile_strides = row_major_strides(tile_extents);
  for (const TileBox& box : boxes) {
    fill_box(generator, global, box, tile_strides, static_cast<std::byte*>(tile));
  }
}

std::vector<Tensor> initial_tensors(const Program& program, std::uint64_t seed, std::int64_t step) {
  std::vector<Tensor> tensors;
  for (const Input& input : program.inputs) {
    const Shape& shape = program.shape(input.value);
    const Box whole{std::vector<std::int64_t>(shape.dims.size(), 0), shape.dims};
    std::vector<std::byte> memory(static_cast<std::size_t>(num_bytes(shape)));
    fill_initial(input.initializer, seed, static_cast<std::int32_t>(tensors.size()), shape,
                 {{whole, whole}}, step, memory.data());
    Tensor tensor{shape, std::vector<double>(static_cast<std::size_t>(num_elements(shape)))};
    read_elements(shape.dtype, memory.data(), tensor.elements);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

}  // namespace rhino::ir
