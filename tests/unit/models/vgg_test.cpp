// SPDX-License-Identifier: Apache-2.0
#include "models/vgg.hpp"

#include <catch2/catch.hpp>

#include "ir/flops.hpp"
#include "ir/training_step.hpp"

using namespace rhino;
using namespace rhino::models;

TEST_CASE("vgg presets have the parameters of the published models") {
  CHECK(vgg_num_parameters(vgg_preset("11")) == 132'863'336);
  CHECK(vgg_num_parameters(vgg_preset("13")) == 133'047'848);
  CHECK(vgg_num_parameters(vgg_preset("16")) == 138'357'544);
  CHECK(vgg_num_parameters(vgg_preset("19")) == 143'667'240);
}

TEST_CASE("the graph of every vgg has the parameters and FLOPs of the closed formulas") {
  for (const std::string& name : vgg_presets()) {
    CAPTURE(name);
    const VggConfig config = vgg_preset(name);
    const Program step = ir::training_step(vgg_forward(config, 2), {});
    CHECK(ir::num_parameters(step) == vgg_num_parameters(config));
    CHECK(ir::dot_flops(step) == Approx(vgg_step_flops(config, 2)).epsilon(1e-12));
  }
}

TEST_CASE("images of a vgg that cannot be halved are refused") {
  VggConfig config = vgg_preset("tiny");
  config.image = 6;
  CHECK_THROWS_WITH(vgg_forward(config, 1), "vgg: images of 6 pixels cannot be halved 2 times");
}
