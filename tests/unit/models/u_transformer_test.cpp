// SPDX-License-Identifier: Apache-2.0
#include "models/u_transformer.hpp"

#include <catch2/catch.hpp>
#include <utility>

#include "ir/autodiff.hpp"
#include "ir/flops.hpp"
#include "ir/training_step.hpp"

using namespace rhino;
using namespace rhino::models;

TEST_CASE("the graph of every u_transformer has the parameters and FLOPs of the sums over layers") {
  for (const std::string& name : u_transformer_presets()) {
    using Sizes = std::pair<std::int64_t, std::size_t>;
    for (const auto& [layers, levels] : {Sizes{1, 4}, Sizes{2, 4}, Sizes{1, 2}, Sizes{1, 1}}) {
      CAPTURE(name, layers, levels);
      UTransformerConfig config = u_transformer_preset(name);
      config.layers_per_block = layers;
      config.widths.resize(levels);
      const Program step = ir::training_step(u_transformer_forward(config, 2), {});
      CHECK(ir::num_parameters(step) == u_transformer_num_parameters(config));
      CHECK(ir::dot_flops(step) == Approx(u_transformer_step_flops(config, 2)).epsilon(1e-12));
    }
  }
}

TEST_CASE("u_transformers are about as large as their published names say") {
  const std::pair<const char*, double> published[] = {{"470m", 470e6}, {"1b", 1e9}, {"2b", 2e9}};
  CHECK(std::size(published) + 1 == u_transformer_presets().size());
  for (const auto& [name, count] : published) {
    CAPTURE(name);
    CHECK(double(u_transformer_num_parameters(u_transformer_preset(name))) ==
          Approx(count).epsilon(0.05));
  }
}

TEST_CASE("sizes of a u_transformer that do not fit are refused") {
  UTransformerConfig config = u_transformer_preset("tiny");
  config.image = 12;
  CHECK_THROWS_WITH(u_transformer_forward(config, 1),
                    "u_transformer: images of 12 pixels cannot be halved 3 times");
  config.heads = 5;
  CHECK_THROWS_WITH(u_transformer_forward(config, 1),
                    Catch::Contains("do not divide into 5 heads"));
}
