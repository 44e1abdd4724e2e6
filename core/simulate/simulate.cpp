// SPDX-License-Identifier: Apache-2.0
#include "simulate/simulate.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "simulate/program_times.hpp"
#include "simulate/steady_state.hpp"
#include "simulate/uses.hpp"

namespace rhino::simulate {
namespace {

/// When a processor waited.
class Waits {
 public:
  void add(double begin_s, double end_s) { list_.push_back({begin_s, end_s, until(begin_s)}); }
  /// Seconds of all waits before `time_s`.
  double until(double time_s) const {
    const auto after = std::ranges::upper_bound(list_, time_s, {}, &Wait::begin_s);
    if (after == list_.begin()) return 0;
    const Wait& last = *std::prev(after);
    return last.before_s + std::min(time_s, last.end_s) - last.begin_s;
  }

 private:
  struct Wait {
    double begin_s = 0, end_s = 0;
    double before_s = 0;  ///< of all earlier ones
  };
  std::vector<Wait> list_;
};

struct Processor {
  DeviceId device = 0;
  std::int32_t role = 0;
  std::int32_t step = 0;
  std::size_t instruction = 0;
  double now_s = 0;
  double host_s = 0;              ///< until when its host issues what is behind it in the list
  bool has_issued = false;        ///< what it is to start
  std::int32_t waiting_for = -1;  ///< index of the use it is blocked on
  double wait_begin_s = 0;
  Waits waits;
  double owed_s = 0;  ///< of its core, which collectives took from Runs: these take longer
  plan::DeviceTrace trace;
};

struct Event {
  double time_s = 0;
  std::int32_t processor = 0;  ///< goes on
  bool operator>(const Event& other) const {
    return std::pair(time_s, processor) > std::pair(other.time_s, other.processor);
  }
};

class Simulator {
 public:
  Simulator(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
            const SimulateOptions& options)
      : plan_(plan),
        options_(options),
        sets_(plan, cost),
        classes_(options.walk_all ? no_classes(cost.links()) : find_classes(plan, cost, sets_)),
        times_(plan, cost, options.lowerings == nullptr ? own_lowerings_ : *options.lowerings),
        grid_(options.num_steps * times_.longest_s()),
        transfers_(plan, cost, classes_, grid_),
        collectives_(sets_, classes_, transfers_),
        uses_(plan, transfers_, collectives_),
        processor_index_(plan.cluster.host_of.size(), -1),
        issues_(plan.cluster.software.kernel_issue_s > 0 ||
                !plan.cluster.software.collective_issue_s.empty()),
        skips_(!options.walk_all) {
    for (std::size_t role = 0; role < plan.roles.size(); ++role)
      add_processors(static_cast<std::int32_t>(role));
  }

  plan::StepTrace run() {
    for (std::size_t p = 0; p < processors_.size(); ++p) resume(0, static_cast<std::int32_t>(p));
    while (advance()) {
    }
    return finish();
  }

 private:
  void add_processors(std::int32_t index) {
    const plan::Role& role = plan_.roles[at(index)];
    std::int32_t num_processors = 0;
    for (const DeviceId device : role.mesh.devices) {
      if (classes_.is_walked(device)) {
        ++num_processors;
        processor_index_[at(device)] = static_cast<std::int32_t>(processors_.size());
        processors_.push_back({.device = device, .role = index});
        processors_.back().trace.device = device;
        processors_.back().trace.role = index;
      }
    }
    std::vector<DeviceId> devices = role.mesh.devices;
    std::sort(devices.begin(), devices.end());
    for (const DeviceId device : devices)
      processor_of(classes_.representative[at(device)]).trace.alike.push_back(device);
    std::vector<std::int64_t>& places = places_.emplace_back(1, 0);
    for (const plan::Instruction& instruction : role.instructions)
      places.push_back(places.back() + (instruction.kind == plan::InstructionKind::free ? 0 : 1));
    std::vector<bool> is_used(plan_.communications.size(), false);
    for (const plan::Instruction& instruction : role.instructions) {
      if (instruction.kind == plan::InstructionKind::wait) is_used[at(instruction.index)] = true;
    }
    for (std::size_t c = 0; c < is_used.size(); ++c)
      if (is_used[c]) uses_.add_users(static_cast<std::int32_t>(c), num_processors);
  }

  /// All that processors do at a time comes before what collectives and messages do then.
  bool advance() {
    const double transfers_s = transfers_.next_s();
    const double event_s = events_.empty() ? kNever : events_.top().time_s;
    if (collectives_.is_complete() && event_s > now_s_) {
      collectives_.begin(now_s_);
    } else if (is_moment_due_ && skips_ && std::min(event_s, transfers_s) > now_s_) {
      is_moment_due_ = false;
      skip_repeats();
    } else if (transfers_s == kNever && event_s == kNever) {
      return false;
    } else if (event_s <= transfers_s) {
      now_s_ = event_s;
      const std::int32_t processor = events_.top().processor;
      events_.pop();
      walk(processor);
    } else {
      now_s_ = transfers_s;
      for (const Transfers::Ended& ended : transfers_.advance()) {
        if (ended.device < 0) end_collective(ended.use);
        else wake(processor_of(ended.device), uses_.of_transfer(ended.use), now_s_);
      }
    }
    return true;
  }

  void resume(double time_s, std::int32_t processor) { events_.push({time_s, processor}); }

  /// Walks a processor through its list until it blocks or a Run takes time.
  void walk(std::int32_t index) {
    Processor& processor = processors_[at(index)];
    if (processor.owed_s > 0) return pay(index, processor);
    const plan::Role& role = plan_.roles[at(processor.role)];
    while (processor.step < options_.num_steps) {
      if (processor.instruction == role.instructions.size()) {
        processor.trace.step_end_s.push_back(processor.now_s + skipped_s_);
        processor.instruction = 0;
        ++processor.step;
        if (index == 0) moments_.clear();
        synchronise(processor);
        continue;
      }
      const plan::Instruction& instruction = role.instructions[processor.instruction];
      if (instruction.kind == plan::InstructionKind::run) {
        run_program(index, processor, instruction);
        return;
      }
      if (instruction.kind == plan::InstructionKind::start) {
        if (!issue(index, processor, instruction)) return;
        start(processor, instruction);
      }
      if (instruction.kind == plan::InstructionKind::wait && !wait(processor, instruction)) return;
      ++processor.instruction;
    }
  }

  void run_program(std::int32_t index, Processor& processor, const plan::Instruction& instruction) {
    if (index == 0 && micro_batch_ != instruction.instance) {
      micro_batch_ = instruction.instance;
      is_moment_due_ = true;
    }
    const cost::KernelTimes& times = times_.of(instruction.index, processor.device);
    const double end_s =
        std::max(processor.now_s + grid_(times.run_s), processor.host_s + grid_(times.alone_s));
    processor.host_s += grid_(times.issue_s);
    note(processor, processor.now_s, end_s);
    if (is_last_step(processor)) processor.trace.compute_s += grid_(times.run_s);
    processor.now_s = end_s;
    ++processor.instruction;
    resume(processor.now_s, index);
  }

  /// The host has waited for its device.
  static void synchronise(Processor& processor) {
    processor.host_s = std::max(processor.host_s, processor.now_s);
  }

  /// What collectives took from Runs is made up for before anything else.
  void pay(std::int32_t index, Processor& processor) {
    const double owed_s = std::exchange(processor.owed_s, 0);
    std::vector<plan::TraceEvent>& events = processor.trace.events;
    if (!events.empty() && kind_of(processor, events.back()) == plan::InstructionKind::run)
      events.back().end_s += owed_s;
    if (is_last_step(processor)) processor.trace.compute_s += owed_s;
    processor.now_s += owed_s;
    resume(processor.now_s, index);
  }

  plan::InstructionKind kind_of(const Processor& processor, const plan::TraceEvent& event) const {
    return plan_.roles[at(processor.role)].instructions[at(event.instruction)].kind;
  }

  /// A collective has ended. While its member waited, it took nothing from Runs.
  void charge(Processor& processor, const Collectives::Part& part) {
    if (part.core_s <= 0) return;
    skips_ = false;  // what follows depends on more than a Moment knows
    const double begin_s = now_s_ - part.seconds;
    double waited_s = processor.waits.until(now_s_) - processor.waits.until(begin_s);
    if (processor.waiting_for >= 0) waited_s += now_s_ - std::max(begin_s, processor.wait_begin_s);
    processor.owed_s += part.core_s * (1 - waited_s / part.seconds);
  }

  bool is_last_step(const Processor& processor) const {
    return processor.step == options_.num_steps - 1;
  }

  void note(Processor& processor, double begin_s, double end_s) {
    if (!options_.keep_events) return;
    processor.trace.events.push_back({processor.step,
                                      static_cast<std::int32_t>(processor.instruction),
                                      begin_s + skipped_s_, end_s + skipped_s_});
  }

  std::int32_t use_of(const Processor& processor, const plan::Instruction& instruction) {
    return uses_.of(instruction.index, {processor.step, instruction.instance});
  }

  /// A processor has waited for its part of a use; its host, too, where that is a transfer.
  void leave(Processor& processor, std::int32_t use) {
    if (uses_[use].is_transfer) synchronise(processor);
    uses_.leave(use);
  }

  /// A device begins nothing before its host has issued it; false where it waits for that.
  bool issue(std::int32_t index, Processor& processor, const plan::Instruction& instruction) {
    if (!issues_ || std::exchange(processor.has_issued, false)) return true;
    processor.host_s += grid_(sets_.issue_s(instruction.index));
    if (processor.host_s <= processor.now_s) return true;
    processor.has_issued = true;
    processor.now_s = processor.host_s;
    resume(processor.now_s, index);
    return false;
  }

  void start(Processor& processor, const plan::Instruction& instruction) {
    const Use& use = uses_[use_of(processor, instruction)];
    note(processor, processor.now_s, processor.now_s);
    if (use.is_transfer) {
      transfers_.start(use.number, processor.device, processor.now_s);
    } else {
      const std::vector<std::int64_t>& places = places_[at(processor.role)];
      collectives_.start(use.number, processor.device,
                         processor.step * places.back() + places[processor.instruction]);
    }
  }

  void end_collective(std::int32_t flow) {
    for (const Collectives::Part& part : collectives_.end(flow, now_s_)) {
      Processor& processor = processor_of(part.device);
      if (is_last_step(processor)) processor.trace.communication_s += part.seconds;
      charge(processor, part);
      const std::int32_t waiting_for = processor.waiting_for;
      const bool waits = waiting_for >= 0 && !uses_[waiting_for].is_transfer &&
                         uses_[waiting_for].number == part.use;
      const double busy = part.core_s > 0 ? std::min(1.0, part.core_s / part.seconds) : 0;
      if (waits) wake(processor, waiting_for, now_s_, 1 - busy);
    }
  }

  Processor& processor_of(DeviceId device) { return processors_[at(processor_index_[at(device)])]; }

  /// True where the processor may go on at once.
  bool wait(Processor& processor, const plan::Instruction& instruction) {
    const std::int32_t index = use_of(processor, instruction);
    const Use& use = uses_[index];
    const double end_s = use.is_transfer ? transfers_.end_s(use.number, processor.device)
                                         : collectives_.end_s(use.number, processor.device);
    if (end_s <= processor.now_s) {
      note(processor, processor.now_s, processor.now_s);
      leave(processor, index);
      return true;
    }
    processor.waiting_for = index;
    processor.wait_begin_s = processor.now_s;
    if (end_s < kNever) wake(processor, index, end_s);
    return false;
  }

  /// `idle`: the part of the time in which its core made up for what it owed.
  void wake(Processor& processor, std::int32_t use, double time_s, double idle = 1) {
    if (processor.waiting_for != use) return;
    processor.waits.add(processor.wait_begin_s, time_s);
    processor.owed_s = std::max(0.0, processor.owed_s - idle * (time_s - processor.wait_begin_s));
    processor.waiting_for = -1;
    note(processor, processor.wait_begin_s, time_s);
    if (is_last_step(processor))
      processor.trace.exposed_communication_s += time_s - processor.wait_begin_s;
    processor.now_s = std::max(processor.now_s, time_s);
    ++processor.instruction;
    resume(processor.now_s, static_cast<std::int32_t>(&processor - processors_.data()));
    leave(processor, use);
  }

  /// All that has been going on since a moment of the same state goes on as often as it can, but is
  /// not walked: places in lists move on, time stands still.
  void skip_repeats() {
    Moment now = moment();
    const Moment* before = moments_.find(now.state);
    const std::int64_t count = before == nullptr ? 0 : num_repeats_(*before, now);
    if (count == 0) return moments_.add(std::move(now));
    const Repeats repeats{count, now_s_ - before->state.now_s()};
    for (std::size_t p = 0; p < processors_.size(); ++p) {
      const std::int64_t size = now.places[p].instruction - before->places[p].instruction;
      repeat(processors_[p].trace, before->places[p], size, repeats);
      processors_[p].instruction += static_cast<std::size_t>(count * size);
    }
    uses_.shift(static_cast<std::int32_t>(count) * (now.micro_batch - before->micro_batch));
    skipped_s_ += static_cast<double>(count) * repeats.period_s;
    moments_.clear();
  }

  Moment moment() {
    const std::int32_t step = processors_.front().step;
    Moment moment{micro_batch_, State(now_s_), {}};
    State& state = moment.state;
    const std::vector<std::int64_t> place = uses_.add_to(state, {step, micro_batch_});
    for (const Processor& processor : processors_) {
      state.add(std::int64_t{processor.step - step});
      state.add(processor.waiting_for < 0 ? -1 : place[at(processor.waiting_for)]);
      state.add_time(processor.now_s);
      state.add_time(processor.waiting_for < 0 ? now_s_ : processor.wait_begin_s);
      state.add_time(issues_ ? processor.host_s : now_s_);
      state.add(std::int64_t{processor.has_issued});
      const plan::DeviceTrace& trace = processor.trace;
      moment.places.push_back({processor.role, static_cast<std::int64_t>(processor.instruction),
                               trace.events.size(), trace.compute_s, trace.communication_s,
                               trace.exposed_communication_s});
    }
    return moment;
  }

  plan::StepTrace finish() {
    plan::StepTrace trace{.repeated_s = skipped_s_};
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
  SimulateOptions options_;
  CollectiveSets sets_;
  Classes classes_;
  lower::Lowerings own_lowerings_{lower::kernels_of(plan_.cluster)};
  ProgramTimes times_;
  Grid grid_;
  Transfers transfers_;
  Collectives collectives_;
  Uses uses_;
  std::vector<Processor> processors_;
  std::vector<std::int32_t> processor_index_;  ///< per device that is walked
  /// Per role and instruction: how many come before it that are no Frees, and how many there are.
  std::vector<std::vector<std::int64_t>> places_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double now_s_ = 0;
  Moments moments_;
  RepeatCounter num_repeats_{plan_};
  bool issues_ = false;  ///< hosts take time to
  bool skips_ = false, is_moment_due_ = false;
  std::int32_t micro_batch_ = -1;  ///< that the first processor was at last
  double skipped_s_ = 0;           ///< times of the trace are so much later
};

}  // namespace

plan::StepTrace simulate(const plan::ExecutionPlan& plan, const cost::CostModel& cost,
                         const SimulateOptions& options) {
  return Simulator(plan, cost, options).run();
}

}  // namespace rhino::simulate
