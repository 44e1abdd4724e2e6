// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ir/builder.hpp"

namespace rhino::models {

/// Images are [batch, rows, columns, features].

constexpr std::int64_t kColors = 3;  ///< features of a photograph

/// Names of the dims of an image that is an input.
std::vector<std::string> image_dims();

/// Square photographs `x` to classify, as wide as `dtype` or f32, and a class of each, `labels`.
struct Photographs {
  std::int64_t batch = 1, side = 1, classes = 1;
  DType dtype = DType::f32;
};
struct LabelledImages {
  ValueId images = kNoValue;  ///< of the dtype
  ValueId labels = kNoValue;  ///< s32[batch]
};
LabelledImages photographs(ir::Builder& builder, const Photographs& photographs);

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

/// Every feature less its mean over all pixels of the samples that share statistics, over its
/// deviation there; times `<name>.scale`, plus `<name>.bias` [features] (Ioffe and Szegedy 2015, as
/// in training). Each `samples` in a row share them ("ghost" batches, Hoffer et al. 2017): so the
/// batch may be cut between them, into micro-batches, too, and a cut within them, by devices alone,
/// exchanges sums. `samples` divides the batch.
ValueId batch_norm(ir::Builder& builder, ValueId x, const std::string& name, std::int64_t samples);

/// Of each window of `size` by `size` pixels the largest, feature by feature.
struct Window {
  std::int64_t size = 2, stride = 2;
  std::int64_t margin = 0;  ///< pixels that windows reach beyond the image on each side
};
ValueId largest_pixel(ir::Builder& builder, ValueId x, const Window& window);

/// Mean over the pixels of each image: [batch, features].
ValueId mean_pixel(ir::Builder& builder, ValueId x);

/// Every pixel as two by two of them.
ValueId doubled(ir::Builder& builder, ValueId x);

}  // namespace rhino::models
