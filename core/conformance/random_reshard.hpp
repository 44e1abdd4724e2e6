// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "rhino/transfer.hpp"

namespace rhino::conformance {

struct Range {
  std::int64_t low = 1, high = 1;
};

/// How large random problems may be.
struct RandomReshard {
  Range hosts{1, 4}, devices_per_host{1, 3};  ///< at least two devices where more than one may be
  Range tensors{1, 2}, targets{1, 2};
  Range extent{1, 9};  ///< of a dim
  std::vector<DType> dtypes{DType::f32, DType::f16};
};

/// A cluster of alike hosts: 10 Gbit/s between them and NVLink inside, as in AlpaComm's evaluation.
Cluster alike_hosts(std::int64_t num_hosts, std::int64_t devices_per_host);

/// Tensors of zero to three dims, replicated, contiguous (also uneven, down to nothing) or strided,
/// on meshes of neighbouring or scattered devices, each tensor on its own or all on the same,
/// source and targets apart or overlapping; the targets of a tensor are apart.
ReshardProblem random_reshard(const RandomReshard& limits, std::mt19937& random);

/// `2 hosts of 4; f32[8,6] [S0/8, R] on 2x1x2 (0 1 2 3) to ...`
std::string describe(const ReshardProblem& problem);

}  // namespace rhino::conformance
