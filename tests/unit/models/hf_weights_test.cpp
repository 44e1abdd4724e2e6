// SPDX-License-Identifier: Apache-2.0
#include "models/hf_weights.hpp"

#include <catch2/catch.hpp>

#include "ir/flops.hpp"
#include "models/catalog.hpp"

using namespace rhino;
using namespace rhino::models;

TEST_CASE("weights of a config.json are as many as published") {
  const std::string folder = std::string(RHINO_TEST_EXPERIMENTS) + "/weights/";
  const std::pair<const char*, std::int64_t> models[] = {{"qwen3-0.6b", 596'049'920},
                                                         {"qwen3-4b", 4'022'468'096},
                                                         {"qwen3-32b", 32'762'123'264},
                                                         {"qwen3-30b-a3b", 30'532'122'624},
                                                         {"qwen3-235b-a22b", 235'093'634'560}};
  for (const auto& [name, count] : models) {
    CAPTURE(name);
    CHECK(num_elements(read_hf_weights(folder + name + ".json")) == count);
  }
}

TEST_CASE("weights of what can be built are those of the model") {
  for (const char* name : {"gpt2", "llama-2-7b", "mixtral-8x7b"}) {
    CAPTURE(name);
    const std::string path = std::string(RHINO_TEST_DATA) + "/hf/" + name + ".json";
    const Program program =
        build_forward("hf_config", Options({{"file", path}}), 1, DType::bf16).program;
    const HfWeights weights = read_hf_weights(path);
    CHECK(num_elements(weights) == ir::num_parameters(program));
    for (const auto* list : {&weights.front, &weights.layer, &weights.behind})
      for (const HfWeight& weight : *list) {
        CAPTURE(weight.name);
        CHECK(weight.shape.size() == weight.dims.size());
      }
  }
}

TEST_CASE("weights of an unknown kind of model are refused") {
  CHECK_THROWS_WITH(
      read_hf_weights(std::string(RHINO_TEST_DATA) + "/hf/t5-base.json"),
      Catch::EndsWith("t5-base.json: weights of model_type 't5' are not known, but of gpt2, llama, "
                      "mixtral, qwen3, qwen3_moe"));
}
