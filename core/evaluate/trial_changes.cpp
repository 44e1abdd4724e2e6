// SPDX-License-Identifier: Apache-2.0
/// What of a trial a change touches, and how it is taken back.
#include <algorithm>
#include <set>
#include <utility>

#include "evaluate/table_trial.hpp"
#include "ir/op_traits.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {

using sharding::ChunkPhase;

/// The passes that make, renew or read a value are to be priced anew, and of a sum the updates of
/// its mesh, which reduce it early, or send it to others.
void TableTrial::View::touch(ValueId id, const TableTrial& trial, std::vector<Kept>* kept) {
  const sharding::OpGraph& graph = trial.tables_.graph();
  const ValueId renewed = frame->renewed_by[at(id)];
  const std::vector<std::int32_t>& meshes = trial.cuts_.mesh_of_chunk;
  const auto reduces = [&](const PassOps& pass) {
    return pass.phase == ChunkPhase::update && frame->is_accumulated[at(id)] &&
           meshes[at(pass.chunk)] == meshes[at(frame->chunk_of[at(id)])];
  };
  for (std::size_t p = 0; p < frame->passes.size(); ++p) {
    const PassOps& pass = frame->passes[p];
    const bool is_read = frame->is_read(graph, id, [&](ValueId user) { return pass.makes(user); });
    if (is_read || reduces(pass) || pass.makes(id) || (renewed != kNoValue && pass.makes(renewed)))
      touch_pass(p, kept);
  }
}

void TableTrial::View::touch_pass(std::size_t pass, std::vector<Kept>* kept) {
  if (!is_stale[pass] && kept != nullptr) kept->push_back({frame, pass, times[pass]});
  is_stale[pass] = true;
}

void TableTrial::View::take_back(const Kept& kept) {
  if (kept.frame != frame) return;
  times[kept.pass] = kept.time;
  is_stale[kept.pass] = false;
}

void TableTrial::touch(ValueId id, std::vector<Kept>* kept) {
  whole_->touch(id, *this, kept);
  if (cut_) cut_->touch(id, *this, kept);
}

/// Whether another cut of a value than `before` may make other frames: of a batch that leaves
/// devices single rows of it, or more, of terms that are added up, or that heavy ops and broadcasts
/// make.
bool TableTrial::may_reframe(ValueId id, const ShardingSpec& before) const {
  const Input* const input = tables_.graph().input(id);
  if (input != nullptr) return input->kind == InputKind::batch;
  if (frames_.depends_on(strategy_, id)) return true;
  const OpKind kind = context_.program.op(id).kind;
  const auto has_terms = [](const ShardingSpec& spec) {
    return std::ranges::any_of(spec.partial,
                               [](const Partial& term) { return term.axis != kMicroAxis; });
  };
  return (kind == OpKind::broadcast || ir::traits(kind).heavy) &&
         has_terms(before) != has_terms(strategy_.specs[at(id)]);
}

/// Once the value's spec and form are other ones.
void TableTrial::reframe(ValueId id, const ShardingSpec& before) {
  if (!may_reframe(id, before)) return;
  if (frames_.with_loops(strategy_, false) != whole_->frame) {
    whole_ = std::make_unique<View>(*this, false);
    cut_.reset();
    // Others may be made where they were copied.
    for (ValueId made = 0; made < context_.program.size(); ++made)
      if (whole_->frame->made_in[at(made)] >= 0) cuts_.ops[at(made)] = op_price(made);
  } else if (cut_ && frames_.with_loops(strategy_, true) != cut_->frame) {
    cut_.reset();
  }
}

/// Who else has its operands may have them as it needs them.
void TableTrial::replace(ValueId id, const OpPrice* price, std::vector<Kept>* kept) {
  const OpPrice* const before = std::exchange(cuts_.ops[at(id)], price);
  touch(id, kept);
  const std::vector<ValueId>& operands = context_.program.op(id).operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (before->needs[i] != price->needs[i]) touch(operands[i], kept);
  }
}

void TableTrial::set(ValueId value, const ShardingSpec& spec) {
  Change change{value, strategy_.specs[at(value)], cuts_.forms[at(value)], {}, {}};
  std::set<ValueId> ops;
  if (whole_->frame->made_in[at(value)] >= 0) ops.insert(value);
  for (const sharding::Use& use : tables_.graph().uses(value)) {
    if (whole_->frame->made_in[at(use.user)] >= 0) ops.insert(use.user);
  }
  for (const ValueId id : ops) change.ops.emplace_back(id, cuts_.ops[at(id)]);
  changes_.push_back(std::move(change));
  own_->specs[at(value)] = spec;
  try {
    cuts_.forms[at(value)] = form_of(value);
    reframe(value, changes_.back().spec);
    std::vector<Kept>* const kept = &changes_.back().kept;
    touch(value, kept);
    for (const ValueId id : ops) {  // but for what is now copied to its users
      if (whole_->frame->made_in[at(id)] >= 0) replace(id, op_price(id), kept);
    }
  } catch (const Error&) {
    undo();
    throw;
  }
}

void TableTrial::undo() {
  if (changes_.empty()) throw Error("there is no change of this strategy to undo");
  const Change change = std::move(changes_.back());
  changes_.pop_back();
  const ShardingSpec before = std::exchange(own_->specs[at(change.value)], change.spec);
  cuts_.forms[at(change.value)] = change.form;
  reframe(change.value, before);
  touch(change.value, nullptr);
  for (const auto& [id, price] : change.ops) replace(id, price, nullptr);
  for (const Kept& kept : change.kept) {
    whole_->take_back(kept);
    if (cut_) cut_->take_back(kept);
  }
}

}  // namespace rhino::evaluate
