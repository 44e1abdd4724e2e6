// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "rhino/cluster.hpp"

namespace rhino::evaluate {

/// What seconds would be if some were others: how much hangs on them.
struct PriceChange {
  const char* name;
  double kernels = 1, links = 1;  ///< so many times as long
};

/// In the order of Candidate::changed_s.
inline constexpr std::array<PriceChange, 4> kPriceChanges{{{"kernels -20 %", 0.8, 1},
                                                           {"kernels +20 %", 1.2, 1},
                                                           {"communication -20 %", 1, 0.8},
                                                           {"communication +20 %", 1, 1.2}}};

/// The cluster on which all kernels and all messages take so many times as long.
Cluster changed(Cluster cluster, const PriceChange& change);

}  // namespace rhino::evaluate
