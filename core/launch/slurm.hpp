// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "launch/environment.hpp"

namespace rhino::launch {

/// Whether srun started this process, as one of its ranks. A script of sbatch or a shell of salloc
/// has SLURM_PROCID=0 and the SLURM_NTASKS of its job, and is none.
bool is_slurm_step(const Environment& environment);

/// A port that all ranks of a step work out, and steps of one job, or of jobs side by side, hardly
/// share; below those that the kernel hands out. Throws Error where the step's ids are no numbers.
std::uint16_t slurm_port(const Environment& environment);

/// The place of a task of a job array, from 1 on, among all tasks of the array.
struct ArrayTask {
  std::int32_t index = 1, count = 1;
  bool operator==(const ArrayTask&) const = default;
};

/// Which task this process is of; nothing where it is of no array. Ids need not begin at 0. Throws
/// Error where the variables are no numbers, half of them is missing, or the ids are a list that is
/// no range, of which a task cannot know its place.
std::optional<ArrayTask> array_task(const Environment& environment);

/// Names of hosts that Slurm writes as `n[01-03,7],b,rack[0-1]n[0-3]`; several brackets vary the
/// last one first. Throws Error with the place.
std::vector<std::string> expand_hostlist(const std::string& list);

}  // namespace rhino::launch
