// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "launch/environment.hpp"
#include "measure/shard.hpp"

namespace rhino::commands {

/// The part of its experiment that a run is.
struct ChosenShard {
  measure::Shard shard;
  std::string origin = {};   ///< ` of a Slurm array`; empty: it was given
  std::string refusal = {};  ///< why there is none
};

/// What `--shard` says, else what Slurm has set for a task of an array, else all.
ChosenShard choose_shard(const std::string& word, const launch::Environment& environment);

/// `shard 2/4 of a Slurm array: 7 of 28 cells`; empty: it is all of them.
std::string describe(const ChosenShard& shard, std::size_t num_taken, std::size_t num_cells);

}  // namespace rhino::commands
