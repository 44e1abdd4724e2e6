// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include "rhino/transfer.hpp"

namespace rhino::test {

struct RandomReshard {
  std::int32_t num_hosts = 2, devices_per_host = 4;
  std::int32_t most_tensors = 2, most_targets = 2;
  std::int64_t most_extent = 7;  ///< of a dim: few elements, so that tiles are uneven or empty
};

/// Tensors of random shapes, dtypes and specs (replicated, one or several axes, strided, uneven),
/// on meshes that may overlap; the targets of one tensor do not.
ReshardProblem random_reshard(const RandomReshard& options, std::mt19937& random);

/// A complete plan by random means: each slice from any of its holders, by a copy each, a chain, or
/// scattered and gathered; within a device where that holds it.
TransferPlan random_transfers(const ReshardProblem& problem, std::mt19937& random);

/// Each tensor back from its first target to where it came from.
ReshardProblem reversed(const ReshardProblem& problem);

}  // namespace rhino::test
