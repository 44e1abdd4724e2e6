// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "ir/reference.hpp"
#include "rhino/strategy.hpp"
#include "sharding/partition.hpp"

/// Runs partitioned programs on reference devices: the oracle of everything that shards.
namespace rhino::test {

using Random = std::mt19937_64;

/// In [0, bound).
std::int64_t draw(Random& random, std::int64_t bound);

Mesh make_mesh(const std::vector<std::int64_t>& axis_sizes, DeviceId first_device = 0);
/// Small integers, exact in every dtype; pred: 0 or 1.
ir::Tensor random_tensor(Random& random, const Shape& shape);
/// Any legal spec, strided splits included. `partial`: axes may be left partial, all under one
/// random reduction.
ShardingSpec random_spec(Random& random, const std::vector<std::int64_t>& dims, const Mesh& mesh,
                         bool partial);

/// The part of `whole` that the device at `rank` holds under `spec`; partial axes are ignored.
ir::Tensor tile_of(const ir::Tensor& whole, const ShardingSpec& spec, const Mesh& mesh,
                   std::int64_t rank);
/// All tiles. Along partial axes the terms are random, and reduce to the value exactly.
std::vector<ir::Tensor> scatter_tiles(Random& random, const ir::Tensor& whole,
                                      const ShardingSpec& spec, const Mesh& mesh);
/// The whole tensor again, partial axes reduced. Throws Error where devices that should hold the
/// same elements differ.
ir::Tensor join_tiles(const std::vector<ir::Tensor>& tiles, const Shape& global,
                      const ShardingSpec& spec, const Mesh& mesh);

/// partition(program, strategy, is_cut), one step of it on the reference devices of all chunks,
/// outputs joined: what evaluate(program, inputs, f64) yields. Throws Error where programs wait for
/// each other, ports do not meet, or replicas differ.
std::vector<ir::Tensor> run_partitioned(const Program& program, const Strategy& strategy,
                                        std::span<const ir::Tensor> inputs,
                                        const std::vector<bool>& is_cut = {});

/// Inputs of a training step: what its initializers allow, small enough for exponentials.
std::vector<ir::Tensor> random_inputs(Random& random, const Program& program);

/// `draft` completed without annotations, then every op cut anew at random over the axes of its
/// mesh: any legal way, strided splits, partial sums and passed-on sums included.
Strategy random_strategy(Random& random, const Program& program, const StrategyDraft& draft);

/// max |a - b| / max(1, max |b|).
double relative_error(const ir::Tensor& a, const ir::Tensor& b);

}  // namespace rhino::test
