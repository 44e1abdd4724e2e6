// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "planning/cell_inputs.hpp"
#include "rhino/strategy.hpp"
#include "sharding/partition.hpp"

/// Strategies that a searcher finds for a case of an experiment, and what they are made of.
namespace rhino::test {

/// A strategy of a step, and the seconds that it takes in simulation.
struct Planned {
  std::string name;  ///< of its cell
  std::shared_ptr<const Program> step;
  Strategy strategy;
  double step_s = 0;
};

/// What the last search/rhino of a case finds, and all that fits which is no search/rhino.
struct Found {
  Planned searched;
  std::vector<Planned> others;  ///< in the order of the experiment, baselines first
};

/// Plans and simulates all cells of the case. Fails the test where the search finds nothing.
Found found_in(const std::string& experiment, std::int32_t case_index);

/// Collectives of a pass: sums over devices (all-reduces, reduce-scatters), and what brings
/// together (all-reduces again, all-gathers).
struct Crossings {
  int sums = 0, gathers = 0, all_to_alls = 0;
  bool operator==(const Crossings&) const = default;
};

/// Of the programs of a phase, layer by layer in the order in which they run: from what is computed
/// first under its name (`h3.`) on. What comes before the first layer has the name "". Those of
/// tensors of so many elements alone, both included.
std::vector<std::pair<std::string, Crossings>> crossings(
    const Planned& planned, sharding::ChunkPhase phase,
    std::pair<std::int64_t, std::int64_t> sizes);

/// Fails the test where nothing has that name.
ValueId value_of(const Program& step, const std::string& name);
/// The dims that axes of more than one device split.
std::vector<std::size_t> split_dims(const Planned& planned, const std::string& name);
/// How many devices of its mesh hold the same of a value.
std::int64_t num_copies(const Planned& planned, ValueId id);

}  // namespace rhino::test
