// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "plan/execution_plan.hpp"
#include "rank_group.hpp"

namespace rhino {

/// Throws Error where it does not hold: ranks are processes, whose failures are texts.
void expect(bool holds, const std::string& what);
/// 0, 1, ... count - 1.
std::vector<std::int32_t> ranks_upto(std::int32_t count);

/// A communication with what every rank brings and must get: the oracle of the transport's tests,
/// computed from closed formulas.
struct CommunicationCase {
  plan::Communication communication;
  std::uint64_t seed = 0;                                          ///< of the payload
  std::vector<std::vector<std::optional<Shape>>> inputs, outputs;  ///< tiles by [rank][part]
  // transfers: where the tiles lie, by part
  std::vector<Mesh> source_meshes, target_meshes;
  std::vector<ShardingSpec> source_specs, target_specs;
};

/// A collective over groups of ranks; `parts` are shapes of an operand without its leading rank
/// dim.
CommunicationCase collective_case(plan::CommunicationKind kind, Reduction reduction,
                                  const std::vector<Shape>& parts,
                                  const std::vector<std::vector<std::int32_t>>& groups,
                                  std::int32_t num_ranks);
/// Random tensors, meshes, specs, senders, relays and orders.
CommunicationCase random_transfer(std::mt19937_64& random, std::int32_t num_ranks);

/// One role per rank, which starts and waits for every case `num_instances` times at once.
plan::ExecutionPlan plan_of(const std::vector<CommunicationCase>& cases, std::int32_t num_ranks,
                            std::int32_t num_instances);

/// Hands out 64-byte aligned pieces of a rank's shared memory, or private ones where it has none.
class BufferPool {
 public:
  explicit BufferPool(const runtime::SharedMemory* shared) : shared_(shared) {}
  std::span<std::byte> take(std::int64_t num_bytes);
  /// Takes all of it back.
  void clear();

 private:
  const runtime::SharedMemory* shared_;
  std::int64_t used_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> own_;
};

/// A rank's buffers of one use of a case.
class CaseBuffers {
 public:
  CaseBuffers(const CommunicationCase& test, std::int32_t rank, std::int32_t instance,
              BufferPool& pool, bool in_place = false);
  /// Writes the operands and spoils the results.
  void fill();
  runtime::CommunicationBinding binding(std::int32_t communication);
  /// Throws Error, with the place, unless every element is as it must be.
  void check() const;

 private:
  const CommunicationCase* case_;
  std::int32_t rank_, instance_;
  bool in_place_;
  std::vector<std::span<std::byte>> inputs_, outputs_;
};

}  // namespace rhino
