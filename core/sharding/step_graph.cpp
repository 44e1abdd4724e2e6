// SPDX-License-Identifier: Apache-2.0
#include "sharding/step_graph.hpp"

#include <algorithm>
#include <limits>

#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "rhino/error.hpp"

namespace rhino::sharding {
namespace {

using Edges = std::set<std::pair<std::int32_t, std::int32_t>>;

/// Whether nodes 0 .. num_nodes-1 can be ordered so that every edge points forward.
bool is_acyclic(const Edges& edges, std::int32_t num_nodes) {
  std::vector<std::int32_t> num_before(static_cast<std::size_t>(num_nodes)), ready;
  for (const auto& [from, to] : edges) ++num_before[static_cast<std::size_t>(to)];
  for (std::int32_t node = 0; node < num_nodes; ++node) {
    if (num_before[static_cast<std::size_t>(node)] == 0) ready.push_back(node);
  }
  std::int32_t num_done = 0;
  while (!ready.empty()) {
    const std::int32_t node = ready.back();
    ready.pop_back();
    ++num_done;
    for (auto edge = edges.lower_bound({node, 0}); edge != edges.end() && edge->first == node;
         ++edge) {
      if (--num_before[static_cast<std::size_t>(edge->second)] == 0) ready.push_back(edge->second);
    }
  }
  return num_done == num_nodes;
}

}  // namespace

StepGraph::StepGraph(const Program& program, const Strategy& strategy, const OpGraph* graph)
    : program_(program),
      strategy_(strategy),
      chunks_of_(strategy.chunk_of),
      nodes_(program.ops.size()),
      made_forms_(1),
      forms_(program.ops.size(), &made_forms_.front()),
      graph_(graph) {
  if (graph_ != nullptr) keys_.emplace(*graph_, strategy_, chunks_of_);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    nodes_[index(program.inputs[i].value)].input = static_cast<std::int32_t>(i);
  }
  for (ValueId id = 0; id < program.size(); ++id) classify(id);
  mark_early();
  if (num_micro_batches() == 1) spread_in_passes();
  place_ops();
  check_micro_order();
  order_phase(ChunkPhase::prologue);
  order_phase(ChunkPhase::update);
}

const Input* StepGraph::input_of(ValueId id) const {
  const std::int32_t input = nodes_[index(id)].input;
  return input < 0 ? nullptr : &program_.inputs[static_cast<std::size_t>(input)];
}

std::string StepGraph::text(ValueId id) const {
  const std::string& name = op(id).name;
  return "op " + std::to_string(id) + " " + std::string(ir::op_name(op(id).kind)) +
         (name.empty() ? "" : " '" + name + "'");
}

void StepGraph::classify(ValueId id) {
  Node& node = nodes_[index(id)];
  node.copied = may_copy(id);
  find_chunk(id);
  if (node.copied) {
    node.timing = copied_timing(id);
    return;
  }
  chunks_of_[index(id)] = node.chunk;
  make_form(id);
  if (adds_terms(id)) add_terms(id);
  node.timing = node.input >= 0 ? input_timing(id) : op_timing(id);
}

bool StepGraph::may_copy(ValueId id) const {
  const Op& op = this->op(id);
  if (op.kind == OpKind::constant || op.kind == OpKind::iota) return true;
  if (op.kind == OpKind::broadcast && op.operands.size() == 1 &&
      this->shape(op.operands[0]).dims.empty() && strategy_.specs[index(id)].partial.empty()) {
    return true;
  }
  if (op.kind == OpKind::parameter || op.kind == OpKind::rng || chunks_of_[index(id)] >= 0) {
    return false;
  }
  return std::all_of(op.operands.begin(), op.operands.end(), [&](ValueId operand) {
    const Input* input = input_of(operand);
    return is_copied(operand) || (input != nullptr && input->kind == InputKind::scalar);
  });
}

/// What the strategy leaves open goes to where its operands are.
void StepGraph::find_chunk(ValueId id) {
  Node& node = nodes_[index(id)];
  node.chunk = chunks_of_[index(id)];
  if (node.chunk >= 0) return;
  for (ValueId operand : op(id).operands) node.chunk = std::max(node.chunk, chunk_of(operand));
  if (node.chunk >= 0 || node.copied) return;
  const Input* input = input_of(id);
  const bool anywhere =
      input == nullptr || input->kind == InputKind::batch || input->kind == InputKind::scalar;
  if (!anywhere && strategy_.chunks.size() > 1)
    throw Error(text(id) + " has no chunk that owns it");
  node.chunk = 0;
}

/// Whether op `id` adds two sums over micro-batches that nothing else reads, as they are made: then
/// each micro-batch adds its terms, and one sum is kept in place of two. So it is with the gradient
/// of a weight that is used twice, as a tied embedding.
bool StepGraph::adds_terms(ValueId id) const {
  const Op& op = this->op(id);
  if (op.kind != OpKind::add || op.operands[0] == op.operands[1]) return false;
  const OpForm& form = *forms_[index(id)];
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const ValueId operand = op.operands[i];
    const MicroView& made = forms_[index(operand)]->result;
    const bool is_sum = input_of(operand) == nullptr && !is_copied(operand) &&
                        timing(operand) == Timing::each && made.accumulates;
    if (!is_sum || chunk_of(operand) != chunk_of(id) || form.needs[i].accumulates ||
        form.needs[i].spec != made.spec || !is_read_once(operand))
      return false;
  }
  return true;
}

void StepGraph::add_terms(ValueId id) {
  OpForm& form = made_forms_.emplace_back(*forms_[index(id)]);
  for (MicroView& need : form.needs) need.accumulates = need.marked = true;
  form.result.accumulates = form.result.marked = true;
  forms_[index(id)] = &form;
}

bool StepGraph::is_read_once(ValueId id) const {
  if (graph_ != nullptr) return graph_->uses(id).size() == 1 && !graph_->is_output(id);
  if (num_uses_.empty()) {
    num_uses_.resize(nodes_.size());
    for (const Op& op : program_.ops) {
      for (const ValueId operand : op.operands) ++num_uses_[index(operand)];
    }
    for (const Output& output : program_.outputs) ++num_uses_[index(output.value)];
  }
  return num_uses_[index(id)] == 1;
}

Timing StepGraph::input_timing(ValueId id) const {
  if (input_of(id)->kind != InputKind::batch) return Timing::once;
  const bool each = forms_[index(id)]->result.marked || num_micro_batches() == 1;
  return each ? Timing::each : Timing::once;
}

/// Whether an op that reads the whole of `operand` comes behind an accumulated value.
bool StepGraph::waits(ValueId operand) const {
  return timing(operand) == Timing::after ||
         (timing(operand) == Timing::each && forms_[index(operand)]->result.accumulates);
}

Timing StepGraph::copied_timing(ValueId id) const {
  Timing result = Timing::once;
  for (ValueId operand : op(id).operands) {
    if (waits(operand)) return Timing::after;
    if (timing(operand) == Timing::each) result = Timing::each;
  }
  return result;
}

Timing StepGraph::op_timing(ValueId id) const {
  const Op& op = this->op(id);
  const OpForm& form = *forms_[index(id)];
  bool waiting = false, per_micro_batch = form.result.marked;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const bool waits_here = waits(op.operands[i]) && !form.needs[i].accumulates;
    if (waits_here && form.result.marked) {
      throw Error(text(id) + " runs once per micro-batch but reads " + text(op.operands[i]) +
                  ", which is complete only after all of them");
    }
    waiting |= waits_here;
    per_micro_batch |= timing(op.operands[i]) == Timing::each;
  }
  if (waiting) return Timing::after;
  if (!per_micro_batch) return Timing::once;
  // With one micro-batch nothing needs to be marked: updates still run in their own phase.
  const bool updates = !form.result.marked && op.phase == Phase::update;
  return updates ? Timing::after : Timing::each;
}

void StepGraph::mark_early() {
  for (ValueId id = program_.size() - 1; id >= 0; --id) {
    const Node& node = nodes_[index(id)];
    if (!node.early && (node.copied || node.timing != Timing::each)) continue;
    for (ValueId operand : op(id).operands) nodes_[index(operand)].early = true;
  }
}

/// What is the same for all rows of a batch, written once for each of them, would fill memory from
/// the prologue on: a pass makes it, as it does where there are several micro-batches.
void StepGraph::spread_in_passes() {
  for (ValueId id = 0; id < program_.size(); ++id) {
    Node& node = nodes_[index(id)];
    if (node.input >= 0) continue;
    const bool spreads = node.timing == Timing::once && node.early && !node.copied &&
                         op(id).kind == OpKind::broadcast;
    node.timing = spreads ? Timing::each : node.copied ? copied_timing(id) : op_timing(id);
  }
  mark_early();
}

void StepGraph::place_ops() {
  for (ValueId id = 0; id < program_.size(); ++id) {
    Node& node = nodes_[index(id)];
    for (ValueId operand : op(id).operands) node.backward |= nodes_[index(operand)].backward;
    if (node.input >= 0 || node.copied) continue;
    node.backward |= op(id).phase != Phase::forward;
    node.home.chunk = node.chunk;
    if (node.timing == Timing::each) {
      node.home.phase = node.backward ? ChunkPhase::backward : ChunkPhase::forward;
    } else {
      const bool early = node.timing == Timing::once && node.early;
      node.home.phase = early ? ChunkPhase::prologue : ChunkPhase::update;
    }
  }
}

/// From the last op to the first, so that the readers of each are known.
void StepGraph::cut_backward(const std::vector<bool>& is_cut) {
  std::vector<bool> is_read(nodes_.size());  // by anything but the weight program of its chunk
  for (std::size_t i = 0; i < output_places_.size(); ++i) {
    if (is_pass(output_places_[i].phase)) is_read[index(program_.outputs[i].value)] = true;
  }
  for (ValueId id = program_.size() - 1; id >= 0; --id) {
    Node& node = nodes_[index(id)];
    const bool is_op = node.input < 0 && !node.copied;
    if (is_op && node.backward && is_pass(node.home.phase)) {
      const bool leaves = is_read[index(id)] && !forms_[index(id)]->result.accumulates;
      const bool is_weight = !is_cut.empty() && is_cut[static_cast<std::size_t>(node.chunk)] &&
                             !leaves && !is_activation_gradient(id);
      node.home.phase = is_weight ? ChunkPhase::weight : ChunkPhase::backward;
    }
    for (const ValueId operand : op(id).operands) {
      const bool same = is_op && node.home.phase == ChunkPhase::weight &&
                        (is_copied(operand) || chunk_of(operand) == node.chunk);
      if (!same) is_read[index(operand)] = true;
    }
  }
}

/// Though no other program may read it. A partial sum is better summed up where its reader is.
bool StepGraph::is_activation_gradient(ValueId id) const {
  const MicroView& result = forms_[index(id)]->result;
  return ir::traits(op(id).kind).heavy && !result.accumulates && result.spec.partial.empty();
}

void StepGraph::check_micro_order() const {
  Edges edges;
  const auto node_of = [](const Place& place) {
    return 2 * place.chunk + (place.phase == ChunkPhase::backward);
  };
  for (ValueId id = 0; id < program_.size(); ++id) {
    if (is_copied(id) || timing(id) != Timing::each) continue;
    for (ValueId operand : op(id).operands) {
      const bool made_here = input_of(operand) == nullptr && !is_copied(operand);
      if (!made_here || timing(operand) != Timing::each || home(operand) == home(id)) continue;
      edges.insert({node_of(home(operand)), node_of(home(id))});
    }
  }
  if (is_acyclic(edges, 2 * static_cast<std::int32_t>(strategy_.chunks.size()))) return;
  throw Error("strategy '" + strategy_.name +
              "': chunks wait for each other in a circle within a micro-batch");
}

std::int32_t StepGraph::arrival(ValueId value, const Place& reader) {
  if (is_copied(value)) {
    std::int32_t level = 0;
    for (ValueId operand : op(value).operands) level = std::max(level, arrival(operand, reader));
    return level;
  }
  const Input* input = input_of(value);
  const bool here = chunk_of(value) == reader.chunk;
  const auto cross = [&](std::int32_t level) {
    waits_for_.insert({chunk_of(value), reader.chunk});
    return level + 1;
  };
  if (input != nullptr) {
    const bool owned =
        input->kind == InputKind::parameter || input->kind == InputKind::optimizer_state;
    return owned && !here && reader.phase == ChunkPhase::prologue ? cross(0) : 0;
  }
  const Place& home = this->home(value);
  if (home.phase == reader.phase) return here ? home.level : cross(home.level);
  return timing(value) == Timing::each && !here ? cross(0) : 0;
}

void StepGraph::order_phase(ChunkPhase phase) {
  waits_for_.clear();
  for (ValueId id = 0; id < program_.size(); ++id) {
    Node& node = nodes_[index(id)];
    if (node.input >= 0 || node.copied || node.home.phase != phase) continue;
    for (ValueId operand : op(id).operands) {
      node.home.level = std::max(node.home.level, arrival(operand, node.home));
    }
  }
  if (phase == ChunkPhase::update) {
    for (const Output& output : program_.outputs) output_places_.push_back(place_output(output));
  }
  if (waits_in_turn()) {
    if (phase == ChunkPhase::update) delay_updates();
    return;
  }
  for (Node& node : nodes_) {
    if (node.home.phase == phase) node.home.level = 0;
  }
  for (Place& place : output_places_) place.level = 0;
}

/// Chunks wait for each other in a circle within a phase, or meshes do, each in several chunks.
bool StepGraph::waits_in_turn() const {
  std::vector<std::int32_t> first;  // per chunk, of its mesh
  const auto num_chunks = static_cast<std::int32_t>(strategy_.chunks.size());
  for (std::int32_t chunk = 0; chunk < num_chunks; ++chunk) {
    first.push_back(0);
    while (!same_mesh(first.back(), chunk)) ++first.back();
  }
  std::set<std::pair<std::int32_t, std::int32_t>> meshes;
  for (const auto& [from, to] : waits_for_) {
    const std::pair between(first[index(from)], first[index(to)]);
    if (between.first != between.second) meshes.insert(between);
  }
  return !is_acyclic(waits_for_, num_chunks) || !is_acyclic(meshes, num_chunks);
}

/// Ops that only later programs of their chunk read go to the first of those: of an update that a
/// flag from other chunks may skip, all that would lie beside the old states until it comes.
void StepGraph::delay_updates() {
  std::vector<std::int32_t> latest(nodes_.size(), std::numeric_limits<std::int32_t>::max());
  const auto read = [&](ValueId value, bool is_here, std::int32_t level) {
    std::int32_t& least = latest[index(value)];
    least = std::min(least, is_here && !is_copied(value) ? level : 0);
  };
  for (const Output& output : program_.outputs) {
    if (output.kind != OutputKind::updated_state) read(output.value, false, 0);
  }
  for (ValueId id = program_.size() - 1; id >= 0; --id) {
    Node& node = nodes_[index(id)];
    const bool is_late = latest[index(id)] != std::numeric_limits<std::int32_t>::max();
    const bool updates = node.input < 0 && !node.copied && node.home.phase == ChunkPhase::update;
    if (updates && is_late && !ir::traits(op(id).kind).heavy)
      node.home.level = std::max(node.home.level, latest[index(id)]);
    for (const ValueId operand : op(id).operands)
      read(operand, updates && chunk_of(operand) == node.chunk, node.home.level);
  }
  for (std::size_t o = 0; o < output_places_.size(); ++o)
    output_places_[o] = place_output(program_.outputs[o]);
}

Place StepGraph::place_output(const Output& output) {
  const ValueId value = output.value;
  if (output.kind == OutputKind::updated_state) {
    const Input& input = program_.inputs[static_cast<std::size_t>(output.input)];
    Place place{chunk_of(input.value), ChunkPhase::update, 0};
    place.level = arrival(value, place);
    return place;
  }
  if (is_copied(value)) return {std::max(chunk_of(value), 0), ChunkPhase::update, 0};
  const bool is_input = input_of(value) != nullptr;
  const bool cut = forms_[index(value)]->result.micro_dim >= 0;
  if (timing(value) == Timing::each && cut) {
    return is_input ? Place{chunk_of(value), ChunkPhase::forward, 0} : home(value);
  }
  if (timing(value) == Timing::each || is_input) return {chunk_of(value), ChunkPhase::update, 0};
  return home(value);
}

}  // namespace rhino::sharding
