// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "evaluate/candidate.hpp"

namespace rhino::commands {

/// Priced strategies, quickest first: step, memory, compute, communication and bubble of the first
/// ten, what makes the first quicker than the second, and its rank under prices that are changed.
/// Empty where there are none.
std::string candidate_table(std::vector<evaluate::Candidate> candidates);

/// `candidate: reason` lines, those alike but for their numbers as one.
std::string left_out_text(const std::vector<std::string>& rejected);

}  // namespace rhino::commands
