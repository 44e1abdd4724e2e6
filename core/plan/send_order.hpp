// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/execution_plan.hpp"

/// The rule by which the messages of transfers leave a device: the transport follows it, the
/// simulator predicts by it.
///
/// A message waits for what it comes after. Smaller than kMinTurnBytes, it then leaves at once. Any
/// other waits until its receiver has begun the transfer, goes in pieces, and each piece takes its
/// turn over its class of links (see SendQueue).
namespace rhino::plan {

inline constexpr std::int64_t kMinTurnBytes = 32 << 10;
/// Of one piece, at most.
inline constexpr std::int64_t kPieceBytes = 1 << 20;
/// Pieces of one message that may be ready or under way: piece c waits for piece c - kWindowPieces.
inline constexpr std::int64_t kWindowPieces = 2;

/// Bytes of a message.
std::int64_t message_bytes(const Communication& communication, const TransferStep& step);
inline bool takes_turn(std::int64_t message_bytes) { return message_bytes >= kMinTurnBytes; }
/// Whether `step` passes on just what `before`, which it comes after, has brought: then it follows
/// piece by piece instead of as a whole.
bool follows_by_pieces(const TransferStep& before, const TransferStep& step);

/// How a message of extents `size` is cut into pieces of at most `max_bytes` (one element at
/// least), in row-major order, each of them contiguous in the packed message. Depends on its
/// arguments alone, so both ends cut alike.
class MessageCut {
 public:
  MessageCut(std::vector<std::int64_t> size, std::int64_t element_bytes,
             std::int64_t max_bytes = kPieceBytes);
  std::int64_t num_pieces() const { return num_outer_ * per_outer_; }
  /// Of so many pieces that follow each other the last may be smaller, no other.
  std::int64_t num_per_row() const { return per_outer_; }
  /// Where piece `piece` lies in the message.
  Box box(std::int64_t piece) const;

 private:
  std::vector<std::int64_t> size_;
  std::size_t dim_ = 0;  ///< is cut, `rows_` indices a piece; dims before it one index at a time
  std::int64_t rows_ = 1, per_outer_ = 1, num_outer_ = 1;
};

/// A piece that is ready to leave, and its place in the order: that in which its device began
/// transfers, then that of the steps of the plan, then of the pieces.
struct Turn {
  std::int64_t launch = 0;
  std::int32_t step = 0, piece = 0;
  void* owner = nullptr;  ///< for the one who pushes it; plays no part
};

/// Ready pieces of one device over one class of links: those within its host, or its host's network
/// interface. Only two are under way at a time, for what is given on together arrives together, and
/// late, and relays could not begin: of two steps where as many are ready, the earliest in the
/// order. Each must be able to end whatever becomes of the others.
class SendQueue {
 public:
  static constexpr std::size_t kMostUnderWay = 2;

  /// Room for so many; drops all that wait.
  void reserve(std::size_t num_turns);
  void push(const Turn& turn);
  /// Takes the next one out, which then is under way; nothing where none may leave.
  std::optional<Turn> next();
  /// A piece that was under way has ended.
  void end(const Turn& piece);

 private:
  Turn pop();
  bool is_under_way(const Turn& turn) const;

  std::vector<Turn> waiting_;  // heap, the earliest in front
  std::array<Turn, kMostUnderWay> under_way_{};
  std::size_t num_under_way_ = 0;
};

}  // namespace rhino::plan
