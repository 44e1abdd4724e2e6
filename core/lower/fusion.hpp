// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lower/lower.hpp"
#include "lower/storage.hpp"

namespace rhino::lower {

/// Groups the made ops of `program`: as many ops per loop nest as can run in one pass, where no
/// cycle between groups arises. Greedy: from the last op to the first, each joins those that read
/// it, so that what is repeated for the backward pass runs there; then readers of one value join
/// each other. The result is in a legal order of execution; ops, kind and at most one nest are set.
/// Attentions are groups from the start. `longest_row`: see Kernels.
std::vector<KernelGroup> fuse(const Program& program, const Storage& storage,
                              const std::vector<Attention>& attentions, std::int64_t longest_row);

}  // namespace rhino::lower
