// SPDX-License-Identifier: Apache-2.0
#include "evaluate/frame.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <utility>

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
    join_crossings();
    for (std::size_t c = 0; c < frame_.crossings.size(); ++c) announce(c);
    for (std::size_t c = 0; c < frame_.crossings.size(); ++c) bring(c);
    for (auto& [pass, brought] : brought_) number_arrivals(*pass, brought);
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
      note_inputs(id, pass.chunk);
      for (const ValueId operand : graph_.op(id).operands) {
        if (pass.makes(operand) || frame_.is_copied[at(operand)]) continue;
        if (frame_.made_in[at(operand)] >= 0) note_read(operand, pass);
        else if (const Input* input = graph_.input(operand); input && is_owned(*input))
          cross({ChunkPhase::prologue, frame_.chunk_of[at(operand)]}, pass, operand);
      }
    }
  }

  /// Those that op `id` reads in `chunk`, also by way of what is copied there.
  void note_inputs(ValueId id, std::int32_t chunk) {
    for (const ValueId operand : graph_.op(id).operands) {
      if (const Input* const input = graph_.input(operand))
        inputs_.emplace(operand, is_owned(*input) ? frame_.chunk_of[at(operand)] : chunk);
      else if (frame_.is_copied[at(operand)]) note_inputs(operand, chunk);
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
    const PassOps* const backward = find_pass({ChunkPhase::backward, pass.chunk});
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

  /// As plan::make_handovers does: of one origin what goes to the same meshes, or some of them,
  /// leaves together.
  void join_crossings() {
    for (auto& [source, readers] : staying_) {
      first_on_each_mesh(readers);
      for (const PassPlace& reader : readers) frame_.stays.insert({source.first, reader});
    }
    for (auto& [source, readers] : readers_) {
      const auto& [from, id] = source;
      first_on_each_mesh(readers);
      CrossingValues joined{from, -1, {{id, readers}}};
      for (auto other = frame_.crossings.begin(); other != frame_.crossings.end();) {
        if (other->from != from || !share_a_mesh(*other, joined)) {
          ++other;
          continue;
        }
        joined.values.insert(joined.values.begin(), other->values.begin(), other->values.end());
        other = frame_.crossings.erase(other);
      }
      frame_.crossings.push_back(std::move(joined));
    }
    // They leave in the order of the first value of each.
    std::ranges::sort(frame_.crossings, {}, [](const CrossingValues& crossing) {
      ValueId first = crossing.values.front().first;
      for (const auto& [id, readers] : crossing.values) first = std::min(first, id);
      return std::pair(crossing.from, first);
    });
  }

  void first_on_each_mesh(std::vector<PassPlace>& readers) const {
    std::ranges::sort(readers);
    std::vector<PassPlace> first;
    for (const PassPlace& reader : readers) {
      const bool is_known = std::ranges::any_of(
          first, [&](const PassPlace& other) { return other.chunk == reader.chunk; });
      if (!is_known) first.push_back(reader);
    }
    readers = std::move(first);
  }

  bool share_a_mesh(const CrossingValues& a, const CrossingValues& b) const {
    const auto reaches = [&](std::int32_t chunk, const CrossingValues& other) {
      return std::ranges::any_of(other.values, [&](const auto& value) {
        return std::ranges::any_of(value.second, [&](const PassPlace& reader) {
          return step_.same_mesh(reader.chunk, chunk);
        });
      });
    };
    return std::ranges::any_of(a.values, [&](const auto& value) {
      return std::ranges::any_of(value.second,
                                 [&](const PassPlace& reader) { return reaches(reader.chunk, b); });
    });
  }

  /// At the pass that makes it, and at those that wait for it.
  void announce(std::size_t index) {
    CrossingValues& crossing = frame_.crossings[index];
    if (crossing.from.phase == ChunkPhase::prologue) return;
    PassOps* const from = find_pass(crossing.from);  // null: an update of nothing but sums
    if (from != nullptr) {
      constexpr std::int32_t kMost = 31;  // the others leave with the last of these
      crossing.departure = std::min(from->num_departures, kMost);
      from->num_departures = crossing.departure + 1;
    }
    for (const auto& [id, readers] : crossing.values) {
      if (from != nullptr) from->departing[id] |= 1u << crossing.departure;
    }
    for (const PassPlace& reader : waiting(crossing)) {
      std::int32_t& main = find_pass(reader)->main_crossing;
      if (main < 0 || distance(crossing, reader) < distance(frame_.crossings[at(main)], reader))
        main = static_cast<std::int32_t>(index);
    }
  }

  /// Of each mesh, the pass that waits for it: the first one to read any. Chunks come in the order
  /// of their numbers, forward, and backward the other way round.
  std::set<PassPlace> waiting(const CrossingValues& crossing) const {
    std::set<PassPlace> readers = crossing.readers();
    const auto turn = [](const PassPlace& reader) {
      const bool is_forward = reader.phase == ChunkPhase::forward;
      return std::tuple(!is_forward, is_forward ? reader.chunk : -reader.chunk, reader.phase);
    };
    std::erase_if(readers, [&](const PassPlace& reader) {
      return std::ranges::any_of(crossing.readers(), [&](const PassPlace& other) {
        return sharding::is_pass(reader.phase) && sharding::is_pass(other.phase) &&
               step_.same_mesh(reader.chunk, other.chunk) && turn(other) < turn(reader);
      });
    });
    return readers;
  }

  static std::int32_t distance(const CrossingValues& crossing, const PassPlace& reader) {
    return std::abs(crossing.from.chunk - reader.chunk);
  }

  void bring(std::size_t index) {
    const CrossingValues& crossing = frame_.crossings[index];
    if (crossing.from.phase == ChunkPhase::prologue) return;
    const std::set<PassPlace> waiting = this->waiting(crossing);
    for (const auto& [id, readers] : crossing.values) {
      for (const PassPlace& reader : readers) {
        if (!waiting.contains(reader)) continue;
        brought_[find_pass(reader)].emplace_back(id, static_cast<std::int32_t>(index));
      }
    }
  }

  /// As plans do: in the order of the first value that each brings.
  static void number_arrivals(PassOps& pass,
                              std::vector<std::pair<ValueId, std::int32_t>>& brought) {
    std::ranges::sort(brought);
    const auto repeated = std::ranges::unique(brought);
    brought.erase(repeated.begin(), repeated.end());
    std::vector<std::int32_t> crossings;
    for (const auto& [id, crossing] : brought) {
      auto found = std::ranges::find(crossings, crossing);
      if (found == crossings.end()) found = crossings.insert(found, crossing);
      pass.arriving.push_back(id);
      pass.brought_by.push_back(static_cast<std::int32_t>(found - crossings.begin()));
      if (crossing == pass.main_crossing) pass.main_arrival = pass.brought_by.back();
    }
    pass.num_arrivals = static_cast<std::int32_t>(crossings.size());
  }

  PassOps* find_pass(const PassPlace& place) {
    const auto found = std::ranges::find_if(frame_.passes, [&](const PassOps& pass) {
      return pass.phase == place.phase && pass.chunk == place.chunk;
    });
    return found == frame_.passes.end() ? nullptr : &*found;
  }

  const sharding::OpGraph& graph_;
  const Strategy& strategy_;
  Frame& frame_;
  sharding::StepGraph step_;
  std::map<std::pair<PassPlace, ValueId>, std::vector<PassPlace>> readers_, staying_;
  /// Per pass the values that arrive, and by which crossing.
  std::map<PassOps*, std::vector<std::pair<ValueId, std::int32_t>>> brought_;
  std::map<std::pair<std::int32_t, ValueId>, KeptValue> lives_;  ///< by chunk and value
  std::set<ValueId> made_before_;
  std::set<std::pair<ValueId, std::int32_t>> inputs_;
};

}  // namespace

std::set<PassPlace> CrossingValues::readers() const {
  std::set<PassPlace> first;
  for (const auto& [id, places] : values) first.insert(places.begin(), places.end());
  std::erase_if(first, [&](const PassPlace& reader) {
    return std::ranges::any_of(first, [&](const PassPlace& other) {
      return other.chunk == reader.chunk && other.phase < reader.phase;
    });
  });
  return first;
}

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

const KeptValue* Frame::kept_by(std::int32_t chunk, ValueId id) const {
  const auto found = std::ranges::lower_bound(kept[at(chunk)], id, {}, &KeptValue::value);
  return found != kept[at(chunk)].end() && found->value == id ? &*found : nullptr;
}

}  // namespace rhino::evaluate
