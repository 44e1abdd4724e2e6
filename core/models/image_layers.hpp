// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ir/builder.hpp"

namespace rhino::models {

/// Images are [batch, rows, columns, features].

/// `<name>.weight` [rows, columns, in, out] over x, padded so that an image of stride 1 keeps its
/// size, plus `<name>.bias` [out].
struct Convolution {
  std::string name;
  std::int64_t features = 1;  ///< of the result
  std::int64_t size = 3;      ///< rows and columns of the kernel
  std::int64_t stride = 1;
  bool has_bias = true;
};
/// Weights are normal with variance 1 / (terms of a sum).
ValueId convolution(ir::Builder& builder, ValueId x, const Convolution& layer);

/// Features of one image in `groups`, each group less its mean over its features and all pixels,
/// over its deviation; times `<name>.scale`, plus `<name>.bias` [features] (Wu and He 2018).
ValueId group_norm(ir::Builder& builder, ValueId x, const std::string& name, std::int64_t groups);

/// Of two by two pixels the largest, feature by feature.
ValueId largest_of_four(ir::Builder& builder, ValueId x);

/// Every pixel as two by two of them.
ValueId doubled(ir::Builder& builder, ValueId x);

}  // namespace rhino::models
