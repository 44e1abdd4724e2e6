// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "ir/builder.hpp"

namespace rhino::ir {

/// Draws what an op needs: for tests that hold of every op. Same state of `random`, same op on all
/// platforms. Inputs say by their initializers which values the op takes.
class Sampler {
 public:
  using Dims = std::vector<std::int64_t>;

  Sampler(Builder& builder, std::mt19937_64& random) : builder(builder), random_(random) {}

  /// In [0, bound).
  std::int64_t draw(std::int64_t bound) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bound));
  }
  bool coin() { return draw(2) != 0; }
  template <class T>
  const T& pick(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(draw(std::ssize(choices)))];
  }
  std::int64_t extent() { return pick(Dims{1, 2, 3, 4, 6, 8, 12}); }
  /// Of one to `max_rank` dims.
  Dims dims(std::int64_t max_rank) {
    Dims dims(static_cast<std::size_t>(1 + draw(max_rank)));
    for (std::int64_t& size : dims) size = extent();
    return dims;
  }
  /// Each dim of a tensor of `rank`, or not; increasing.
  Dims some_of(std::size_t rank) {
    Dims chosen;
    for (std::size_t d = 0; d < rank; ++d) {
      if (coin()) chosen.push_back(static_cast<std::int64_t>(d));
    }
    return chosen;
  }

  /// A new input whose elements lie in [low, high).
  ValueId input(const Dims& dims, DType dtype = DType::f32, double low = -2, double high = 2) {
    const auto kind =
        is_floating(dtype) ? Initializer::Kind::uniform : Initializer::Kind::uniform_integer;
    if (dtype == DType::pred) low = 0, high = 2;
    return builder.input(InputKind::batch, {dtype, dims}, {kind, low, high}, "x");
  }
  /// Places in a dim of `size`, some of them outside.
  ValueId indices(const Dims& dims, std::int64_t size) {
    return input(dims, DType::s32, -1, static_cast<double>(size + 1));
  }

  Builder& builder;

 private:
  std::mt19937_64& random_;
};

}  // namespace rhino::ir
