// SPDX-License-Identifier: Apache-2.0
#include "simulate/reuse.hpp"

#include <algorithm>

#include "rhino/index.hpp"

namespace rhino::simulate {
namespace {

bool touches(const plan::Instruction& instruction) {
  return instruction.kind == plan::InstructionKind::run ||
         instruction.kind == plan::InstructionKind::start;
}

/// The bytes that a device touches, counted as its instructions go by.
class Clock {
 public:
  Clock(const plan::Role& role, const std::vector<std::int64_t>& workspace_bytes)
      : role_(role), workspace_bytes_(workspace_bytes), last_(role.buffers.size(), 0) {}

  /// Since this buffer was touched.
  double since(std::int32_t buffer) const {
    const std::int64_t most = role_.arena_bytes + role_.workspace_bytes;
    return static_cast<double>(std::min(most, now_ - last_[at(buffer)]));
  }

  void pass(const plan::Instruction& instruction) {
    if (!touches(instruction)) return;
    const std::int64_t begin = now_;
    ++stamp_;
    for (const auto* buffers : {&instruction.inputs, &instruction.outputs}) {
      for (const std::int32_t buffer : *buffers) {
        if (buffer < 0 || stamps_[at(buffer)] == stamp_) continue;
        stamps_[at(buffer)] = stamp_;
        now_ += num_bytes(role_.buffers[at(buffer)].shape);
        last_[at(buffer)] = begin;
      }
    }
    if (instruction.kind == plan::InstructionKind::run)
      now_ += workspace_bytes_[at(instruction.index)];
  }

 private:
  const plan::Role& role_;
  const std::vector<std::int64_t>& workspace_bytes_;
  std::int64_t now_ = 0;
  std::vector<std::int64_t> last_;  ///< when it was touched
  std::int64_t stamp_ = 0;          ///< of an instruction
  std::vector<std::int64_t> stamps_ = std::vector<std::int64_t>(last_.size(), 0);
};

void add(const std::vector<std::int32_t>& buffers, const Clock& clock, std::vector<double>& sums) {
  for (std::size_t i = 0; i < std::min(buffers.size(), sums.size()); ++i)
    sums[i] += buffers[i] < 0 ? 0 : clock.since(buffers[i]);
}

}  // namespace

std::vector<cost::Reuse> reuse_of(const plan::ExecutionPlan& plan,
                                  const std::vector<std::int64_t>& workspace_bytes) {
  std::vector<cost::Reuse> reuse;
  for (const Program& program : plan.programs)
    reuse.push_back({std::vector<double>(program.inputs.size(), 0),
                     std::vector<double>(program.outputs.size(), 0)});
  std::vector<double> num_runs(plan.programs.size(), 0);
  for (const plan::Role& role : plan.roles) {
    Clock clock(role, workspace_bytes);
    for (const plan::Instruction& instruction : role.instructions) clock.pass(instruction);
    for (const plan::Instruction& instruction : role.instructions) {
      if (instruction.kind == plan::InstructionKind::run) {
        cost::Reuse& sums = reuse[at(instruction.index)];
        add(instruction.inputs, clock, sums.inputs);
        add(instruction.outputs, clock, sums.outputs);
        ++num_runs[at(instruction.index)];
      }
      clock.pass(instruction);
    }
  }
  for (std::size_t p = 0; p < reuse.size(); ++p) {
    for (auto* sums : {&reuse[p].inputs, &reuse[p].outputs})
      for (double& sum : *sums) sum /= std::max(1.0, num_runs[p]);
  }
  return reuse;
}

}  // namespace rhino::simulate
