// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "store/record.hpp"

namespace rhino::report {

/// The cells of one case of abstract stages, a row per schedule: steady period, makespan of one
/// step, the bubble of the busiest stage and what the schedule's formula says of it, by how much
/// transfers lengthen the step, the part of
/// the time that stages idle in the mean, lower bound and efficiency, micro-batches that stages
/// keep, ratio to each baseline.
std::string pipeline_table(const std::vector<store::Record>& records);

}  // namespace rhino::report
