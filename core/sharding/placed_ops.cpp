// SPDX-License-Identifier: Apache-2.0
#include "sharding/placed_ops.hpp"

#include <algorithm>

#include "ir/op_traits.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::sharding {

PlacedOps::PlacedOps(const StepGraph& graph)
    : graph_(graph), program_(graph.program()), crosses_(program_.ops.size()) {
  find_crossing();
  std::pair<const Place, std::vector<ValueId>>* last = nullptr;  // neighbours are mostly together
  for (ValueId id = 0; id < program_.size(); ++id) {
    if (graph_.input_of(id) != nullptr || graph_.is_copied(id)) continue;
    const Place& home = graph_.home(id);
    if (last == nullptr || last->first != home) last = &*programs_.try_emplace(home).first;
    last->second.push_back(id);
  }
  for (auto& [place, program] : programs_) repeat_forward(place, program);
}

bool PlacedOps::repeats(const Place& place, ValueId id) const {
  const auto found = repeated_.find(place);
  return found != repeated_.end() && found->second.contains(id);
}

bool PlacedOps::comes_anew(const Place& place, ValueId id) const {
  return place.phase == ChunkPhase::weight && !crosses_[at(id)] &&
         repeats({place.chunk, ChunkPhase::backward, 0}, id);
}

void PlacedOps::find_crossing() {
  for (ValueId id = 0; id < program_.size(); ++id) {
    const bool is_copied = graph_.is_copied(id);
    for (const ValueId operand : program_.op(id).operands) {
      if (is_copied || graph_.chunk_of(operand) != graph_.chunk_of(id))
        crosses_[at(operand)] = true;
    }
  }
  for (const Output& output : program_.outputs) crosses_[at(output.value)] = true;
}

/// Adds the forward ops that lie between what is kept and the backward ops.
void PlacedOps::repeat_forward(const Place& place, std::vector<ValueId>& program) {
  if (place.phase != ChunkPhase::backward && place.phase != ChunkPhase::weight) return;
  std::vector<ValueId> ops;
  for (const ValueId id : program) {
    std::vector<ValueId> group;
    find_repeated(place, id, group);
    std::sort(group.begin(), group.end());
    ops.insert(ops.end(), group.begin(), group.end());
    ops.push_back(id);
  }
  program = std::move(ops);
}

void PlacedOps::find_repeated(const Place& place, ValueId reader, std::vector<ValueId>& group) {
  std::vector<ValueId> reading{reader};
  while (!reading.empty()) {
    const ValueId id = reading.back();
    reading.pop_back();
    for (const ValueId operand : program_.op(id).operands) {
      if (graph_.is_copied(operand)) reading.push_back(operand);
      const bool anew_already = comes_anew(place, operand);
      const bool is_cheap = (id != reader || anew_already) && is_smaller_before(operand);
      const bool anew =
          is_cheap ||
          (is_recomputed(graph_.strategy(), graph_.chunk_of(operand), operand) && !anew_already);
      if (!anew || !is_made_before(place, operand)) continue;
      if (!repeated_[place].insert(operand).second) continue;
      reading.push_back(operand);
      group.push_back(operand);
    }
  }
}

/// By the forward program of the chunk whose program is at `place`.
bool PlacedOps::is_made_before(const Place& place, ValueId id) const {
  return !graph_.is_copied(id) && graph_.input_of(id) == nullptr &&
         graph_.home(id) == Place{place.chunk, ChunkPhase::forward, 0};
}

/// A bias spread over the batch, say: better kept as it was, and spread anew.
bool PlacedOps::is_smaller_before(ValueId id) const {
  const Op& op = program_.op(id);
  const bool is_cheap = ir::traits(op.kind).view || op.kind == OpKind::convert;
  return is_cheap && num_bytes(program_.shape(op.operands[0])) < num_bytes(program_.shape(id));
}

}  // namespace rhino::sharding
