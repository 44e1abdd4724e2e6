// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <limits>
#include <vector>

namespace rhino::common {

/// A time for each mesh, and which is earliest: of equal ones the first mesh (a tournament).
class EarliestMesh {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  explicit EarliestMesh(std::size_t num_meshes)
      : leaves_(std::bit_ceil(num_meshes)), nodes_(2 * leaves_) {
    for (std::size_t mesh = 0; mesh < leaves_; ++mesh) nodes_[leaves_ + mesh].mesh = mesh;
    for (std::size_t node = leaves_; node-- > 1;) nodes_[node] = nodes_[2 * node];
  }

  std::size_t mesh() const { return nodes_[1].mesh; }
  double time_s(std::size_t mesh) const { return nodes_[leaves_ + mesh].time_s; }
  void set(std::size_t mesh, double time_s) {
    std::size_t node = leaves_ + mesh;
    nodes_[node].time_s = time_s;
    for (node /= 2; node > 0; node /= 2) {  // without branches, which nobody can foretell
      const std::size_t left = 2 * node;
      nodes_[node] = nodes_[left + (nodes_[left + 1].time_s < nodes_[left].time_s ? 1 : 0)];
    }
  }

 private:
  struct Node {
    double time_s = kNever;
    std::size_t mesh = 0;
  };
  std::size_t leaves_;
  std::vector<Node> nodes_;  ///< the root is 1, the leaves come last
};

}  // namespace rhino::common
