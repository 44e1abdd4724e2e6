// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/executor.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>
#include <limits>
#include <map>
#include <thread>
#include <utility>

#include "rhino/error.hpp"

namespace rhino::runtime {
namespace {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::int64_t aligned(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// Looks at a device that has not moved before the host lets go of its core: milliseconds.
constexpr int kLooks = 2000;
constexpr std::chrono::microseconds kRest{50};
/// The first step loads code, which no recording permits.
constexpr std::int64_t kFirstRecorded = 2;

void rest_after(int num_looks) {
  if (num_looks < kLooks) std::this_thread::yield();
  else std::this_thread::sleep_for(kRest);
}

}  // namespace

/// Sums over one step.
struct Executor::StepTimes {
  double first_s = 0, last_s = 0;
  double compute_s = 0, exposed_s = 0, communication_s = 0;
  double in_flight_since_s = 0;
  int num_in_flight = 0;

  void add(plan::InstructionKind kind, double begin_s, double end_s) {
    last_s = end_s;
    switch (kind) {
      case plan::InstructionKind::run: compute_s += end_s - begin_s; break;
      case plan::InstructionKind::start:
        if (num_in_flight++ == 0) in_flight_since_s = begin_s;
        break;
      case plan::InstructionKind::wait:
        exposed_s += end_s - begin_s;
        if (--num_in_flight == 0) communication_s += end_s - in_flight_since_s;
        break;
      case plan::InstructionKind::free: break;
    }
  }
};

Executor::Executor(const plan::ExecutionPlan& plan, const RankPlace& place, std::uint64_t seed,
                   int num_threads, Device& device, ProgressPage& progress, const Fault& fault)
    : plan_(plan),
      place_(place),
      role_(plan.roles[static_cast<std::size_t>(place.role)]),
      progress_(progress),
      fault_(fault),
      stream_(device.stream()) {
  const std::int64_t workspace_bytes = compile(device);
  const std::int64_t buffers_bytes = aligned(role_.arena_bytes);
  const std::int64_t arena_bytes = buffers_bytes + aligned(workspace_bytes);
  progress_.taking_bytes.store(arena_bytes, std::memory_order_relaxed);
  arena_.emplace(device, arena_bytes);
  workspace_ = arena_->data() + buffers_bytes;
  inputs_ = std::make_unique<InputTiles>(plan, place, num_threads, *arena_);
  bind();
  reset(seed, 1);
  progress_.taking_bytes.store(0, std::memory_order_relaxed);
}

/// The workspace of the program that needs most.
std::int64_t Executor::compile(Device& device) {
  std::vector<std::size_t> numbers;  // of the programs that this role runs, as it comes to them
  std::vector<const Program*> programs;
  for (const plan::Instruction& instruction : role_.instructions) {
    if (instruction.kind != plan::InstructionKind::run) continue;
    const auto number = static_cast<std::size_t>(instruction.index);
    if (std::ranges::find(numbers, number) != numbers.end()) continue;
    numbers.push_back(number);
    programs.push_back(&plan_.programs[number]);
  }
  std::vector<std::unique_ptr<Executable>> made = device.compile_all(
      programs, [this] { progress_.progress.fetch_add(1, std::memory_order_relaxed); });
  std::int64_t workspace_bytes = role_.workspace_bytes;
  executables_.resize(plan_.programs.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    workspace_bytes = std::max(workspace_bytes, made[i]->workspace_bytes());
    executables_[numbers[i]] = std::move(made[i]);
  }
  return workspace_bytes;
}

void Executor::bind() {
  for (std::size_t i = 0; i < role_.instructions.size(); ++i) {
    if (role_.instructions[i].kind != plan::InstructionKind::free)
      bound_.push_back(bind(static_cast<std::int32_t>(i)));
  }
  under_way_.resize(bound_.size());
  marks_.resize(bound_.size() + 1);
  pair_waits();
  find_stretches();
  std::int32_t last_instance = -1;
  for (const plan::Role& role : plan_.roles) {
    for (const plan::Instruction& instruction : role.instructions) {
      last_instance = std::max(last_instance, instruction.instance);
    }
  }
  num_instances_ = last_instance + 2;
  max_step_fold_ = std::numeric_limits<std::int32_t>::max() / num_instances_;
}

Executor::BoundInstruction Executor::bind(std::int32_t index) const {
  const plan::Instruction& instruction = role_.instructions[static_cast<std::size_t>(index)];
  BoundInstruction bound{.index = index,
                         .kind = instruction.kind,
                         .executable = nullptr,
                         .inputs = {},
                         .outputs = {},
                         .binding = {}};
  if (instruction.kind == plan::InstructionKind::wait) return bound;
  const auto pointer = [this](std::int32_t index) {
    if (index < 0) return static_cast<std::byte*>(nullptr);
    return arena_->data() + role_.buffers[static_cast<std::size_t>(index)].offset;
  };
  for (std::int32_t index : instruction.inputs) bound.inputs.push_back(pointer(index));
  for (std::int32_t index : instruction.outputs) bound.outputs.push_back(pointer(index));
  if (instruction.kind == plan::InstructionKind::run) {
    bound.executable = executables_[static_cast<std::size_t>(instruction.index)].get();
  } else {
    bound.binding = {.communication = instruction.index,
                     .instance = 0,
                     .inputs = std::move(bound.inputs),
                     .outputs = std::move(bound.outputs)};
  }
  return bound;
}

/// Every Start keeps its event at its own index; its Wait finds it there.
void Executor::pair_waits() {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> started;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    const plan::Instruction& instruction = instruction_of(bound_[i]);
    const std::pair key{instruction.index, instruction.instance};
    if (instruction.kind == plan::InstructionKind::start) {
      bound_[i].slot = started[key] = static_cast<std::int32_t>(i);
    } else if (instruction.kind == plan::InstructionKind::wait) {
      const auto found = started.find(key);
      if (found == started.end())
        throw Error("the plan has no start for its " + describe_instruction(plan_, instruction));
      bound_[i].slot = found->second;
    }
  }
}

void Executor::reset(std::uint64_t seed, std::int64_t step) {
  arena_->poison(arena_->data(), arena_->num_bytes());
  inputs_->fill(seed, step, progress_.progress);
  number_ = step - 1;
}

RunReply Executor::run(int num_steps, bool keep_events, Transport& transport) {
  RunReply reply;
  reply.trace.device = place_.device;
  reply.trace.role = place_.role;
  reply.trace.step_end_s.reserve(static_cast<std::size_t>(num_steps));
  reply.trace.events.reserve(keep_events ? bound_.size() : 0);
  const std::int64_t staged_before = transport.staged_bytes();
  reply.start_s = now_s();
  StepTimes times;
  for (int i = 0; i < num_steps; ++i) {
    times = {};
    const bool last = i + 1 == num_steps;
    step(transport, times, last && keep_events ? &reply.trace.events : nullptr);
    reply.trace.step_end_s.push_back(times.last_s);
  }
  reply.trace.compute_s = times.compute_s;
  reply.trace.communication_s = times.communication_s;
  reply.trace.exposed_communication_s = times.exposed_s;
  reply.trace.bubble_s = times.last_s - times.first_s - times.compute_s;
  reply.trace.staged_bytes =
      static_cast<double>(transport.staged_bytes() - staged_before) / num_steps;
  return reply;
}

void Executor::step(Transport& transport, StepTimes& times, std::vector<plan::TraceEvent>* events) {
  const auto fold = static_cast<std::int32_t>(step_ % max_step_fold_);
  progress_.step.store(++step_, std::memory_order_relaxed);
  inputs_->refresh(++number_);
  num_over_ = 0;
  marks_.front() = stream_->mark();
  auto stretch = step_ < kFirstRecorded ? stretches_.end() : stretches_.begin();
  for (std::size_t i = 0; i < bound_.size();) {
    if (stretch != stretches_.end() && stretch->begin == i) {
      for (; i < stretch->end; ++i) announce(bound_[i], fold);
      replay(*stretch++, transport);
      continue;
    }
    announce(bound_[i], fold);
    execute(bound_[i], transport);
    marks_[++i] = stream_->mark();
  }
  if (!stream_->is_over(marks_.back())) follow(transport, marks_.size());
  read_marks(times, events);
}

void Executor::announce(BoundInstruction& bound, std::int32_t fold) {
  progress_.instruction.store(bound.index, std::memory_order_relaxed);
  progress_.progress.fetch_add(1, std::memory_order_relaxed);
  fault_.before(step_, bound.index);
  if (bound.kind == plan::InstructionKind::start)
    bound.binding.instance = fold * num_instances_ + instruction_of(bound).instance + 1;
}

/// A rank that is to be slow waits behind each program.
void Executor::find_stretches() {
  if (!stream_->can_record() || fault_.slows()) return;
  const auto is_wait = [this](std::size_t i) {
    return bound_[i].kind == plan::InstructionKind::wait;
  };
  for (std::size_t i = 0; i < bound_.size();) {
    const std::size_t begin = i;
    bool runs = false;
    for (; i < bound_.size() && !is_wait(i); ++i) runs = runs || bound_[i].executable != nullptr;
    if (runs) stretches_.push_back({.begin = begin, .end = i});
    if (i == begin) ++i;
  }
}

void Executor::record(Stretch& stretch) {
  stream_->begin_recording();
  for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
    if (bound_[i].executable != nullptr) run(bound_[i]);
    else stretch.before_starts.push_back(stream_->record());
    marks_[i + 1] = stream_->mark();
  }
  stretch.recording = stream_->end_recording();
}

void Executor::replay(Stretch& stretch, Transport& transport) {
  if (!stretch.recording) record(stretch);
  transport.work_in_background();
  stretch.recording->replay();
  auto before = stretch.before_starts.begin();
  for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
    if (bound_[i].executable == nullptr) start(bound_[i], transport, *before++);
  }
}

/// Returns when the first `num_marks` moments of this step have come.
void Executor::follow(Transport& transport, std::size_t num_marks) {
  for (int num_looks = 0; num_over_ < num_marks;) {
    // Moment i is the end of bound instruction i - 1.
    const BoundInstruction& at = bound_[num_over_ == 0 ? 0 : num_over_ - 1];
    progress_.instruction.store(at.index, std::memory_order_relaxed);
    progress_.blocked.store(at.kind == plan::InstructionKind::wait, std::memory_order_relaxed);
    if (stream_->is_over(marks_[num_over_])) {
      ++num_over_;
      num_looks = 0;
      progress_.progress.fetch_add(1, std::memory_order_relaxed);
    } else {
      transport.poll();
      rest_after(num_looks++);
    }
  }
  progress_.blocked.store(0, std::memory_order_relaxed);
}

void Executor::read_marks(StepTimes& times, std::vector<plan::TraceEvent>* events) {
  double begin_s = times.first_s = times.last_s = stream_->time_s(marks_.front());
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    const double end_s = stream_->time_s(marks_[i + 1]);
    times.add(bound_[i].kind, begin_s, end_s);
    if (events != nullptr) {
      events->push_back({static_cast<std::int32_t>(step_), bound_[i].index, begin_s, end_s});
    }
    begin_s = end_s;
  }
}

void Executor::execute(BoundInstruction& bound, Transport& transport) {
  switch (bound.kind) {
    case plan::InstructionKind::run:
      transport.work_in_background();
      run(bound);
      break;
    case plan::InstructionKind::start: start(bound, transport, stream_->record()); break;
    case plan::InstructionKind::wait: wait(bound, transport); break;
    case plan::InstructionKind::free: break;
  }
}

void Executor::start(BoundInstruction& bound, Transport& transport, const Event& after) {
  progress_.blocked.store(1, std::memory_order_relaxed);  // connections may be made only now
  under_way_[static_cast<std::size_t>(bound.slot)] = transport.start(bound.binding, after);
  progress_.blocked.store(0, std::memory_order_relaxed);
}

void Executor::wait(const BoundInstruction& bound, Transport& transport) {
  const Event& event = under_way_[static_cast<std::size_t>(bound.slot)];
  if (stream_->holds_up_host(event)) {
    follow(transport, static_cast<std::size_t>(&bound - bound_.data()) + 1);
    progress_.instruction.store(bound.index, std::memory_order_relaxed);
  }
  progress_.blocked.store(1, std::memory_order_relaxed);
  stream_->wait_for(event);
  progress_.blocked.store(0, std::memory_order_relaxed);
  if (fault_.corrupts(step_, bound.index)) corrupt(bound);
}

void Executor::run(const BoundInstruction& bound) {
  const double begin_s = fault_.slows() ? now_s() : 0;
  bound.executable->enqueue(*stream_, bound.inputs, bound.outputs, workspace_);
  if (!fault_.slows()) return;
  stream_->record().wait();
  fault_.after_run(now_s() - begin_s);
}

/// The first element that the communication brought gets another exponent.
void Executor::corrupt(const BoundInstruction& wait) {
  const plan::Instruction& start = instruction_of(bound_[static_cast<std::size_t>(wait.slot)]);
  for (const std::int32_t index : start.outputs) {
    if (index < 0) continue;
    const plan::PlanBuffer& buffer = role_.buffers[static_cast<std::size_t>(index)];
    std::byte* last = arena_->data() + buffer.offset + dtype_bytes(buffer.shape.dtype) - 1;
    stream_->record().wait();
    const std::byte changed = *arena_->fetch(last, 1) ^ std::byte{0x40};
    *arena_->stage(last, 1) = changed;
    arena_->commit(last, 1);
    return;
  }
}

}  // namespace rhino::runtime
