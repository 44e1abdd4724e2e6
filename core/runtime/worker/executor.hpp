// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/message.hpp"
#include "runtime/progress.hpp"
#include "runtime/ranks.hpp"
#include "runtime/stream.hpp"
#include "runtime/transport/transport.hpp"
#include "runtime/worker/arena.hpp"
#include "runtime/worker/faults.hpp"
#include "runtime/worker/input_tiles.hpp"

namespace rhino::runtime {

/// Walks the instruction list of one device: enqueues its programs on one stream, and has the
/// stream and the transport wait for each other by events. The host waits where a step ends; where
/// a device computes as it is told to, also wherever it must. While it waits for a device it
/// follows it through the list, so that others see whether it moves, where it is and for whom it
/// waits. Where the stream can record, all between two waits is recorded in the second step, and
/// given to it as a whole from then on: communications in it start behind it, on events within it.
/// Programs are compiled and pointers bound when it is made; a step allocates nothing.
class Executor {
 public:
  /// `plan`, `device`, `progress` and `fault` must live longer.
  Executor(const plan::ExecutionPlan& plan, const RankPlace& place, std::uint64_t seed,
           int num_threads, Device& device, ProgressPage& progress, const Fault& fault);

  /// Runs steps back to back; the times are those of the last one.
  RunReply run(int num_steps, bool keep_events, Transport& transport);
  /// Puts all inputs to the initial values of `seed`; everything else becomes NaN. The next step is
  /// number `step`.
  void reset(std::uint64_t seed, std::int64_t step);
  /// All buffers and the workspace; where the host shares it, its other ranks read tiles there.
  Arena& arena() { return *arena_; }

 private:
  struct BoundInstruction {
    std::int32_t index = 0;  ///< in the role's list
    plan::InstructionKind kind = plan::InstructionKind::run;
    Executable* executable = nullptr;
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
    CommunicationBinding binding;
    std::int32_t slot = -1;  ///< start, wait: index into under_way_
  };
  struct StepTimes;
  /// Bound instructions [begin, end), none of them a Wait.
  struct Stretch {
    std::size_t begin = 0, end = 0;
    std::unique_ptr<Recording> recording;
    std::vector<Event> before_starts;  ///< in their order
  };

  std::int64_t compile(Device& device);
  void bind();
  BoundInstruction bind(std::int32_t index) const;
  const plan::Instruction& instruction_of(const BoundInstruction& bound) const {
    return role_.instructions[static_cast<std::size_t>(bound.index)];
  }
  void pair_waits();
  void step(Transport& transport, StepTimes& times, std::vector<plan::TraceEvent>* events);
  void announce(BoundInstruction& bound, std::int32_t fold);
  void find_stretches();
  void record(Stretch& stretch);
  void replay(Stretch& stretch, Transport& transport);
  void follow(Transport& transport, std::size_t num_marks);
  void read_marks(StepTimes& times, std::vector<plan::TraceEvent>* events);
  void execute(BoundInstruction& bound, Transport& transport);
  void run(const BoundInstruction& bound);
  void start(BoundInstruction& bound, Transport& transport, const Event& after);
  void wait(const BoundInstruction& bound, Transport& transport);
  void corrupt(const BoundInstruction& wait);

  const plan::ExecutionPlan& plan_;
  const RankPlace place_;
  const plan::Role& role_;
  ProgressPage& progress_;
  const Fault& fault_;
  std::vector<std::unique_ptr<Executable>>
      executables_;  ///< per program of the plan; null where this role does not run it
  std::unique_ptr<Stream> stream_;
  std::optional<Arena> arena_;
  std::byte* workspace_ = nullptr;
  std::unique_ptr<InputTiles> inputs_;
  std::vector<BoundInstruction> bound_;  ///< without Frees: the arena is static
  std::vector<Stretch> stretches_;       ///< in order; none where nothing is recorded
  std::vector<Event> under_way_;         ///< per bound instruction
  std::vector<std::int64_t> marks_;      ///< when each ended, behind when the first began
  std::size_t num_over_ = 0;             ///< of them, as far as the host has followed
  std::int32_t num_instances_ = 1;  ///< of one communication in a step, "once per step" included
  std::int32_t max_step_fold_ = 1;
  std::int64_t step_ = 0;    ///< since the beginning
  std::int64_t number_ = 0;  ///< of the last step, as the program counts
};

}  // namespace rhino::runtime
