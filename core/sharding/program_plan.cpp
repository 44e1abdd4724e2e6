// SPDX-License-Identifier: Apache-2.0
#include "sharding/program_plan.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

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
};

struct Draft {
  std::vector<ValueId> ops;
  std::set<ValueId> copied;  ///< copied values whose operands have been asked for
  std::map<ValueId, Import> imports;
  std::set<Export> exports;
  std::vector<std::size_t> outputs;  ///< of the Program
};

bool is_owned(const Input& input) {
  return input.kind == InputKind::parameter || input.kind == InputKind::optimizer_state;
}

class Planner {
 public:
  explicit Planner(const StepGraph& graph)
      : graph_(graph), program_(graph.program()), placed_(graph) {}

  std::vector<ProgramPlan> run() {
    for (const auto& [place, ops] : placed_.programs()) drafts_[place].ops = ops;
    for (const Place& place : places()) ask_for_operands(place);
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) ask_for_output(i);
    std::vector<ProgramPlan> plans;
    for (const auto& [place, draft] : drafts_) plans.push_back(finish(place, draft));
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
    for (ValueId id : drafts_[place].ops) {
      const std::vector<MicroView>& needs = graph_.form(id).needs;
      for (std::size_t i = 0; i < needs.size(); ++i) {
        ask_for_operand(place, program_.op(id).operands[i], needs[i]);
      }
    }
  }

  void ask_for_output(std::size_t i) {
    const Output& output = program_.outputs[i];
    const Place& place = graph_.output_place(i);
    drafts_[place].outputs.push_back(i);
    if (output.kind != OutputKind::updated_state) {
      return ask(place, output.value, whole(output.value));
    }
    const ValueId old = program_.inputs[static_cast<std::size_t>(output.input)].value;
    ask(place, output.value, view(old));
    import(place, old);
  }

  /// The value itself, in no special form.
  MicroView whole(ValueId id) const {
    const Shape& shape = program_.shape(id);
    return {shape, replicated(shape.dims.size()), false, -1, 0, false};
  }

  /// An op at `place` reads `value` under `need`, which outlives this.
  void ask_for_operand(const Place& place, ValueId value, const MicroView& need) {
    if (!graph_.is_copied(value) && graph_.home(value).phase == ChunkPhase::forward)
      readings_[value].push_back({place, &need.spec});
    ask(place, value, need);
  }

  /// The program at `place` needs `value`; where nobody else does on its mesh, under `need`.
  void ask(const Place& place, ValueId value, const MicroView& need) {
    if (graph_.is_copied(value)) return ask_for_copied(place, value, need);
    if (need.spec.partial.empty()) needs_.try_emplace({place.chunk, value}, need.spec);
    if (!is_made_at(place, value)) import(place, value);
  }

  void ask_for_copied(const Place& place, ValueId value, const MicroView& need) {
    const std::vector<ValueId>& operands = program_.producer(value).operands;
    if (operands.empty() || !drafts_[place].copied.insert(value).second) return;
    const OpForm& form = copied_forms_.emplace_back(graph_.copied_form(value, need, place.chunk));
    for (std::size_t i = 0; i < operands.size(); ++i) {
      ask_for_operand(place, operands[i], form.needs[i]);
    }
  }

  bool is_made_at(const Place& place, ValueId value) {
    if (graph_.input_of(value) != nullptr) return false;
    return graph_.home(value) == place || placed_.repeats(place, value);
  }

  void import(const Place& place, ValueId value) {
    if (drafts_[place].imports.contains(value)) return;
    const bool per_micro_batch = is_pass(place.phase);
    Import& port = drafts_[place].imports[value];
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
      drafts_[maker].exports.insert({value, port.repeat});
      return;
    }
    // Summed up once: a later program of the update gets the sum.
    if (chunk != place.chunk || place.level > 0) {
      return pass_on({chunk, ChunkPhase::update, 0}, value);
    }
    port.repeat = Repeat::accumulated;
    drafts_[graph_.home(value)].exports.insert({value, port.repeat});
  }

  /// The program at `place` gets `value` and hands it on, once per step.
  void pass_on(const Place& place, ValueId value) {
    drafts_[place].exports.insert({value, Repeat::per_step});
    import(place, value);
  }

  // Specs.

  const ShardingSpec* first_need(std::int32_t chunk, ValueId value) const {
    const auto found = needs_.find({chunk, value});
    return found == needs_.end() ? nullptr : &found->second;
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
    const auto found = readings_.find(value);
    if (found == readings_.end()) return made;
    const ShardingSpec* kept = nullptr;
    for (const auto& [place, spec] : found->second) {
      if (place == graph_.home(value)) continue;
      if (place.chunk != graph_.chunk_of(value) || (kept != nullptr && *spec != *kept)) return made;
      kept = spec;
    }
    const bool is_moved = kept != nullptr && kept->partial.empty() &&
                          std::ranges::any_of(found->second, [&](const Reading& reading) {
                            return reading.place == graph_.home(value) && *reading.spec == *kept;
                          });
    return is_moved && tile_size(value, *kept) <= tile_size(value, made) ? *kept : made;
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
    MicroView form = view(value);
    form.spec = std::move(spec);
    if (repeat != Repeat::per_micro_batch) form.accumulates = false;
    return form;
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

  ProgramPlan finish(const Place& place, const Draft& draft) const {
    ProgramPlan plan{place, draft.ops, {}, {}};
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
      if (updates || !draft.exports.contains(same)) plan.outputs.push_back(std::move(planned));
    }
    return plan;
  }

  const StepGraph& graph_;
  const Program& program_;
  const PlacedOps placed_;
  std::map<Place, Draft> drafts_;
  /// First form without partial sums that a chunk needs a value in.
  std::map<std::pair<std::int32_t, ValueId>, ShardingSpec> needs_;
  std::unordered_map<ValueId, std::vector<Reading>> readings_;  ///< of what forward passes make
  std::deque<OpForm> copied_forms_;
};

}  // namespace

std::vector<ProgramPlan> plan_programs(const StepGraph& graph) { return Planner(graph).run(); }

}  // namespace rhino::sharding
