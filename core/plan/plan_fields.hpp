// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "plan/execution_plan.hpp"
#include "plan/step_trace.hpp"
#include "rhino/members.hpp"

/// The members of every struct that a plan or a trace is made of, in the order of files: what
/// codecs know of them. A change of order or meaning is a new ExecutionPlan::kVersion.
namespace rhino::plan {

constexpr auto members(const TransferStep*) {
  using S = TransferStep;
  return std::tuple(&S::part, &S::from, &S::to, &S::global, &S::source, &S::target, &S::relayed,
                    &S::after);
}
constexpr auto members(const TransferEnd*) {
  return std::tuple(&TransferEnd::role, &TransferEnd::spec, &TransferEnd::mesh,
                    &TransferEnd::share_axis);
}
constexpr auto members(const TransferLayout*) {
  return std::tuple(&TransferLayout::source, &TransferLayout::targets);
}
constexpr auto members(const Communication*) {
  using C = Communication;
  return std::tuple(&C::kind, &C::reduction, &C::parts, &C::groups, &C::steps, &C::name,
                    &C::layouts, &C::num_shares, &C::before, &C::like);
}
constexpr auto members(const Instruction*) {
  using I = Instruction;
  return std::tuple(&I::kind, &I::index, &I::instance, &I::inputs, &I::outputs, &I::chunk,
                    &I::phase);
}
constexpr auto members(const PlanBuffer*) {
  return std::tuple(&PlanBuffer::shape, &PlanBuffer::offset, &PlanBuffer::persistent);
}
constexpr auto members(const PlanInput*) {
  using I = PlanInput;
  return std::tuple(&I::input, &I::buffer, &I::global, &I::spec, &I::initializer, &I::kind,
                    &I::micro_dim, &I::micro_batch, &I::mesh);
}
constexpr auto members(const PlanOutput*) {
  return std::tuple(&PlanOutput::output, &PlanOutput::buffer, &PlanOutput::global,
                    &PlanOutput::spec, &PlanOutput::mesh);
}
constexpr auto members(const Role*) {
  using R = Role;
  return std::tuple(&R::mesh, &R::buffers, &R::instructions, &R::inputs, &R::outputs,
                    &R::arena_bytes, &R::workspace_bytes);
}
constexpr auto members(const ExecutionPlan*) {
  using P = ExecutionPlan;
  return std::tuple(&P::name, &P::search, &P::resharding, &P::schedule, &P::program,
                    &P::num_micro_batches, &P::num_replicas, &P::incomplete, &P::cluster,
                    &P::programs, &P::communications, &P::roles);
}
constexpr auto members(const TraceEvent*) {
  return std::tuple(&TraceEvent::step, &TraceEvent::instruction, &TraceEvent::begin_s,
                    &TraceEvent::end_s);
}
constexpr auto members(const DeviceTrace*) {
  using T = DeviceTrace;
  return std::tuple(&T::device, &T::role, &T::alike, &T::step_end_s, &T::compute_s,
                    &T::communication_s, &T::exposed_communication_s, &T::bubble_s,
                    &T::staged_bytes, &T::events);
}

constexpr int num_values(CommunicationKind) { return 6; }
constexpr int num_values(InstructionKind) { return 4; }
constexpr int num_values(InstructionPhase) { return 4; }

}  // namespace rhino::plan
