// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/execution_plan.hpp"
#include "rhino/transfer.hpp"

/// Plans of one communication alone: a Start and a Wait, what goes in made in place, what comes out
/// an output. Output number i is input number i, moved (and added up): the elements of the input in
/// row-major order fall into as many equal parts as the output is smaller, and their sum is the
/// output.
namespace rhino::plan {

/// Moves the tensors of `problem` as `transfers` say. Input and output number t are tensor t; all
/// targets of a tensor are output t. Devices that take part in the same way share a role. Throws
/// Error where two targets of a tensor have a device in common, or the plan does not fit.
ExecutionPlan reshard_plan(const ReshardProblem& problem, const TransferPlan& transfers);

/// A collective of one group, `bytes` of the largest buffer of a rank (nccl-tests' size): the
/// operand of an all_reduce, reduce_scatter and all_to_all, the result of an all_gather.
struct CollectiveProblem {
  CommunicationKind kind = CommunicationKind::all_reduce;
  std::int64_t bytes = 0;
  DType dtype = DType::f32;
  std::vector<DeviceId> group;
  Cluster cluster;
  bool operator==(const CollectiveProblem&) const = default;
};

/// Throws Error where the bytes do not divide into elements, or those over the group.
ExecutionPlan collective_plan(const CollectiveProblem& problem);

/// Values whose bytes are never all ones (what memory that nothing has written holds), and of which
/// `num_terms` can be added up without overflow.
Initializer distinct_values(DType dtype, std::int64_t num_terms);

/// Bytes of all messages from one host to another.
double bytes_between_hosts(const ExecutionPlan& plan);

}  // namespace rhino::plan
