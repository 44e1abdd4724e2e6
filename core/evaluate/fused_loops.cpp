// SPDX-License-Identifier: Apache-2.0
#include "evaluate/fused_loops.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "lower/lower.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// The ops of a pass as a program of their own.
class PassProgram {
 public:
  PassProgram(const sharding::OpGraph& graph, const FusedIn& in, const PassOps& pass)
      : graph_(graph), rows_(in.rows), frame_(in.frame), pass_(pass) {
    for (const ValueId id : pass.ops) append(id);
    for (const ValueId id : pass.ops) {
      const bool is_own = &frame_.passes[at(std::max(frame_.made_in[at(id)], 0))] == &pass;
      if ((frame_.leaves[at(id)] && is_own) || pass.departing.contains(id))
        program_.outputs.push_back({own_[id]});
    }
  }

  /// Kernels, and what they read and write.
  lower::LoweredProgram lowered() {
    std::vector<ValueId> made_for;
    lower::LoweredProgram lowered = lower::lower(program_, {}, made_for);
    for (ValueId& id : made_for) id = origin_[at(id)];
    origin_ = std::move(made_for);
    return lowered;
  }

  /// What values of the lowered program are made for in the whole one.
  const std::vector<ValueId>& origin() const { return origin_; }

 private:
  ValueId append(ValueId id) {
    Op op = graph_.op(id);
    if (rows_.num_single > 0) cut_to_rows(id, op.shape.dims);
    if (!pass_.makes(id) && !frame_.is_copied[at(id)]) {
      op = {.kind = OpKind::parameter, .shape = op.shape};
      program_.inputs.push_back({.value = program_.size()});
    }
    for (ValueId& operand : op.operands) {
      const auto known = own_.find(operand);
      operand = known == own_.end() ? append(operand) : known->second;
    }
    program_.ops.push_back(std::move(op));
    origin_.push_back(id);
    return own_[id] = program_.size() - 1;
  }

  void cut_to_rows(ValueId id, std::vector<std::int64_t>& dims) const {
    const std::vector<DimSharding>& cut = rows_.strategy.specs[at(id)].dims;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (std::ranges::count(cut[d].splits, kMicroAxis, &AxisSplit::axis) > 0)
        dims[d] /= rows_.num_single;
    }
  }

  const sharding::OpGraph& graph_;
  const Rows& rows_;
  const Frame& frame_;
  const PassOps& pass_;
  Program program_;
  std::unordered_map<ValueId, ValueId> own_;
  std::vector<ValueId> origin_;
};

class LoopFinder {
 public:
  LoopFinder(const sharding::OpGraph& graph, const FusedIn& in, PassOps& pass)
      : frame_(in.frame), pass_(pass), program_(graph, in, pass), lowered_(program_.lowered()) {}

  void run(std::int32_t& num_launches) {
    for (const lower::KernelGroup& group : lowered_.groups) {
      if (group.kind != lower::KernelGroup::Kind::loop) continue;
      list(group, num_launches);
      for (const lower::LoopNest& nest : group.nests) {
        for (const lower::LoopNest::Member& member : nest.members) {
          if (LoopTraffic* const traffic = traffic_of(member.op)) traffic->nest = num_launches;
        }
        ++num_launches;
      }
    }
  }

 private:
  /// None of what is there before, nor of the loops around a kernel.
  LoopTraffic* traffic_of(ValueId own) {
    const ValueId id = origin(own);
    if (!pass_.makes(id) || frame_.work[at(id)] == OpWork::kernel) return nullptr;
    return &pass_.traffic[at(pass_.place[at(id)])];
  }
  ValueId origin(ValueId own) const { return program_.origin()[at(own)]; }

  void list(const lower::KernelGroup& group, std::int32_t launch) {
    std::set<ValueId> unread(group.inputs.begin(), group.inputs.end());
    bool opens = true;
    for (const ValueId own : group.ops) {
      LoopTraffic* const traffic = traffic_of(own);
      if (traffic == nullptr) continue;
      traffic->launch = launch;
      traffic->opens = std::exchange(opens, false);
      traffic->writes = std::ranges::binary_search(group.outputs, lowered_.views[at(own)].base);
      for (const ValueId operand : lowered_.program.op(own).operands) {
        const ValueId base = lowered_.views[at(operand)].base;
        const bool is_read = std::ranges::binary_search(group.inputs, base);
        if (is_read && origin(base) != origin(own)) traffic->inputs.push_back(origin(base));
        if (unread.erase(base) > 0) traffic->reads.push_back(origin(base));
      }
    }
  }

  const Frame& frame_;
  PassOps& pass_;
  PassProgram program_;
  const lower::LoweredProgram lowered_;
};

}  // namespace

void find_fused_loops(const sharding::OpGraph& graph, const FusedIn& in, PassOps& pass,
                      std::int32_t& num_launches) {
  LoopFinder(graph, in, pass).run(num_launches);
}

}  // namespace rhino::evaluate
