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

/// How long a role's Runs take at the least, by program: on its slowest devices, on which it ends
/// no sooner, or its quickest, which are the first to hand on what others wait for.
std::vector<double> least_s(const plan::Role& role, const Cluster& cluster,
                            const std::vector<std::map<DType, double>>& flops, bool on_slowest) {
  std::set<std::int32_t> models;
  for (const DeviceId device : role.mesh.devices) models.insert(cluster.model_of[at(device)]);
  std::vector<double> seconds;
  for (const std::map<DType, double>& of_program : flops) {
    std::vector<double> each_s;
    for (const std::int32_t model : models)
      each_s.push_back(compute_bound_s(
          of_program, [&](DType dtype) { return peak_flops(cluster.models[at(model)], dtype); }));
    const auto [least, most] = std::ranges::minmax(each_s);
    seconds.push_back(on_slowest ? most : least);
  }
  return seconds;
}

/// What Runs in front of each instruction take, and at the end what all do.
std::vector<double> work_before(const plan::Role& role, const std::vector<double>& program_s) {
  std::vector<double> before_s{0};
  for (const plan::Instruction& instruction : role.instructions) {
    const bool runs = instruction.kind == plan::InstructionKind::run;
    before_s.push_back(before_s.back() + (runs ? program_s[at(instruction.index)] : 0));
  }
  return before_s;
}

/// Roles that wait for each other, from step to step: the first of a pipeline begins its next step
/// once the others have handed back what it waits for in this one, and they wait for its first
/// micro-batch. What a role does behind its last message (W that it puts off) delays no other.
class PipelineBound {
 public:
  PipelineBound(const plan::ExecutionPlan& plan, const Cluster& cluster,
                const std::vector<std::map<DType, double>>& flops)
      : plan_(plan) {
    for (const plan::Role& role : plan.roles) {
      lists_.push_back({.before_s = work_before(role, least_s(role, cluster, flops, false))});
      List& list = lists_.back();
      while (list.first < role.instructions.size() && !is_pass(role.instructions[list.first]))
        ++list.first;
    }
    // Roles come in the order of their chunks. Of what is incomplete nobody knows who waits for it.
    for (std::size_t r = 0; r < lists_.size() && !plan.incomplete; ++r) wait_for_first(r);
    for (std::size_t r = 0; r < lists_.size(); ++r) hand_back(r);
  }

  /// From the end of a step to that of the next, as far as a role delays those before it; 0: no
  /// other.
  double period_s(std::size_t r) const {
    double most_s = 0, work_s = 0;
    std::size_t role = r, place = lists_[r].first;
    while (lists_[role].before >= 0 && lists_[role].last >= place) {
      const List& list = lists_[role];
      work_s += list.before_s[list.last] - list.before_s[place];
      role = at(list.before), place = list.taken;
      const List& next = lists_[role];
      most_s = std::max(most_s, lists_[r].ready_s - next.ready_s + work_s + next.before_s.back() -
                                    next.before_s[place] + next.before_s[next.first]);
    }
    return most_s;
  }

 private:
  struct List {
    std::vector<double> before_s;  ///< work_before()
    std::size_t first = 0;         ///< Run of a micro-batch
    double ready_s = 0;        ///< until it may begin, from when the first of all roles before does
    std::int32_t before = -1;  ///< the role for whose first micro-batch it waits longest
    std::size_t last = 0, taken = 0;  ///< Start for that role, and its Wait there; 0: none
  };

  static bool is_pass(const plan::Instruction& instruction) {
    return instruction.kind == plan::InstructionKind::run && instruction.instance >= 0;
  }

  /// Every device of role `to` needs what devices of `from` have.
  bool leads(const plan::Instruction& instruction, std::size_t from, std::size_t to) const {
    const auto is = [](const plan::TransferEnd& end, std::size_t role) {
      return end.role >= 0 && at(end.role) == role;
    };
    return std::ranges::any_of(
        plan_.communications[at(instruction.index)].layouts, [&](const plan::TransferLayout& part) {
          return is(part.source, from) &&
                 std::ranges::any_of(part.targets, [&](const auto& end) { return is(end, to); });
        });
  }

  /// Of the other side; how many instructions there are, where there is none.
  std::size_t place_of(std::size_t role, plan::InstructionKind kind,
                       const plan::Instruction& other) const {
    const auto& list = plan_.roles[role].instructions;
    return at(std::ranges::find_if(list,
                                   [&](const plan::Instruction& each) {
                                     return each.kind == kind && each.index == other.index &&
                                            each.instance == other.instance;
                                   }) -
              list.begin());
  }

  void wait_for_first(std::size_t r) {
    List& list = lists_[r];
    for (std::size_t i = 0; i < list.first; ++i) {
      const plan::Instruction& wait = plan_.roles[r].instructions[i];
      if (wait.kind != plan::InstructionKind::wait) continue;
      for (std::size_t from = 0; from < r; ++from) {
        if (!leads(wait, from, r)) continue;
        const List& source = lists_[from];
        const std::size_t start = place_of(from, plan::InstructionKind::start, wait);
        if (start <= source.first || start + 1 >= source.before_s.size()) continue;
        const double ready_s =
            source.ready_s + source.before_s[start] - source.before_s[source.first];
        if (ready_s <= list.ready_s) continue;
        list.ready_s = ready_s;
        list.before = static_cast<std::int32_t>(from);
      }
    }
  }

  void hand_back(std::size_t r) {
    List& list = lists_[r];
    if (list.before < 0) return;
    const auto& instructions = plan_.roles[r].instructions;
    for (std::size_t i = instructions.size(); i > list.first && list.last == 0; --i) {
      const plan::Instruction& start = instructions[i - 1];
      if (start.kind != plan::InstructionKind::start || !leads(start, r, at(list.before))) continue;
      const std::size_t wait = place_of(at(list.before), plan::InstructionKind::wait, start);
      if (wait + 1 >= lists_[at(list.before)].before_s.size()) continue;
      list.last = i - 1;
      list.taken = wait;
    }
  }

  const plan::ExecutionPlan& plan_;
  std::vector<List> lists_;
};

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
  std::vector<std::map<DType, double>> flops;  // per program
  for (const Program& program : plan.programs)
    flops.push_back(needed_flops(program, lower::kernels_of(cost.cluster())));
  const PipelineBound pipeline(plan, cost.cluster(), flops);
  for (std::size_t r = 0; r < plan.roles.size(); ++r) {
    const plan::Role& role = plan.roles[r];
    const double work_s = work_before(role, least_s(role, cost.cluster(), flops, true)).back();
    const double period_s = pipeline.period_s(r);
    if (std::max(work_s, period_s) > bound.seconds)
      bound = {std::max(work_s, period_s), period_s > work_s ? "pipeline" : "compute"};
  }
  const double network_s = network_bound_s(plan);
  if (network_s > bound.seconds) bound = {network_s, "network"};
  return bound;
}

}  // namespace rhino::evaluate
