// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rhino/program.hpp"

namespace rhino::models {

/// Sizes of a VGG (Simonyan and Zisserman 2015): blocks of 3 x 3 convolutions of `width`, then the
/// largest of 2 x 2 pixels each, and two hidden layers.
struct VggConfig {
  struct Block {
    std::int64_t depth = 1, width = 8;
    bool operator==(const Block&) const = default;
  };
  std::string preset;
  std::vector<Block> blocks = {{1, 8}, {2, 16}};
  std::int64_t image = 8, hidden = 32, classes = 10;
  DType dtype = DType::f32;
  bool operator==(const VggConfig&) const = default;
};

/// tiny, 11, 13, 16, 19. Throws Error with the known names.
VggConfig vgg_preset(const std::string& name);
std::vector<std::string> vgg_presets();

/// Forward pass and mean cross-entropy; no dropout. Batch inputs `x` [batch, image, image, 3] and
/// `labels` [batch] s32; weights `block0.conv0.weight` [rows, columns, in, out], ..., `fc0.weight`
/// and `fc1.weight` [in, out], `head.weight`, all with biases; activations `block0.conv0`,
/// `block0.out`, `fc0`, `logits`. Throws Error.
Program vgg_forward(const VggConfig& config, std::int64_t batch);

/// Closed formulas: parameters, and FLOPs of dots and convolutions of one step, taps on padding
/// too.
std::int64_t vgg_num_parameters(const VggConfig& config);
double vgg_step_flops(const VggConfig& config, std::int64_t batch);

}  // namespace rhino::models
