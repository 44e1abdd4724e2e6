// SPDX-License-Identifier: Apache-2.0
#include "evaluate/frame.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "evaluate/frame_crossings.hpp"
#include "rhino/index.hpp"
#include "sharding/placed_ops.hpp"

namespace rhino::evaluate {
namespace {

using sharding::ChunkPhase;

bool is_cut_by_micro_batches(const DimSharding& dim) {
  return std::ranges::count(dim.splits, kMicroAxis, &AxisSplit::axis) > 0;
}

/// Fills the passes of a frame.
class PassMaker {
 public:
  PassMaker(const sharding::OpGraph& graph, const Strategy& strategy, Frame& frame, bool is_cut)
      : graph_(graph),
        strategy_(strategy),
        frame_(frame),
        step_(graph.program(), strategy, &graph) {
    if (is_cut) step_.cut_backward(std::vector<bool>(strategy.chunks.size(), true));
  }

  void run() {
    const auto size = at(graph_.size());
    find_needed();
    for (ValueId id = 0; id < graph_.size(); ++id) {
      frame_.is_copied.push_back(step_.is_copied(id));
      frame_.chunk_of.push_back(step_.chunk_of(id));
      frame_.is_per_micro_batch.push_back(step_.timing(id) == sharding::Timing::each);
      frame_.work.push_back(work_of(graph_.program(), id));
      if (frame_.is_copied[at(id)]) note_copied(id);
    }
    frame_.made_in.assign(size, -1);
    frame_.may_attend.assign(size, false);
    const sharding::PlacedOps placed(step_);
    for (const auto& [place, ops] : placed.programs()) add(place, ops);
    frame_.leaves.resize(size);
    frame_.leaves_anew.resize(size);
    frame_.is_accumulated.resize(size);
    frame_.is_output.resize(size);
    frame_.renews.assign(size, kNoValue);
    frame_.renewed_by.assign(size, kNoValue);
    for (const Output& output : graph_.program().outputs) note_output(output);
    for (const PassOps& pass : frame_.passes) note_reads(pass);
    for (ValueId id = 0; id < graph_.size(); ++id)
      if (frame_.is_accumulated[at(id)]) frame_.sums.push_back(id);
    frame_.inputs.assign(inputs_.begin(), inputs_.end());
    find_own_readers();
    find_crossings(step_, frame_, std::move(readers_), std::move(staying_));
    frame_.made_before.assign(made_before_.begin(), made_before_.end());
    frame_.kept.resize(strategy_.chunks.size());
    for (const auto& [place, life] : lives_) {
      if (life.first != life.last) frame_.kept[at(place.first)].push_back(life);
    }
  }

 private:
  void find_needed() {
    frame_.is_needed.assign(at(graph_.size()), false);
    for (const Output& output : graph_.program().outputs) frame_.is_needed[at(output.value)] = true;
    for (ValueId id = graph_.size(); id-- > 0;) {
      if (!frame_.is_needed[at(id)]) continue;
      for (const ValueId operand : graph_.op(id).operands) frame_.is_needed[at(operand)] = true;
    }
  }

  void note_copied(ValueId id) {
    std::set<ValueId> from;
    for_each_read(id, [&](ValueId read) { from.insert(read); });
    if (!from.empty()) frame_.copied_from[id].assign(from.begin(), from.end());
  }

  /// Operands, or what copies of them are made of.
  template <class Visit>
  void for_each_read(ValueId id, const Visit& visit) const {
    for (const ValueId operand : graph_.op(id).operands) {
      if (!frame_.is_copied[at(operand)]) visit(operand);
      else if (const auto copy = frame_.copied_from.find(operand); copy != frame_.copied_from.end())
        std::ranges::for_each(copy->second, visit);
    }
  }

  void note_output(const Output& output) {
    frame_.leaves[at(output.value)] = true;
    if (graph_.input(output.value) != nullptr)
      inputs_.emplace(output.value, std::max(frame_.chunk_of[at(output.value)], 0));
    if (output.kind != OutputKind::updated_state) {
      frame_.is_output[at(output.value)] = true;
      return;
    }
    const ValueId old = graph_.program().inputs[at(output.input)].value;
    frame_.renews[at(output.value)] = old;
    frame_.renewed_by[at(old)] = output.value;
  }

  /// Programs of one chunk and phase that wait for each other in turn are one pass.
  void add(const sharding::Place& place, const std::vector<ValueId>& ops) {
    std::vector<PassOps>& passes = frame_.passes;
    const bool is_new =
        passes.empty() || passes.back().chunk != place.chunk || passes.back().phase != place.phase;
    const auto index = static_cast<std::int32_t>(passes.size()) - (is_new ? 0 : 1);
    PassOps made{.chunk = place.chunk, .phase = place.phase};
    made.place.assign(at(graph_.size()), -1);
    PassOps& pass = is_new ? made : passes.back();
    if (!is_new) pass.further.push_back(pass.ops.size());
    for (const ValueId id : ops) {
      if (!frame_.is_needed[at(id)]) continue;
      if (step_.home(id) == place) frame_.made_in[at(id)] = index;
      pass.place[at(id)] = static_cast<std::int32_t>(pass.ops.size());
      pass.ops.push_back(id);
    }
    if (is_new && !made.ops.empty()) passes.push_back(std::move(made));
  }

  PassPlace place_of(ValueId id) const {
    const PassOps& pass = frame_.passes[at(frame_.made_in[at(id)])];
    return {pass.phase, pass.chunk};
  }

  void note_reads(const PassOps& pass) {
    for (const ValueId id : pass.ops) {
      for_each_read(id, [&](ValueId read) {
        if (pass.makes(read)) return;
        const Input* const input = graph_.input(read);
        if (input == nullptr) return note_read(read, pass);
        inputs_.emplace(read, is_owned(*input) ? frame_.chunk_of[at(read)] : pass.chunk);
        if (is_owned(*input)) cross({ChunkPhase::prologue, frame_.chunk_of[at(read)]}, pass, read);
      });
    }
  }

  static bool is_owned(const Input& input) {
    return input.kind == InputKind::parameter || input.kind == InputKind::optimizer_state;
  }

  void note_read(ValueId id, const PassOps& pass) {
    const PassPlace maker = place_of(id);
    const bool is_each = sharding::is_pass(maker.phase);
    (comes_from_backward(id, pass) ? frame_.leaves_anew : frame_.leaves)[at(id)] = true;
    if (is_each && !pass.repeats()) {
      frame_.is_accumulated[at(id)] = true;
      return cross({ChunkPhase::update, maker.chunk}, pass, id);  // once it is summed up
    }
    cross(maker, pass, id);
    if (is_each) keep(id, maker, pass);
    else if (pass.repeats() && step_.same_mesh(maker.chunk, pass.chunk)) made_before_.insert(id);
  }

  /// Also those that are made anew.
  void find_own_readers() {
    std::map<ValueId, Frame::Readers> found;
    std::vector<bool> is_shared(at(graph_.size()));
    for (const PassOps& pass : frame_.passes) {
      for (const ValueId user : pass.ops) {
        const std::vector<ValueId>& operands = graph_.op(user).operands;
        for (std::size_t i = 0; i < operands.size(); ++i) {
          const std::int32_t home = frame_.made_in[at(operands[i])];
          if (home < 0 || frame_.passes[at(home)].phase != ChunkPhase::forward) continue;
          const bool is_home = &frame_.passes[at(home)] == &pass;
          if (pass.chunk != frame_.passes[at(home)].chunk) is_shared[at(operands[i])] = true;
          Frame::Readers& readers = found[operands[i]];
          (is_home ? readers.inside : readers.behind)
              .push_back({user, static_cast<std::int32_t>(i)});
        }
      }
    }
    frame_.readers_of.assign(at(graph_.size()), -1);
    for (auto& [id, readers] : found) {
      if (is_shared[at(id)] || readers.inside.empty() || readers.behind.empty()) continue;
      frame_.readers_of[at(id)] = static_cast<std::int32_t>(frame_.own_readers.size());
      frame_.own_readers.push_back(std::move(readers));
    }
  }

  /// The weight pass gets what the backward pass has made anew.
  bool comes_from_backward(ValueId id, const PassOps& pass) {
    if (pass.phase != ChunkPhase::weight ||
        place_of(id) != PassPlace{ChunkPhase::forward, pass.chunk})
      return false;
    const PassOps* const backward = frame_.find_pass({ChunkPhase::backward, pass.chunk});
    return backward != nullptr && backward->makes(id);
  }

  void cross(const PassPlace& from, const PassOps& pass, ValueId id) {
    const bool stays = step_.same_mesh(from.chunk, pass.chunk);
    if (!stays) readers_[{from, id}].push_back({pass.phase, pass.chunk});
    else if (from.chunk != pass.chunk && sharding::is_pass(from.phase) && pass.repeats())
      staying_[{from, id}].push_back({pass.phase, pass.chunk});
  }

  void keep(ValueId id, const PassPlace& maker, const PassOps& pass) {
    const bool is_own = maker.chunk == pass.chunk;
    KeptValue& life =
        lives_.insert({{pass.chunk, id}, {id, is_own ? maker.phase : pass.phase, pass.phase}})
            .first->second;
    if (comes_from_backward(id, pass)) life.first = ChunkPhase::backward;
    life.last = pass.phase;
  }

  const sharding::OpGraph& graph_;
  const Strategy& strategy_;
  Frame& frame_;
  sharding::StepGraph step_;
  ReadersElsewhere readers_, staying_;
  std::map<std::pair<std::int32_t, ValueId>, KeptValue> lives_;  ///< by chunk and value
  std::set<ValueId> made_before_;
  std::set<std::pair<ValueId, std::int32_t>> inputs_;
};

}  // namespace

std::int64_t num_single_rows(const Program& program, const Strategy& strategy) {
  std::int64_t num_parts = 0;
  for (const Input& input : program.inputs) {
    if (input.kind != InputKind::batch) continue;
    const std::vector<DimSharding>& dims = strategy.specs[at(input.value)].dims;
    const auto cut = std::ranges::find_if(dims, is_cut_by_micro_batches);
    if (cut == dims.end()) return 0;
    const Mesh& mesh = strategy.chunks[at(std::max(strategy.chunk_of[at(input.value)], 0))].mesh;
    std::int64_t own = 1;
    for (const AxisSplit& split : cut->splits)
      own *= split.axis == kMicroAxis ? strategy.num_micro_batches : mesh.axes[at(split.axis)].size;
    if (own != program.shape(input.value).dims[at(cut - dims.begin())]) return 0;
    if (num_parts != 0 && own != num_parts) return 0;
    num_parts = own;
  }
  return num_parts;
}

static std::uint32_t cut_dims(const ShardingSpec& spec) {
  std::uint32_t dims = 0;
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    if (is_cut_by_micro_batches(spec.dims[d])) dims |= 1u << d;
  }
  return dims;
}

Frame::Frame(const sharding::OpGraph& graph, const Strategy& strategy, bool is_cut)
    : rows{num_single_rows(graph.program(), strategy), {}} {
  PassMaker(graph, strategy, *this, is_cut).run();
  if (rows.num_single == 0) return;
  for (const ShardingSpec& spec : strategy.specs) rows.cut_dims.push_back(cut_dims(spec));
}

PassOps* Frame::find_pass(const PassPlace& place) {
  const auto found = std::ranges::find_if(passes, [&](const PassOps& pass) {
    return pass.phase == place.phase && pass.chunk == place.chunk;
  });
  return found == passes.end() ? nullptr : &*found;
}

const KeptValue* Frame::kept_by(std::int32_t chunk, ValueId id) const {
  const auto found = std::ranges::lower_bound(kept[at(chunk)], id, {}, &KeptValue::value);
  return found != kept[at(chunk)].end() && found->value == id ? &*found : nullptr;
}

}  // namespace rhino::evaluate
