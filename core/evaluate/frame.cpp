// SPDX-License-Identifier: Apache-2.0
#include "evaluate/frame.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "ir/op_traits.hpp"
#include "rhino/index.hpp"
#include "sharding/placed_ops.hpp"

namespace rhino::evaluate {
namespace {

using sharding::ChunkPhase;

/// Fills the passes of a frame.
class PassMaker {
 public:
  PassMaker(const sharding::OpGraph& graph, const Strategy& strategy, Frame& frame, bool is_cut)
      : graph_(graph), strategy_(strategy), frame_(frame), step_(graph.program(), strategy) {
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
    const sharding::PlacedOps placed(step_);
    for (const auto& [place, ops] : placed.programs()) add(place, ops);
    frame_.leaves.resize(size);
    frame_.is_accumulated.resize(size);
    for (const Output& output : graph_.program().outputs) frame_.leaves[at(output.value)] = true;
    for (const PassOps& pass : frame_.passes) note_reads(pass);
    join_crossings();
    for (std::size_t c = 0; c < frame_.crossings.size(); ++c) announce(c);
    for (std::size_t c = 0; c < frame_.crossings.size(); ++c) bring(c);
    for (PassOps& pass : frame_.passes) sort(pass.arriving), sort(pass.in_main);
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
      for (const ValueId operand : graph_.op(id).operands) {
        if (pass.makes(operand) || frame_.is_copied[at(operand)]) continue;
        if (frame_.made_in[at(operand)] >= 0) note_read(operand, pass);
        else if (const Input* input = graph_.input(operand); input && is_owned(*input))
          cross({ChunkPhase::prologue, frame_.chunk_of[at(operand)]}, pass, operand);
      }
    }
  }

  static bool is_owned(const Input& input) {
    return input.kind == InputKind::parameter || input.kind == InputKind::optimizer_state;
  }

  void note_read(ValueId id, const PassOps& pass) {
    const PassPlace maker = place_of(id);
    const bool is_each = sharding::is_pass(maker.phase);
    frame_.leaves[at(id)] = true;
    if (is_each && !pass.repeats()) {
      frame_.is_accumulated[at(id)] = true;
      return cross({ChunkPhase::update, maker.chunk}, pass, id);  // once it is summed up
    }
    cross(maker, pass, id);
    if (is_each) keep(id, maker, pass);
  }

  void cross(const PassPlace& from, const PassOps& pass, ValueId id) {
    if (step_.same_mesh(from.chunk, pass.chunk)) return;
    readers_[{from, id}].push_back({pass.phase, pass.chunk});
  }

  void keep(ValueId id, const PassPlace& maker, const PassOps& pass) {
    const bool is_own = maker.chunk == pass.chunk;
    KeptValue& life =
        lives_.insert({{pass.chunk, id}, {id, is_own ? maker.phase : pass.phase, pass.phase}})
            .first->second;
    // The weight pass gets what the backward pass has made anew.
    const bool is_anew = pass.phase == ChunkPhase::weight && is_own &&
                         maker.phase == ChunkPhase::forward &&
                         std::ranges::any_of(frame_.passes, [&](const PassOps& other) {
                           return other.chunk == pass.chunk && other.makes(id) &&
                                  other.phase == ChunkPhase::backward;
                         });
    if (is_anew) life.first = ChunkPhase::backward;
    life.last = pass.phase;
  }

  /// As plan::make_handovers does: of one origin what goes to the same meshes, or some of them,
  /// leaves together.
  void join_crossings() {
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
    if (!sharding::is_pass(crossing.from.phase)) return;
    PassOps& from = pass_at(crossing.from);
    constexpr std::int32_t kMost = 31;  // the others leave with the last of these
    crossing.departure = std::min(from.num_departures, kMost);
    from.num_departures = crossing.departure + 1;
    for (const auto& [id, readers] : crossing.values) {
      from.departing[id] |= 1u << crossing.departure;
      for (const PassPlace& reader : readers) {
        std::int32_t& main = pass_at(reader).main_crossing;
        if (main < 0 || distance(crossing, reader) < distance(frame_.crossings[at(main)], reader))
          main = static_cast<std::int32_t>(index);
      }
    }
  }

  static std::int32_t distance(const CrossingValues& crossing, const PassPlace& reader) {
    return std::abs(crossing.from.chunk - reader.chunk);
  }

  void bring(std::size_t index) {
    const CrossingValues& crossing = frame_.crossings[index];
    if (!sharding::is_pass(crossing.from.phase)) return;
    for (const auto& [id, readers] : crossing.values) {
      for (const PassPlace& reader : readers) {
        PassOps& pass = pass_at(reader);
        pass.arriving.push_back(id);
        if (at(pass.main_crossing) == index) pass.in_main.push_back(id);
      }
    }
  }

  static void sort(std::vector<ValueId>& values) {
    std::ranges::sort(values);
    const auto repeated = std::ranges::unique(values);
    values.erase(repeated.begin(), repeated.end());
  }

  PassOps& pass_at(const PassPlace& place) {
    return *std::ranges::find_if(frame_.passes, [&](const PassOps& pass) {
      return pass.phase == place.phase && pass.chunk == place.chunk;
    });
  }

  const sharding::OpGraph& graph_;
  const Strategy& strategy_;
  Frame& frame_;
  sharding::StepGraph step_;
  std::map<std::pair<PassPlace, ValueId>, std::vector<PassPlace>> readers_;
  std::map<std::pair<std::int32_t, ValueId>, KeptValue> lives_;  ///< by chunk and value
};

/// Which kernels the ops of a pass fall into, by the rules of core/lower, roughly. Ops that read
/// each other element by element, or row by row, are one loop, and so are ops over as many elements
/// that read the same value, unless a kernel lies between them; loops that need nothing of each
/// other and follow each other are launched as one.
class LoopMaker {
 public:
  LoopMaker(const sharding::OpGraph& graph, Frame& frame)
      : graph_(graph),
        frame_(frame),
        loop_of_(at(graph.size())),
        depth_(at(graph.size())),
        batch_of_(at(graph.size()), -1) {
    std::iota(loop_of_.begin(), loop_of_.end(), 0);
  }

  void run() {
    for (std::size_t p = 0; p < frame_.passes.size(); ++p) {
      pass_ = static_cast<std::int32_t>(p);
      last_reader_.clear();
      PassOps& pass = frame_.passes[p];
      pass.traffic.resize(pass.ops.size());
      for (const ValueId id : pass.ops) loop_of_[at(id)] = id, depth_[at(id)] = 0;
      for (const ValueId id : pass.ops) add(id);
      launch();
      for (const ValueId id : pass.ops) {
        if (frame_.work[at(id)] == OpWork::loop) list_reads(id);
        mark_written(id);
      }
    }
  }

 private:
  /// The value whose memory `id` shows, and whether elements keep their order or are repeated for
  /// rows on the way.
  struct Base {
    ValueId value = kNoValue;
    bool is_in_order = true;
  };
  Base base_of(ValueId id) const {
    Base base{id, true};
    while (ir::traits(graph_.op(base.value).kind).view && !graph_.op(base.value).operands.empty()) {
      const Op& op = graph_.op(base.value);
      base.is_in_order &= keeps_order(op);
      base.value = op.operands.front();
    }
    return base;
  }

  bool keeps_order(const Op& op) const {
    if (op.kind == OpKind::reshape) return true;
    if (op.kind != OpKind::broadcast) return false;
    // One element for each row: the dims of the operand are the leading ones.
    const auto& dims = op.attributes.get<DimsAttr>().dims;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] != static_cast<std::int64_t>(d)) return false;
    }
    return true;
  }

  bool is_made_here(ValueId id) const { return frame_.passes[at(pass_)].makes(id); }
  bool comes_from_memory(ValueId id) const {
    const OpKind kind = graph_.op(id).kind;
    return !is_made_here(id) || kind == OpKind::dot || kind == OpKind::convolution;
  }
  LoopTraffic& traffic_of(ValueId id) {
    PassOps& pass = frame_.passes[at(pass_)];
    return pass.traffic[at(pass.place[at(id)])];
  }

  /// Later kernels alone read what a reduction over other dims than the last ones leaves.
  bool is_read_later(ValueId id) const {
    const Op& op = graph_.op(id);
    if (op.kind != OpKind::reduce) return false;
    const auto& dims = op.attributes.get<ReduceAttr>().dims;
    const auto rank = static_cast<std::int64_t>(graph_.shape(op.operands[0]).dims.size());
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (std::find(dims.begin(), dims.end(), rank - 1 - static_cast<std::int64_t>(d)) ==
          dims.end())
        return true;
    }
    return false;
  }

  ValueId loop(ValueId id) {
    while (loop_of_[at(id)] != id) id = loop_of_[at(id)] = loop_of_[at(loop_of_[at(id)])];
    return id;
  }

  void add(ValueId id) {
    const OpWork work = frame_.work[at(id)];
    for (const ValueId operand : graph_.op(id).operands) {
      const ValueId base = base_of(operand).value;
      if (!is_made_here(base)) continue;
      const bool is_behind = frame_.work[at(base)] == OpWork::kernel || is_read_later(base) ||
                             (work == OpWork::kernel && frame_.work[at(base)] == OpWork::loop);
      depth_[at(id)] = std::max(depth_[at(id)], depth_[at(base)] + (is_behind ? 1 : 0));
    }
    if (work != OpWork::loop) return;
    for (const ValueId operand : graph_.op(id).operands) {
      const Base base = base_of(operand);
      if (may_join(id, base)) loop_of_[at(loop(base.value))] = loop(id);
      if (frame_.is_copied[at(base.value)] || !base.is_in_order) continue;
      const auto [found, is_first] = last_reader_.try_emplace(base.value, id);
      const ValueId other = std::exchange(found->second, id);
      if (!is_first && depth_[at(other)] == depth_[at(id)] && num_visited(other) == num_visited(id))
        loop_of_[at(loop(other))] = loop(id);
    }
  }

  std::int64_t num_visited(ValueId id) const {
    const Op& op = graph_.op(id);
    const Shape& shape = op.kind == OpKind::reduce ? graph_.shape(op.operands[0]) : op.shape;
    return num_elements(shape.dims);
  }

  bool may_join(ValueId id, const Base& base) const {
    return is_made_here(base.value) && frame_.work[at(base.value)] == OpWork::loop &&
           base.is_in_order && !is_read_later(base.value) &&
           depth_[at(base.value)] == depth_[at(id)];
  }

  /// In the order of their last ops.
  void launch() {
    std::map<ValueId, std::vector<ValueId>> members;
    std::vector<std::pair<ValueId, ValueId>> order;  // last op, loop or kernel
    for (const ValueId id : frame_.passes[at(pass_)].ops) {
      if (frame_.work[at(id)] != OpWork::none)
        members[frame_.work[at(id)] == OpWork::loop ? loop(id) : id].push_back(id);
    }
    for (const auto& [name, ops] : members)
      order.emplace_back(*std::max_element(ops.begin(), ops.end()), name);
    std::sort(order.begin(), order.end());
    bool is_open = false;
    for (const auto& [last, name] : order) {
      if (frame_.work[at(name)] == OpWork::kernel) {
        is_open = false;
        continue;
      }
      const auto needs_batch = [&](ValueId id) {
        return std::ranges::any_of(graph_.op(id).operands, [&](ValueId operand) {
          const ValueId base = base_of(operand).value;
          return is_made_here(base) && batch_of_[at(base)] == num_batches_ - 1;
        });
      };
      if (!is_open || std::ranges::any_of(members[name], needs_batch)) {
        ++num_batches_;
        traffic_of(members[name].front()).opens = true;
      }
      is_open = true;
      for (const ValueId id : members[name])
        batch_of_[at(id)] = traffic_of(id).launch = num_batches_ - 1;
    }
  }

  void list_reads(ValueId id) {
    LoopTraffic& traffic = traffic_of(id);
    for (const ValueId operand : graph_.op(id).operands) {
      const Base base = base_of(operand);
      if (frame_.is_copied[at(base.value)] || may_join(id, base)) continue;
      if (!read_.insert({batch_of_[at(id)], base.value}).second) continue;
      traffic.reads.push_back(base.value);
      if (base.value == operand && comes_from_memory(operand) &&
          counted_.insert({pass_, operand}).second)
        traffic.sure_reads.push_back(operand);
    }
  }

  void mark_written(ValueId id) {
    for (const ValueId operand : graph_.op(id).operands) {
      const Base base = base_of(operand);
      if (!is_made_here(base.value) || frame_.work[at(base.value)] != OpWork::loop) continue;
      LoopTraffic& traffic = traffic_of(base.value);
      traffic.writes |= frame_.work[at(id)] == OpWork::kernel ||
                        (frame_.work[at(id)] == OpWork::loop && !may_join(id, base));
      const OpKind kind = graph_.op(id).kind;
      traffic.surely_writes |= frame_.work[at(id)] == OpWork::kernel && base.value == operand &&
                               (kind == OpKind::dot || kind == OpKind::convolution);
    }
    const bool leaves = frame_.leaves[at(id)] && frame_.made_in[at(id)] == pass_;
    if (frame_.work[at(id)] == OpWork::loop && leaves)
      traffic_of(id).writes = traffic_of(id).surely_writes = true;
  }

  const sharding::OpGraph& graph_;
  Frame& frame_;
  std::int32_t pass_ = 0, num_batches_ = 0;
  std::vector<ValueId> loop_of_;  ///< some op of the same loop
  std::vector<std::int32_t> depth_, batch_of_;
  std::map<ValueId, ValueId> last_reader_;              ///< of a value, in this pass
  std::set<std::pair<std::int32_t, ValueId>> read_;     ///< by batch
  std::set<std::pair<std::int32_t, ValueId>> counted_;  ///< by pass
};

}  // namespace

Frame::Frame(const sharding::OpGraph& graph, const Strategy& strategy, bool is_cut) {
  PassMaker(graph, strategy, *this, is_cut).run();
  LoopMaker(graph, *this).run();
}

}  // namespace rhino::evaluate
