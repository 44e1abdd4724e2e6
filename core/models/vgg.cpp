// SPDX-License-Identifier: Apache-2.0
#include "models/vgg.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/image_layers.hpp"
#include "models/layers.hpp"
#include "models/presets.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

const VggConfig kVggPresets[] = {
    {"tiny", {{1, 8}, {2, 16}}, 8, 32, 10},
    {"11", {{1, 64}, {1, 128}, {2, 256}, {2, 512}, {2, 512}}, 224, 4096, 1000},
    {"13", {{2, 64}, {2, 128}, {2, 256}, {2, 512}, {2, 512}}, 224, 4096, 1000},
    {"16", {{2, 64}, {2, 128}, {3, 256}, {3, 512}, {3, 512}}, 224, 4096, 1000},
    {"19", {{2, 64}, {2, 128}, {4, 256}, {4, 512}, {4, 512}}, 224, 4096, 1000},
};

class Vgg {
 public:
  Vgg(const VggConfig& config, std::int64_t batch)
      : config_(config), batch_(batch), b_(program_name("vgg", config.preset)) {}

  Program run() && {
    const auto [images, labels] =
        photographs(b_, {batch_, config_.image, config_.classes, config_.dtype});
    ValueId x = images;
    for (std::size_t i = 0; i < config_.blocks.size(); ++i) {
      b_.set_scope("block" + std::to_string(i));
      for (std::int64_t l = 0; l < config_.blocks[i].depth; ++l)
        x = relu(b_, convolution(b_, x,
                                 {.name = "conv" + std::to_string(l),
                                  .features = config_.blocks[i].width}));
      x = largest_pixel(b_, x, {.size = 2});
      b_.name(x, "out");
    }
    b_.set_scope("");
    const std::vector<std::int64_t> dims = b_.shape(x).dims;
    x = b_.reshape(x, {batch_, dims[1] * dims[2] * dims[3]});
    x = relu(b_, layer(x, "fc0", config_.hidden));
    x = relu(b_, layer(x, "fc1", config_.hidden));
    const ValueId logits = layer(x, "head", config_.classes);
    return finished(b_, mean_cross_entropy(b_, logits, labels));
  }

 private:
  ValueId layer(ValueId x, const char* name, std::int64_t results) {
    const auto terms = static_cast<double>(b_.shape(x).dims.back());
    return linear(b_, x,
                  {.name = name,
                   .result = {results},
                   .deviation = std::sqrt(2 / terms),  // He et al. 2015
                   .dims = {"in", "out"}});
  }

  const VggConfig& config_;
  std::int64_t batch_;
  ir::Builder b_;
};

/// Calls visit(rows, terms, results) for all layers: dots of so many rows per sample.
template <class Visit>
void for_each_layer(const VggConfig& config, Visit visit) {
  std::int64_t side = config.image, in = kColors;
  for (const VggConfig::Block& block : config.blocks) {
    for (std::int64_t l = 0; l < block.depth; ++l) {
      visit(side * side, 9 * in, block.width);
      in = block.width;
    }
    side /= 2;
  }
  visit(1, side * side * in, config.hidden);
  visit(1, config.hidden, config.hidden);
  visit(1, config.hidden, config.classes);
}

void check(const VggConfig& config, std::int64_t batch) {
  for (const std::int64_t size : {config.image, config.hidden, config.classes, batch})
    if (size < 1) throw Error("vgg: every size must be at least 1");
  if (config.image % (std::int64_t{1} << config.blocks.size()) != 0)
    throw Error("vgg: images of " + std::to_string(config.image) + " pixels cannot be halved " +
                std::to_string(config.blocks.size()) + " times");
  if (!is_floating(config.dtype)) throw Error("vgg: dtype must be a floating-point type");
  for_each_layer(config, [&](std::int64_t rows, std::int64_t terms, std::int64_t results) {
    const auto wide = static_cast<double>(results);
    check_size("image", 1,
               std::max(static_cast<double>(terms) * wide,
                        static_cast<double>(batch) * static_cast<double>(rows) * wide));
  });
}

}  // namespace

VggConfig vgg_preset(const std::string& name) { return find_preset(kVggPresets, "vgg", name); }

std::vector<std::string> vgg_presets() { return preset_names(kVggPresets); }

Program vgg_forward(const VggConfig& config, std::int64_t batch) {
  check(config, batch);
  return Vgg(config, batch).run();
}

std::int64_t vgg_num_parameters(const VggConfig& config) {
  std::int64_t count = 0;
  for_each_layer(config, [&](std::int64_t, std::int64_t terms, std::int64_t results) {
    count += terms * results + results;
  });
  return count;
}

double vgg_step_flops(const VggConfig& config, std::int64_t batch) {
  double count = 0, first = 0;
  for_each_layer(config, [&](std::int64_t rows, std::int64_t terms, std::int64_t results) {
    const double flops = 2 * static_cast<double>(batch) * static_cast<double>(rows) *
                         static_cast<double>(terms) * static_cast<double>(results);
    if (count == 0) first = flops;  // no gradient goes to the images
    count += flops;
  });
  return 3 * count - first;
}

}  // namespace rhino::models
