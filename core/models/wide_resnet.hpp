// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::models {

/// Sizes of a residual network of bottlenecks (He et al. 2016), as wide as `width` says
/// (Zagoruyko and Komodakis 2016).
struct WideResnetConfig {
  std::string preset;
  std::vector<std::int64_t> blocks = {1, 1};  ///< of each level, which has half the resolution of
                                              ///< the one before it, and twice its features
  std::int64_t channels = 8;  ///< of the stem; blocks of the first level yield four times as many
  std::int64_t width = 2;     ///< features inside a block, per `channels` of its level
  bool enters_wide = false;   ///< the first convolution of a block widens, not the second one
  std::int64_t image = 16;    ///< pixels along each side
  std::int64_t classes = 10;
  std::int64_t norm_batch = 2;  ///< samples that share the statistics of batch norms
  DType dtype = DType::f32;
  bool operator==(const WideResnetConfig&) const = default;

  std::int64_t num_levels() const { return static_cast<std::int64_t>(blocks.size()); }
};

/// tiny; 50, 101, 152 (ResNet's own), 50_2, 101_2 (twice as wide); 250m, 500m, 1b, 2b, 4b, 6.8b,
/// 13b (Alpa's evaluation, whose blocks widen in the middle). Throws Error with the known names.
WideResnetConfig wide_resnet_preset(const std::string& name);
std::vector<std::string> wide_resnet_presets();

/// Forward pass and mean cross-entropy. Batch norm is that of training, of every `norm_batch`
/// samples in a row, whatever the cut: it belongs to the model, as whoever trains it chooses a
/// micro-batch to be of so many. Micro-batches are whole multiples of them, devices of a mesh may
/// share them, and then exchange sums; running averages, which training does not read, are not
/// kept. A block strides in its 3 x 3 convolution. Batch inputs `x` [batch, image, image, 3] and
/// `labels` [batch] s32; weights `stem.weight` [rows, columns, in, out],
/// `level0.block0.conv0.weight` (1 x 1), `.conv1.weight` (3 x 3), `.conv2.weight` (1 x 1),
/// `.shortcut.weight` where features or resolution change, no biases; `stem.norm.scale`,
/// `level0.block0.norm0.scale` and `.bias` [features], ..., `.shortcut.norm.scale`; `head.weight`
/// [in, out], `head.bias`. Activations: `stem.out`, `level0.block0.out`, ..., `features`, `head`.
/// Throws Error.
Program wide_resnet_forward(const WideResnetConfig& config, std::int64_t batch);

/// Closed formulas: parameters, and FLOPs of dots and convolutions of one step, taps on padding
/// too.
std::int64_t wide_resnet_num_parameters(const WideResnetConfig& config);
double wide_resnet_step_flops(const WideResnetConfig& config, std::int64_t batch);
/// Of a forward pass of one image.
double wide_resnet_image_flops(const WideResnetConfig& config);

}  // namespace rhino::models
