// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulate.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "ir/op_info.hpp"
#include "lower/lower.hpp"
#include "rhino/error.hpp"
#include "simulate/transfers.hpp"

namespace rhino::simulate {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Element `index` of a vector, whatever integer type counts it.
template <class Vector, class Index>
auto& at(Vector& vector, Index index) {
  return vector[static_cast<std::size_t>(index)];
}

OpKind op_of(plan::CommunicationKind kind) {
  switch (kind) {
    case plan::CommunicationKind::all_reduce: return OpKind::all_reduce;
    case plan::CommunicationKind::all_gather: return OpKind::all_gather;
    case plan::CommunicationKind::reduce_scatter: return OpKind::reduce_scatter;
    default: return OpKind::all_to_all;
  }
}

/// One use of a communication.
struct Use {
  std::int32_t communication = 0;
  std::int32_t transfer = -1;             ///< its number among the transfers; -1: a collective
  std::vector<std::int32_t> num_started;  ///< collectives: members that came, per group
  std::vector<double> group_end_s;        ///< collectives: end, kNever before it is known
};

/// What is the same for all uses of one collective.
struct Wiring {
  std::unordered_map<DeviceId, std::int32_t> group_of;
  std::vector<double> group_s;
};

struct Processor {
  DeviceId device = 0;
  std::int32_t role = 0;
  std::int32_t step = 0;
  std::size_t instruction = 0;
  double now_s = 0;
  std::int64_t waiting_for = -1;  ///< index of the use it is blocked on
  double wait_begin_s = 0;
  double stream_free_s = 0;  ///< its collectives follow each other
  plan::DeviceTrace trace;
};

struct Event {
  double time_s = 0;
  std::int64_t order = 0;      ///< makes ties deterministic
  std::int32_t processor = 0;  ///< goes on
  bool operator>(const Event& other) const {
    return std::pair(time_s, order) > std::pair(other.time_s, other.order);
  }
};

class Simulator {
 public:
  Simulator(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
            const SimulateOptions& options)
      : plan_(plan),
        cost_(cost),
        options_(options),
        transfers_(plan, cost),
        processor_index_(plan.cluster.host_of.size(), -1) {
    price_programs();
    for (const plan::Communication& communication : plan.communications)
      wirings_.push_back(describe(communication));
    for (std::size_t role = 0; role < plan.roles.size(); ++role) {
      for (const DeviceId device : plan.roles[role].mesh.devices) {
        at(processor_index_, device) = static_cast<std::int32_t>(processors_.size());
        processors_.push_back({.device = device, .role = static_cast<std::int32_t>(role)});
        processors_.back().trace.device = device;
        processors_.back().trace.role = static_cast<std::int32_t>(role);
      }
    }
  }

  plan::StepTrace run() {
    for (std::size_t p = 0; p < processors_.size(); ++p) resume(0, static_cast<std::int32_t>(p));
    while (true) {
      const double transfers_s = transfers_.next_s();
      const double event_s = events_.empty() ? kNever : events_.top().time_s;
      if (transfers_s == kNever && event_s == kNever) break;
      if (event_s <= transfers_s) {
        const std::int32_t processor = events_.top().processor;
        events_.pop();
        walk(processor);
      } else {
        for (const Transfers::Ended& ended : transfers_.advance())
          wake(processor_of(ended.device), at(use_of_transfer_, ended.use), transfers_s);
      }
    }
    return finish();
  }

 private:
  /// Prices every program on every device model that runs it.
  void price_programs() {
    for (const Program& program : plan_.programs) {
      const lower::LoweredProgram lowered = lower::lower(program);
      std::vector<double> seconds;
      for (std::size_t m = 0; m < plan_.cluster.models.size(); ++m)
        seconds.push_back(cost_.program_s(lowered, static_cast<std::int32_t>(m)));
      program_s_.push_back(std::move(seconds));
    }
  }

  Wiring describe(const plan::Communication& communication) const {
    Wiring shape;
    double bytes = 0;
    for (const Shape& part : communication.parts) bytes += static_cast<double>(num_bytes(part));
    const std::int32_t num_sharing = cost::groups_per_host(communication.groups, plan_.cluster);
    for (std::size_t g = 0; g < communication.groups.size(); ++g) {
      for (const DeviceId device : communication.groups[g])
        shape.group_of[device] = static_cast<std::int32_t>(g);
      shape.group_s.push_back(cost_.collective_s(op_of(communication.kind), bytes,
                                                 communication.groups[g], num_sharing));
    }
    return shape;
  }

  void resume(double time_s, std::int32_t processor) {
    events_.push({time_s, num_events_++, processor});
  }

  /// Walks a processor through its list until it blocks or a Run takes time.
  void walk(std::int32_t index) {
    Processor& processor = at(processors_, index);
    const plan::Role& role = at(plan_.roles, processor.role);
    while (processor.step < options_.num_steps) {
      if (processor.instruction == role.instructions.size()) {
        processor.trace.step_end_s.push_back(processor.now_s);
        processor.instruction = 0;
        ++processor.step;
        continue;
      }
      const plan::Instruction& instruction = role.instructions[processor.instruction];
      if (instruction.kind == plan::InstructionKind::run) {
        run_program(index, processor, instruction);
        return;
      }
      if (instruction.kind == plan::InstructionKind::start) start(index, processor, instruction);
      if (instruction.kind == plan::InstructionKind::wait && !wait(processor, instruction)) return;
      ++processor.instruction;
    }
  }

  void run_program(std::int32_t index, Processor& processor, const plan::Instruction& instruction) {
    const auto model = static_cast<std::size_t>(at(plan_.cluster.model_of, processor.device));
    const double seconds = at(program_s_, instruction.index)[model];
    note(processor, processor.now_s, processor.now_s + seconds);
    if (is_last_step(processor)) processor.trace.compute_s += seconds;
    processor.now_s += seconds;
    ++processor.instruction;
    resume(processor.now_s, index);
  }

  bool is_last_step(const Processor& processor) const {
    return processor.step == options_.num_steps - 1;
  }

  void note(Processor& processor, double begin_s, double end_s) {
    if (!options_.keep_events) return;
    processor.trace.events.push_back(
        {processor.step, static_cast<std::int32_t>(processor.instruction), begin_s, end_s});
  }

  std::int32_t use_of(const Processor& processor, const plan::Instruction& instruction) {
    const std::int64_t per_step = plan_.num_micro_batches + 2;
    const std::int64_t key = (static_cast<std::int64_t>(processor.step) *
                                  static_cast<std::int64_t>(plan_.communications.size()) +
                              instruction.index) *
                                 per_step +
                             instruction.instance + 1;
    const auto [found, is_new] =
        use_index_.try_emplace(key, static_cast<std::int32_t>(uses_.size()));
    if (is_new) uses_.push_back(new_use(instruction.index));
    return found->second;
  }

  Use new_use(std::int32_t index) {
    const plan::Communication& communication = at(plan_.communications, index);
    Use use{.communication = index};
    if (communication.kind == plan::CommunicationKind::transfer) {
      use.transfer = transfers_.add(index);
      use_of_transfer_.push_back(static_cast<std::int32_t>(uses_.size()));
    } else {
      use.num_started.assign(communication.groups.size(), 0);
      use.group_end_s.assign(communication.groups.size(), kNever);
    }
    return use;
  }

  void start(std::int32_t index, Processor& processor, const plan::Instruction& instruction) {
    const std::int32_t use = use_of(processor, instruction);
    note(processor, processor.now_s, processor.now_s);
    const std::int32_t transfer = at(uses_, use).transfer;
    if (transfer >= 0) transfers_.start(transfer, processor.device, processor.now_s);
    else start_collective(use, index);
  }

  void start_collective(std::int32_t index, std::int32_t processor_index) {
    Use& use = at(uses_, index);
    const plan::Communication& communication = at(plan_.communications, use.communication);
    const Wiring& shape = at(wirings_, use.communication);
    const Processor& processor = at(processors_, processor_index);
    const auto found = shape.group_of.find(processor.device);
    if (found == shape.group_of.end()) return;
    const auto group = static_cast<std::size_t>(found->second);
    if (++use.num_started[group] < static_cast<std::int32_t>(communication.groups[group].size()))
      return;
    // The last one has come: it begins when all members' streams are free.
    double begin_s = processor.now_s;
    for (const DeviceId device : communication.groups[group])
      begin_s = std::max(begin_s, processor_of(device).stream_free_s);
    const double end_s = begin_s + shape.group_s[group];
    use.group_end_s[group] = end_s;
    for (const DeviceId device : communication.groups[group]) {
      Processor& member = processor_of(device);
      member.stream_free_s = end_s;
      if (is_last_step(member)) member.trace.communication_s += shape.group_s[group];
      wake(member, index, end_s);
    }
  }

  Processor& processor_of(DeviceId device) { return at(processors_, at(processor_index_, device)); }

  /// When this device's part of a use ends; kNever while it is not known.
  double end_of(const Use& use, DeviceId device) const {
    if (use.transfer >= 0) return transfers_.end_s(use.transfer, device);
    const Wiring& wiring = at(wirings_, use.communication);
    const auto found = wiring.group_of.find(device);
    return found == wiring.group_of.end() ? 0 : at(use.group_end_s, found->second);
  }

  /// True where the processor may go on at once.
  bool wait(Processor& processor, const plan::Instruction& instruction) {
    const std::int32_t index = use_of(processor, instruction);
    const double end_s = end_of(at(uses_, index), processor.device);
    if (end_s <= processor.now_s) {
      note(processor, processor.now_s, processor.now_s);
      return true;
    }
    processor.waiting_for = index;
    processor.wait_begin_s = processor.now_s;
    if (end_s < kNever) wake(processor, index, end_s);
    return false;
  }

  void wake(Processor& processor, std::int32_t use, double time_s) {
    if (processor.waiting_for != use) return;
    processor.waiting_for = -1;
    note(processor, processor.wait_begin_s, time_s);
    if (is_last_step(processor))
      processor.trace.exposed_communication_s += time_s - processor.wait_begin_s;
    processor.now_s = std::max(processor.now_s, time_s);
    ++processor.instruction;
    resume(processor.now_s, static_cast<std::int32_t>(&processor - processors_.data()));
  }

  plan::StepTrace finish() {
    plan::StepTrace trace;
    for (Processor& processor : processors_) {
      if (processor.step < options_.num_steps) {
        throw Error("simulation stands still: device " + std::to_string(processor.device) +
                    " waits at instruction " + std::to_string(processor.instruction));
      }
      const std::vector<double>& ends = processor.trace.step_end_s;
      trace.makespan_s = std::max(trace.makespan_s, ends.front());
      const double period_s =
          ends.size() > 1 ? (ends.back() - ends.front()) / static_cast<double>(ends.size() - 1)
                          : ends.front();
      trace.step_s = std::max(trace.step_s, period_s);
      const double begin_s = ends.size() > 1 ? ends[ends.size() - 2] : 0;
      processor.trace.bubble_s = ends.back() - begin_s - processor.trace.compute_s;
      trace.devices.push_back(std::move(processor.trace));
    }
    return trace;
  }

  const plan::ExecutionPlan& plan_;
  const cost::CostModel& cost_;
  SimulateOptions options_;
  Transfers transfers_;
  std::vector<std::int32_t> use_of_transfer_;
  std::vector<std::vector<double>> program_s_;
  std::vector<Wiring> wirings_;
  std::vector<Processor> processors_;
  std::vector<std::int32_t> processor_index_;  ///< per device
  std::vector<Use> uses_;
  std::unordered_map<std::int64_t, std::int32_t> use_index_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::int64_t num_events_ = 0;
};

}  // namespace

plan::StepTrace simulate(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                         const SimulateOptions& options) {
  return Simulator(plan, cost, options).run();
}

}  // namespace rhino::simulate
