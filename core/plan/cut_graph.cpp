// SPDX-License-Identifier: Apache-2.0
#include "plan/cut_graph.hpp"

#include <algorithm>
#include <utility>

#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {

namespace {

/// Repeated wherever it is used: free inside a fused loop.
bool is_cheap(const Op& op) {
  constexpr std::size_t kMaxElements = 16;
  switch (op.kind) {
    case OpKind::constant: return op.attributes.get<ConstantAttr>().elements.size() <= kMaxElements;
    case OpKind::iota:
    case OpKind::axis_index:
    case OpKind::broadcast: return true;
    default: return false;
  }
}

}  // namespace

CutGraph::CutGraph(const CutProblem& problem)
    : bases(problem.program.ops.size()),
      users(bases.size()),
      leaves(bases.size()),
      varies(bases.size()),
      feeds(bases.size()),
      lasts(bases.size()),
      repeated(bases.size()) {
  for (const Output& output : problem.program.outputs) leaves[at(output.value)] = true;
  for (const std::vector<ValueId>& departure : problem.departures) {
    for (ValueId id : departure) leaves[at(id)] = feeds[at(id)] = true;
  }
  for (ValueId id = 0; id < problem.program.size(); ++id) find_bases(problem, id);
  find_users(problem.program);
  find_lasting(problem);
}

void CutGraph::find_bases(const CutProblem& problem, ValueId id) {
  const Op& op = problem.program.op(id);
  repeated[at(id)] = is_cheap(op) || (!problem.inside.empty() && problem.inside[at(id)]);
  std::vector<ValueId>& own = bases[at(id)];
  for (ValueId operand : op.operands) {
    // A collective reads memory: its operand is made, however cheap.
    if (repeated[at(operand)] && !ir::is_collective(op.kind))
      own.insert(own.end(), bases[at(operand)].begin(), bases[at(operand)].end());
    else own.push_back(operand);
    if (varies[at(operand)]) varies[at(id)] = true;
  }
  if (op.kind == OpKind::parameter) varies[at(id)] = true;
  std::sort(own.begin(), own.end());
  own.erase(std::unique(own.begin(), own.end()), own.end());
}

void CutGraph::find_users(const Program& program) {
  needed = leaves;
  for (ValueId id = program.size() - 1; id >= 0; --id) {
    if (!needed[at(id)]) continue;
    const OpKind kind = program.op(id).kind;
    const bool feeds_too = feeds[at(id)] || ir::traits(kind).heavy || ir::is_collective(kind);
    for (ValueId base : bases[at(id)]) {
      needed[at(base)] = true;
      users[at(base)].push_back(id);
      if (feeds_too) feeds[at(base)] = true;
    }
  }
}

void CutGraph::find_lasting(const CutProblem& problem) {
  for (std::size_t i = 0; i < problem.lasting.size(); ++i)
    lasts[at(problem.program.inputs[i].value)] = problem.lasting[i];
  for (ValueId id = 0; id < problem.program.size(); ++id) {
    const Op& op = problem.program.op(id);
    if (op.kind == OpKind::parameter || ir::traits(op.kind).heavy || ir::is_collective(op.kind))
      continue;
    lasts[at(id)] =
        std::ranges::all_of(bases[at(id)], [&](ValueId base) { return lasts[at(base)]; });
  }
}

std::vector<std::int32_t> arrivals_in_order(const CutProblem& problem, const CutGraph& graph) {
  std::vector<std::int32_t> arrivals;
  for (std::size_t i = 0; i < problem.arrival.size(); ++i) {
    const std::int32_t arrival = problem.arrival[i];
    if (arrival < 0 || !graph.needed[at(problem.program.inputs[i].value)]) continue;
    if (std::ranges::find(arrivals, arrival) == arrivals.end()) arrivals.push_back(arrival);
  }
  const std::vector<std::int32_t>& rank = problem.arrival_rank;
  std::ranges::stable_sort(arrivals, {}, [&](std::int32_t arrival) {
    if (arrival >= problem.first_under_way) return std::pair(false, arrival);
    return std::pair(true, rank.empty() ? 0 : rank[at(arrival)]);
  });
  return arrivals;
}

namespace {

/// Per op the first heavy one that reads it, itself or what light ops make of it.
std::vector<ValueId> first_readers(const Program& program, const CutGraph& graph) {
  std::vector<ValueId> first(at(program.size()), kNoValue);
  for (ValueId id = program.size(); id-- > 0;) {
    for (const ValueId user : graph.users[at(id)]) {
      const ValueId reader = ir::traits(program.op(user).kind).heavy ? user : first[at(user)];
      if (reader != kNoValue && (first[at(id)] == kNoValue || reader < first[at(id)]))
        first[at(id)] = reader;
    }
  }
  return first;
}

}  // namespace

std::vector<HeldGather> held_gathers(const CutProblem& problem, const CutGraph& graph,
                                     std::int64_t most_buckets) {
  const Program& program = problem.program;
  std::vector<HeldGather> gathers;
  std::int64_t all = 0;
  for (ValueId id = 0; id < program.size(); ++id) {
    const Op& op = program.op(id);
    if (op.kind != OpKind::all_gather || !graph.needed[at(id)]) continue;
    if (!graph.feeds[at(id)] || !graph.lasts[at(op.operands.front())]) continue;
    gathers.push_back({id});
    all += num_bytes(op.shape);
  }
  if (all <= problem.least_bucket_bytes) return {};
  const std::int64_t full = std::max(problem.least_bucket_bytes, all / most_buckets);
  const std::vector<ValueId> first = first_readers(program, graph);
  std::vector<ValueId> used;  // per bucket, the last op that is the first to read one of it
  std::int64_t bytes = full;
  for (HeldGather& gather : gathers) {
    if (bytes >= full) used.push_back(kNoValue), bytes = 0;
    bytes += num_bytes(program.shape(gather.id));
    gather.bucket = static_cast<std::int32_t>(used.size());
    used.back() = std::max(used.back(), first[at(gather.id)]);
    // What comes before a gather does not depend on it.
    if (used.size() > 2) gather.not_before = used[used.size() - 3];
    if (gather.not_before >= gather.id) gather.not_before = kNoValue;
  }
  return gathers;
}

}  // namespace rhino::plan
