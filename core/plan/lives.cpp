// SPDX-License-Identifier: Apache-2.0
#include "plan/lives.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// Walks a list from its end: a buffer lives before an instruction where that or a later one reads
/// what it then holds.
class LifeEnds {
 public:
  explicit LifeEnds(const Role& role)
      : role_(role),
        lasting_(lasting_of(role)),
        is_alive_(lasting_),
        read_at_(lasting_.size(), role.instructions.size()) {
    for (const PlanOutput& output : role.outputs) is_alive_[at(output.buffer)] = true;
    find_starts();
  }

  /// A buffer whose life ends with an instruction.
  struct End {
    std::size_t instruction = 0;
    std::int32_t buffer = -1;
  };
  /// Those of the last instruction first.
  std::vector<End> find() {
    std::vector<End> ends;
    ends.reserve(role_.instructions.size());
    for (std::size_t i = role_.instructions.size(); i-- > 0;) {
      const Instruction& now = role_.instructions[i];
      const Instruction& used = start_of_[i] == nullptr ? now : *start_of_[i];
      for (const std::vector<std::int32_t>* list : {&used.inputs, &used.outputs}) {
        for (const std::int32_t buffer : *list) {
          if (buffer < 0 || is_alive_[at(buffer)]) continue;
          ends.push_back({i, buffer});
          is_alive_[at(buffer)] = true;
        }
      }
      if (now.outputs.empty()) continue;
      for (const std::int32_t buffer : now.inputs)
        if (buffer >= 0) read_at_[at(buffer)] = i;
      for (const std::int32_t buffer : now.outputs)
        if (buffer >= 0 && read_at_[at(buffer)] != i)  // else in place
          is_alive_[at(buffer)] = lasting_[at(buffer)];
    }
    return ends;
  }

 private:
  static std::vector<char> lasting_of(const Role& role) {  // bytes are quicker than bits
    const std::vector<bool> lasting = lasting_buffers(role);
    return {lasting.begin(), lasting.end()};
  }

  /// Few communications are under way at once.
  void find_starts() {
    start_of_.reserve(role_.instructions.size());
    std::map<std::pair<std::int32_t, std::int32_t>, const Instruction*> under_way;
    for (const Instruction& instruction : role_.instructions) {
      start_of_.push_back(nullptr);
      if (instruction.kind == InstructionKind::start)
        under_way[{instruction.index, instruction.instance}] = &instruction;
      if (instruction.kind != InstructionKind::wait) continue;
      const auto start = under_way.find({instruction.index, instruction.instance});
      if (start == under_way.end()) continue;
      start_of_.back() = start->second;
      under_way.erase(start);
    }
  }

  const Role& role_;
  std::vector<char> lasting_, is_alive_;      ///< per buffer
  std::vector<std::size_t> read_at_;          ///< per buffer, by which instruction last
  std::vector<const Instruction*> start_of_;  ///< per instruction: what it waits for
};

}  // namespace

std::vector<bool> lasting_buffers(const Role& role) {
  std::vector<bool> lasting;
  for (const PlanBuffer& buffer : role.buffers) lasting.push_back(buffer.persistent);
  for (const PlanInput& input : role.inputs) lasting[at(input.buffer)] = true;
  return lasting;
}

void add_frees(Role& role) {
  const std::vector<LifeEnds::End> ends = LifeEnds(role).find();
  std::vector<Instruction> list;
  std::size_t num_frees = 0;
  for (std::size_t e = 0; e < ends.size(); ++e)
    num_frees += e == 0 || ends[e].instruction != ends[e - 1].instruction ? 1 : 0;
  list.reserve(role.instructions.size() + num_frees);
  auto open = ends.end();  // from where on all are listed
  for (std::size_t i = 0; i < role.instructions.size(); ++i) {
    const Instruction& last = list.emplace_back(std::move(role.instructions[i]));
    const auto listed = open;
    while (open != ends.begin() && std::prev(open)->instruction == i) --open;
    if (open == listed) continue;
    Instruction& free = list.emplace_back(Instruction{.kind = InstructionKind::free,
                                                      .instance = last.instance,
                                                      .inputs = {},
                                                      .outputs = {},
                                                      .chunk = last.chunk,
                                                      .phase = last.phase});
    free.inputs.resize(static_cast<std::size_t>(listed - open));
    std::ranges::transform(open, listed, free.inputs.begin(), &LifeEnds::End::buffer);
  }
  role.instructions = std::move(list);
}

std::vector<std::int64_t> live_bytes(const Role& role) {
  std::vector<bool> is_alive = lasting_buffers(role);
  const auto bytes_of = [&](std::size_t buffer) { return num_bytes(role.buffers[buffer].shape); };
  std::int64_t alive = 0;
  for (std::size_t b = 0; b < is_alive.size(); ++b) alive += is_alive[b] ? bytes_of(b) : 0;
  std::vector<std::int64_t> bytes;
  for (const Instruction& instruction : role.instructions) {
    for (const std::int32_t buffer : instruction.outputs) {
      if (buffer >= 0 && !is_alive[at(buffer)]) {
        is_alive[at(buffer)] = true;
        alive += bytes_of(at(buffer));
      }
    }
    bytes.push_back(alive);
    if (instruction.kind != InstructionKind::free) continue;
    for (const std::int32_t buffer : instruction.inputs) {
      is_alive[at(buffer)] = false;
      alive -= bytes_of(at(buffer));
    }
  }
  return bytes;
}

}  // namespace rhino::plan
