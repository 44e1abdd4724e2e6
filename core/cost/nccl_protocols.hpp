// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace rhino::cost {

/// Of a protocol and an algorithm of NCCL 2.20: microseconds once, per hop inside a host and per
/// hop between hosts, and the share of the rate of links that it gets (src/graph/tuning.cc).
struct Protocol {
  const char* name;
  double base_us, inside_us, between_us, efficiency;
};
inline constexpr std::array kRing = {Protocol{"ring/LL", 6.6, 0.6, 2.7, 1.0 / 4},
                                     Protocol{"ring/LL128", 14.0, 1.9, 4.0, 0.92},
                                     Protocol{"ring/Simple", 8.4, 3.4, 14.0, 1}};
inline constexpr std::array kTree = {Protocol{"tree/LL", 6.8, 0.6, 5.0, 0.92 / 3.8},
                                     Protocol{"tree/LL128", 14.0, 1.25, 8.5, 0.92 * 120 / 128},
                                     Protocol{"tree/Simple", 0, 28, 28, 0.92}};
/// [protocol of kTree][power of two from 64 B on]: the share of its rate that a tree gets.
inline constexpr std::array<std::array<double, 23>, 3> kTreeShares = {{
    {1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1},
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9},
}};
inline double tree_share(std::size_t protocol, double bytes) {
  const auto power = std::bit_width(static_cast<std::uint64_t>(bytes) >> 6);
  const auto shares = std::span(kTreeShares[protocol]);
  if (power == 0) return shares[0];
  return static_cast<std::size_t>(power) <= shares.size()
             ? shares[static_cast<std::size_t>(power) - 1]
             : 1;
}
/// What NCCL's model counts for one message of ring/Simple between hosts, or inside a host: links
/// that take longer, and inside a host than its others do, add the rest to each hop.
inline constexpr double kBetween_s = 22.4e-6, kInside_s = 11.8e-6;

/// Switches of NVLink add up inside hosts, and a tree does between them. Inside they reach 273.6
/// GB/s of 370.8 (nccl-tests on 8 H100: 478.9 GB/s of bus bandwidth; Azure/AI-benchmarking-guide).
inline constexpr Protocol kSwitches{"hierarchical/NVLS", 0, 23, 14, 273.6 / 370.8};

}  // namespace rhino::cost
