// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "rhino/cluster.hpp"
#include "rhino/program.hpp"

namespace rhino::test {

/// What searches are raced on.
struct Race {
  std::string name;
  Program step;
  Cluster cluster;
};

/// A random DAG, or a small GPT, on 2, 4, 6 or 8 devices of one host or two.
Race race(std::uint64_t seed);

}  // namespace rhino::test
