// SPDX-License-Identifier: Apache-2.0
#include "evaluate/bound.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "cost/links.hpp"
#include "ir/flops.hpp"
#include "lower/attention_passes.hpp"
#include "plan/send_order.hpp"
#include "plan/shares.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// No execution is faster, whatever it does about the rest. `rate_of(dtype)`: FLOP/s.
template <class F>
double compute_bound_s(const std::map<DType, double>& flops, F&& rate_of) {
  double seconds = 0;
  for (const auto& [dtype, count] : flops) seconds += count / rate_of(dtype);
  return seconds;
}

/// How often each communication happens in a step: as often as any one role starts it.
std::vector<double> uses_of_communications(const plan::ExecutionPlan& plan) {
  std::vector<double> uses(plan.communications.size(), 0);
  for (const plan::Role& role : plan.roles) {
    std::vector<double> started(uses.size(), 0);
    for (const plan::Instruction& instruction : role.instructions) {
      if (instruction.kind == plan::InstructionKind::start) ++started[at(instruction.index)];
    }
    for (std::size_t c = 0; c < uses.size(); ++c) uses[c] = std::max(uses[c], started[c]);
  }
  return uses;
}

/// Bytes that each network interface must send, per host.
double network_bound_s(const plan::ExecutionPlan& plan) {
  std::map<std::int32_t, double> sent_bytes;
  const std::vector<double> uses = uses_of_communications(plan);
  for (std::size_t c = 0; c < uses.size(); ++c) {
    const plan::Communication& communication = plan.communications[c];
    plan::for_each_message(
        plan, communication, [&](const plan::TransferStep& step, DeviceId from, DeviceId to) {
          const std::int32_t host = plan.cluster.host_of[at(from)];
          if (host != plan.cluster.host_of[at(to)])
            sent_bytes[host] +=
                uses[c] * static_cast<double>(plan::message_bytes(communication, step));
        });
  }
  double most_s = 0;
  for (const auto& [host, bytes] : sent_bytes)
    most_s = std::max(most_s, bytes / cost::widest_link_out(plan.cluster, host).bytes_per_s);
  return most_s;
}

/// Compute of the first micro-batch that a role passes on.
double first_forward_s(const plan::Role& role, const std::vector<double>& program_s) {
  double seconds = 0;
  std::int32_t first = -1;
  for (const plan::Instruction& instruction : role.instructions) {
    const bool forward = instruction.kind == plan::InstructionKind::run &&
                         instruction.phase == plan::InstructionPhase::forward;
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
    plan::for_each_message(plan, plan.communications[at(instruction.index)],
                           [&](const plan::TransferStep&, DeviceId from, DeviceId) {
                             const std::size_t source = role_of[at(from)];
                             if (&plan.roles[source] != &role) before.insert(source);
                           });
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

double peak_flops(const DeviceModel& device, DType dtype) {
  auto peak = device.peak_flops.find(dtype);
  if (peak == device.peak_flops.end() && is_floating(dtype))
    peak = device.peak_flops.find(DType::f32);
  return peak == device.peak_flops.end() ? std::numeric_limits<double>::infinity() : peak->second;
}

std::map<DType, double> needed_flops(const Program& program, lower::Kernels kernels) {
  const std::vector<double> shares =
      kernels.attention ? lower::least_shares(program) : std::vector<double>(program.ops.size(), 1);
  std::map<DType, double> flops;
  for (ValueId id = 0; id < program.size(); ++id) {
    const Op& op = program.op(id);
    if (op.kind == OpKind::dot || op.kind == OpKind::convolution)
      flops[program.shape(op.operands[0]).dtype] += shares[at(id)] * ir::op_flops(program, id);
  }
  return flops;
}

Bound cell_bound(const Program& step, const Cluster& cluster, double cached_bytes) {
  double bytes_per_s = 0, state_bytes = 0;
  for (const std::int32_t model : cluster.model_of) {
    bytes_per_s += cluster.models[at(model)].memory_bytes_per_s;
  }
  for (const Output& output : step.outputs) {
    if (output.kind == OutputKind::updated_state)
      state_bytes += static_cast<double>(num_bytes(step.shape(output.value)));
  }
  const double compute_s =
      compute_bound_s(needed_flops(step, lower::kernels_of(cluster)), [&](DType dtype) {
        double flops_per_s = 0;
        for (const std::int32_t model : cluster.model_of)
          flops_per_s += peak_flops(cluster.models[at(model)], dtype);
        return flops_per_s;
      });
  const double memory_s =
      bytes_per_s > 0 ? 2 * std::max(0.0, state_bytes - cached_bytes) / bytes_per_s : 0;
  return memory_s > compute_s ? Bound{memory_s, "memory"} : Bound{compute_s, "compute"};
}

Bound step_bound(const plan::ExecutionPlan& plan, const cost::CostModel& cost) {
  Bound bound{0, "compute"};
  const std::vector<std::size_t> role_of = roles_of_devices(plan);
  std::vector<std::map<DType, double>> flops;  // per program
  for (const Program& program : plan.programs)
    flops.push_back(needed_flops(program, lower::kernels_of(cost.cluster())));
  std::vector<double> ready_s(plan.roles.size(), 0), passed_on_s(plan.roles.size(), 0);
  // A stage starts its micro-batches after the stages before it have passed on the first one; roles
  // come in the order of their chunks.
  for (std::size_t r = 0; r < plan.roles.size(); ++r) {
    const plan::Role& role = plan.roles[r];
    const DeviceModel& device = cost.cluster().device(role.mesh.devices.front());
    std::vector<double> program_s;
    for (const std::map<DType, double>& of_program : flops)
      program_s.push_back(
          compute_bound_s(of_program, [&](DType dtype) { return peak_flops(device, dtype); }));
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
