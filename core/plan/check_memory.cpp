// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "plan/lives.hpp"
#include "plan/validate.hpp"
#include "plan/validate_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

constexpr std::int64_t kAlignment = 64;

/// A set of small numbers.
class Slots {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  Slots() = default;
  explicit Slots(std::size_t count) : words_(count / 64 + 1) {}

  void add(std::size_t slot) { words_[slot / 64] |= std::uint64_t{1} << (slot % 64); }
  void remove(std::size_t slot) { words_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64)); }

  /// The largest that is not above; where there is none the least of all.
  std::size_t at_or_before(std::size_t slot) const {
    std::size_t word = slot / 64;
    std::uint64_t bits = words_[word] & (~std::uint64_t{0} >> (63 - slot % 64));
    while (bits == 0 && word > 0) bits = words_[--word];
    if (bits != 0) return 64 * word + 63 - static_cast<std::size_t>(std::countl_zero(bits));
    return after(slot);
  }
  std::size_t after(std::size_t slot) const {
    std::size_t word = slot / 64;
    std::uint64_t bits = words_[word] & ~(~std::uint64_t{0} >> (63 - slot % 64));
    while (bits == 0 && ++word < words_.size()) bits = words_[word];
    return bits == 0 ? kNone : 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Walks one role's list. A buffer holds a value from when it is written until it is freed.
class MemoryWalk {
 public:
  MemoryWalk(const ExecutionPlan& plan, std::size_t role)
      : plan_(plan),
        role_index_(role),
        role_(plan.roles[role]),
        lasting_(lasting_buffers(role_)),
        states_(role_.buffers.size()),
        read_at_(role_.buffers.size(), -1),
        written_at_(role_.buffers.size(), -1) {
    std::vector<std::int64_t> offsets;
    for (const PlanBuffer& buffer : role_.buffers) {
      bytes_.push_back(num_bytes(buffer.shape));
      offsets.push_back(buffer.offset);
    }
    std::ranges::sort(offsets);
    offsets.erase(std::ranges::unique(offsets).begin(), offsets.end());
    for (const PlanBuffer& buffer : role_.buffers)
      slot_of_.push_back(at(std::ranges::lower_bound(offsets, buffer.offset) - offsets.begin()));
    holders_.resize(offsets.size());
    held_ = Slots(offsets.size());
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
      if (!is_own(instruction, instruction.inputs[i]) && !accumulates(program, i))
        require_own(instruction, instruction.inputs[i]);
    }
    note_reads(instruction);
    for (std::size_t o = 0; o < instruction.outputs.size(); ++o)
      require_apart(instruction, program.outputs[o], instruction.outputs[o]);
    write_all(instruction);
    for (std::int32_t buffer : instruction.outputs) states_[at(buffer)].whole = true;
  }
  /// From all that is read; what else lies there is looked at as it is written.
  void require_apart(const Instruction& instruction, const Output& output, std::int32_t buffer) {
    const bool in_place = output.kind == OutputKind::updated_state && output.input >= 0 &&
                          output.input < std::ssize(instruction.inputs) &&
                          instruction.inputs[at(output.input)] == buffer;
    for (const std::int32_t holder : {in_place ? -1 : buffer, other_holder(buffer)}) {
      if (holder >= 0 && is_now(read_at_[at(holder)]) && bytes(holder) > 0)
        fail("writes buffer " + number(buffer) + " over buffer " + number(holder) +
             ", which it reads");
    }
  }
  void note_reads(const Instruction& instruction) {
    for (const std::int32_t buffer : instruction.inputs)
      if (buffer >= 0) read_at_[at(buffer)] = static_cast<std::int64_t>(now_);
  }
  bool is_now(std::int64_t instruction) const {
    return instruction == static_cast<std::int64_t>(now_);
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
    note_reads(instruction);
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
    if (is_own(instruction, buffer)) return;
    fail("reads buffer " + number(buffer) + ", which holds a value of micro-batch " +
         number(states_[at(buffer)].instance));
  }
  bool is_own(const Instruction& instruction, std::int32_t buffer) const {
    const std::int32_t other = states_[at(buffer)].instance;
    return instruction.instance < 0 || other < 0 || other == instruction.instance;
  }

  void write_all(const Instruction& instruction) {
    for (const std::int32_t buffer : instruction.outputs)
      if (buffer >= 0) write(instruction, buffer);
  }

  /// A buffer other than this one that holds something in its memory; -1: none.
  std::int32_t other_holder(std::int32_t buffer) const {
    const std::size_t own = slot_of_[at(buffer)];
    for (std::size_t slot = held_.at_or_before(own); slot != Slots::kNone;
         slot = held_.after(slot)) {
      const std::int32_t holder = holders_[slot];
      if (begin(holder) >= end(buffer)) break;
      if (holder != buffer && end(holder) > begin(buffer)) return holder;
    }
    return -1;
  }
  void take(std::int32_t buffer) {
    if (bytes(buffer) == 0) return;
    held_.add(slot_of_[at(buffer)]);
    holders_[slot_of_[at(buffer)]] = buffer;
  }
  /// The memory of `buffer` becomes its own, for another value.
  void write(const Instruction& instruction, std::int32_t buffer) {
    const std::int32_t other = other_holder(buffer);
    for (const std::int32_t holder : {buffer, other}) {
      if (holder < 0) continue;
      if (is_now(written_at_[at(holder)]))
        fail("writes buffer " + number(buffer) + " over buffer " + number(holder) +
             ", which it writes too");
      const State& state = states_[at(holder)];
      const bool in_place =
          holder == buffer && (lasting_[at(buffer)] || is_now(read_at_[at(buffer)]));
      if (state.arriving || state.readers > 0)
        fail_write(buffer, holder,
                   state.arriving ? "a communication under way still writes"
                                  : "a communication under way still reads");
      if (state.whole && !in_place) fail_write(buffer, holder, "nothing has freed");
    }
    take(buffer);
    written_at_[at(buffer)] = static_cast<std::int64_t>(now_);
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
    if (bytes(buffer) > 0) held_.remove(slot_of_[at(buffer)]);
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
  std::vector<std::int64_t> read_at_, written_at_;  ///< per buffer, the last instruction; -1: none
  std::vector<std::int64_t> bytes_;                 ///< per buffer
  std::vector<std::size_t> slot_of_;  ///< per buffer the number of its offset, in their order
  /// The buffers that hold values, disjoint, by their slots; of these those that are held.
  std::vector<std::int32_t> holders_;
  Slots held_;
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
