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
#include "simulate/network.hpp"

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

/// One use of a communication: who has started it, what has arrived.
struct Use {
  std::int32_t communication = 0;
  std::vector<std::int32_t> num_started;  ///< collectives: members that came, per group
  std::vector<double> group_end_s;        ///< collectives: end, kNever before it is known
  std::vector<bool> started;              ///< transfers: per position in Simulator::members
  std::vector<std::int32_t>
      num_blockers;  ///< transfers: per step, what it waits for: both ends and `after`
  std::vector<std::int32_t> num_left;  ///< transfers: per member, its steps that have not arrived
  std::vector<double> member_end_s;
};

/// What is the same for all uses of one communication.
struct Wiring {
  std::unordered_map<DeviceId, std::int32_t>
      member;                     ///< device → group (collectives) or position (transfers)
  std::vector<double> group_s;    ///< collectives
  std::vector<DeviceId> devices;  ///< transfers: per member
  std::vector<std::vector<std::int32_t>> steps_of;  ///< transfers: per member
  std::vector<std::vector<std::int32_t>> unblocks;  ///< transfers: steps after a step
  std::vector<double> step_bytes;
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

/// Messages of a device over one class of links that are ready: sent in the order in which their
/// uses began, then of the steps, a few at a time.
struct SendQueue {
  using Message = std::pair<std::int32_t, std::int32_t>;  ///< use and step
  std::priority_queue<Message, std::vector<Message>, std::greater<>> ready;
  int num_in_flight = 0;
  bool is_called = false;  ///< an event will look at it
};
constexpr int kMostInFlight = 2;

struct Event {
  double time_s = 0;
  std::int64_t order = 0;  ///< makes ties deterministic
  enum class Kind : std::uint8_t { resume, message, queue } kind = Kind::resume;
  std::int32_t target = 0;  ///< processor, message, or queue
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
        network_(plan.cluster),
        queues_(2 * plan.cluster.host_of.size()),
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
    for (std::size_t p = 0; p < processors_.size(); ++p)
      push(0, Event::Kind::resume, static_cast<std::int32_t>(p));
    while (true) {
      const double arrival_s = network_.next_arrival_s();
      const double event_s = events_.empty() ? kNever : events_.top().time_s;
      if (arrival_s == kNever && event_s == kNever) break;
      if (arrival_s < event_s) deliver(arrival_s);
      else handle();
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
    return communication.kind == plan::CommunicationKind::transfer
               ? describe_transfer(communication)
               : describe_collective(communication);
  }

  Wiring describe_collective(const plan::Communication& communication) const {
    Wiring shape;
    double bytes = 0;
    for (const Shape& part : communication.parts) bytes += static_cast<double>(num_bytes(part));
    const std::int32_t num_sharing = cost::groups_per_host(communication.groups, plan_.cluster);
    for (std::size_t g = 0; g < communication.groups.size(); ++g) {
      for (const DeviceId device : communication.groups[g])
        shape.member[device] = static_cast<std::int32_t>(g);
      shape.group_s.push_back(cost_.collective_s(op_of(communication.kind), bytes,
                                                 communication.groups[g], num_sharing));
    }
    return shape;
  }

  static Wiring describe_transfer(const plan::Communication& communication) {
    Wiring shape;
    const auto member = [&](DeviceId device) {
      const auto [found, is_new] =
          shape.member.try_emplace(device, static_cast<std::int32_t>(shape.steps_of.size()));
      if (is_new) shape.steps_of.emplace_back(), shape.devices.push_back(device);
      return static_cast<std::size_t>(found->second);
    };
    shape.unblocks.resize(communication.steps.size());
    for (std::size_t s = 0; s < communication.steps.size(); ++s) {
      const plan::TransferStep& step = communication.steps[s];
      const auto index = static_cast<std::int32_t>(s);
      shape.steps_of[member(step.from)].push_back(index);
      if (step.to != step.from) shape.steps_of[member(step.to)].push_back(index);
      for (const std::int32_t before : step.after) at(shape.unblocks, before).push_back(index);
      const DType dtype = at(communication.parts, step.part).dtype;
      shape.step_bytes.push_back(
          static_cast<double>(num_elements(step.global) * dtype_bytes(dtype)));
    }
    return shape;
  }

  const plan::TransferStep& step_of(std::int32_t communication, std::int32_t step) const {
    return at(at(plan_.communications, communication).steps, step);
  }

  void push(double time_s, Event::Kind kind, std::int32_t target) {
    events_.push({time_s, num_events_++, kind, target});
  }

  void handle() {
    const Event event = events_.top();
    events_.pop();
    switch (event.kind) {
      case Event::Kind::resume: return walk(event.target);
      case Event::Kind::queue: return send_ready(event.target, event.time_s);
      case Event::Kind::message:
        const auto& [use, step] = at(messages_, event.target);
        const plan::TransferStep& what = step_of(at(uses_, use).communication, step);
        const Wiring& shape = at(wirings_, at(uses_, use).communication);
        network_.send(event.target, what.from, what.to, at(shape.step_bytes, step), event.time_s);
    }
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
    push(processor.now_s, Event::Kind::resume, index);
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

  Use new_use(std::int32_t index) const {
    const plan::Communication& communication = at(plan_.communications, index);
    const Wiring& shape = at(wirings_, index);
    Use use{.communication = index};
    if (communication.kind != plan::CommunicationKind::transfer) {
      use.num_started.assign(communication.groups.size(), 0);
      use.group_end_s.assign(communication.groups.size(), kNever);
      return use;
    }
    use.started.assign(shape.steps_of.size(), false);
    use.member_end_s.assign(shape.steps_of.size(), kNever);
    for (const plan::TransferStep& step : communication.steps) {
      use.num_blockers.push_back((step.from == step.to ? 1 : 2) +
                                 static_cast<std::int32_t>(step.after.size()));
    }
    for (const auto& steps : shape.steps_of)
      use.num_left.push_back(static_cast<std::int32_t>(steps.size()));
    return use;
  }

  void start(std::int32_t index, Processor& processor, const plan::Instruction& instruction) {
    const std::int32_t use = use_of(processor, instruction);
    note(processor, processor.now_s, processor.now_s);
    if (at(plan_.communications, instruction.index).kind == plan::CommunicationKind::transfer)
      start_transfer(use, processor);
    else start_collective(use, index);
  }

  void start_collective(std::int32_t index, std::int32_t processor_index) {
    Use& use = at(uses_, index);
    const plan::Communication& communication = at(plan_.communications, use.communication);
    const Wiring& shape = at(wirings_, use.communication);
    const Processor& processor = at(processors_, processor_index);
    const auto found = shape.member.find(processor.device);
    if (found == shape.member.end()) return;
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

  void start_transfer(std::int32_t index, Processor& processor) {
    const Wiring& shape = at(wirings_, at(uses_, index).communication);
    const auto found = shape.member.find(processor.device);
    if (found == shape.member.end()) return;
    const auto member = static_cast<std::size_t>(found->second);
    at(uses_, index).started[member] = true;
    for (const std::int32_t step : shape.steps_of[member]) unblock(index, step, processor.now_s);
  }

  void unblock(std::int32_t index, std::int32_t step, double now_s) {
    Use& use = at(uses_, index);
    if (--at(use.num_blockers, step) > 0) return;
    const plan::TransferStep& what = step_of(use.communication, step);
    if (what.from == what.to) {
      arrived(index, step, now_s);
      return;
    }
    const std::int32_t queue = queue_of(what);
    at(queues_, queue).ready.push({index, step});
    call(queue, now_s);
  }

  /// One queue per device for its host's network interface, one for links inside the host.
  std::int32_t queue_of(const plan::TransferStep& step) const {
    const bool crosses = at(plan_.cluster.host_of, step.from) != at(plan_.cluster.host_of, step.to);
    return 2 * step.from + (crosses ? 1 : 0);
  }
  /// Not at once: what else becomes ready at the same time may come first.
  void call(std::int32_t queue, double now_s) {
    if (std::exchange(at(queues_, queue).is_called, true)) return;
    push(now_s, Event::Kind::queue, queue);
  }
  void send_ready(std::int32_t index, double now_s) {
    SendQueue& queue = at(queues_, index);
    queue.is_called = false;
    for (; queue.num_in_flight < kMostInFlight && !queue.ready.empty(); ++queue.num_in_flight) {
      const auto [use, step] = queue.ready.top();
      queue.ready.pop();
      const plan::TransferStep& what = step_of(at(uses_, use).communication, step);
      messages_.push_back({use, step});
      push(now_s + cost_.link(what.from, what.to).latency_s, Event::Kind::message,
           static_cast<std::int32_t>(messages_.size() - 1));
    }
  }

  void deliver(double now_s) {
    for (const std::int32_t message : network_.take_arrived(now_s)) {
      const auto [use, step] = at(messages_, message);
      const std::int32_t queue = queue_of(step_of(at(uses_, use).communication, step));
      --at(queues_, queue).num_in_flight;
      call(queue, now_s);
      arrived(use, step, now_s);
    }
  }

  void arrived(std::int32_t index, std::int32_t step, double now_s) {
    const std::int32_t communication = at(uses_, index).communication;
    const Wiring& shape = at(wirings_, communication);
    const plan::TransferStep& what = step_of(communication, step);
    leave(index, shape.member.at(what.from), now_s);
    if (what.to != what.from) leave(index, shape.member.at(what.to), now_s);
    for (const std::int32_t next : at(shape.unblocks, step)) unblock(index, next, now_s);
  }

  /// One step of a member's part is over; with the last one its Wait may go on.
  void leave(std::int32_t index, std::int32_t member, double now_s) {
    Use& use = at(uses_, index);
    if (--at(use.num_left, member) > 0) return;
    at(use.member_end_s, member) = now_s;
    wake(processor_of(at(at(wirings_, use.communication).devices, member)), index, now_s);
  }

  Processor& processor_of(DeviceId device) { return at(processors_, at(processor_index_, device)); }

  /// When this device's part of a use ends; kNever while it is not known.
  double end_of(const Use& use, DeviceId device) const {
    const auto found = at(wirings_, use.communication).member.find(device);
    if (found == at(wirings_, use.communication).member.end()) return 0;
    const auto member = static_cast<std::size_t>(found->second);
    return use.group_end_s.empty() ? use.member_end_s[member] : use.group_end_s[member];
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
    push(processor.now_s, Event::Kind::resume,
         static_cast<std::int32_t>(&processor - processors_.data()));
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
  Network network_;
  std::vector<SendQueue> queues_;  ///< see queue_of
  std::vector<std::vector<double>> program_s_;
  std::vector<Wiring> wirings_;
  std::vector<Processor> processors_;
  std::vector<std::int32_t> processor_index_;  ///< per device
  std::vector<Use> uses_;
  std::unordered_map<std::int64_t, std::int32_t> use_index_;
  std::vector<std::pair<std::int32_t, std::int32_t>> messages_;  ///< use and step
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::int64_t num_events_ = 0;
};

}  // namespace

plan::StepTrace simulate(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                         const SimulateOptions& options) {
  return Simulator(plan, cost, options).run();
}

}  // namespace rhino::simulate
