// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rhino/program.hpp"
#include "rhino/strategy.hpp"

namespace rhino::sharding {

/// A step whose pipeline is there several times (Placement::num_replicas), as a step like others.
struct ReplicatedStep {
  Program program;
  Strategy strategy;
  /// Per input and output of `program`, of which it is in the step that was replicated.
  std::vector<std::int32_t> inputs, outputs;
};

/// Every replica has all ops, with parameters and states of its own; batch inputs, scalars and
/// constants are there once. What is once a step and reads a sum over micro-batches reads that of
/// all replicas, each of which adds them up in the same order: so they update alike, bit by bit.
/// Outputs are those of the first replica, then the updated states of the others.
///
/// `chunks` are those of all replicas, one after the other, on meshes alike; a plan runs each
/// micro-batch through the chunks of one. Throws Error where they are not as many for each, or
/// meshes differ.
ReplicatedStep replicate(const Program& program, const Strategy& strategy,
                         const std::vector<Chunk>& chunks);

}  // namespace rhino::sharding
