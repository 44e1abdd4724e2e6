// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/one_forward_one_backward.hpp"
#include "rhino/pipeline.hpp"

namespace rhino::common {

/// A rank of DualPipe, and of DualPipeV, which has its first half alone. Way 0 begins on rank 0 and
/// way 1 ends there: `ranks` of them lie one behind the other, and micro-batches of either way go
/// through the chunk that the rank has for it.
struct DualRank {
  std::int32_t rank = 0, ranks = 1;
  std::int32_t num_micro_batches = 0;      ///< of either way, 2 * ranks at least
  std::array<std::int32_t, 2> chunk{};     ///< by way
  std::array<std::int32_t, 2> first_of{};  ///< by way: its first micro-batch
};

/// The order of one rank in the eight steps of DualPipe's public description (DeepSeek-V3, arXiv
/// 2412.19437, section 3.2.1, and the README of its code), W in their places.
class DualOrder {
 public:
  explicit DualOrder(const DualRank& of) : of_(of) {}

  std::vector<Action> make() && {
    const std::int32_t behind = of_.ranks - of_.rank - 1, before = of_.rank + 1;
    repeat(2 * behind, [&](std::int32_t) { forward(0); });
    repeat(before, [&](std::int32_t) {
      forward(0);
      forward(1);
    });
    repeat(behind, [&](std::int32_t) {
      backward(1);
      weight();
      forward(1);
    });
    repeat(of_.num_micro_batches - 2 * of_.ranks + before, [&](std::int32_t i) {
      // The last rank would wait for its own F.
      if (i == 0 && behind == 0) {
        forward(0);
        whole(1);
      } else {
        pair(0, 1);
      }
      pair(1, 0);
    });
    repeat(behind, [&](std::int32_t) {
      whole(1);
      pair(1, 0);
    });
    repeat(2 * before,
           [&](std::int32_t i) { i < before ? whole(1 - i % 2) : backward(1 - i % 2); });
    repeat(behind, [&](std::int32_t) {
      weight();
      backward(0);
    });
    repeat(before, [&](std::int32_t) { weight(); });
    return std::move(order_);
  }

 private:
  template <class Do>
  static void repeat(std::int32_t count, Do&& act) {
    for (std::int32_t i = 0; i < count; ++i) act(i);
  }

  using Counts = std::array<std::int32_t, 2>;
  /// The next of a way, in a pass.
  Action next(ActionKind kind, std::size_t way, Counts& counts) const {
    return {kind, of_.chunk[way], of_.first_of[way] + counts[way]++};
  }
  void forward(std::size_t way) { order_.push_back(next(ActionKind::forward, way, forwards_)); }
  void whole(std::size_t way) {
    order_.push_back(next(ActionKind::backward_weight, way, backwards_));
  }
  void backward(std::size_t way) {
    order_.push_back(next(ActionKind::backward, way, backwards_));
    late_.push_back(order_.back());
    late_.back().kind = ActionKind::weight;
  }
  void weight() { order_.push_back(late_[num_weights_++]); }
  void pair(std::size_t forth, std::size_t back) {
    Action both = next(ActionKind::forward_backward, forth, forwards_);
    const Action other = next(ActionKind::backward_weight, back, backwards_);
    both.other_chunk = other.chunk;
    both.other_micro_batch = other.micro_batch;
    order_.push_back(both);
  }

  const DualRank of_;
  std::vector<Action> order_, late_;  ///< late: W in the order of their B
  std::size_t num_weights_ = 0;
  Counts forwards_{}, backwards_{};  ///< by way
};

/// (ranks - 1) F of equal chunks with F = B = W, where what F sends leaves in front of the BW of
/// its pair, as the engine orders it. A pair that sends at its end makes twice that of it, the
/// published (ranks - 1) (FB + BW - 3 W), FB being F + BW.
inline std::optional<double> pairs_bubble_s(const PipelineProblem& problem, std::int32_t ranks) {
  const ChunkCost* chunk = equal_chunks(problem);
  if (chunk == nullptr || chunk->backward_s != chunk->forward_s ||
      chunk->weight_s != chunk->forward_s)
    return std::nullopt;
  return (ranks - 1) * chunk->forward_s;
}

}  // namespace rhino::common
