// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "store/record.hpp"

namespace rhino::report {

/// The cells of one case of one communication. Reshards, a row per algorithm: latency, effective
/// bandwidth (tensor bytes / latency), bytes between hosts, bound and efficiency, prediction error,
/// ratio to each baseline, check. Collectives, a row per size: time, algbw, busbw (nccl-tests).
std::string communication_table(const std::vector<store::Record>& records);

}  // namespace rhino::report
