// SPDX-License-Identifier: Apache-2.0
#include "sharding/program_writer.hpp"

#include <algorithm>
#include <deque>

#include "ir/builder.hpp"
#include "ir/few.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "rhino/tile.hpp"
#include "sharding/local_op.hpp"
#include "sharding/reshard_path.hpp"

namespace rhino::sharding {
namespace {

/// A local value that holds a value of the Program in `form`, which is borrowed.
struct Held {
  const MicroView* form = nullptr;
  ValueId local = kNoValue;
};

const char* phase_name(ChunkPhase phase) {
  constexpr const char* kNames[] = {"prologue", "forward", "backward", "weight", "update"};
  return kNames[static_cast<int>(phase)];
}

Phase op_phase(ChunkPhase phase) {
  constexpr Phase kPhases[] = {Phase::forward, Phase::forward, Phase::backward, Phase::backward,
                               Phase::update};
  return kPhases[static_cast<int>(phase)];
}

Port port_of(const PlannedInput& input) {
  return {input.value, input.repeat, input.form.shape, input.form.spec, input.source};
}
Port port_of(const PlannedOutput& output) {
  return {output.value, output.repeat, output.form.shape, output.form.spec, -1};
}

/// Mostly one.
using Forms = ir::Few<Held, 1>;

class ProgramWriter {
 public:
  ProgramWriter(const StepGraph& graph, const ProgramPlan& plan, LocalOps& known)
      : graph_(graph),
        plan_(plan),
        known_(known),
        program_(graph.program()),
        mesh_(graph.mesh(plan.place.chunk)),
        builder_("chunk" + std::to_string(plan.place.chunk) + "." + phase_name(plan.place.phase)),
        place_of_(program_.ops.size(), -1) {
    builder_.set_phase(op_phase(plan.place.phase));
    held_.reserve(plan.inputs.size() + plan.ops.size());
    builder_.reserve(plan.inputs.size() + plan.ops.size());
  }

  ChunkProgram write() && {
    for (const PlannedInput& input : plan_.inputs) add_input(input);
    for (ValueId id : plan_.ops) {
      builder_.set_phase(is_repeated(id) ? Phase::forward : op_phase(plan_.place.phase));
      hold(id, graph_.form(id).result, write(id, graph_.form(id)));
      add_exports(id);
    }
    for (const PlannedOutput& output : plan_.outputs) add_output(output);
    result_.chunk = plan_.place.chunk;
    result_.phase = plan_.place.phase;
    result_.level = plan_.place.level;
    result_.program = std::move(builder_).finish();
    return std::move(result_);
  }

 private:
  bool is_repeated(ValueId id) const {
    const bool is_backward =
        plan_.place.phase == ChunkPhase::backward || plan_.place.phase == ChunkPhase::weight;
    return is_backward && graph_.home(id) != plan_.place;
  }

  void add_input(const PlannedInput& input) {
    const MicroView& form = input.form;
    const Shape tile{form.shape.dtype, tile_dims(form.shape.dims, form.spec, mesh_)};
    const ValueId local =
        builder_.input(InputKind::batch, tile, {}, program_.producer(input.value).name);
    result_.inputs.push_back(port_of(input));
    hold(input.value, form, local);
  }

  /// Makes what leaves as soon as it can be made, so that its communication may begin.
  void add_exports(ValueId id) {
    const auto first = std::lower_bound(
        plan_.outputs.begin(), plan_.outputs.end(), id,
        [](const PlannedOutput& output, ValueId value) { return output.value < value; });
    for (auto output = first; output != plan_.outputs.end() && output->value == id; ++output) {
      fetch(id, output->form);
    }
  }

  void add_output(const PlannedOutput& output) {
    const ValueId local = fetch(output.value, output.form);
    OutputKind kind = OutputKind::value;
    std::int32_t replaced = -1;
    if (output.replaces != kNoValue) {
      kind = OutputKind::updated_state;
      replaced = input_index(output.replaces);
    }
    builder_.output(local, kind, replaced);
    result_.outputs.push_back(port_of(output));
  }

  std::int32_t input_index(ValueId value) const {
    const auto found = std::find_if(result_.inputs.begin(), result_.inputs.end(),
                                    [&](const Port& port) { return port.value == value; });
    return static_cast<std::int32_t>(found - result_.inputs.begin());
  }

  /// `form` lasts.
  void hold(ValueId id, const MicroView& form, ValueId local) {
    held(id).push_back({&form, local});
  }
  /// Until another value is held.
  Forms& held(ValueId id) {
    std::int32_t& place = place_of_[at(id)];
    if (place < 0) place = static_cast<std::int32_t>(held_.size()), held_.emplace_back();
    return held_[at(place)];
  }

  /// An op of the graph, whose form others may share.
  ValueId write(ValueId id, const OpForm& form) {
    const std::vector<ValueId> operands = fetch_operands(id, form);
    if (const Op* known = known_.find(form))
      return builder_.add_like(*known, operands, program_.op(id).name);
    const std::int32_t size = builder_.program().size();
    const ValueId local = append_local_op(builder_, program_, id, form, operands, mesh_);
    const Op& made = builder_.program().op(local);
    const bool is_one = builder_.program().size() == size + 1 && local == size;
    if (is_one && made.operands == operands) known_.add(form, made);
    return local;
  }

  std::vector<ValueId> fetch_operands(ValueId id, const OpForm& form) {
    const std::vector<ValueId>& operands = program_.op(id).operands;
    std::vector<ValueId> locals;
    locals.reserve(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      locals.push_back(fetch(operands[i], form.needs[i]));
    }
    return locals;
  }

  /// The local value that holds `id` as `need` says.
  ValueId fetch(ValueId id, const MicroView& need) {
    const auto same = [&](const Held& held) {
      const MicroView& form = *held.form;
      return &form == &need || (form.cut_like(need) && form.accumulates == need.accumulates &&
                                form.spec == need.spec && form.halos == need.halos);
    };
    const Forms& forms = held(id);
    const auto found = std::find_if(forms.begin(), forms.end(), same);
    if (found != forms.end()) return found->local;
    if (!need.halos.empty()) return with_halos(id, need);
    if (graph_.is_copied(id) && !has_cut(forms, need)) copy(id, need);
    const ValueId local = adapt(id, need);
    if (std::none_of(held(id).begin(), held(id).end(), same)) hold(id, need, local);
    return local;
  }

  ValueId with_halos(ValueId id, const MicroView& need) {
    MicroView& tile = tiles_.emplace_back(need);
    tile.halos.clear();
    ValueId local = fetch(id, tile);
    for (const Halo& halo : need.halos) local = append_halo(builder_, local, halo, mesh_);
    hold(id, need, local);
    return local;
  }

  static bool has_cut(const Forms& forms, const MicroView& need) {
    return std::any_of(forms.begin(), forms.end(), [&](const Held& held) {
      return held.form->halos.empty() && held.form->cut_like(need) &&
             held.form->spec == without_partial(need.spec);
    });
  }

  void copy(ValueId id, const MicroView& need) {
    const OpForm& form = graph_.copied_form(id, need, plan_.place.chunk);
    hold(id, form.result, write(id, form));
  }

  /// Reshards the form that is held from which the fewest bytes have to move.
  ValueId adapt(ValueId id, const MicroView& need) {
    const Held base = nearest(id, need);
    const MicroView& form = *base.form;
    const bool spread = need.accumulates && !form.accumulates;
    if (!form.cut_like(need) || (form.accumulates && !need.accumulates)) {
      throw Error(graph_.text(id) + " is cut over micro-batches in another way than an op of " +
                  builder_.program().name + " needs it");
    }
    const ValueId local =
        append_reshard(builder_, base.local, form.shape, form.spec, need.spec, mesh_);
    return spread ? per_micro_batch(id, local) : local;
  }

  const Held& nearest(ValueId id, const MicroView& need) const {
    const Forms& forms = held_[at(place_of_[at(id)])];
    if (forms.size() == 1) return forms[0];
    const Layout goal = layout_of(need.spec, mesh_);
    const auto cost = [&](const Held& held) {
      const MicroView& form = *held.form;
      const bool fits =
          form.halos.empty() && form.cut_like(need) && (need.accumulates || !form.accumulates);
      const Layout layout = layout_of(form.spec, mesh_);
      const std::vector<std::int64_t>& dims = form.shape.dims;
      return std::make_pair(!fits, fits ? reshard_elements(dims, layout, goal, mesh_) : 0);
    };
    return *std::min_element(forms.begin(), forms.end(),
                             [&](const Held& a, const Held& b) { return cost(a) < cost(b); });
  }

  /// The term of one micro-batch of a value that is the same for all.
  ValueId per_micro_batch(ValueId id, ValueId local) {
    const std::int64_t count = graph_.num_micro_batches();
    if (count == 1) return local;
    if (!is_floating(program_.shape(id).dtype)) {
      throw Error(graph_.text(id) + " is no floating-point value: it cannot be a sum over " +
                  std::to_string(count) + " micro-batches");
    }
    return builder_.scale(local, 1.0 / static_cast<double>(count));
  }

  const StepGraph& graph_;
  const ProgramPlan& plan_;
  LocalOps& known_;
  const Program& program_;
  const Mesh& mesh_;
  ir::Builder builder_;
  ChunkProgram result_;
  std::vector<std::int32_t> place_of_;  ///< per value, in held_; -1: it is not there
  std::vector<Forms> held_;
  std::deque<MicroView> tiles_;  ///< of what is needed with halos
};

}  // namespace

ChunkProgram write_program(const StepGraph& graph, const ProgramPlan& plan, LocalOps& known) {
  return ProgramWriter(graph, plan, known).write();
}

ChunkProgram ports_of(const ProgramPlan& plan) {
  ChunkProgram ports{
      .chunk = plan.place.chunk, .phase = plan.place.phase, .level = plan.place.level};
  for (const PlannedInput& input : plan.inputs) ports.inputs.push_back(port_of(input));
  for (const PlannedOutput& output : plan.outputs) ports.outputs.push_back(port_of(output));
  return ports;
}

}  // namespace rhino::sharding
