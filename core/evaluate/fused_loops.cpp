// SPDX-License-Identifier: Apache-2.0
#include "evaluate/fused_loops.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "lower/fusion.hpp"
#include "lower/placement.hpp"
#include "lower/storage.hpp"
#include "rhino/index.hpp"

namespace rhino::evaluate {
namespace {

/// The ops of a pass as a program of their own.
class PassProgram {
 public:
  PassProgram(const sharding::OpGraph& graph, const Frame& frame, const PassOps& pass)
      : graph_(graph), frame_(frame), pass_(pass) {
    for (const ValueId id : pass.ops) append(id);
    for (const ValueId id : pass.ops) {
      const bool is_own = &frame.passes[at(std::max(frame.made_in[at(id)], 0))] == &pass;
      if ((frame.leaves[at(id)] && is_own) || pass.departing.contains(id))
        program_.outputs.push_back({own_[id]});
    }
  }

  /// Kernels, and what they read and write.
  lower::LoweredProgram lowered() && {
    lower::LoweredProgram lowered;
    lowered.program = std::move(program_);
    const lower::Storage storage = lower::analyze_storage(lowered.program);
    lowered.views = storage.views;
    lowered.groups = lower::fuse(lowered.program, storage);
    lower::Dependencies dependencies =
        lower::dependencies_of(lowered.program, storage, lowered.groups);
    lower::place_outputs(lowered, storage, dependencies);
    lower::schedule_groups(lowered, dependencies);
    lower::place_temporaries(lowered, storage);
    return lowered;
  }

  /// What its values are in the whole program.
  const std::vector<ValueId>& origin() const { return origin_; }

 private:
  ValueId append(ValueId id) {
    Op op = graph_.op(id);
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

  const sharding::OpGraph& graph_;
  const Frame& frame_;
  const PassOps& pass_;
  Program program_;
  std::unordered_map<ValueId, ValueId> own_;
  std::vector<ValueId> origin_;
};

}  // namespace

void find_fused_loops(const sharding::OpGraph& graph, const Frame& frame, PassOps& pass,
                      std::int32_t& num_launches) {
  PassProgram program(graph, frame, pass);
  const std::vector<ValueId> origin = program.origin();
  const lower::LoweredProgram lowered = std::move(program).lowered();
  for (const lower::KernelGroup& group : lowered.groups) {
    if (group.kind != lower::KernelGroup::Kind::loop) continue;
    std::set<ValueId> unread(group.inputs.begin(), group.inputs.end());
    bool opens = true;
    for (const ValueId own : group.ops) {
      if (!pass.makes(origin[at(own)])) continue;
      LoopTraffic& traffic = pass.traffic[at(pass.place[at(origin[at(own)])])];
      traffic.launch = num_launches;
      traffic.opens = std::exchange(opens, false);
      traffic.writes = std::ranges::binary_search(group.outputs, lowered.views[at(own)].base);
      for (const ValueId operand : lowered.program.op(own).operands) {
        const ValueId base = lowered.views[at(operand)].base;
        if (std::ranges::binary_search(group.inputs, base))
          traffic.inputs.push_back(origin[at(base)]);
        if (unread.erase(base) > 0) traffic.reads.push_back(origin[at(base)]);
      }
    }
    ++num_launches;
  }
}

}  // namespace rhino::evaluate
