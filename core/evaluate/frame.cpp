// SPDX-License-Identifier: Apache-2.0
#include "evaluate/frame.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "ir/op_traits.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "sharding/step_graph.hpp"

namespace rhino::evaluate {
namespace {

using sharding::ChunkPhase;
using When = StepParts::Crossing::When;

/// Fills the passes of a frame.
class PassMaker {
 public:
  PassMaker(const sharding::OpGraph& graph, const Strategy& strategy, Frame& frame)
      : graph_(graph), strategy_(strategy), frame_(frame), step_(graph.program(), strategy) {}

  void run() {
    const auto size = at(graph_.size());
    frame_.made_in.assign(size, -1);
    frame_.is_needed.assign(size, false);
    for (const Output& output : graph_.program().outputs) frame_.is_needed[at(output.value)] = true;
    for (ValueId id = graph_.size(); id-- > 0;) {
      if (!frame_.is_needed[at(id)]) continue;
      for (const ValueId operand : graph_.op(id).operands) frame_.is_needed[at(operand)] = true;
    }
    std::map<std::pair<std::int32_t, ChunkPhase>, std::vector<ValueId>> ops;
    for (ValueId id = 0; id < graph_.size(); ++id) {
      frame_.is_copied.push_back(step_.is_copied(id));
      frame_.chunk_of.push_back(step_.chunk_of(id));
      frame_.is_per_micro_batch.push_back(step_.timing(id) == sharding::Timing::each);
      frame_.work.push_back(work_of(graph_.program(), id));
      if (!frame_.is_needed[at(id)] || frame_.is_copied[at(id)] || graph_.input(id)) continue;
      ops[{step_.home(id).chunk, step_.home(id).phase}].push_back(id);
    }
    for (auto& [place, list] : ops) {
      const auto index = static_cast<std::int32_t>(frame_.passes.size());
      for (const ValueId id : list) frame_.made_in[at(id)] = index;
      frame_.passes.push_back({place.first, place.second, std::move(list), {}, {}});
    }
    for (PassOps& pass : frame_.passes) {
      if (pass.phase == ChunkPhase::backward) repeat_forward(pass);
      pass.place.assign(size, -1);
      for (std::size_t i = 0; i < pass.ops.size(); ++i)
        pass.place[at(pass.ops[i])] = static_cast<std::int32_t>(i);
    }
    frame_.leaves.resize(size);
    frame_.is_accumulated.resize(size);
    frame_.departs.resize(size);
    for (const Output& output : graph_.program().outputs) frame_.leaves[at(output.value)] = true;
    for (const PassOps& pass : frame_.passes) mark_leaving(pass);
    frame_.crossings.assign(crossings_.begin(), crossings_.end());
    find_kept();
  }

 private:
  bool is_made_before(const PassOps& pass, ValueId id) const {
    const std::int32_t home = frame_.made_in[at(id)];
    return home >= 0 && frame_.passes[at(home)].chunk == pass.chunk &&
           frame_.passes[at(home)].phase == ChunkPhase::forward;
  }

  bool is_smaller_before(ValueId id) const {
    const Op& op = graph_.op(id);
    const bool is_cheap = ir::traits(op.kind).view || op.kind == OpKind::convert;
    return is_cheap && num_bytes(graph_.shape(op.operands[0])) < num_bytes(op.shape);
  }

  /// As the partitioner does: each group of repeated ops in front of what first reads it.
  void repeat_forward(PassOps& pass) {
    std::set<ValueId> repeated;
    std::vector<ValueId> ops;
    for (const ValueId id : pass.ops) {
      std::vector<ValueId> group, reading{id};
      while (!reading.empty()) {
        const ValueId reader = reading.back();
        reading.pop_back();
        for (const ValueId operand : graph_.op(reader).operands) {
          if (frame_.is_copied[at(operand)]) reading.push_back(operand);
          const bool anew = sharding::is_recomputed(strategy_, operand) ||
                            (reader != id && is_smaller_before(operand));
          if (!anew || !is_made_before(pass, operand) || !repeated.insert(operand).second) continue;
          reading.push_back(operand);
          group.push_back(operand);
        }
      }
      std::sort(group.begin(), group.end());
      ops.insert(ops.end(), group.begin(), group.end());
      ops.push_back(id);
    }
    pass.ops = std::move(ops);
  }

  void mark_leaving(const PassOps& pass) {
    for (const ValueId id : pass.ops) {
      for (const ValueId operand : graph_.op(id).operands) {
        if (pass.makes(operand) || frame_.is_copied[at(operand)]) continue;
        const std::int32_t home = frame_.made_in[at(operand)];
        if (home >= 0) mark_leaving(operand, frame_.passes[at(home)], pass);
        else if (const Input* input = graph_.input(operand); input && is_owned(*input))
          cross(When::before, frame_.chunk_of[at(operand)], pass.chunk, operand);
      }
    }
  }

  static bool is_owned(const Input& input) {
    return input.kind == InputKind::parameter || input.kind == InputKind::optimizer_state;
  }

  void mark_leaving(ValueId id, const PassOps& source, const PassOps& pass) {
    frame_.leaves[at(id)] = true;
    if (source.repeats() && !pass.repeats()) frame_.is_accumulated[at(id)] = true;
    const bool crosses = !step_.same_mesh(source.chunk, pass.chunk);
    if (source.repeats() && pass.repeats() && crosses) frame_.departs[at(id)] = true;
    if (source.phase == pass.phase && pass.repeats())
      cross(pass.phase == ChunkPhase::forward ? When::forward : When::backward, source.chunk,
            pass.chunk, id);
    if (source.repeats() && !pass.repeats()) cross(When::after, source.chunk, pass.chunk, id);
  }

  void cross(When when, std::int32_t from, std::int32_t to, ValueId id) {
    const bool once = when == When::before || when == When::after;
    if (from == to || (once && step_.same_mesh(from, to))) return;
    crossings_.insert({when, from, to, id});
  }

  /// What comes from the forward pass of the chunk, or to both of its passes from another mesh.
  void find_kept() {
    frame_.kept.resize(strategy_.chunks.size());
    std::vector<std::set<ValueId>> forward(strategy_.chunks.size()), kept = forward;
    for (const PassOps& pass : frame_.passes) {
      if (!pass.repeats()) continue;
      for (const ValueId id : pass.ops) {
        for (const ValueId operand : graph_.op(id).operands) {
          const std::int32_t home = frame_.made_in[at(operand)];
          if (home < 0 || !frame_.passes[at(home)].repeats()) continue;
          const bool is_own = is_made_before(pass, operand);
          if (pass.phase == ChunkPhase::forward) {
            if (!is_own) forward[at(pass.chunk)].insert(operand);
          } else if (!pass.makes(operand) &&
                     (is_own || forward[at(pass.chunk)].contains(operand))) {
            kept[at(pass.chunk)].insert(operand);
          }
        }
      }
    }
    for (std::size_t c = 0; c < kept.size(); ++c)
      frame_.kept[c].assign(kept[c].begin(), kept[c].end());
  }

  const sharding::OpGraph& graph_;
  const Strategy& strategy_;
  Frame& frame_;
  sharding::StepGraph step_;
  std::set<CrossingValue> crossings_;
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
      for (const ValueId id : members[name]) batch_of_[at(id)] = num_batches_ - 1;
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

Frame::Frame(const sharding::OpGraph& graph, const Strategy& strategy) {
  PassMaker(graph, strategy, *this).run();
  LoopMaker(graph, *this).run();
}

}  // namespace rhino::evaluate
