// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "rhino/transfer.hpp"

namespace rhino::test {

/// A complete plan by random means: each slice from any of its holders, by a copy each, a chain, or
/// scattered and gathered; within a device where that holds it.
TransferPlan random_transfers(const ReshardProblem& problem, std::mt19937& random);

/// Each tensor back from its first target to where it came from.
ReshardProblem reversed(const ReshardProblem& problem);

}  // namespace rhino::test
