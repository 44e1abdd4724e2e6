// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"
#include "runtime/message.hpp"
#include "runtime/ranks.hpp"
#include "runtime/worker/arena.hpp"

namespace rhino::runtime {

/// What this device's output tiles must hold after a step of a plan of one communication (see
/// plan/single_communication.hpp), made from the initializers by global element index: nothing of
/// it depends on how the plan moves bytes.
class ExpectedOutputs {
 public:
  /// `plan` must live longer. Throws Error where an output has no input of its number, or of
  /// another size than a multiple of its own.
  ExpectedOutputs(const plan::ExecutionPlan& plan, const RankPlace& place, std::uint64_t seed);

  /// Compares all elements of all output tiles in `arena`: bit by bit, or, for sums of
  /// floating-point numbers, to within rounding.
  VerifyReply compare(Arena& arena) const;
  /// Overwrites the output tiles with ones, which no element has.
  void poison(Arena& arena) const;

 private:
  struct Tile {
    const plan::PlanOutput* output = nullptr;
    const plan::PlanBuffer* buffer = nullptr;
    std::vector<TileBox> boxes;
    std::vector<std::byte> elements;  ///< as the buffer should be, outside of the boxes anything
    std::int64_t num_terms = 1;
  };
  void fill(Tile& tile, const plan::PlanInput& input, std::uint64_t seed) const;
  static void compare(const Tile& tile, const std::byte* actual, VerifyReply& reply);
  static void compare_row(const Tile& tile, const std::byte* actual, std::int64_t first,
                          std::int64_t count, std::int64_t global, VerifyReply& reply);

  std::vector<Tile> tiles_;
};

}  // namespace rhino::runtime
