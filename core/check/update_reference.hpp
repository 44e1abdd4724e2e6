// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check/numerics.hpp"
#include "ir/reference.hpp"
#include "rhino/program.hpp"
#include "rhino/tile.hpp"

namespace rhino::check {

bool is_finite(const std::vector<double>& elements);

/// Which elements of a tensor are compared: pieces at equal distances. Initial values of moments
/// repeat after nine elements.
class Sample {
 public:
  Sample(std::int64_t size, std::int64_t max_elements)
      : size_(size), num_pieces_(std::max<std::int64_t>(2, max_elements / kPiece)) {}

  bool is_whole() const { return size_ <= num_pieces_ * kPiece; }
  std::int64_t size() const { return is_whole() ? size_ : num_pieces_ * kPiece; }
  /// As boxes of the tensor in one dim, and where they lie one after the other.
  std::vector<TileBox> boxes() const {
    if (is_whole()) return {{{{0}, {size_}}, {{0}, {size_}}}};
    std::vector<TileBox> boxes;
    for (std::int64_t i = 0; i < num_pieces_; ++i)
      boxes.push_back({{{begin(i)}, {kPiece}}, {{i * kPiece}, {kPiece}}});
    return boxes;
  }
  std::vector<double> of(const std::vector<double>& elements) const {
    if (is_whole()) return elements;
    std::vector<double> some;
    for (std::int64_t i = 0; i < num_pieces_; ++i) {
      const auto first = elements.begin() + begin(i);
      some.insert(some.end(), first, first + kPiece);
    }
    return some;
  }

 private:
  static constexpr std::int64_t kPiece = 9;
  std::int64_t begin(std::int64_t piece) const {
    return piece * (size_ - kPiece) / (num_pieces_ - 1);
  }
  std::int64_t size_, num_pieces_;
};

/// The update of the initial values of a run, on a sample of every tensor.
class UpdateReference {
 public:
  /// `run` is borrowed.
  UpdateReference(const Program& step, const UpdateRun& run, std::int64_t max_elements);

  Sample sample(const Shape& shape) const { return {num_elements(shape), max_elements_}; }
  /// What an output replaces.
  const Input& replaced(std::size_t output) const;
  const std::vector<double>& before(std::size_t output) const;
  std::vector<ir::Tensor> updated() const { return ir::evaluate(program_, inputs_); }
  /// What is rounded to 16 bits on the way is off by so much of itself: a gradient in f32 that the
  /// update of an imported program takes as bf16.
  double inner_rounding() const;

 private:
  ir::Tensor gradient_of(const CheckedTensor& whole, const Shape& shape) const;
  Shape cut(const Shape& shape) const;
  ir::Tensor initial(const Initializer& initializer, std::int32_t input, const Shape& shape) const;

  Program program_;
  const UpdateRun& run_;
  std::int64_t max_elements_;
  std::vector<ir::Tensor> inputs_;
};

}  // namespace rhino::check
