// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "plan/lives.hpp"
#include "plan/validate.hpp"
#include "plan/validate_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

constexpr std::int64_t kAlignment = 64;

/// Walks one role's list. A buffer holds a value from when it is written until it is freed.
class MemoryWalk {
 public:
  MemoryWalk(const ExecutionPlan& plan, std::size_t role)
      : plan_(plan),
        role_index_(role),
        role_(plan.roles[role]),
        lasting_(lasting_buffers(role_)),
        states_(role_.buffers.size()) {
    for (const PlanBuffer& buffer : role_.buffers) bytes_.push_back(num_bytes(buffer.shape));
  }

  void check() {
    check_places();
    for (const PlanInput& input : role_.inputs) {
      if (other_holder(input.buffer) >= 0) {
        fail_role("input " + number(input.input) + " in buffer " + number(input.buffer) +
                  " shares memory with another input");
      }
      take(input.buffer);
      states_[at(input.buffer)] = {.whole = true,
                                   .instance = input.micro_dim >= 0 ? input.micro_batch : -1};
    }
    for (now_ = 0; now_ < role_.instructions.size(); ++now_) step(role_.instructions[now_]);
    check_end();
  }

 private:
  struct State {
    bool whole = false;          ///< holds a value
    bool arriving = false;       ///< a communication under way writes it
    std::int32_t readers = 0;    ///< communications under way that read it
    std::int32_t instance = -1;  ///< the micro-batch that wrote it
    std::int64_t freed_at = -1;  ///< the instruction that freed it
  };

  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error(instruction_place(plan_, role_index_, now_) + ": " + sentence);
  }
  [[noreturn]] void fail_role(const std::string& sentence) const {
    throw Error("role " + number(static_cast<std::int64_t>(role_index_)) + ": " + sentence);
  }

  std::int64_t begin(std::int32_t buffer) const { return role_.buffers[at(buffer)].offset; }
  std::int64_t bytes(std::int32_t buffer) const { return bytes_[at(buffer)]; }
  std::int64_t end(std::int32_t buffer) const { return begin(buffer) + bytes(buffer); }
  bool overlap(std::int32_t a, std::int32_t b) const {
    return begin(a) < end(b) && begin(b) < end(a);
  }

  void check_places() const {
    for (std::size_t b = 0; b < role_.buffers.size(); ++b) {
      const auto buffer = static_cast<std::int32_t>(b);
      const bool fits = begin(buffer) >= 0 && begin(buffer) <= role_.arena_bytes &&
                        bytes(buffer) <= role_.arena_bytes - begin(buffer);
      if (!fits)
        fail_role("buffer " + number(buffer) + " lies outside of the arena of " +
                  number(role_.arena_bytes) + " bytes");
      if (begin(buffer) % kAlignment != 0)
        fail_role("buffer " + number(buffer) + " is not aligned to " + number(kAlignment) +
                  " bytes");
    }
    for (DeviceId device : role_.mesh.devices) {
      const double memory = plan_.cluster.device(device).memory_bytes;
      const std::int64_t needed = memory_bytes(role_);
      if (memory <= 0 || static_cast<double>(needed) <= memory) continue;
      throw Error("device " + number(device) + " needs " + number(needed) + " bytes (" +
                  number(role_.arena_bytes) + " of buffers, " + number(role_.workspace_bytes) +
                  " of workspace) and has " + number(static_cast<std::int64_t>(memory)));
    }
  }

  void step(const Instruction& instruction) {
    switch (instruction.kind) {
      case InstructionKind::run: return run(instruction);
      case InstructionKind::start: return start(instruction);
      case InstructionKind::wait: return wait(instruction);
      case InstructionKind::free:
        for (std::int32_t buffer : instruction.inputs) free(buffer);
    }
  }

  void run(const Instruction& instruction) {
    const Program& program = plan_.programs[at(instruction.index)];
    for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
      require_whole(instruction.inputs[i]);
      if (!accumulates(program, i)) require_own(instruction, instruction.inputs[i]);
    }
    for (std::size_t o = 0; o < instruction.outputs.size(); ++o) {
      const Output& output = program.outputs[o];
      for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
        const bool in_place = output.kind == OutputKind::updated_state &&
                              output.input == static_cast<std::int32_t>(i) &&
                              instruction.inputs[i] == instruction.outputs[o];
        if (!in_place && overlap(instruction.inputs[i], instruction.outputs[o])) {
          fail("writes buffer " + number(instruction.outputs[o]) + " over buffer " +
               number(instruction.inputs[i]) + ", which it reads");
        }
      }
    }
    write_all(instruction);
    for (std::int32_t buffer : instruction.outputs) states_[at(buffer)].whole = true;
  }
  static bool accumulates(const Program& program, std::size_t input) {
    return std::any_of(program.outputs.begin(), program.outputs.end(), [&](const Output& output) {
      return output.kind == OutputKind::updated_state &&
             output.input == static_cast<std::int32_t>(input);
    });
  }

  void start(const Instruction& instruction) {
    const bool may_share =
        plan_.communications[at(instruction.index)].kind == CommunicationKind::all_reduce;
    for (std::int32_t buffer : instruction.inputs) {
      if (buffer < 0) continue;
      require_whole(buffer);
      require_own(instruction, buffer);
      for (std::size_t p = 0; p < instruction.outputs.size(); ++p) {
        const std::int32_t output = instruction.outputs[p];
        const bool in_place = may_share && output == buffer && instruction.inputs[p] == buffer;
        if (output >= 0 && !in_place && overlap(buffer, output))
          fail("receives into buffer " + number(output) + " over buffer " + number(buffer) +
               ", which it sends");
      }
    }
    write_all(instruction);
    for (std::int32_t buffer : instruction.inputs) {
      if (buffer >= 0) ++states_[at(buffer)].readers;
    }
    for (std::int32_t buffer : instruction.outputs) {
      if (buffer >= 0) states_[at(buffer)].arriving = true;
    }
    under_way_[{instruction.index, instruction.instance}] = &instruction;
  }

  void wait(const Instruction& instruction) {
    const auto found = under_way_.find({instruction.index, instruction.instance});
    if (found == under_way_.end()) fail("waits for a communication that is not under way");
    for (std::int32_t buffer : found->second->inputs) {
      if (buffer >= 0) --states_[at(buffer)].readers;
    }
    for (std::int32_t buffer : found->second->outputs) {
      if (buffer < 0) continue;
      states_[at(buffer)].arriving = false;
      states_[at(buffer)].whole = true;
    }
    under_way_.erase(found);
  }

  void require_whole(std::int32_t buffer) const {
    const State& state = states_[at(buffer)];
    if (state.arriving)
      fail("reads buffer " + number(buffer) + " while a communication still writes it");
    if (state.whole) return;
    fail("reads buffer " + number(buffer) + ", which " + why_empty(state));
  }
  static std::string why_empty(const State& state) {
    if (state.freed_at < 0) return "nothing has written";
    return "instruction " + number(state.freed_at) + " has freed";
  }
  /// Values of one micro-batch are for that one.
  void require_own(const Instruction& instruction, std::int32_t buffer) const {
    const std::int32_t other = states_[at(buffer)].instance;
    if (instruction.instance < 0 || other < 0 || other == instruction.instance) return;
    fail("reads buffer " + number(buffer) + ", which holds a value of micro-batch " +
         number(other));
  }

  void write_all(const Instruction& instruction) {
    for (std::size_t o = 0; o < instruction.outputs.size(); ++o) {
      const std::int32_t buffer = instruction.outputs[o];
      if (buffer < 0) continue;
      for (std::size_t other = 0; other < o; ++other) {
        if (instruction.outputs[other] >= 0 && overlap(buffer, instruction.outputs[other]))
          fail("writes buffer " + number(buffer) + " over buffer " +
               number(instruction.outputs[other]) + ", which it writes too");
      }
      write(instruction, buffer);
    }
  }

  /// A buffer other than this one that holds something in its memory; -1: none.
  std::int32_t other_holder(std::int32_t buffer) const {
    auto other = holders_.upper_bound(begin(buffer));
    if (other != holders_.begin()) --other;
    for (; other != holders_.end() && other->first < end(buffer); ++other) {
      if (other->second != buffer && end(other->second) > begin(buffer)) return other->second;
    }
    return -1;
  }
  void take(std::int32_t buffer) {
    if (bytes(buffer) > 0) holders_[begin(buffer)] = buffer;
  }
  /// The memory of `buffer` becomes its own, for another value.
  void write(const Instruction& instruction, std::int32_t buffer) {
    const std::int32_t other = other_holder(buffer);
    for (const std::int32_t holder : {buffer, other}) {
      if (holder < 0) continue;
      const State& state = states_[at(holder)];
      const std::vector<std::int32_t>& read = instruction.inputs;
      const bool in_place =
          holder == buffer &&
          (lasting_[at(buffer)] || std::find(read.begin(), read.end(), buffer) != read.end());
      if (state.arriving || state.readers > 0)
        fail_write(buffer, holder,
                   state.arriving ? "a communication under way still writes"
                                  : "a communication under way still reads");
      if (state.whole && !in_place) fail_write(buffer, holder, "nothing has freed");
    }
    take(buffer);
    states_[at(buffer)] = {.instance = instruction.instance};
  }
  [[noreturn]] void fail_write(std::int32_t buffer, std::int32_t holder, const char* why) const {
    fail("writes buffer " + number(buffer) + " over buffer " + number(holder) + ", which " + why);
  }
  void free(std::int32_t buffer) {
    State& state = states_[at(buffer)];
    if (state.arriving || state.readers > 0)
      fail("frees buffer " + number(buffer) + ", which a communication under way still uses");
    if (!state.whole) fail("frees buffer " + number(buffer) + ", which " + why_empty(state));
    if (lasting_[at(buffer)])
      fail("frees buffer " + number(buffer) + ", which keeps its content from step to step");
    state = {.freed_at = static_cast<std::int64_t>(now_)};
    if (bytes(buffer) > 0) holders_.erase(begin(buffer));
  }

  void check_end() const {
    std::vector<bool> is_kept = lasting_;
    for (const PlanOutput& output : role_.outputs) {
      is_kept[at(output.buffer)] = true;
      if (!states_[at(output.buffer)].whole)
        fail_role("output " + number(output.output) + " in buffer " + number(output.buffer) +
                  " is not written, or freed, at the end of the step");
    }
    for (std::size_t b = 0; b < states_.size(); ++b) {
      if (states_[b].whole && !is_kept[b])
        fail_role("buffer " + number(static_cast<std::int64_t>(b)) + " is never freed");
    }
  }

  const ExecutionPlan& plan_;
  const std::size_t role_index_;
  const Role& role_;
  const std::vector<bool> lasting_;
  std::vector<State> states_;
  std::vector<std::int64_t> bytes_;  ///< per buffer
  /// By offset: the buffers that hold values; disjoint.
  std::map<std::int64_t, std::int32_t> holders_;
  std::map<std::pair<std::int32_t, std::int32_t>, const Instruction*> under_way_;
  std::size_t now_ = 0;
};

}  // namespace

std::int64_t memory_bytes(const Role& role) { return role.arena_bytes + role.workspace_bytes; }

std::int64_t peak_bytes(const ExecutionPlan& plan) {
  std::int64_t peak = 0;
  for (const Role& role : plan.roles) peak = std::max(peak, memory_bytes(role));
  return peak;
}

void check_memory(const ExecutionPlan& plan) {
  for (std::size_t role = 0; role < plan.roles.size(); ++role) MemoryWalk(plan, role).check();
}

}  // namespace rhino::plan
