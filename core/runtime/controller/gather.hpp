// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"
#include "runtime/session.hpp"

namespace rhino::runtime {

/// Puts the tiles of one output together, from all devices that hold some.
class Gather {
 public:
  explicit Gather(std::int32_t output) : output_(output) {}

  /// Adds the tile that the device at `position` of `role` holds of `output`. Replicas must agree
  /// bit by bit; who differs is counted.
  void add(const plan::Role& role, std::int32_t position, const plan::PlanOutput& output,
           const std::byte* tile);
  /// The whole tensor. Throws Error naming an element that no tile held.
  FetchedTensor take() const;

 private:
  void add_row(std::size_t whole, std::size_t count, const std::byte* row);

  enum class Seen : std::uint8_t { never, agreed, disagreed };
  std::int32_t output_ = 0;
  Shape shape_;
  std::size_t element_bytes_ = 0;
  std::vector<std::byte> elements_;
  std::vector<Seen> seen_;
};

}  // namespace rhino::runtime
