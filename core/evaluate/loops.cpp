// SPDX-License-Identifier: Apache-2.0
#include "evaluate/loops.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "evaluate/fused_loops.hpp"
#include "ir/op_traits.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// Finds what loops surely read and write, however ops are fused: what a kernel or another pass
/// reads is written, what lies in memory is read once, and so is what loops make for loops behind a
/// dot.
class LoopMaker {
 public:
  LoopMaker(const sharding::OpGraph& graph, FusedLoops& fused, Frame& frame,
            std::int32_t first_launch)
      : graph_(graph), fused_(fused), frame_(frame), num_launches_(first_launch) {}

  void run() {
    for (std::size_t p = 0; p < frame_.passes.size(); ++p) {
      pass_ = static_cast<std::int32_t>(p);
      PassOps& pass = frame_.passes[p];
      pass.traffic.resize(pass.ops.size());
      fused_.find(frame_, pass, num_launches_);
      find_dots();
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
    return !is_made_here(id) || is_dot(kind);
  }
  LoopTraffic& traffic_of(ValueId id) {
    PassOps& pass = frame_.passes[at(pass_)];
    return pass.traffic[at(pass.place[at(id)])];
  }

  /// A bit for each dot of the pass, in words one after the other.
  using Dots = std::vector<std::uint64_t>;

  static bool is_dot(OpKind kind) { return kind == OpKind::dot || kind == OpKind::convolution; }

  /// Which dots lie before each value of the pass, and which behind it.
  void find_dots() {
    const PassOps& pass = frame_.passes[at(pass_)];
    const auto num_dots =
        std::ranges::count_if(pass.ops, [&](ValueId id) { return is_dot(graph_.op(id).kind); });
    const std::size_t num_words = at(num_dots) / 64 + 1;
    before_.assign(pass.ops.size(), Dots(num_words));
    behind_ = before_;
    const auto join = [](Dots& all, const Dots& more) {
      for (std::size_t w = 0; w < all.size(); ++w) all[w] |= more[w];
    };
    const auto for_each_edge = [&](ValueId id, auto visit) {
      for (const ValueId operand : graph_.op(id).operands) {
        if (pass.makes(operand)) visit(at(pass.place[at(operand)]));
      }
    };
    std::size_t number = 0;
    for (std::size_t i = 0; i < pass.ops.size(); ++i) {
      if (is_dot(graph_.op(pass.ops[i]).kind)) {
        before_[i][number / 64] |= std::uint64_t{1} << number % 64;
        behind_[i] = before_[i];
        ++number;
      }
      for_each_edge(pass.ops[i], [&](std::size_t operand) { join(before_[i], before_[operand]); });
    }
    for (std::size_t i = pass.ops.size(); i-- > 0;)
      for_each_edge(pass.ops[i], [&](std::size_t operand) { join(behind_[operand], behind_[i]); });
  }

  /// Whether a dot between them keeps what a loop makes and what reads it in two kernels.
  bool lies_a_dot_between(ValueId made, ValueId reader) const {
    const PassOps& pass = frame_.passes[at(pass_)];
    const Dots &behind = behind_[at(pass.place[at(made)])],
               &before = before_[at(pass.place[at(reader)])];
    for (std::size_t w = 0; w < behind.size(); ++w) {
      if (behind[w] & before[w]) return true;
    }
    return false;
  }

  /// Whether a loop surely reads all of what another one has written.
  bool surely_passes(const Base& base, ValueId operand, ValueId reader) const {
    return is_made_here(base.value) && frame_.work[at(base.value)] == OpWork::loop &&
           base.is_in_order &&
           num_elements(graph_.shape(operand).dims) >=
               num_elements(graph_.shape(base.value).dims) &&
           lies_a_dot_between(base.value, reader) && varies(base.value);
  }

  /// Whether it is made of something that lies in memory, and not again by whoever reads it.
  bool varies(ValueId id) const {
    return std::ranges::any_of(graph_.op(id).operands, [&](ValueId operand) {
      return !frame_.is_copied[at(operand)] && (comes_from_memory(operand) || varies(operand));
    });
  }

  void list_reads(ValueId id) {
    LoopTraffic& traffic = traffic_of(id);
    for (const ValueId operand : graph_.op(id).operands) {
      const Base base = base_of(operand);
      traffic.bases.push_back(frame_.is_copied[at(base.value)] ? kNoValue : base.value);
      if (frame_.is_copied[at(base.value)]) continue;
      const bool passes = surely_passes(base, operand, id);
      if (passes) traffic_of(base.value).surely_writes = true;
      if ((passes || comes_from_memory(base.value)) && counted_.insert({pass_, base.value}).second)
        traffic.sure_reads.emplace_back(operand, base.value);
    }
  }

  void mark_written(ValueId id) {
    for (const ValueId operand : graph_.op(id).operands) {
      const Base base = base_of(operand);
      if (!is_made_here(base.value) || frame_.work[at(base.value)] != OpWork::loop) continue;
      LoopTraffic& traffic = traffic_of(base.value);
      const OpKind kind = graph_.op(id).kind;
      const bool is_whole =
          num_elements(graph_.shape(operand).dims) >= num_elements(graph_.shape(base.value).dims);
      traffic.surely_writes |= frame_.work[at(id)] == OpWork::kernel && is_whole &&
                               (kind == OpKind::dot || kind == OpKind::convolution);
    }
    const bool leaves = frame_.leaves[at(id)] && frame_.made_in[at(id)] == pass_;
    if (frame_.work[at(id)] == OpWork::loop && leaves) traffic_of(id).surely_writes = true;
  }

  const sharding::OpGraph& graph_;
  FusedLoops& fused_;
  Frame& frame_;
  std::int32_t pass_ = 0, num_launches_;
  std::vector<Dots> before_, behind_;                   ///< per op of the pass
  std::set<std::pair<std::int32_t, ValueId>> counted_;  ///< by pass
};

/// What is made, and comes in copies alone.
void note_copied_reads(const sharding::OpGraph& graph, const Frame& frame, ValueId id,
                       PassOps& pass) {
  std::set<ValueId> values;
  for (const ValueId operand : graph.op(id).operands) {
    const auto copy = frame.copied_from.find(operand);
    if (copy != frame.copied_from.end()) values.insert(copy->second.begin(), copy->second.end());
  }
  for (const ValueId value : values) {
    if (graph.input(value) == nullptr) pass.reads.push_back({value, -1, true});
  }
}

void note_facts(const sharding::OpGraph& graph, const Frame& frame, PassOps& pass) {
  for (std::size_t i = 0; i < pass.ops.size(); ++i) {
    const ValueId id = pass.ops[i];
    const std::vector<ValueId>& operands = graph.op(id).operands;
    const std::int32_t home = frame.made_in[at(id)];
    const auto departing = pass.departing.find(id);
    PassOp& op = pass.facts.emplace_back(
        PassOp{.kind = graph.op(id).kind,
               .work = frame.work[at(id)],
               .is_heavy = ir::traits(graph.op(id).kind).heavy,
               .is_anew = home >= 0 && &frame.passes[at(home)] != &pass,
               .is_accumulated = frame.is_accumulated[at(id)] != 0,
               .may_attend = frame.may_attend[at(id)] != 0,
               .attends = pass.attention_of[i] >= 0 || pass.is_inside[i] != 0,
               .departing = departing == pass.departing.end() ? 0 : departing->second,
               .first_read = static_cast<std::int32_t>(pass.reads.size())});
    const bool is_backward = pass.phase == sharding::ChunkPhase::backward;
    op.leaves = op.is_anew ? is_backward && frame.leaves_anew[at(id)] : frame.leaves[at(id)] != 0;
    for (std::size_t o = 0; o < operands.size(); ++o) {
      if (frame.is_copied[at(operands[o])]) continue;
      const bool is_again = at(std::ranges::find(operands, operands[o]) - operands.begin()) < o;
      pass.reads.push_back({operands[o], static_cast<std::int32_t>(o), is_again});
    }
    note_copied_reads(graph, frame, id, pass);
    op.num_reads = static_cast<std::int32_t>(pass.reads.size()) - op.first_read;
  }
}

}  // namespace

void find_loops(const sharding::OpGraph& graph, FusedLoops& fused, Frame& frame,
                std::int32_t first_launch) {
  LoopMaker(graph, fused, frame, first_launch).run();
  for (PassOps& pass : frame.passes) note_facts(graph, frame, pass);
}

}  // namespace rhino::evaluate
