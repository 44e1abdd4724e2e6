// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "store/record.hpp"

namespace rhino::report {

/// The table of a run, one block per case: step time with its interval, samples/s, TFLOP/s, MFU,
/// bound and efficiency, prediction error, ratio to each baseline, check, status; messages of cells
/// that are not ok below.
std::string result_table(const std::vector<store::Record>& records);

/// That of cells whose case has not ended, and so has no verdicts; empty where there are none.
std::string so_far_table(const std::vector<store::Record>& records);

/// One line for a cell that has just ended.
std::string result_line(const store::Record& record);

/// `1.23 s`, `45.6 ms`, `7.89 us`.
std::string format_seconds(double seconds);
/// `1.50 GB`
std::string format_bytes(double bytes);

}  // namespace rhino::report
