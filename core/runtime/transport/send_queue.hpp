// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace rhino::runtime {

struct Execution;

/// A message of a transfer that is ready to leave, and its place in the order: that of launches,
/// then that of the tasks of a graph, which is that of the steps of the plan.
struct Turn {
  Execution* execution = nullptr;
  std::int64_t launch = 0;
  std::int32_t step = 0, task = 0;
};

/// Ready messages of one rank over one class of links. UCX moves all large messages that it was
/// given on together, so that none arrives early and relays cannot begin: only two are under way at
/// a time, of two steps where as many are ready, the earliest in the order. Each must be able to
/// end whatever becomes of the others.
class SendQueue {
 public:
  static constexpr std::size_t kMostUnderWay = 2;

  /// Room for so many; drops all that wait.
  void reserve(std::size_t num_turns);
  void push(const Turn& turn);
  /// Takes the next one out, which then is under way; nothing where none may leave.
  std::optional<Turn> next();
  /// The message of that turn, which was under way, has ended.
  void end(std::int64_t launch, std::int32_t task);

 private:
  Turn pop();
  bool is_under_way(const Turn& turn) const;

  std::vector<Turn> waiting_;  // heap, the earliest in front
  std::array<Turn, kMostUnderWay> under_way_{};
  std::size_t num_under_way_ = 0;
};

}  // namespace rhino::runtime
