// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plan/execution_plan.hpp"
#include "plan/step_trace.hpp"

namespace rhino::calibrate {

/// A program with one kind of kernel and what it measures.
struct Probe {
  Program program;
  std::vector<Shape> inputs;
  Shape output;
  bool in_place = false;  ///< the output lies where the first input does
  std::vector<Shape> more_outputs = {};
  bool is_apart = false;  ///< inputs of one shape lie apart; else in one place
};

/// How long a probe took: the mean of its repetitions but for those that something else held up,
/// and the least that the slowest device took. (A core that shares its execution units is by turns
/// an eighth slower; kernels of a step add up over both, and a median is either.)
struct ProbeSeconds {
  double typical = 0, best = 0;
};

/// How often a probe is run: to get warm, and timed; 0: as often as its plan says.
struct Turns {
  int warm = 1, timed = 0;
};

/// Numbers of a probe and of all that is run before it comes back.
struct Paused {
  std::size_t probe = 0, pause = 0;
};

/// Collects one plan whose single role, all devices of a cluster, runs every probe several times;
/// the trace tells how long each took.
class ProbePlan {
 public:
  /// So often does it take each probe that is not told otherwise.
  explicit ProbePlan(Cluster cluster, int repetitions = 5);

  /// Number of the probe: instructions of its repetitions are remembered under it. They
  /// stand behind a barrier, so that devices share what they share in steps, the memory's rate
  /// above all: workers that are some milliseconds apart would have it to themselves by turns. The
  /// first of them, to get warm, do not count: a cache that takes up no more than comes back to it
  /// soon has taken up what lies far only then.
  std::size_t add_run(const Probe& probe, Turns turns = {});
  /// One that comes back after so many runs of another, behind a barrier each time.
  Paused add_paused_run(const Probe& probe, const Probe& other, int num_others, int num_warm);
  /// One that follows another, in turn with it, `num_warm` times before it is timed: no barrier
  /// lets devices rest.
  std::size_t add_hot_run(const Probe& probe, const Probe& other, int num_warm);
  /// A collective of f32 over all devices, by the elements of an operand, or a message from one to
  /// another, each after a barrier; timed from Start to the end of Wait.
  std::size_t add_collective(plan::CommunicationKind kind, std::int64_t num_elements);
  std::size_t add_message(DeviceId from, DeviceId to, std::int64_t num_elements);

  /// Runs of all these probes in turn, `num_turns` times, behind a barrier, beside an all-reduce of
  /// f32 over all devices that takes longer, or none of 0 elements. Timed is the sum of the runs.
  std::size_t add_runs_beside(const std::vector<Probe>& probes, std::size_t num_turns,
                              std::int64_t num_elements);

  const plan::ExecutionPlan& finish();

  /// Of the repetitions of a probe in all steps, those to get warm left out. Each device's of a
  /// run; of communications the slowest device counts.
  ProbeSeconds seconds(const std::vector<plan::StepTrace>& steps, std::size_t probe) const;
  ProbeSeconds seconds(const plan::StepTrace& step, std::size_t probe) const {
    return seconds(std::vector{step}, probe);
  }
  /// How much longer all runs took than each does where nothing holds it up: 1.07 where neighbours
  /// of a virtual machine halve a core's speed for milliseconds now and then. That falls on few of
  /// a probe's repetitions, on all kernels of steps alike, and no step is spared.
  double held_up(const std::vector<plan::StepTrace>& steps) const;

 private:
  /// Where a probe's repetitions lie in a role's instructions.
  struct Place {
    std::size_t first = 0;   ///< of the first one to get warm
    std::size_t stride = 1;  ///< instructions from one to the next
    int num_warm = 1, num_timed = 0;
    std::size_t first_run = 0, num_runs = 1;  ///< of a repetition; no runs: its last communication
    double seconds(const plan::DeviceTrace& device, std::size_t begin) const;
  };
  struct Samples {
    std::vector<double> ascending;  ///< seconds
    double best_s = std::numeric_limits<double>::infinity();
  };
  Samples samples(const std::vector<plan::StepTrace>& steps, const Place& place) const;
  std::size_t add(const std::vector<plan::Instruction>& list, Place place);
  plan::Instruction run_of(const Probe& probe);
  std::size_t add_communication(plan::Communication what, const Shape& result);
  plan::Instruction start_of_barrier();
  plan::Instruction start_of(plan::Communication what, const Shape& result);
  static plan::Instruction wait_of(const plan::Instruction& start);
  std::int32_t buffer(const Shape& shape, bool persistent);
  std::int32_t input_buffer(const Shape& shape, std::size_t number = 0);
  std::int32_t filled_buffer(const Shape& shape);
  std::int32_t communication(plan::Communication what);
  plan::Communication collective(plan::CommunicationKind kind, const Shape& shape) const;

  int repetitions_;
  int most_warm_ = 1;  ///< of what has communications in its turns
  plan::ExecutionPlan plan_;
  std::map<std::string, std::vector<std::int32_t>> inputs_;
  std::vector<Place> probes_;
  std::int64_t offset_ = 0, workspace_bytes_ = 0;
};

}  // namespace rhino::calibrate
