// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/chunks.hpp"

namespace rhino::sharding {
namespace {

constexpr std::int32_t kNowhere = -1;

// Deals out what a cut of the movable ops leaves open. Every rule looks at later ops (users) or at
// origins, so one walk backwards per rule is enough.
class Placer {
 public:
  Placer(const OpGraph& graph, std::vector<std::int32_t> chunk_of)
      : graph_(graph), chunk_of_(std::move(chunk_of)) {}

  std::vector<std::int32_t> run() && {
    place_with_first_user();
    place_backward();
    join_terms();
    place_updates();
    place_rest();
    return std::move(chunk_of_);
  }

 private:
  bool is_open(ValueId id) const { return chunk_of_[at(id)] == kNowhere && !graph_.is_pure(id); }

  // Weights, batch inputs and what is made of weights alone: the first chunk that reads them
  // forward.
  void place_with_first_user() {
    for (ValueId id = graph_.size(); id-- > 0;) {
      if (!is_open(id) || graph_.op(id).phase != Phase::forward || is_state(id)) continue;
      chunk_of_[at(id)] = first_user(id, Phase::forward);
    }
  }

  bool is_state(ValueId id) const {
    const Input* input = graph_.input(id);
    return input && input->kind == InputKind::optimizer_state;
  }

  std::int32_t first_user(ValueId id, Phase phase) const {
    std::int32_t first = std::numeric_limits<std::int32_t>::max();
    for (const Use& use : graph_.uses(id)) {
      const std::int32_t chunk = chunk_of_[at(use.user)];
      if (chunk != kNowhere && graph_.op(use.user).phase == phase) first = std::min(first, chunk);
    }
    return first == std::numeric_limits<std::int32_t>::max() ? kNowhere : first;
  }

  // Backward passes run from the last chunk to the first: an op stands with its origin unless a
  // backward op of a later chunk reads it.
  void place_backward() {
    for (ValueId id = graph_.size(); id-- > 0;) {
      const Op& op = graph_.op(id);
      if (!is_open(id) || op.phase != Phase::backward) continue;
      std::int32_t chunk = op.origin == kNoValue ? kNowhere : chunk_of_[at(op.origin)];
      for (const Use& use : graph_.uses(id)) {
        if (graph_.op(use.user).phase == Phase::backward) {
          chunk = std::max(chunk, chunk_of_[at(use.user)]);
        }
      }
      chunk_of_[at(id)] = chunk;
    }
  }

  // The terms of a gradient are summed where they are made, so that the sum crosses instead of
  // them.
  void join_terms() {
    for (ValueId id = 0; id < graph_.size(); ++id) {
      if (graph_.op(id).phase != Phase::backward || graph_.is_pure(id)) continue;
      const std::int32_t source = chunk_of_terms(id);
      if (source <= chunk_of_[at(id)]) continue;
      std::int64_t saved = -num_bytes(graph_.shape(id));
      for (ValueId operand : graph_.op(id).operands) {
        if (is_read_only_by(operand, id, source)) saved += num_bytes(graph_.shape(operand));
      }
      if (saved > 0) chunk_of_[at(id)] = source;
    }
  }

  // The first chunk that makes an operand of `id`; nowhere if any of them is more than a backward
  // op.
  std::int32_t chunk_of_terms(ValueId id) const {
    std::int32_t first = std::numeric_limits<std::int32_t>::max();
    for (ValueId operand : graph_.op(id).operands) {
      if (graph_.is_pure(operand)) continue;
      if (graph_.op(operand).phase != Phase::backward) return kNowhere;
      first = std::min(first, chunk_of_[at(operand)]);
    }
    return first == std::numeric_limits<std::int32_t>::max() ? kNowhere : first;
  }

  // Whether `value` stays in chunks from `first` on once `reader` is there.
  bool is_read_only_by(ValueId value, ValueId reader, std::int32_t first) const {
    if (graph_.is_pure(value)) return false;
    const auto uses = graph_.uses(value);
    return std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
      return use.user == reader || chunk_of_[at(use.user)] >= first;
    });
  }

  void place_updates() {
    const auto& inputs = graph_.program().inputs;
    for (const Input& input : inputs) {
      if (is_state(input.value)) chunk_of_[at(input.value)] = owner(input);
    }
    for (const Output& output : graph_.program().outputs) {
      if (output.kind != OutputKind::updated_state || !is_open(output.value)) continue;
      chunk_of_[at(output.value)] = owner(inputs[at(output.input)]);
    }
    for (ValueId id = 0; id < graph_.size(); ++id) {
      if (!is_open(id) || graph_.op(id).phase != Phase::update || !condenses(id)) continue;
      chunk_of_[at(id)] = last_source(id);
    }
    for (ValueId id = graph_.size(); id-- > 0;) {
      if (!is_open(id) || graph_.op(id).phase != Phase::update) continue;
      chunk_of_[at(id)] = first_user(id, Phase::update);
    }
  }

  // What an update makes smaller (whether a gradient is finite, scalars of these) is made where the
  // larger is, and what comes out of several chunks in the last of them: a scalar crosses each
  // border.
  bool condenses(ValueId id) const {
    const auto& operands = graph_.op(id).operands;
    return graph_.shape(id).dims.empty() || std::ranges::any_of(operands, [&](ValueId operand) {
             return num_bytes(graph_.shape(operand)) > num_bytes(graph_.shape(id));
           });
  }

  std::int32_t last_source(ValueId id) const {
    std::int32_t chunk = kNowhere;
    for (ValueId operand : graph_.op(id).operands) {
      chunk = std::max(chunk, chunk_of_[at(operand)]);
    }
    return chunk;
  }

  // The chunk of the parameter that an input is or belongs to; of the loss, where a state belongs
  // to the step as a whole.
  std::int32_t owner(const Input& input) const {
    if (input.state_of >= 0)
      return chunk_of_[at(graph_.program().inputs[at(input.state_of)].value)];
    if (input.kind != InputKind::optimizer_state) return chunk_of_[at(input.value)];
    for (const Output& output : graph_.program().outputs) {
      if (output.kind == OutputKind::loss) return chunk_of_[at(output.value)];
    }
    return kNowhere;
  }

  // What nothing above reaches stands where its operands are, else where it is used.
  void place_rest() {
    for (ValueId id = 0; id < graph_.size(); ++id) {
      if (!is_open(id)) continue;
      std::int32_t chunk = last_source(id);
      for (const Use& use : graph_.uses(id)) {
        if (chunk == kNowhere) chunk = chunk_of_[at(use.user)];
      }
      chunk_of_[at(id)] = std::max(chunk, 0);
    }
  }

  const OpGraph& graph_;
  std::vector<std::int32_t> chunk_of_;
};

}  // namespace

std::vector<bool> movable_ops(const OpGraph& graph) {
  const auto& inputs = graph.program().inputs;
  const bool has_batch = std::any_of(inputs.begin(), inputs.end(), [](const Input& input) {
    return input.kind == InputKind::batch;
  });
  std::vector<bool> movable(at(graph.size()));
  for (ValueId id = 0; id < graph.size(); ++id) {
    movable[at(id)] = graph.op(id).phase == Phase::forward && !graph.input(id) &&
                      !graph.is_pure(id) && (!has_batch || graph.depends_on_batch(id));
  }
  return movable;
}

std::vector<std::int32_t> place_all(const OpGraph& graph, std::vector<std::int32_t> chunk_of) {
  return Placer(graph, std::move(chunk_of)).run();
}

std::vector<std::int32_t> given_chunks(const OpGraph& graph, const StrategyDraft& draft) {
  const std::vector<bool> movable = movable_ops(graph);
  if (draft.chunk_of.size() != movable.size()) {
    throw Error("strategy '" + draft.name + "' deals out " + std::to_string(draft.chunk_of.size()) +
                " values into chunks; program '" + graph.program().name + "' has " +
                std::to_string(movable.size()));
  }
  std::vector<std::int32_t> chunk_of(movable.size(), kNowhere);
  for (ValueId id = 0; id < graph.size(); ++id) {
    if (!movable[at(id)]) continue;
    const std::int32_t chunk = draft.chunk_of[at(id)];
    if (chunk < 0 || chunk >= static_cast<std::int32_t>(draft.chunks.size())) {
      throw Error(graph.text(id) + " is in chunk " + std::to_string(chunk) + " of " +
                  std::to_string(draft.chunks.size()));
    }
    for (ValueId operand : graph.op(id).operands) {
      if (chunk_of[at(operand)] <= chunk) continue;
      throw Error(graph.text(id) + " in chunk " + std::to_string(chunk) + " reads " +
                  graph.text(operand) + " of the later chunk " +
                  std::to_string(chunk_of[at(operand)]));
    }
    chunk_of[at(id)] = chunk;
  }
  return chunk_of;
}

}  // namespace rhino::sharding
