// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"

namespace rhino::runtime {

/// One use of a communication in a step.
struct CommunicationUse {
  std::int32_t communication = 0, instance = 0;
  auto operator<=>(const CommunicationUse&) const = default;
};

/// Per role, its Starts in an order in which all roles can carry them out one after the other, each
/// to its end: the order in which, of roles that go through their lists together, the last one
/// comes to start them. A role that issues the next one as soon as it has started it, however many
/// others it has, has issued each by its Wait. For transports whose operations block those behind
/// them. Throws Error where the plan would block whatever the transport.
std::vector<std::vector<CommunicationUse>> issue_orders(const plan::ExecutionPlan& plan);

}  // namespace rhino::runtime
