// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rhino/transfer.hpp"

namespace rhino::conformance {

/// What is wrong with `plan` as an answer to `problem`, in one sentence; empty where nothing is. By
/// brute force, element by element: an oracle for small tensors that shares no code with assembly
/// and validation of plans.
std::string delivery_fault(const ReshardProblem& problem, const TransferPlan& plan);

}  // namespace rhino::conformance
