// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/yaml_reader.hpp"
#include "rhino/cluster.hpp"
#include "rhino/sharding.hpp"

/// Cases that hold one communication alone. Which devices a mesh has is known with the topology.
namespace rhino::config {

/// Devices as a case names them: `mesh: [2, 4]`, the last axis inside a host, the others over
/// hosts.
struct MeshChoice {
  std::vector<std::int64_t> sizes;
  std::int64_t first_host = -1;   ///< -1: behind the meshes before it, the first on the first host
  std::vector<DeviceId> devices;  ///< row-major; empty: by host
  std::string place;              ///< file:line
  bool operator==(const MeshChoice&) const = default;
};

/// How a tensor lies: `spec: [S01, R, S2/8]`, per dim R or S and the mesh axes that split it, major
/// first; behind the slash the period of a strided split.
struct TiledChoice {
  MeshChoice mesh;
  ShardingSpec spec;
  std::string text;  ///< `S0 R @ 2x4`
  bool operator==(const TiledChoice&) const = default;
};

struct TensorChoice {
  Shape shape;
  TiledChoice source;
  std::vector<TiledChoice> targets;
  bool operator==(const TensorChoice&) const = default;
};

/// `reshard:` of a case: tensors that cross together, or all weights of a model (read_weights()).
struct ReshardChoice {
  std::string name;  ///< for people; may be empty
  std::vector<TensorChoice> tensors;
  std::string text = {};  ///< what they are, where they are too many to be told one by one
  bool operator==(const ReshardChoice&) const = default;
};

/// `collective:` of a case, one size of it.
struct CollectiveChoice {
  std::string kind;  ///< all_reduce | all_gather | reduce_scatter | all_to_all
  std::int64_t bytes = 0;
  DType dtype = DType::f32;
  std::vector<DeviceId> group;
  std::string place;
  bool operator==(const CollectiveChoice&) const = default;
};

/// Throw Error `file:line: ...` where a spec does not fit its tensor or its mesh, an axis or a
/// device occurs twice, a size is below 1, bytes do not divide.
ReshardChoice read_reshard(const YamlReader& node);
std::vector<CollectiveChoice> read_collective(const YamlReader& node);

/// One line that says everything: `s32[1024,512]: S0 R @ 2x4 to R S01 @ 2x4`.
std::string to_string(const ReshardChoice& choice);
std::string to_string(const CollectiveChoice& choice);
/// The same of each tensor, whatever `text` says.
std::string tensors_text(const ReshardChoice& choice);

/// The devices of all meshes of a tensor on `cluster`: source, then targets. Meshes that do not say
/// where they lie take the hosts behind those before them, or, on a single host, the devices.
/// Throws Error with the place of a mesh that the cluster has no room for.
std::vector<Mesh> place_meshes(const TensorChoice& tensor, const Cluster& cluster);
/// Throws Error where the cluster lacks a device of the group.
void check_group(const CollectiveChoice& choice, const Cluster& cluster);

}  // namespace rhino::config
