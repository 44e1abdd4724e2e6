// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "searching.hpp"

/// Strategies that no search has found, for searchers to be held against.
namespace rhino::test {

/// The quickest that fits of data parallelism with all kinds of ZeRO, and of so many drawn by
/// chance: any stages, meshes, micro-batches, cuts of parameters, ZeRO and recomputation.
Answer quickest_rival(Toy& toy, double memory_bytes, std::uint64_t seed, int num_drawn);

}  // namespace rhino::test
