// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>

#include "config/communication_choice.hpp"
#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::config;
using Catch::Matchers::Contains;

namespace {

constexpr std::int64_t kQwen = 596'049'920;

/// The least Qwen3 from `source` to `target`, as maps in YAML.
ReshardChoice weights(const std::string& source, const std::string& target,
                      const std::string& more = "") {
  const std::string file = std::string(RHINO_TEST_EXPERIMENTS) + "/weights/qwen3-0.6b.json";
  return read_reshard(YamlReader::text("{name: w, weights: {hf_config: " + file + more +
                                           "}, source: " + source + ", target: " + target + "}",
                                       "x.yaml"));
}

std::string weights_refusal(const std::string& source, const std::string& more = "") {
  try {
    weights(source, "{mesh: {data: 2}}", more);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// Elements that each device holds of one end.
template <class End>
std::map<DeviceId, std::int64_t> held(const ReshardChoice& choice, End end) {
  std::map<DeviceId, std::int64_t> held;
  for (const TensorChoice& tensor : choice.tensors) {
    const TiledChoice& tiled = end(tensor);
    std::int64_t parts = 1;
    for (const DimSharding& dim : tiled.spec.dims)
      for (const AxisSplit& split : dim.splits)
        parts *= tiled.mesh.sizes.at(static_cast<std::size_t>(split.axis));
    REQUIRE(tiled.spec.dims.size() == tensor.shape.dims.size());
    REQUIRE(num_elements(tensor.shape) % parts == 0);
    for (const DeviceId device : tiled.mesh.devices)
      held[device] += num_elements(tensor.shape) / parts;
  }
  return held;
}

constexpr auto kSource = [](const TensorChoice& tensor) -> const TiledChoice& {
  return tensor.source;
};
constexpr auto kTarget = [](const TensorChoice& tensor) -> const TiledChoice& {
  return tensor.targets.at(0);
};

}  // namespace

TEST_CASE("weights lie by stages and tensors where the meshes say") {
  const ReshardChoice choice =
      weights("{mesh: {data: 2, stage: 2, other: 2}}",
              "{mesh: {data: 2, tensor: 4}, split: {heads: tensor, kv_heads: tensor, ffn: tensor, "
              "vocabulary: tensor}, first_device: 4}");
  CHECK(choice.name == "w");
  CHECK_THAT(choice.text, Contains("qwen3-0.6b.json, 28 layers of bf16, 1.19 GB: data 2 x stage 2 "
                                   "x other 2 to data 2 x tensor 4"));
  const std::int64_t embedding = std::int64_t{151936} * 1024, norm = 1024,
                     layer = (kQwen - embedding - norm) / 28;
  // Of eight devices the third, fourth, seventh and eighth are of the second stage.
  for (const auto& [device, count] : held(choice, kSource)) {
    CAPTURE(device);
    CHECK(count == 14 * layer + (device % 4 < 2 ? embedding : norm));
  }
  CHECK(held(choice, kSource).size() == 8);
  // Norms of hidden and of heads are whole everywhere.
  const std::int64_t norms = 28 * (2 * 1024 + 2 * 128) + norm;
  const std::map<DeviceId, std::int64_t> targets = held(choice, kTarget);
  CHECK(targets.size() == 8);
  CHECK(targets.begin()->first == 4);
  for (const auto& [device, count] : targets) CHECK(count == (kQwen - norms) / 4 + norms);
}

TEST_CASE("every weight crosses once, however stages cut the layers") {
  for (const char* stages : {"1", "3", "4"}) {
    CAPTURE(stages);
    const ReshardChoice choice =
        weights(std::string("{mesh: {stage: ") + stages + "}}", "{mesh: {stage: 2, data: 3}}");
    std::int64_t total = 0;
    for (const TensorChoice& tensor : choice.tensors) total += num_elements(tensor.shape);
    CHECK(total == kQwen);
  }
  const ReshardChoice two = weights("{mesh: {stage: 2}}", "{mesh: {data: 1}}", ", layers: 2");
  CHECK(two.tensors.size() == 1 + 2 * 11 + 1);
}

TEST_CASE("weights that cannot lie so are refused in one sentence with their place") {
  CHECK(weights_refusal("{mesh: [2, 4]}") ==
        "x.yaml:1: 'mesh': a mesh of weights is a map of axes: {stage: 2, tensor: 4}");
  CHECK_THAT(weights_refusal("{mesh: {data: 2}, split: {head: data}}"),
             Contains("x.yaml:1: 'head': no weight has a dim 'head'; did you mean 'heads'?"));
  CHECK_THAT(weights_refusal("{mesh: {data: 2}, split: {heads: tensor}}"),
             Contains("x.yaml:1: 'heads': no axis 'tensor' splits dims"));
  CHECK_THAT(weights_refusal("{mesh: {stage: 2}, split: {heads: stage}}"),
             Contains("no axis 'stage' splits dims"));
  CHECK_THAT(weights_refusal("{mesh: {tensor: 2}, split: {heads: tensor, hidden: tensor}}"),
             Contains("axis 'tensor' is to split two dims of query"));
  CHECK_THAT(weights_refusal("{mesh: {tensor: 16}, split: {kv_heads: tensor}}"),
             Contains("kv_heads of key are 8, too few to be split by tensor of 16"));
  CHECK_THAT(weights_refusal("{mesh: {stage: 4}}", ", layers: 3"),
             Contains("3 layers do not fill 4 stages"));
  CHECK_THAT(weights_refusal("{mesh: {data: 2}}", ", layers: 29"),
             Contains("the model has 28 layers"));
  CHECK_THAT(weights_refusal("{mesh: {data: 1000000}}"), Contains("more than 65536 devices"));
}
