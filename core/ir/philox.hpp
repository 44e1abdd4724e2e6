// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace rhino::ir {

using PhiloxBlock = std::array<std::uint32_t, 4>;

/// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): four
/// random words as a function of a counter and a key.
constexpr PhiloxBlock philox(PhiloxBlock counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
        static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// Words of one stream by index: word i is lane i % 4 of block i / 4. Reading in order computes
/// each block once.
class PhiloxStream {
 public:
  PhiloxStream(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  /// Block that holds word `index`.
  const PhiloxBlock& block(std::uint64_t index) {
    const std::uint64_t number = index / 4;
    if (!filled_ || number != number_) {
      number_ = number;
      filled_ = true;
      block_ = philox({low(number), high(number), low(stream_), high(stream_)},
                      {low(seed_), high(seed_)});
    }
    return block_;
  }
  std::uint32_t word(std::uint64_t index) { return block(index)[index % 4]; }
  /// In [0, 1), a multiple of 2^-24: exact in f32.
  double uniform(std::uint64_t index) { return static_cast<double>(word(index) >> 8) * 0x1p-24; }

 private:
  static std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

  std::uint64_t seed_, stream_, number_ = 0;
  bool filled_ = false;
  PhiloxBlock block_{};
};

/// The stream of `rng` ops: element i of one is low + (high - low) *
/// PhiloxStream(RngAttr::stream, kRngStream).uniform(i). Inputs use streams 0, 1, ...
inline constexpr std::uint64_t kRngStream = ~std::uint64_t{0};

}  // namespace rhino::ir
