// SPDX-License-Identifier: Apache-2.0
#include "models/wide_resnet.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/image_layers.hpp"
#include "models/layers.hpp"
#include "models/presets.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

constexpr std::int64_t kWidening = 4;  ///< of what a block yields

const WideResnetConfig kWideResnetPresets[] = {
    {"tiny"},
    {"50", {3, 4, 6, 3}, 64, 1, false, 224, 1000, 32},
    {"101", {3, 4, 23, 3}, 64, 1, false, 224, 1000, 32},
    {"152", {3, 8, 36, 3}, 64, 1, false, 224, 1000, 32},
    {"50_2", {3, 4, 6, 3}, 64, 2, true, 224, 1000, 32},
    {"101_2", {3, 4, 23, 3}, 64, 2, true, 224, 1000, 32},
    {"250m", {3, 4, 6, 3}, 160, 2, false, 224, 1024, 32},
    {"500m", {3, 4, 6, 3}, 224, 2, false, 224, 1024, 32},
    {"1b", {3, 4, 6, 3}, 320, 2, false, 224, 1024, 32},
    {"2b", {3, 4, 6, 3}, 448, 2, false, 224, 1024, 32},
    {"4b", {3, 4, 6, 3}, 640, 2, false, 224, 1024, 32},
    {"6.8b", {3, 4, 6, 3}, 320, 16, false, 224, 1024, 32},
    {"13b", {3, 4, 23, 3}, 320, 16, false, 224, 1024, 32},
};

/// The features that the three convolutions of a block yield.
struct Bottleneck {
  Bottleneck(const WideResnetConfig& config, std::int64_t level)
      : base(config.channels << level),
        first(config.enters_wide ? base * config.width : base),
        second(base * config.width),
        third(base * kWidening) {}
  std::int64_t base, first, second, third;
};

class WideResnet {
 public:
  WideResnet(const WideResnetConfig& config, std::int64_t batch)
      : config_(config), batch_(batch), b_(program_name("wide_resnet", config.preset)) {}

  Program run() && {
    const auto [images, labels] =
        photographs(b_, {batch_, config_.image, config_.classes, config_.dtype});
    ValueId x = images;
    x = normed(x, {.name = "stem", .features = config_.channels, .size = 7, .stride = 2},
               "stem.norm");
    x = largest_pixel(b_, relu(b_, x), {.size = 3, .stride = 2, .margin = 1});
    b_.name(x, "stem.out");
    for (std::int64_t level = 0; level < config_.num_levels(); ++level)
      for (std::int64_t i = 0; i < config_.blocks[static_cast<std::size_t>(level)]; ++i) {
        b_.set_scope("level" + std::to_string(level) + ".block" + std::to_string(i));
        x = block(x, {config_, level}, level > 0 && i == 0 ? 2 : 1);
      }
    b_.set_scope("");
    const ValueId logits = head(mean_pixel(b_, x));
    return finished(b_, mean_cross_entropy(b_, logits, labels));
  }

 private:
  ValueId normed(ValueId x, Convolution layer, const std::string& norm) {
    layer.has_bias = false;
    return batch_norm(b_, convolution(b_, x, layer), norm, config_.norm_batch);
  }

  ValueId block(ValueId x, const Bottleneck& sizes, std::int64_t stride) {
    ValueId y = normed(x, {.name = "conv0", .features = sizes.first, .size = 1}, "norm0");
    y = normed(relu(b_, y), {.name = "conv1", .features = sizes.second, .stride = stride}, "norm1");
    y = normed(relu(b_, y), {.name = "conv2", .features = sizes.third, .size = 1}, "norm2");
    if (stride > 1 || b_.shape(x).dims[3] != sizes.third) {
      x = normed(x, {.name = "shortcut", .features = sizes.third, .size = 1, .stride = stride},
                 "shortcut.norm");
    }
    const ValueId out = relu(b_, b_.add(x, y));
    b_.name(out, "out");
    return out;
  }

  ValueId head(ValueId features) {
    b_.name(features, "features");
    const auto terms = static_cast<double>(b_.shape(features).dims.back());
    return linear(b_, features,
                  {.name = "head",
                   .result = {config_.classes},
                   .deviation = 1 / std::sqrt(terms),
                   .dims = {"in", "out"}});
  }

  const WideResnetConfig& config_;
  std::int64_t batch_;
  ir::Builder b_;
};

/// Calls visit(rows, terms, results) for all layers, the head last: dots of so many rows per
/// sample.
template <class Visit>
void for_each_layer(const WideResnetConfig& config, Visit visit) {
  std::int64_t side = config.image / 2, in = config.channels;
  visit(side * side, 49 * kColors, config.channels);
  side /= 2;
  for (std::int64_t level = 0; level < config.num_levels(); ++level) {
    const Bottleneck sizes(config, level);
    for (std::int64_t i = 0; i < config.blocks[static_cast<std::size_t>(level)]; ++i) {
      const bool strides = level > 0 && i == 0;
      const std::int64_t before = side * side;
      if (strides) side /= 2;
      visit(before, in, sizes.first);
      visit(side * side, 9 * sizes.first, sizes.second);
      visit(side * side, sizes.second, sizes.third);
      if (strides || in != sizes.third) visit(side * side, in, sizes.third);
      in = sizes.third;
    }
  }
  visit(1, in, config.classes);
}

void check(const WideResnetConfig& config, std::int64_t batch) {
  for (const std::int64_t size : {config.channels, config.width, config.image, config.classes,
                                  config.norm_batch, config.num_levels(), batch})
    if (size < 1) throw Error("wide_resnet: every size must be at least 1");
  const std::int64_t halvings = config.num_levels() + 1;
  if (config.image % (std::int64_t{1} << halvings) != 0)
    throw Error("wide_resnet: images of " + std::to_string(config.image) +
                " pixels cannot be halved " + std::to_string(halvings) + " times");
  if (batch % config.norm_batch != 0)
    throw Error("wide_resnet: " + std::to_string(batch) + " samples do not divide into groups of " +
                std::to_string(config.norm_batch) + " that share statistics (norm_batch)");
  if (!is_floating(config.dtype)) throw Error("wide_resnet: dtype must be a floating-point type");
  const auto number = [](std::int64_t size) { return static_cast<double>(size); };
  // Before sums over layers, which are exact below.
  check_size("channels", 1, number(config.channels) * number(config.width) * 1e9);
  check_size("image", 1, number(config.image) * number(config.image) * number(config.channels));
  for_each_layer(config, [&](std::int64_t rows, std::int64_t terms, std::int64_t results) {
    check_size("image", 1, number(results) * std::max(number(terms), number(batch) * number(rows)));
  });
}

double layer_flops(std::int64_t rows, std::int64_t terms, std::int64_t results) {
  return 2 * static_cast<double>(rows) * static_cast<double>(terms) * static_cast<double>(results);
}

}  // namespace

WideResnetConfig wide_resnet_preset(const std::string& name) {
  return find_preset(kWideResnetPresets, "wide_resnet", name);
}

std::vector<std::string> wide_resnet_presets() { return preset_names(kWideResnetPresets); }

Program wide_resnet_forward(const WideResnetConfig& config, std::int64_t batch) {
  check(config, batch);
  return WideResnet(config, batch).run();
}

std::int64_t wide_resnet_num_parameters(const WideResnetConfig& config) {
  std::int64_t count = 0, last = 0;
  for_each_layer(config, [&](std::int64_t, std::int64_t terms, std::int64_t results) {
    count += terms * results + 2 * results;  // norms have a scale and a bias each
    last = results;
  });
  return count - last;  // the head has a bias alone
}

double wide_resnet_image_flops(const WideResnetConfig& config) {
  double count = 0;
  for_each_layer(config, [&](std::int64_t rows, std::int64_t terms, std::int64_t results) {
    count += layer_flops(rows, terms, results);
  });
  return count;
}

double wide_resnet_step_flops(const WideResnetConfig& config, std::int64_t batch) {
  const std::int64_t side = config.image / 2;  // no gradient goes to the images
  const double stem = layer_flops(side * side, 49 * kColors, config.channels);
  return static_cast<double>(batch) * (3 * wide_resnet_image_flops(config) - stem);
}

}  // namespace rhino::models
