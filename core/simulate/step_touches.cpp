// SPDX-License-Identifier: Apache-2.0
#include "simulate/step_touches.hpp"

#include <algorithm>
#include <cmath>

#include "rhino/index.hpp"

namespace rhino::simulate {
namespace {

using Lowered = std::vector<std::shared_ptr<const lower::LoweredProgram>>;
using Touches = std::vector<std::vector<cost::Touch>>;  // per kernel group

/// One touch of a kernel in all Runs: those as far as each other are added up.
class TouchOfRuns {
 public:
  void add(const cost::Touch& touch) {
    constexpr double kAlike = 1.1, kAlikeTimes = 1.5;
    const auto are_alike = [](double a, double b, double most) {
      return a <= most * b && b <= most * a;
    };
    const auto same = std::ranges::find_if(parts_, [&](const cost::Touch& part) {
      return are_alike(touch.reuse_bytes, part.reuse_bytes, kAlike) &&
             are_alike(touch.reuse_s, part.reuse_s, kAlikeTimes);
    });
    if (same == parts_.end()) {
      parts_.push_back(touch);
      return;
    }
    const double bytes = same->bytes + touch.bytes;
    if (bytes > 0) {
      same->reuse_bytes = std::lerp(same->reuse_bytes, touch.reuse_bytes, touch.bytes / bytes);
      same->reuse_s = std::lerp(same->reuse_s, touch.reuse_s, touch.bytes / bytes);
    }
    same->bytes = bytes;
  }
  void append_to(std::vector<cost::Touch>& touches, double num_runs) const {
    for (cost::Touch part : parts_) {
      part.bytes /= num_runs;
      touches.push_back(part);
    }
  }

 private:
  std::vector<cost::Touch> parts_;
};

/// Those of a program.
class TouchesOfRuns {
 public:
  explicit TouchesOfRuns(std::size_t num_groups) : groups_(num_groups) {}

  void add(const Touches& run) {
    for (std::size_t g = 0; g < run.size(); ++g) {
      groups_[g].resize(run[g].size());
      for (std::size_t i = 0; i < run[g].size(); ++i) groups_[g][i].add(run[g][i]);
    }
    ++num_runs_;
  }
  Touches mean() const {
    Touches touches(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const TouchOfRuns& touch : groups_[g]) touch.append_to(touches[g], num_runs_);
    return touches;
  }

 private:
  std::vector<std::vector<TouchOfRuns>> groups_;
  double num_runs_ = 0;
};

/// A device of a role, instruction by instruction.
class Walk {
 public:
  Walk(const plan::Role& role, const Lowered& lowered,
       const std::vector<std::vector<double>>& groups_s)
      : role_(role),
        lowered_(lowered),
        groups_s_(groups_s),
        memory_(memory_bytes(), 2 * num_turns()) {}

  /// `found` (program, touches) is told of each Run.
  template <class Found>
  void step(Found found) {
    for (const plan::Instruction& instruction : role_.instructions) {
      if (instruction.kind == plan::InstructionKind::run) {
        const std::size_t program = at(instruction.index);
        found(program, cost::touches(*lowered_[program],
                                     {offsets(instruction.inputs), offsets(instruction.outputs),
                                      role_.arena_bytes},
                                     memory_, groups_s_.empty() ? no_time_ : groups_s_[program]));
      } else if (instruction.kind == plan::InstructionKind::start) {
        memory_.begin_turn();
        for (const auto* buffers : {&instruction.inputs, &instruction.outputs})
          for (const std::int32_t buffer : *buffers) touch(buffer);
      }
    }
  }

 private:
  std::int64_t memory_bytes() const {
    std::int64_t workspace_bytes = role_.workspace_bytes;
    for (const plan::Instruction& instruction : role_.instructions) {
      if (instruction.kind == plan::InstructionKind::run)
        workspace_bytes =
            std::max(workspace_bytes, lowered_[at(instruction.index)]->workspace_bytes);
    }
    return role_.arena_bytes + workspace_bytes;
  }
  /// In a step.
  std::size_t num_turns() const {
    std::size_t count = 0;
    for (const plan::Instruction& instruction : role_.instructions) {
      count += instruction.kind == plan::InstructionKind::run
                   ? lowered_[at(instruction.index)]->groups.size()
                   : 1;
    }
    return count;
  }
  std::vector<std::int64_t> offsets(const std::vector<std::int32_t>& buffers) const {
    std::vector<std::int64_t> offsets;
    for (const std::int32_t buffer : buffers)
      offsets.push_back(buffer < 0 ? -1 : role_.buffers[at(buffer)].offset);
    return offsets;
  }
  void touch(std::int32_t buffer) {
    if (buffer < 0) return;
    const plan::PlanBuffer& of = role_.buffers[at(buffer)];
    memory_.touch({of.offset, num_bytes(of.shape)});
  }

  const plan::Role& role_;
  const Lowered& lowered_;
  const std::vector<std::vector<double>>& groups_s_;
  const std::vector<double> no_time_;
  cost::RecentMemory memory_;
};

}  // namespace

std::vector<Touches> step_touches(const plan::ExecutionPlan& plan, const Lowered& lowered,
                                  const std::vector<std::vector<double>>& groups_s) {
  std::vector<TouchesOfRuns> sums;
  for (const auto& program : lowered) sums.emplace_back(program->groups.size());
  for (const plan::Role& role : plan.roles) {
    Walk walk(role, lowered, groups_s);
    walk.step([](std::size_t, const Touches&) {});  // the step before
    walk.step([&](std::size_t program, const Touches& run) { sums[program].add(run); });
  }
  std::vector<Touches> means;
  for (const TouchesOfRuns& sum : sums) means.push_back(sum.mean());
  return means;
}

std::vector<Touches> step_touches(const plan::ExecutionPlan& plan, const Lowered& lowered,
                                  const cost::CostModel& cost) {
  std::vector<std::vector<double>> groups_s;
  for (const auto& program : lowered) groups_s.push_back(cost.groups_s(*program));
  return step_touches(plan, lowered, groups_s);
}

}  // namespace rhino::simulate
