// SPDX-License-Identifier: Apache-2.0
#include "models/wide_resnet.hpp"

#include <catch2/catch.hpp>

#include "ir/flops.hpp"
#include "ir/training_step.hpp"

using namespace rhino;
using namespace rhino::models;

TEST_CASE("wide_resnet presets have the parameters and FLOPs of the published models") {
  // torchvision's, whose operations are products: pairs of a product and a sum, in 1e9.
  const struct {
    const char* name;
    std::int64_t parameters;
    double operations;
  } published[] = {{"50", 25'557'032, 4.089},
                   {"101", 44'549'160, 7.801},
                   {"152", 60'192'808, 11.514},
                   {"50_2", 68'883'240, 11.398},
                   {"101_2", 126'886'696, 22.753}};
  for (const auto& [name, parameters, operations] : published) {
    CAPTURE(name);
    const WideResnetConfig config = wide_resnet_preset(name);
    CHECK(wide_resnet_num_parameters(config) == parameters);
    CHECK(wide_resnet_image_flops(config) / 2e9 == Approx(operations).margin(0.0006));
  }
}

TEST_CASE("wide_resnets of Alpa's evaluation are as large as their names say") {
  const std::pair<const char*, double> published[] = {
      {"250m", 250e6}, {"500m", 500e6}, {"1b", 1e9},  {"2b", 2e9},
      {"4b", 4e9},     {"6.8b", 6.8e9}, {"13b", 13e9}};
  CHECK(std::size(published) + 6 == wide_resnet_presets().size());
  for (const auto& [name, count] : published) {
    CAPTURE(name);
    CHECK(double(wide_resnet_num_parameters(wide_resnet_preset(name))) ==
          Approx(count).epsilon(0.03));
  }
}

TEST_CASE("the graph of every wide_resnet has the parameters and FLOPs of the closed formulas") {
  for (const std::string& name : wide_resnet_presets()) {
    CAPTURE(name);
    const WideResnetConfig config = wide_resnet_preset(name);
    const std::int64_t batch = 2 * config.norm_batch;
    const Program step = ir::training_step(wide_resnet_forward(config, batch), {});
    CHECK(ir::num_parameters(step) == wide_resnet_num_parameters(config));
    CHECK(ir::dot_flops(step) == Approx(wide_resnet_step_flops(config, batch)).epsilon(1e-12));
  }
}

TEST_CASE("sizes of a wide_resnet that do not fit are refused") {
  WideResnetConfig config = wide_resnet_preset("tiny");
  config.image = 20;
  CHECK_THROWS_WITH(wide_resnet_forward(config, 4),
                    "wide_resnet: images of 20 pixels cannot be halved 3 times");
  config.image = 16;
  CHECK_THROWS_WITH(wide_resnet_forward(config, 3),
                    "wide_resnet: 3 samples do not divide into groups of 2 that share statistics "
                    "(norm_batch)");
  config.channels = std::int64_t{1} << 60;
  CHECK_THROWS_WITH(wide_resnet_forward(config, 4), "its tensors have more than 1e16 elements");
}
