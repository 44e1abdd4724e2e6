// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>

namespace fake {

/// What the threads of a warp exchange in one operation. The numbers are those of host_cuda.hpp
/// and, from kMultiplyF16 on, of host_ptx.hpp: tiles, whose value is the address of a lane's
/// LaneTiles.
enum class WarpKind : int {
  kIndex,
  kXor,
  kDown,
  kUp,
  kBallot,
  kSync,
  kAdd,
  kMin,
  kMax,
  kMultiplyF16,
  kMultiplyBf16,
  kLoad1,
  kLoad2,
  kLoad4,
  kLoad1Turned,
  kLoad2Turned,
  kLoad4Turned,
  kGroupF16,  ///< by 16, 32, 64 others, by 64, 128 turned; by 16, 32, 64 from 0 on
  kGroupBf16 = kGroupF16 + 8,
  kBehindGroups = kGroupBf16 + 8
};

struct WarpCall {
  unsigned mask = 0;
  std::uint64_t value = 0;
  WarpKind kind = WarpKind::kSync;
  int argument = 0;
  int width = 32;
};

/// 32 threads that can meet, all or those of a mask.
class Warp {
 public:
  static constexpr unsigned kLanes = 32;

  /// Lane `lane` calls. The lanes that may go on with it: all of its mask where it is the last,
  /// else none. `wrong` gets a sentence where lanes that name one another call different things.
  unsigned arrive(unsigned lane, const WarpCall& call, std::string& wrong);
  std::uint64_t result(unsigned lane) const { return results_[lane]; }
  /// What the lane came with.
  std::uint64_t given(unsigned lane) const { return calls_[lane].value; }

  /// Operations that the lane has taken part in, and whether `lane` has met another at that count
  /// or later.
  std::uint32_t tick(unsigned lane) const { return met_[lane][lane]; }
  bool has_met(unsigned lane, unsigned other, std::uint32_t tick) const {
    return met_[lane][other] > tick;
  }

 private:
  std::uint64_t exchange(unsigned lane, const WarpCall& call) const;
  std::uint64_t reduce(const WarpCall& call) const;
  void meet(unsigned mask);

  /// A sentence where a lane that waits and this one name each other in different calls.
  std::string disagreement(unsigned lane, const WarpCall& call) const;

  unsigned arrived_ = 0;
  bool mixed_ = false;  // what waits is not all the same operation
  WarpCall first_;
  std::array<WarpCall, kLanes> calls_{};
  std::array<std::uint64_t, kLanes> results_{};
  std::array<std::array<std::uint32_t, kLanes>, kLanes> met_{};
};

}  // namespace fake
