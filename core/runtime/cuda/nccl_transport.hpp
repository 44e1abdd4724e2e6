// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "runtime/device/device.hpp"
#include "runtime/transport/transport.hpp"

namespace rhino::runtime::cuda {

/// Communications of `plan` as NCCL's, on a stream of their own. They take their turns in one order
/// that all ranks keep (issue_orders()): NCCL's operations hold up those behind them. `device`: of
/// make_cuda_device(), lives longer. Throws Error where NCCL is missing and needed.
std::unique_ptr<Transport> make_nccl_transport(Device& device, const TransportOptions& options,
                                               const plan::ExecutionPlan& plan);

}  // namespace rhino::runtime::cuda
