// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "plan/execution_plan.hpp"

/// NCCL between all GPUs of this host, as doctor --gpu checks it.
namespace rhino::commands {

/// One communication among all devices of a cluster, whose outcome has a closed formula.
struct LinkCase {
  std::string name;  ///< "all_reduce of bf16, 1184 bytes"
  plan::ExecutionPlan plan;
};
/// Each collective and sends around, small and large, of types that NCCL treats apart.
std::vector<LinkCase> link_cases(const Cluster& gpus);

struct LinkResult {
  std::string failure;    ///< a sentence, with the rank; empty: every element has arrived
  bool is_wrong = false;  ///< it ended, with other elements
};
/// A worker for each GPU, for this case alone.
LinkResult run_link_case(const LinkCase& link);

/// Why this NCCL will not do: `version` "2.12.7"; empty: it does.
std::string too_old_nccl(const std::string& version);

}  // namespace rhino::commands
