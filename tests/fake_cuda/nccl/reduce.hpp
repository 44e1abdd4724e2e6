// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "entries.hpp"

namespace fake {

std::size_t bytes_of(NcclType type);
bool is_type(NcclType type);

/// `out` becomes the reduction of the parts of all ranks, rounded to the type after each step, as
/// NCCL's rings do. Parts begin at another rank every few elements: no order may be counted on.
void reduce_parts(const std::vector<const char*>& parts, char* out, std::size_t count,
                  NcclType type, NcclReduction how);

}  // namespace fake
