// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"

/// Lives of the buffers of a role: from the write of a value to the Free after the last instruction
/// that uses it. Inputs, persistent buffers and, from their last write on, outputs are never freed.
namespace rhino::plan {

/// Per buffer, whether it holds something through all steps.
std::vector<bool> lasting_buffers(const Role& role);

/// Puts a Free behind every instruction with which lives end. A communication uses its buffers
/// until its Wait. The list has none so far.
void add_frees(Role& role);

/// Bytes of the buffers that are alive while each instruction runs, by the Frees of the list.
std::vector<std::int64_t> live_bytes(const Role& role);

}  // namespace rhino::plan
