// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "plan/execution_plan.hpp"

/// The parts of validate(): each throws Error with one sentence. They rely on check_indices()
/// having passed.
namespace rhino::plan {

inline std::string number(std::int64_t value) { return std::to_string(value); }

/// "device 4 (role 1), instruction 17, forward of chunk 0, micro-batch 2": where a list goes wrong.
std::string instruction_place(const ExecutionPlan& plan, std::size_t role, std::size_t instruction);

/// Programs are whole and free of collectives, and every instruction binds buffers of the shapes
/// that its program or communication has.
void check_shapes(const ExecutionPlan& plan);

/// Steps of transfers bring every target element exactly once, from a device that holds it by then.
void check_transfers(const ExecutionPlan& plan);

/// Starts and Waits pair up over all roles that take part, senders and receivers meet in the same
/// order, and no cycle of waiting exists.
void check_pairing(const ExecutionPlan& plan);

/// Walks every list over its memory: what is read was written, is whole and of the right
/// micro-batch; outputs and persistent buffers hold their content at the end; the peak fits each
/// device.
void check_memory(const ExecutionPlan& plan);

/// Every micro-batch is forwarded and backwarded once by every chunk.
void check_micro_batches(const ExecutionPlan& plan);

}  // namespace rhino::plan
