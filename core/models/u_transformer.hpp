// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::models {

/// Sizes of a U-Transformer: a U-Net of residual convolutions and transformers, with skips across
/// it, as those that denoise images (Ho et al. 2020, Rombach et al. 2022).
struct UTransformerConfig {
  std::string preset;
  std::int64_t image = 8, channels = 16;  ///< pixels along each side; features at full resolution
  std::int64_t heads = 2, norm_groups = 8;
  std::int64_t in_channels = 3, out_channels = 4;
  /// Features of each level, per `channels`; option `levels`: the first so many.
  std::vector<std::int64_t> widths = {1, 2, 4, 4};
  std::int64_t layers_per_block = 1;
  DType dtype = DType::f32;
  bool operator==(const UTransformerConfig&) const = default;

  std::int64_t num_levels() const { return static_cast<std::int64_t>(widths.size()); }
  std::int64_t width(std::int64_t level) const {
    return channels * widths[static_cast<std::size_t>(level)];
  }
  /// Encoder states: of the lowest resolution's pixels, as wide as the widest level.
  std::int64_t num_states() const {
    const std::int64_t side = image >> (num_levels() - 1);
    return side * side;
  }
  std::int64_t state_width() const { return 4 * channels; }
};

/// tiny; 470m, 1b, 2b (the evaluation of AlpaComm). Throws Error with the known names.
UTransformerConfig u_transformer_preset(const std::string& name);
std::vector<std::string> u_transformer_presets();

/// Forward pass and mean squared error of the output. Images lie as [batch, rows, columns,
/// features]; every level but the last has transformers, at half the resolution of the one before
/// it; the result of each layer and of each step down is a skip, joined to the input of its
/// counterpart on the way up.
/// Norms are of groups of features of one image, so samples do not meet. A block,
/// `down0.layer0.res`:
/// `.norm1`, `.conv1` [rows, columns, in, out] of 3 x 3, `.time` [time, out], `.norm2`, `.conv2`
/// and, where widths differ, `.shortcut` [in, out]; `down0.layer0.att`: `.norm`, `.in`, layer norms
/// `.ln1` to `.ln3`, attention `.self` and, to the states, `.cross`, `.mlp.up`, `.mlp.down`,
/// `.out`. Batch inputs: `sample` and `target` [batch, image, image, features], `time` [batch] s32,
/// `states` [batch, states, width]. Activations: `skip0` and on, as they are made,
/// `down0.layer0.res.sum`, `up1.layer0.joined`, .... Throws Error.
Program u_transformer_forward(const UTransformerConfig& config, std::int64_t batch);

/// Closed formulas. FLOPs: dots and convolutions of one step, forward and backward.
std::int64_t u_transformer_num_parameters(const UTransformerConfig& config);
double u_transformer_step_flops(const UTransformerConfig& config, std::int64_t batch);

}  // namespace rhino::models
