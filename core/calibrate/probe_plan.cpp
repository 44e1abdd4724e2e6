// SPDX-License-Identifier: Apache-2.0
#include "calibrate/probe_plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "lower/lower.hpp"
#include "rhino/index.hpp"

namespace rhino::calibrate {

ProbePlan::ProbePlan(Cluster cluster, int repetitions) : repetitions_(repetitions) {
  plan_.name = "calibration";
  plan_.cluster = std::move(cluster);
  plan::Role role;
  role.mesh.axes = {{"rank", plan_.cluster.num_devices()}};
  for (DeviceId device = 0; device < plan_.cluster.num_devices(); ++device)
    role.mesh.devices.push_back(device);
  plan_.roles.push_back(std::move(role));
}

plan::Instruction ProbePlan::run_of(const Probe& probe) {
  const auto program = static_cast<std::int32_t>(plan_.programs.size());
  plan_.programs.push_back(probe.program);
  workspace_bytes_ =
      std::max(workspace_bytes_,
               lower::lower(probe.program, lower::kernels_of(plan_.cluster)).workspace_bytes);
  plan::Instruction run{.kind = plan::InstructionKind::run, .index = program};
  std::map<std::string, std::size_t> num_apart;
  for (const Shape& shape : probe.inputs)
    run.inputs.push_back(probe.is_apart ? input_buffer(shape, num_apart[to_string(shape)]++)
                                        : input_buffer(shape));
  run.outputs.push_back(probe.in_place ? run.inputs.front() : buffer(probe.output, false));
  for (const Shape& shape : probe.more_outputs) run.outputs.push_back(buffer(shape, false));
  return run;
}

std::size_t ProbePlan::add_run(const Probe& probe, Turns turns) {
  if (turns.timed == 0) turns.timed = repetitions_;
  std::vector<plan::Instruction> list;
  if (plan_.cluster.num_devices() > 1) {
    list.push_back(start_of_barrier());
    list.push_back(wait_of(list.front()));
  }
  const std::size_t first_run = list.size();
  list.resize(first_run + at(turns.warm + turns.timed), run_of(probe));
  return add(
      list,
      {.num_warm = turns.warm, .num_timed = turns.timed, .first_run = first_run, .num_runs = 1});
}

Paused ProbePlan::add_paused_run(const Probe& probe, const Probe& other, int num_others,
                                 int num_warm) {
  const plan::Instruction own = run_of(probe), pause = run_of(other);
  std::vector<plan::Instruction> turn(at(num_others), pause);
  most_warm_ = std::max(most_warm_, num_warm);
  std::size_t num_before = 0;
  if (plan_.cluster.num_devices() > 1) {
    turn.push_back(start_of_barrier());
    turn.push_back(wait_of(turn.back()));
    num_before = 2;
  }
  turn.push_back(own);
  std::vector<plan::Instruction> list;
  for (int i = 0; i < repetitions_ + num_warm; ++i) {
    for (plan::Instruction& each : turn) {
      if (each.kind != plan::InstructionKind::run) each.instance = i;
    }
    list.insert(list.end(), turn.begin(), turn.end());
  }
  Place place{.stride = turn.size(),
              .num_warm = num_warm,
              .num_timed = repetitions_,
              .first_run = at(num_others) + num_before,
              .num_runs = 1};
  const std::size_t number = add(list, place);
  place.first = probes_[number].first;
  place.first_run = 0, place.num_runs = at(num_others);
  probes_.push_back(place);
  return {number, number + 1};
}

std::size_t ProbePlan::add_hot_run(const Probe& probe, const Probe& other, int num_warm) {
  const plan::Instruction own = run_of(probe), pause = run_of(other);
  std::vector<plan::Instruction> list;
  if (plan_.cluster.num_devices() > 1) {
    list.push_back(start_of_barrier());
    list.push_back(wait_of(list.front()));
  }
  const std::size_t first_run = list.size() + 1;
  for (int i = 0; i < num_warm + repetitions_; ++i) list.insert(list.end(), {pause, own});
  return add(list, {.stride = 2,
                    .num_warm = num_warm,
                    .num_timed = repetitions_,
                    .first_run = first_run,
                    .num_runs = 1});
}

std::size_t ProbePlan::add_collective(plan::CommunicationKind kind, std::int64_t num_elements) {
  const auto num_ranks = std::ssize(plan_.roles[0].mesh.devices);
  Shape result{DType::f32, {num_elements}};
  if (kind == plan::CommunicationKind::all_gather) result.dims[0] *= num_ranks;
  if (kind == plan::CommunicationKind::reduce_scatter) result.dims[0] /= num_ranks;
  return add_communication(collective(kind, {DType::f32, {num_elements}}), result);
}

std::size_t ProbePlan::add_message(DeviceId from, DeviceId to, std::int64_t num_elements) {
  const Box all{{0}, {num_elements}};
  const Shape shape{DType::f32, {num_elements}};
  return add_communication(
      {.kind = plan::CommunicationKind::transfer,
       .parts = {shape},
       .steps = {{.part = 0, .from = from, .to = to, .global = all, .source = all, .target = all}},
       .name = "calibration"},
      shape);
}

std::size_t ProbePlan::add_communication(plan::Communication what, const Shape& result) {
  const plan::Instruction barrier = start_of_barrier(), own = start_of(std::move(what), result);
  std::vector<plan::Instruction> list;
  for (int i = 0; i <= repetitions_; ++i) {
    for (plan::Instruction start : {barrier, own}) {
      start.instance = i;
      list.push_back(start);
      list.push_back(wait_of(start));
    }
  }
  return add(list, {.stride = 4, .num_timed = repetitions_, .num_runs = 0});
}

std::size_t ProbePlan::add_runs_beside(const std::vector<Probe>& probes, std::size_t num_turns,
                                       std::int64_t num_elements) {
  const Shape all{DType::f32, {num_elements}};
  plan::Instruction barrier = start_of_barrier(),
                    own = start_of(collective(plan::CommunicationKind::all_reduce, all), all);
  std::vector<plan::Instruction> turn, list;
  for (const Probe& probe : probes) turn.push_back(run_of(probe));
  for (int i = 0; i <= repetitions_; ++i) {
    barrier.instance = own.instance = i;
    list.insert(list.end(), {barrier, wait_of(barrier), own});
    for (std::size_t t = 0; t < num_turns; ++t) list.insert(list.end(), turn.begin(), turn.end());
    list.push_back(wait_of(own));
  }
  const std::size_t num_runs = num_turns * turn.size();
  return add(
      list,
      {.stride = 4 + num_runs, .num_timed = repetitions_, .first_run = 3, .num_runs = num_runs});
}

plan::Instruction ProbePlan::start_of_barrier() {
  const Shape one{DType::f32, {1}};
  return start_of(collective(plan::CommunicationKind::all_reduce, one), one);
}

plan::Instruction ProbePlan::start_of(plan::Communication what, const Shape& result) {
  const std::int32_t from = input_buffer(what.parts.front());
  return {.kind = plan::InstructionKind::start,
          .index = communication(std::move(what)),
          .inputs = {from},
          .outputs = {buffer(result, false)}};
}

plan::Instruction ProbePlan::wait_of(const plan::Instruction& start) {
  return {.kind = plan::InstructionKind::wait, .index = start.index, .instance = start.instance};
}

const plan::ExecutionPlan& ProbePlan::finish() {
  plan_.num_micro_batches = repetitions_ + std::max(1, most_warm_);
  plan_.roles[0].arena_bytes = offset_;
  plan_.roles[0].workspace_bytes = workspace_bytes_;
  return plan_;
}

namespace {

/// Of all but those that something else held up.
double mean_of_calm(const std::vector<double>& ascending) {
  constexpr double kHeldUp = 1.5;  // times the median
  const auto last = std::ranges::upper_bound(ascending, kHeldUp * ascending[ascending.size() / 2]);
  return std::accumulate(ascending.begin(), last, 0.0) /
         static_cast<double>(last - ascending.begin());
}

}  // namespace

double ProbePlan::Place::seconds(const plan::DeviceTrace& device, std::size_t begin) const {
  const std::vector<plan::TraceEvent>& events = device.events;
  if (num_runs == 0) return events[begin + stride - 1].end_s - events[begin + stride - 2].begin_s;
  double sum_s = 0;
  for (std::size_t run = begin + first_run; run < begin + first_run + num_runs; ++run)
    sum_s += events[run].end_s - events[run].begin_s;
  return sum_s;
}

ProbePlan::Samples ProbePlan::samples(const std::vector<plan::StepTrace>& steps,
                                      const Place& place) const {
  Samples found;
  for (const plan::StepTrace& step : steps) {
    for (int i = 0; i < place.num_timed; ++i) {
      const std::size_t begin = place.first + at(i + place.num_warm) * place.stride;
      double slowest_s = 0;
      for (const plan::DeviceTrace& device : step.devices) {
        const double own_s = place.seconds(device, begin);
        if (place.num_runs > 0) found.ascending.push_back(own_s);
        slowest_s = std::max(slowest_s, own_s);
      }
      if (place.num_runs == 0) found.ascending.push_back(slowest_s);
      found.best_s = std::min(found.best_s, slowest_s);
    }
  }
  std::sort(found.ascending.begin(), found.ascending.end());
  return found;
}

ProbeSeconds ProbePlan::seconds(const std::vector<plan::StepTrace>& steps,
                                std::size_t probe) const {
  const Samples found = samples(steps, probes_[probe]);
  return {mean_of_calm(found.ascending), found.best_s};
}

double ProbePlan::held_up(const std::vector<plan::StepTrace>& steps) const {
  double all_s = 0, calm_s = 0;
  for (const Place& place : probes_) {
    if (place.num_runs == 0) continue;
    const std::vector<double> own = samples(steps, place).ascending;
    all_s += std::accumulate(own.begin(), own.end(), 0.0);
    calm_s += mean_of_calm(own) * static_cast<double>(own.size());
  }
  return calm_s > 0 ? all_s / calm_s : 1;
}

std::size_t ProbePlan::add(const std::vector<plan::Instruction>& list, Place place) {
  std::vector<plan::Instruction>& all = plan_.roles[0].instructions;
  place.first = all.size();
  probes_.push_back(place);
  all.insert(all.end(), list.begin(), list.end());
  return probes_.size() - 1;
}

std::int32_t ProbePlan::buffer(const Shape& shape, bool persistent) {
  plan::Role& role = plan_.roles[0];
  role.buffers.push_back({shape, offset_, persistent});
  offset_ += (num_bytes(shape) + 63) / 64 * 64;
  return static_cast<std::int32_t>(role.buffers.size()) - 1;
}

/// One per shape and number.
std::int32_t ProbePlan::input_buffer(const Shape& shape, std::size_t number) {
  std::vector<std::int32_t>& known = inputs_[to_string(shape)];
  while (known.size() <= number) known.push_back(filled_buffer(shape));
  return known[number];
}

/// With numbers around one; what streams, all ones, made in a moment. Of matrices both signs: what
/// products of equal numbers take a GPU's power is less.
std::int32_t ProbePlan::filled_buffer(const Shape& shape) {
  const std::int32_t made = buffer(shape, true);
  plan::PlanInput input{.input = static_cast<std::int32_t>(plan_.roles[0].inputs.size()),
                        .buffer = made,
                        .global = shape};
  input.spec.dims.resize(shape.dims.size());
  constexpr std::int64_t kStreams = 4'000'000;  // elements
  input.initializer = {Initializer::Kind::uniform, 0.5, 1.5};
  if (shape.dims.size() > 2) input.initializer = {Initializer::Kind::uniform, -1, 1};
  else if (num_elements(shape) >= kStreams) input.initializer = {Initializer::Kind::constant, 1};
  input.kind = InputKind::batch;
  plan_.roles[0].inputs.push_back(input);
  return made;
}

std::int32_t ProbePlan::communication(plan::Communication what) {
  plan_.communications.push_back(std::move(what));
  return static_cast<std::int32_t>(plan_.communications.size()) - 1;
}

plan::Communication ProbePlan::collective(plan::CommunicationKind kind, const Shape& shape) const {
  return {.kind = kind,
          .parts = {shape},
          .groups = {plan_.roles[0].mesh.devices},
          .name = "calibration"};
}

}  // namespace rhino::calibrate
