// SPDX-License-Identifier: Apache-2.0
#include "evaluate/bound.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "ir/flops.hpp"
#include "lower/lower.hpp"

namespace rhino::evaluate {
namespace {

/// Dot FLOPs at the peak of their dtype: no execution of a program is faster, whatever it does
/// about the rest.
double compute_bound_s(const Program& program, const DeviceModel& device) {
  double seconds = 0;
  for (ValueId id = 0; id < program.size(); ++id) {
    if (program.op(id).kind != OpKind::dot && program.op(id).kind != OpKind::convolution) continue;
    const auto peak = device.peak_flops.find(program.shape(id).dtype);
    if (peak != device.peak_flops.end()) seconds += ir::op_flops(program, id) / peak->second;
  }
  return seconds;
}

/// Bytes that each network interface must send, per host.
double network_bound_s(const plan::ExecutionPlan& plan) {
  std::map<std::int32_t, double> sent_bytes;
  for (const plan::Role& role : plan.roles) {
    for (const plan::Instruction& instruction : role.instructions) {
      if (instruction.kind != plan::InstructionKind::start) continue;
      const plan::Communication& communication =
          plan.communications[static_cast<std::size_t>(instruction.index)];
      if (communication.kind != plan::CommunicationKind::transfer) continue;
      for (const plan::TransferStep& step : communication.steps) {
        const bool ours = std::find(role.mesh.devices.begin(), role.mesh.devices.end(),
                                    step.from) != role.mesh.devices.end();
        const std::int32_t from = plan.cluster.host_of[static_cast<std::size_t>(step.from)];
        const std::int32_t to = plan.cluster.host_of[static_cast<std::size_t>(step.to)];
        if (!ours || from == to) continue;
        const DType dtype = communication.parts[static_cast<std::size_t>(step.part)].dtype;
        sent_bytes[from] += static_cast<double>(num_elements(step.global) * dtype_bytes(dtype));
      }
    }
  }
  double most = 0;
  for (const auto& [host, bytes] : sent_bytes) most = std::max(most, bytes);
  return most / plan.cluster.inter_host.bytes_per_s;
}

/// Compute of the first micro-batch that a role passes on.
double first_forward_s(const plan::Role& role, const std::vector<double>& program_s) {
  double seconds = 0;
  std::int32_t first = -1;
  for (const plan::Instruction& instruction : role.instructions) {
    const bool forward =
        instruction.kind == plan::InstructionKind::run && instruction.phase == Phase::forward;
    if (!forward || instruction.instance < 0) continue;
    if (first < 0) first = instruction.instance;
    if (instruction.instance == first)
      seconds += program_s[static_cast<std::size_t>(instruction.index)];
  }
  return seconds;
}

/// Roles whose micro-batch a role waits for before its own first Run of one.
std::set<std::size_t> roles_before(const plan::ExecutionPlan& plan,
                                   const std::vector<std::size_t>& role_of,
                                   const plan::Role& role) {
  std::set<std::size_t> before;
  for (const plan::Instruction& instruction : role.instructions) {
    if (instruction.instance < 0) continue;
    if (instruction.kind == plan::InstructionKind::run) break;
    if (instruction.kind != plan::InstructionKind::wait) continue;
    for (const plan::TransferStep& step :
         plan.communications[static_cast<std::size_t>(instruction.index)].steps) {
      const std::size_t source = role_of[static_cast<std::size_t>(step.from)];
      if (&plan.roles[source] != &role) before.insert(source);
    }
  }
  return before;
}

std::vector<std::size_t> roles_of_devices(const plan::ExecutionPlan& plan) {
  std::vector<std::size_t> role_of(plan.cluster.host_of.size(), 0);
  for (std::size_t r = 0; r < plan.roles.size(); ++r) {
    for (const DeviceId device : plan.roles[r].mesh.devices)
      role_of[static_cast<std::size_t>(device)] = r;
  }
  return role_of;
}

}  // namespace

Bound step_bound(const plan::ExecutionPlan& plan, const cost::CostModel& cost) {
  Bound bound{0, "compute"};
  const std::vector<std::size_t> role_of = roles_of_devices(plan);
  std::vector<double> ready_s(plan.roles.size(), 0), passed_on_s(plan.roles.size(), 0);
  // A stage starts its micro-batches after the stages before it have passed on the first one; roles
  // come in the order of their chunks.
  for (std::size_t r = 0; r < plan.roles.size(); ++r) {
    const plan::Role& role = plan.roles[r];
    const DeviceModel& device = cost.cluster().device(role.mesh.devices.front());
    std::vector<double> program_s;
    for (const Program& program : plan.programs)
      program_s.push_back(compute_bound_s(program, device));
    for (const std::size_t before : roles_before(plan, role_of, role)) {
      if (before < r) ready_s[r] = std::max(ready_s[r], passed_on_s[before]);
    }
    double work_s = 0;
    for (const plan::Instruction& instruction : role.instructions) {
      if (instruction.kind == plan::InstructionKind::run)
        work_s += program_s[static_cast<std::size_t>(instruction.index)];
    }
    passed_on_s[r] = ready_s[r] + first_forward_s(role, program_s);
    if (work_s + ready_s[r] > bound.seconds)
      bound = {work_s + ready_s[r], ready_s[r] > 0 ? "pipeline" : "compute"};
  }
  const double network_s = network_bound_s(plan);
  if (network_s > bound.seconds) bound = {network_s, "network"};
  return bound;
}

}  // namespace rhino::evaluate
