// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/random_reshard.hpp"
#include "rhino/transfer.hpp"

namespace rhino {

/// Hosts x devices per host from device `first` on, row-major.
Mesh host_mesh(std::int64_t hosts, std::int64_t per_host, DeviceId first);

/// A spec from words, one per dim: "R", "S0", "S1", "S01" (contiguous).
ShardingSpec spec_of(const std::vector<std::string>& words, const std::vector<std::int64_t>& dims,
                     const Mesh& mesh);

/// A mesh and the words of a spec on it.
struct Lie {
  const Mesh& mesh;
  std::vector<std::string> spec;
};

/// A tensor that is to lie on `targets`.
ReshardTensor reshard_tensor(const Shape& shape, const Lie& source,
                             const std::vector<Lie>& targets);

struct NamedProblem {
  std::string name;
  ReshardProblem problem;
  double bound_s = 0;  ///< in the NIC model by hand, without latency; 0: not known
};

/// The nine cases of AlpaComm, section 5.1.2, at full size, and (3072,1024,170) R to S0 from two
/// hosts to three.
std::vector<NamedProblem> many_to_many_cases();
/// One sender to one host of 1 to 4 devices, and to 2 to 4 hosts of 2 (section 5.1.1).
std::vector<NamedProblem> one_to_many_cases(std::int64_t bytes);
/// Cases that the paper lacks: uneven dims, overlapping meshes, several tensors and targets.
std::vector<NamedProblem> further_cases();

}  // namespace rhino
