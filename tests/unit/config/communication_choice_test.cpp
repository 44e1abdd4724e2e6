// SPDX-License-Identifier: Apache-2.0
#include "config/communication_choice.hpp"

#include <catch2/catch.hpp>

#include "rhino/error.hpp"

using namespace rhino;
using namespace rhino::config;
using Catch::Matchers::Contains;

namespace {

ReshardChoice reshard(const std::string& text) {
  return read_reshard(YamlReader::text(text, "x.yaml"));
}

std::string refusal(const std::string& text) {
  try {
    reshard(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// A tensor of 1023 x 8 whose source is `source`.
std::string with_source(const std::string& source) {
  return "{tensor: [1023, 8], source: " + source + ", target: {mesh: [1, 1], spec: [R, R]}}";
}

std::string collective_refusal(const std::string& text) {
  try {
    read_collective(YamlReader::text(text, "x.yaml"));
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

Cluster cluster_of(std::int32_t num_hosts, std::int32_t per_host) {
  Cluster cluster;
  cluster.name = "test";
  for (std::int32_t host = 0; host < num_hosts; ++host) {
    cluster.hosts.push_back({"h", {}});
    for (std::int32_t i = 0; i < per_host; ++i) {
      cluster.hosts.back().devices.push_back(cluster.num_devices());
      cluster.host_of.push_back(host);
    }
  }
  return cluster;
}

std::vector<Mesh> place(const std::string& text, const Cluster& cluster) {
  return place_meshes(reshard(text).tensors.front(), cluster);
}

const std::string kTwoByFour =
    "{tensor: [16, 8], source: {mesh: [2, 4], spec: [S0, R]}, target: {mesh: [2, 4], spec: [R, "
    "S01]}}";

}  // namespace

TEST_CASE("a reshard is read with its specs") {
  const ReshardChoice choice = reshard(kTwoByFour);
  REQUIRE(choice.tensors.size() == 1);
  const TensorChoice& tensor = choice.tensors[0];
  CHECK(tensor.shape == Shape{DType::s32, {16, 8}});
  CHECK(tensor.source.spec.dims[0].splits == std::vector<AxisSplit>{{0, 16}});
  CHECK(tensor.targets[0].spec.dims[1].splits == std::vector<AxisSplit>{{0, 8}, {1, 4}});
  CHECK(to_string(choice) == "s32[16,8]: S0 R @ 2x4 to R S01 @ 2x4");
}

TEST_CASE("splits may be strided, and leave a rest where they are not") {
  const auto splits = [](const std::string& spec) {
    return reshard(with_source("{mesh: [2, 4], spec: " + spec + "}")).tensors[0].source.spec.dims;
  };
  CHECK(splits("[R, S0/4]")[1].splits == std::vector<AxisSplit>{{0, 4}});
  CHECK(splits("[R, S10/8]")[1].splits == std::vector<AxisSplit>{{1, 8}, {0, 2}});
  CHECK(splits("[S01, R]")[0].splits == std::vector<AxisSplit>{{0, 1023}, {1, 512}});
}

TEST_CASE("several tensors and several targets cross together") {
  const ReshardChoice choice = reshard(
      "{name: two, tensors: [{tensor: [4], source: {mesh: [1, 1], spec: [R]}, targets: [{mesh: [1, "
      "1], spec: [R]}, {mesh: [1, 2], spec: [S1]}]}, {tensor: [8], dtype: f32, source: {mesh: [1, "
      "2], spec: [S1]}, target: {mesh: [1, 1], spec: [R]}}]}");
  CHECK(choice.name == "two");
  REQUIRE(choice.tensors.size() == 2);
  CHECK(choice.tensors[0].targets.size() == 2);
  CHECK(choice.tensors[1].shape.dtype == DType::f32);
}

TEST_CASE("a reshard that cannot be is refused in one sentence with its place") {
  CHECK_THAT(refusal(with_source("{mesh: [2, 4], spec: [S0]}")),
             Contains("x.yaml:1: 'spec': a spec of 1 dims for the tensor s32[1023,8]"));
  CHECK_THAT(refusal(with_source("{mesh: [2, 4], spec: [S0, S0]}")),
             Contains("mesh axis 0 is used twice"));
  CHECK_THAT(refusal(with_source("{mesh: [2, 4], spec: [S00, R]}")),
             Contains("mesh axis 0 is used twice"));
  CHECK_THAT(refusal(with_source("{mesh: [2, 4], spec: [S2, R]}")),
             Contains("there is no mesh axis 2 in 2x4"));
  CHECK_THAT(refusal(with_source("{mesh: [2, 4], spec: [X, R]}")),
             Contains("'X' is no way to lie"));
  CHECK_THAT(refusal(with_source("{mesh: [2, 4], spec: [S, R]}")),
             Contains("'S' is no way to lie"));
  CHECK_THAT(refusal(with_source("{mesh: [2, 4], spec: [S0/4, R]}")),
             Contains("a dim of 1023 does not divide into blocks of 4"));
  CHECK_THAT(refusal(with_source("{mesh: [2, 4], spec: [R, S1/2]}")),
             Contains("blocks of 2 do not divide into 4"));
  CHECK_THAT(refusal(with_source("{mesh: [2, 4], spec: [R, S0/0]}")), Contains("is no way to lie"));
  CHECK_THAT(refusal(with_source("{mesh: [0, 4], spec: [R, R]}")),
             Contains("a mesh axis must be at least 1, not 0"));
  CHECK_THAT(refusal(with_source("{mesh: [2, 2], spec: [R, R], devices: [0, 1, 2, 1]}")),
             Contains("device 1 occurs twice"));
  CHECK_THAT(refusal(with_source("{mesh: [2, 2], spec: [R, R], devices: [0, 1]}")),
             Contains("a mesh of 2x2 has 4 devices, not 2"));
  CHECK_THAT(refusal(with_source("{mesh: [2, 2], spec: [R, R], devices: [0, 1, 2, -3]}")),
             Contains("there is no device -3"));
  CHECK_THAT(refusal(with_source("{mesh: [1, 1], spec: [R, R], first: 2}")),
             Contains("unknown key 'first'"));
  CHECK_THAT(refusal("{tensor: [4, 0], source: {mesh: [1], spec: [R, R]}, target: {mesh: [1], "
                     "spec: [R, R]}}"),
             Contains("an extent must be at least 1, not 0"));
  CHECK_THAT(refusal("{tensor: [4], dtype: s31, source: {mesh: [1], spec: [R]}, target: {mesh: "
                     "[1], spec: [R]}}"),
             Contains("unknown dtype 's31'; did you mean"));
  CHECK_THAT(refusal("{tensor: [100000000, 100000000], source: {mesh: [1], spec: [R, R]}, target: "
                     "{mesh: [1], spec: [R, R]}}"),
             Contains("more than"));
  CHECK_THAT(refusal("{tensor: [4], source: {mesh: [1], spec: [R]}}"),
             Contains("key 'target' is missing"));
}

TEST_CASE("meshes take the hosts behind those before them") {
  const std::vector<Mesh> meshes = place(kTwoByFour, cluster_of(4, 4));
  REQUIRE(meshes.size() == 2);
  CHECK(meshes[0].devices == std::vector<DeviceId>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(meshes[1].devices.front() == 8);
  CHECK(meshes[1].axes[1].size == 4);
}

TEST_CASE("a mesh may take some of a host, any host, or any devices") {
  const std::string head = "{tensor: [4], source: {mesh: [2, 2], spec: [R]}, target: ";
  const auto target = [&](const std::string& mesh) {
    return place(head + mesh + "}", cluster_of(4, 4))[1].devices;
  };
  CHECK(target("{mesh: [2, 1], spec: [R]}") == std::vector<DeviceId>{8, 12});
  CHECK(target("{mesh: [2, 2], spec: [R], first_host: 1}") == std::vector<DeviceId>{4, 5, 8, 9});
  CHECK(target("{mesh: [3], spec: [R], devices: [0, 9, 4]}") == std::vector<DeviceId>{0, 9, 4});
}

TEST_CASE("on a single host meshes take the devices behind those before them") {
  const std::vector<Mesh> meshes =
      place("{tensor: [4], source: {mesh: [1, 2], spec: [R]}, target: {mesh: [2, 1], spec: [S0]}}",
            cluster_of(1, 4));
  CHECK(meshes[0].devices == std::vector<DeviceId>{0, 1});
  CHECK(meshes[1].devices == std::vector<DeviceId>{2, 3});
}

TEST_CASE("a mesh that the cluster has no room for is refused with its place") {
  CHECK_THROWS_WITH(place(kTwoByFour, cluster_of(3, 4)),
                    Contains("x.yaml:1: test has no room for a mesh of 2x4"));
  CHECK_THROWS_WITH(place(kTwoByFour, cluster_of(4, 2)), Contains("has no room"));
  CHECK_THROWS_WITH(place("{tensor: [4], source: {mesh: [1], spec: [R]}, target: {mesh: [1], spec: "
                          "[R], devices: [7]}}",
                          cluster_of(1, 4)),
                    Contains("there is no device 7: test has 4"));
  CHECK_THROWS_WITH(
      place("{tensor: [4], source: {mesh: [1], spec: [R]}, targets: [{mesh: [1], spec: [R], "
            "devices: [1]}, {mesh: [1], spec: [R], devices: [1]}]}",
            cluster_of(1, 4)),
      Contains("device 1 is of two targets"));
}

TEST_CASE("a collective is one choice per size") {
  const std::vector<CollectiveChoice> choices = read_collective(
      YamlReader::text("{kind: all_gather, bytes: [8, 64KiB], group: [0, 1]}", "x.yaml"));
  REQUIRE(choices.size() == 2);
  CHECK(choices[1].bytes == 65536);
  CHECK(to_string(choices[1]) == "all_gather 64KiB f32 over 0,1");
}

TEST_CASE("a collective that cannot be is refused in one sentence with its place") {
  CHECK_THAT(collective_refusal("{kind: all_reduce, bytes: 6, group: [0, 1]}"),
             Contains("x.yaml:1: 'bytes': 6 bytes are not a multiple of 4"));
  CHECK_THAT(collective_refusal("{kind: all_gather, bytes: 12, group: [0, 1]}"),
             Contains("12 bytes are not a multiple of 8: one f32 for each of 2 devices"));
  CHECK_THAT(collective_refusal("{kind: all_reduce, bytes: 0, group: [0, 1]}"),
             Contains("0 bytes"));
  CHECK_THAT(collective_refusal("{kind: all_reduce, bytes: 8, group: [0, 0]}"),
             Contains("device 0 occurs twice"));
  CHECK_THAT(collective_refusal("{kind: all_reduce, bytes: 8, group: [0]}"),
             Contains("at least two devices"));
  CHECK_THAT(collective_refusal("{kind: all_redcue, bytes: 8, group: [0, 1]}"),
             Contains("did you mean 'all_reduce'"));
}
