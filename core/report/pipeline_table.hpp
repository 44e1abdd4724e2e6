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

/// Over all cases of abstract stages, of each baseline against every other schedule: in how many it
/// is faster, the same (within what verdicts call the same) and slower, and the median of its
/// speed-up. Empty where no schedule meets a baseline in two cases.
std::string pipeline_summary(const std::vector<store::Record>& records);

}  // namespace rhino::report
