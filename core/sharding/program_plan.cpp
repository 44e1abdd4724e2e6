// SPDX-License-Identifier: Apache-2.0
#include "sharding/program_plan.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "rhino/index.hpp"
#include "sharding/placed_ops.hpp"
#include "sharding/reshard_path.hpp"

namespace rhino::sharding {
namespace {

using Export = std::pair<ValueId, Repeat>;

/// Where a program gets a value from.
struct Import {
  Repeat repeat = Repeat::per_step;
  std::int32_t source = -1;
};

/// The program at `place` reads a value under `spec`, which lasts as long as plans are made.
struct Reading {
  Place place;
  const ShardingSpec* spec = nullptr;
  std::int32_t next = -1;  ///< another reading of that value
};

struct Draft {
  std::vector<ValueId> ops;
  std::set<ValueId> copied;  ///< copied values whose operands have been asked for
  std::vector<std::pair<ValueId, Import>> imports;  ///< each value once
  std::vector<bool> is_imported;                    ///< per value; empty: none is
  std::vector<Export> exports;                      ///< maybe repeatedly
  std::vector<std::size_t> outputs;                 ///< of the Program

  bool imports_value(ValueId value) const { return !is_imported.empty() && is_imported[at(value)]; }
};

bool is_owned(const Input& input) {
  return input.kind == InputKind::parameter || input.kind == InputKind::optimizer_state;
}

class Planner {
 public:
  explicit Planner(const StepGraph& graph)
      : graph_(graph),
        program_(graph.program()),
        placed_(graph),
        own_needs_(program_.ops.size()),
        first_reading_(program_.ops.size(), -1) {}

  std::vector<ProgramPlan> run(bool passes_alone) {
    for (const auto& [place, ops] : placed_.programs()) drafts_[place].ops = ops;
    for (const Place& place : places()) ask_for_operands(place);
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) ask_for_output(i);
    std::vector<ProgramPlan> plans;
    for (auto& [place, draft] : drafts_) {
      if (is_pass(place.phase) || !passes_alone) plans.push_back(finish(place, draft));
    }
    return plans;
  }

 private:
  const Mesh& mesh(std::int32_t chunk) const { return graph_.mesh(chunk); }
  const MicroView& view(ValueId id) const { return graph_.form(id).result; }

  std::vector<Place> places() const {
    std::vector<Place> result;
    for (const auto& [place, draft] : drafts_) result.push_back(place);
    return result;
  }

  void ask_for_operands(const Place& place) {
    // Asking adds drafts, never ops.
    Draft& draft = drafts_[place];
    for (ValueId id : draft.ops) {
      const std::vector<MicroView>& needs = graph_.form(id).needs;
      for (std::size_t i = 0; i < needs.size(); ++i) {
        ask_for_operand(place, draft, program_.op(id).operands[i], needs[i]);
      }
    }
  }

  void ask_for_output(std::size_t i) {
    const Output& output = program_.outputs[i];
    const Place& place = graph_.output_place(i);
    Draft& draft = drafts_[place];
    draft.outputs.push_back(i);
    if (output.kind != OutputKind::updated_state) {
      return ask(place, draft, output.value, wholes_.emplace_back(whole(output.value)));
    }
    const ValueId old = program_.inputs[static_cast<std::size_t>(output.input)].value;
    ask(place, draft, output.value, view(old));
    import(place, draft, old);
  }

  /// The value itself, in no special form.
  MicroView whole(ValueId id) const {
    const Shape& shape = program_.shape(id);
    return {shape, replicated(shape.dims.size()), false, -1, 0, false};
  }

  /// An op at `place`, whose draft is `draft`, reads `value` under `need`, which outlives this.
  void ask_for_operand(const Place& place, Draft& draft, ValueId value, const MicroView& need) {
    if (!graph_.is_copied(value) && graph_.home(value).phase == ChunkPhase::forward) {
      std::int32_t& first = first_reading_[at(value)];
      readings_.push_back({place, &need.spec, first});
      first = static_cast<std::int32_t>(readings_.size() - 1);
    }
    ask(place, draft, value, need);
  }

  /// The program at `place` needs `value`; where nobody else does on its mesh, under `need`, which
  /// outlives this.
  void ask(const Place& place, Draft& draft, ValueId value, const MicroView& need) {
    if (graph_.is_copied(value)) return ask_for_copied(place, draft, value, need);
    if (need.spec.partial.empty()) note_need(place.chunk, value, need.spec);
    if (!draft.imports_value(value) && !is_made_at(place, value)) import(place, draft, value);
  }

  void ask_for_copied(const Place& place, Draft& draft, ValueId value, const MicroView& need) {
    const std::vector<ValueId>& operands = program_.producer(value).operands;
    if (operands.empty() || !draft.copied.insert(value).second) return;
    const OpForm& form = graph_.copied_form(value, need, place.chunk);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      ask_for_operand(place, draft, operands[i], form.needs[i]);
    }
  }

  bool is_made_at(const Place& place, ValueId value) {
    if (graph_.input_of(value) != nullptr) return false;
    return graph_.home(value) == place || placed_.repeats(place, value);
  }

  void import(const Place& place, Draft& draft, ValueId value) {
    if (draft.imports_value(value)) return;
    draft.is_imported.resize(program_.ops.size());
    draft.is_imported[at(value)] = true;
    // What others hand on for it is added to other drafts.
    Import& port = draft.imports.emplace_back(value, Import{}).second;
    const bool per_micro_batch = is_pass(place.phase);
    const Input* input = graph_.input_of(value);
    const std::int32_t chunk = graph_.chunk_of(value);
    if (graph_.timing(value) == Timing::each && per_micro_batch) {
      port.repeat = Repeat::per_micro_batch;
    }
    if (input != nullptr && (!is_owned(*input) || chunk == place.chunk)) return;
    port.source = chunk;
    if (input != nullptr) return pass_on({chunk, ChunkPhase::prologue, 0}, value);
    if (graph_.timing(value) != Timing::each || per_micro_batch) {
      const bool anew = placed_.comes_anew(place, value);
      const Place maker = anew ? Place{place.chunk, ChunkPhase::backward, 0} : graph_.home(value);
      drafts_[maker].exports.push_back({value, port.repeat});
      return;
    }
    // Summed up once: a later program of the update gets the sum.
    if (chunk != place.chunk || place.level > 0) {
      return pass_on({chunk, ChunkPhase::update, 0}, value);
    }
    port.repeat = Repeat::accumulated;
    drafts_[graph_.home(value)].exports.push_back({value, port.repeat});
  }

  /// The program at `place` gets `value` and hands it on, once per step.
  void pass_on(const Place& place, ValueId value) {
    Draft& draft = drafts_[place];
    draft.exports.push_back({value, Repeat::per_step});
    import(place, draft, value);
  }

  // Specs.

  const ShardingSpec* first_need(std::int32_t chunk, ValueId value) const {
    if (chunk == graph_.chunk_of(value)) return own_needs_[at(value)];
    const auto found = other_needs_.find({chunk, value});
    return found == other_needs_.end() ? nullptr : found->second;
  }
  void note_need(std::int32_t chunk, ValueId value, const ShardingSpec& spec) {
    if (chunk != graph_.chunk_of(value)) other_needs_.try_emplace({chunk, value}, &spec);
    else if (own_needs_[at(value)] == nullptr) own_needs_[at(value)] = &spec;
  }

  /// The spec in which `value` leaves a program: as it is made, or where that is partial as it is
  /// first needed on that mesh.
  ShardingSpec resolved_spec(ValueId value) const {
    const ShardingSpec& made = view(value).spec;
    if (made.partial.empty()) return kept_spec(value);
    const std::int32_t home = graph_.chunk_of(value);
    if (const ShardingSpec* need = first_need(home, value)) return *need;
    for (std::size_t c = 0; c < graph_.strategy().chunks.size(); ++c) {
      const auto chunk = static_cast<std::int32_t>(c);
      const ShardingSpec* need = graph_.same_mesh(home, chunk) ? first_need(chunk, value) : nullptr;
      if (need != nullptr) return *need;
    }
    return without_partial(made);
  }

  /// What the passes behind a forward pass read, all in one way that it reads itself, is kept so,
  /// unless that takes more room: it moves once.
  const ShardingSpec& kept_spec(ValueId value) const {
    const ShardingSpec& made = view(value).spec;
    const ShardingSpec* kept = nullptr;
    for_each_reading(value, [&](const Reading& reading) {
      if (reading.place != graph_.home(value)) kept = reading.spec;
    });
    if (kept == nullptr || !kept->partial.empty()) return made;
    bool is_alike = true, is_moved = false;
    for_each_reading(value, [&](const Reading& reading) {
      const bool is_own = reading.place == graph_.home(value);
      if (is_own && is_moved) return;
      const bool is_kept = reading.spec == kept || *reading.spec == *kept;
      if (is_own) is_moved = is_kept;
      else is_alike = is_alike && is_kept && reading.place.chunk == graph_.chunk_of(value);
    });
    return is_alike && is_moved && tile_size(value, *kept) <= tile_size(value, made) ? *kept : made;
  }
  template <class Act>
  void for_each_reading(ValueId value, Act&& act) const {
    for (std::int32_t r = first_reading_[at(value)]; r >= 0; r = readings_[at(r)].next)
      act(readings_[at(r)]);
  }
  std::int64_t tile_size(ValueId value, const ShardingSpec& spec) const {
    const Mesh& on = mesh(graph_.chunk_of(value));
    return num_elements(tile_dims(view(value).shape.dims, layout_of(spec, on), on));
  }

  ShardingSpec import_spec(const Place& place, ValueId value, const Import& port) const {
    if (port.repeat == Repeat::accumulated) return accumulated_form(value).spec;
    const std::int32_t home = graph_.chunk_of(value);
    const bool known = port.source >= 0 ? graph_.same_mesh(home, place.chunk) : home == place.chunk;
    if (known) return resolved_spec(value);
    const ShardingSpec* need = first_need(place.chunk, value);
    return need != nullptr ? *need : replicated(view(value).shape.dims.size());
  }

  /// What crosses: one instance per micro-batch as it is made, anything else whole.
  MicroView border_form(ValueId value, Repeat repeat, ShardingSpec spec) const {
    const MicroView& made = view(value);
    return {.shape = made.shape,
            .spec = std::move(spec),
            .marked = made.marked,
            .micro_dim = made.micro_dim,
            .micro_period = made.micro_period,
            .accumulates = made.accumulates && repeat == Repeat::per_micro_batch,
            .halos = made.halos};
  }

  /// What a micro-batch adds to a sum: its term as it is made. Where it scatters that, and the sum
  /// is read in parts along all axes along which the term is partial, its part: so no device keeps
  /// more. There is nothing else to do where it is the only one.
  MicroView accumulated_form(ValueId value) const {
    MicroView form = view(value);
    const ShardingSpec* need = first_need(graph_.chunk_of(value), value);
    const std::vector<Partial>& partial = form.spec.partial;
    const bool scatters = need != nullptr && !partial.empty() && may_scatter_each() &&
                          std::ranges::all_of(partial, [&](const Partial& term) {
                            return term.reduction == Reduction::sum && splits(*need, term.axis);
                          });
    if (scatters) form.spec = *need;
    return form;
  }
  bool may_scatter_each() const {
    return graph_.strategy().gradient_sums.scatter_each || graph_.num_micro_batches() == 1;
  }
  static bool splits(const ShardingSpec& spec, AxisId axis) {
    return std::ranges::any_of(spec.dims, [&](const DimSharding& dim) {
      return std::ranges::find(dim.splits, axis, &AxisSplit::axis) != dim.splits.end();
    });
  }

  // An accumulated output is the term of one micro-batch.
  MicroView export_form(const Export& leaving) const {
    const auto& [value, repeat] = leaving;
    return repeat == Repeat::accumulated ? accumulated_form(value)
                                         : border_form(value, repeat, resolved_spec(value));
  }

  PlannedOutput program_output(const Place& place, const Output& output) const {
    const ValueId value = output.value;
    if (output.kind == OutputKind::updated_state) {
      const ValueId old = program_.inputs[static_cast<std::size_t>(output.input)].value;
      return {value, Repeat::per_step, view(old), old};
    }
    if (graph_.is_copied(value)) return {value, Repeat::per_step, whole(value), kNoValue};
    const Repeat repeat = is_pass(place.phase) ? Repeat::per_micro_batch : Repeat::per_step;
    return {value, repeat, border_form(value, repeat, resolved_spec(value)), kNoValue};
  }

  ProgramPlan finish(const Place& place, Draft& draft) const {
    ProgramPlan plan{place, std::move(draft.ops), {}, {}};
    std::ranges::sort(draft.imports, {}, &std::pair<ValueId, Import>::first);
    std::ranges::sort(draft.exports);
    const auto repeated = std::ranges::unique(draft.exports);
    draft.exports.erase(repeated.begin(), repeated.end());
    for (const auto& [value, port] : draft.imports) {
      MicroView form = border_form(value, port.repeat, import_spec(place, value, port));
      plan.inputs.push_back({value, port.repeat, port.source, std::move(form)});
    }
    for (const Export& leaving : draft.exports) {
      plan.outputs.push_back({leaving.first, leaving.second, export_form(leaving), kNoValue});
    }
    for (std::size_t i : draft.outputs) {
      const Output& output = program_.outputs[i];
      PlannedOutput planned = program_output(place, output);
      const bool updates = output.kind == OutputKind::updated_state;
      const Export same{planned.value, planned.repeat};
      if (updates || !std::ranges::binary_search(draft.exports, same))
        plan.outputs.push_back(std::move(planned));
    }
    return plan;
  }

  const StepGraph& graph_;
  const Program& program_;
  const PlacedOps placed_;
  std::map<Place, Draft> drafts_;
  /// First form without partial sums that a value is needed in: by its own chunk, by others.
  std::vector<const ShardingSpec*> own_needs_;
  std::map<std::pair<std::int32_t, ValueId>, const ShardingSpec*> other_needs_;
  std::vector<Reading> readings_;            ///< of what forward passes make
  std::vector<std::int32_t> first_reading_;  ///< per value, into readings_; -1: none
  std::deque<MicroView> wholes_;             ///< of outputs of the Program
};

}  // namespace

std::vector<ProgramPlan> plan_programs(const StepGraph& graph, bool passes_alone) {
  return Planner(graph).run(passes_alone);
}

}  // namespace rhino::sharding
