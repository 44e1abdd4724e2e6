// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "launch/environment.hpp"

namespace rhino::launch {

enum class LauncherKind {
  local,  ///< none: this process is the whole run
  pmix,   ///< ranks find each other by PMIx
  env,    ///< by variables that their launcher, or a script, has set
};

/// Which of a run's processes this one is.
struct Place {
  LauncherKind kind = LauncherKind::local;
  std::int32_t rank = 0;
  std::int32_t num_ranks = 1;  ///< 0: PMIx alone knows (launch/meeting.hpp)
  std::string launcher = {};   ///< for people: `PMIx (Open MPI)`, `Slurm`, `torchrun`
};

/// What the environment says. `word`: auto, local, pmix or env, as in `--launcher`. One rank of one
/// is `local`. Variables of the innermost launcher count: PMIx, then RANK and WORLD_SIZE, those of
/// Open MPI, of MPICH, of a step of srun. Throws Error, one sentence, for variables that contradict
/// each other, or of which half is missing, and for what is no rank.
Place find_place(const std::string& word, const Environment& environment);

}  // namespace rhino::launch
