// SPDX-License-Identifier: Apache-2.0
#include "evaluate/space_outline.hpp"

#include <algorithm>
#include <map>

#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// What makes ops alike: their class, how micro-batches cut them, and when they run.
struct Key {
  std::int32_t op_class;
  std::int32_t micro_factor;
  std::vector<bool> is_copied;  ///< per operand
  std::int32_t pass;
  bool is_input;
  auto operator<=>(const Key&) const = default;
};

std::size_t mixed(std::size_t a, std::size_t b) {
  a = (a ^ b) * 0x9e3779b97f4a7c15u;
  return a ^ a >> 29;
}

}  // namespace

SpaceOutline::SpaceOutline(const sharding::OpGraph& graph, std::shared_ptr<const Frame> frame,
                           const Mesh& mesh, std::int64_t num_micro_batches)
    : graph_(graph),
      frame_(std::move(frame)),
      num_micro_batches_(num_micro_batches),
      periods_(strided_periods(graph)) {
  const std::vector<Chunk> chunks{{mesh, false}};
  const std::vector<std::int32_t> chunk_of(at(graph.size()));
  sharding::Assignment assignment(graph, chunk_of, chunks, num_micro_batches);
  sharding::split_micro_batches(assignment);
  classify(assignment);
  mark_kept();
  find_ties();
  find_repeats();
}

void SpaceOutline::classify(const sharding::Assignment& assignment) {
  std::map<Key, std::int32_t> index;
  space_.class_of.assign(at(graph_.size()), -1);
  for (ValueId id = 0; id < graph_.size(); ++id) {
    if (frame_->is_copied[at(id)]) continue;
    const sharding::FactorSplit* micro = assignment.find(id, kMicroAxis);
    Key key{graph_.class_of(id),
            micro == nullptr ? -1 : micro->factor,
            {},
            frame_->made_in[at(id)],
            graph_.input(id) != nullptr};
    for (const ValueId operand : graph_.op(id).operands)
      key.is_copied.push_back(frame_->is_copied[at(operand)]);
    const auto [found, is_new] =
        index.try_emplace(std::move(key), static_cast<std::int32_t>(space_.classes.size()));
    if (is_new) {
      space_.classes.emplace_back();
      micro_splits_.push_back(micro == nullptr ? std::nullopt : std::optional(*micro));
    }
    space_.class_of[at(id)] = found->second;
    space_.classes[at(found->second)].values.push_back(id);
  }
}

void SpaceOutline::mark_kept() {
  space_.keeps.assign(at(graph_.size()), Keeping::nothing);
  for (const std::vector<KeptValue>& kept : frame_->kept) {
    for (const KeptValue& life : kept) space_.keeps[at(life.value)] = Keeping::activation;
  }
  for (ValueId id = 0; id < graph_.size(); ++id) {
    if (frame_->is_accumulated[at(id)]) space_.keeps[at(id)] = Keeping::gradient;
    const Input* input = graph_.input(id);
    const bool is_state = input != nullptr && (input->kind == InputKind::parameter ||
                                               input->kind == InputKind::optimizer_state);
    if (is_state) space_.keeps[at(id)] = Keeping::state;
  }
}

void SpaceOutline::find_ties() {
  const Program& program = graph_.program();
  for (const Output& output : program.outputs) {
    if (output.kind == OutputKind::updated_state)
      space_.updates.emplace_back(program.inputs[at(output.input)].value, output.value);
  }
  for (const Input& input : program.inputs) {
    if (input.kind == InputKind::optimizer_state && input.state_of >= 0)
      space_.states.emplace_back(program.inputs[at(input.state_of)].value, input.value);
  }
}

/// By colours that take in those of their neighbours, a few times over.
void SpaceOutline::find_repeats() {
  constexpr int kDistance = 8;
  std::vector<std::size_t> colour(space_.class_of.begin(), space_.class_of.end());
  for (int step = 0; step < kDistance; ++step) {
    std::vector<std::size_t> next = colour;
    for (ValueId id = 0; id < graph_.size(); ++id) {
      for (const ValueId operand : graph_.op(id).operands)
        next[at(id)] = mixed(next[at(id)], colour[at(operand)]);
      std::size_t readers = 0;  // in any order
      for (const sharding::Use& use : graph_.uses(id))
        readers += mixed(colour[at(use.user)], at(use.operand) + 1);
      next[at(id)] = mixed(next[at(id)], readers);
    }
    colour = std::move(next);
  }
  std::map<std::size_t, std::vector<ValueId>> groups;
  for (ValueId id = 0; id < graph_.size(); ++id) {
    if (space_.class_of[at(id)] >= 0) groups[colour[at(id)]].push_back(id);
  }
  for (auto& [key, values] : groups) {
    if (values.size() > 1) space_.repeats.push_back(std::move(values));
  }
  std::ranges::sort(space_.repeats);
}

}  // namespace rhino::evaluate
