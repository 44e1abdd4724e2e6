// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace rhino::common {

/// Random numbers that are a function of seed and counter alone (splitmix64).
class CounterRandom {
 public:
  explicit CounterRandom(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t next() {
    std::uint64_t x = seed_ + 0x9e3779b97f4a7c15U * ++counter_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  }

  /// One of 0 .. bound - 1.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t seed_, counter_ = 0;
};

}  // namespace rhino::common
