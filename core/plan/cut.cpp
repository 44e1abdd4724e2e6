// SPDX-License-Identifier: Apache-2.0
#include "plan/cut.hpp"

#include <algorithm>
#include <cassert>

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

bool is_view(OpKind kind) { return ir::traits(kind).view || kind == OpKind::convert; }

/// Not part of any fused loop: worth a run of its own while a communication is under way.
bool is_heavy(OpKind kind) { return ir::traits(kind).heavy; }

CommunicationKind communication_kind(OpKind kind) {
  switch (kind) {
    case OpKind::all_gather: return CommunicationKind::all_gather;
    case OpKind::reduce_scatter: return CommunicationKind::reduce_scatter;
    case OpKind::all_to_all: return CommunicationKind::all_to_all;
    default: assert(kind == OpKind::all_reduce); return CommunicationKind::all_reduce;
  }
}

/// What every op is computed from, and what it is needed for, once cheap ops are repeated in each
/// run. `bases` of an op: the values it reads from memory or from its own run. Only needed ops have
/// users.
struct Graph {
  std::vector<std::vector<ValueId>> bases, users;
  std::vector<bool> leaves;  ///< goes out of the program or into a departure
  std::vector<bool> needed;
  std::vector<bool> varies;  ///< depends on an input

  explicit Graph(const CutProblem& problem)
      : bases(problem.program.ops.size()),
        users(bases.size()),
        leaves(bases.size()),
        needed(bases.size()),
        varies(bases.size()) {
    for (const Output& output : problem.program.outputs) leaves[at(output.value)] = true;
    for (const std::vector<ValueId>& departure : problem.departures) {
      for (ValueId id : departure) leaves[at(id)] = true;
    }
    for (ValueId id = 0; id < problem.program.size(); ++id) find_bases(problem.program, id);
    needed = leaves;
    for (ValueId id = problem.program.size() - 1; id >= 0; --id) {
      if (!needed[at(id)]) continue;
      for (ValueId base : bases[at(id)]) {
        needed[at(base)] = true;
        users[at(base)].push_back(id);
      }
    }
  }

 private:
  void find_bases(const Program& program, ValueId id) {
    const Op& op = program.op(id);
    std::vector<ValueId>& own = bases[at(id)];
    for (ValueId operand : op.operands) {
      // A collective reads memory: its operand is made, however cheap.
      const bool repeated = is_cheap(program.producer(operand)) && !ir::is_collective(op.kind);
      if (repeated) own.insert(own.end(), bases[at(operand)].begin(), bases[at(operand)].end());
      else own.push_back(operand);
      if (varies[at(operand)]) varies[at(id)] = true;
    }
    if (op.kind == OpKind::parameter) varies[at(id)] = true;
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
};

class Cutter {
 public:
  explicit Cutter(const CutProblem& problem)
      : problem_(problem),
        program_(problem.program),
        graph_(problem),
        done_(program_.ops.size()),
        blocked_(program_.ops.size()),
        left_(problem.departures.size()),
        not_before_(program_.ops.size(), kNoValue) {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      const std::int32_t arrival = problem.arrival[i];
      done_[at(program_.inputs[i].value)] = arrival < 0;
      if (arrival < 0 || !graph_.needed[at(program_.inputs[i].value)]) continue;
      if (std::find(arrivals_.begin(), arrivals_.end(), arrival) == arrivals_.end()) {
        arrivals_.push_back(arrival);
      }
    }
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (!graph_.needed[at(id)]) continue;
      if (ir::is_collective(program_.op(id).kind)) collectives_.push_back(id);
      else if (program_.op(id).kind != OpKind::parameter) computed_.push_back(id);
    }
    hold_back_repeated();
  }

  CutProgram cut() {
    while (true) {
      find_blocked();
      if (depart() || start_collectives() || run_rest()) continue;
      if (!wait()) break;
    }
    return std::move(cut_);
  }

 private:
  void hold_back_repeated() {
    ValueId last = kNoValue;
    for (ValueId id = 0; id < program_.size(); ++id) {
      const Op& op = program_.op(id);
      if (op.phase == Phase::forward) not_before_[at(id)] = last;
      else if (graph_.needed[at(id)] && is_heavy(op.kind)) last = id;
    }
  }

  /// Ops that cannot run before something else has been waited for.
  void find_blocked() {
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (done_[at(id)]) {
        blocked_[at(id)] = false;
        continue;
      }
      const Op& op = program_.op(id);
      blocked_[at(id)] =
          op.kind == OpKind::parameter || ir::is_collective(op.kind) || !is_ready(id);
    }
  }
  bool is_ready(ValueId id) const {
    const ValueId earlier = not_before_[at(id)];
    if (earlier != kNoValue && blocked_[at(earlier)]) return false;
    return std::none_of(graph_.bases[at(id)].begin(), graph_.bases[at(id)].end(),
                        [&](ValueId base) { return blocked_[at(base)]; });
  }

  bool depart() {
    for (std::size_t d = 0; d < problem_.departures.size(); ++d) {
      const std::vector<ValueId>& values = problem_.departures[d];
      const bool ready =
          std::none_of(values.begin(), values.end(), [&](ValueId id) { return blocked_[at(id)]; });
      if (left_[d] || !ready) continue;
      run_for(values);
      left_[d] = true;
      add(CutItem::Kind::depart, d);
      return true;
    }
    return false;
  }

  /// Starts the first bucket of collectives that are ready and alike.
  bool start_collectives() {
    CutCollective bucket;
    std::int64_t bytes = 0;
    std::vector<ValueId> remaining;
    for (ValueId id : collectives_) {
      const bool taken =
          bytes < kBucketBytes && is_ready(id) && (bytes == 0 || is_alike(id, bucket));
      if (!taken) {
        remaining.push_back(id);
        continue;
      }
      const ValueId operand = program_.op(id).operands.front();
      if (bucket.results.empty()) describe(id, bucket);
      bucket.operands.push_back(operand);
      bucket.results.push_back(id);
      bytes += std::max<std::int64_t>(1, num_bytes(program_.shape(operand)));
    }
    if (bucket.results.empty()) return false;
    collectives_ = std::move(remaining);
    run_for(bucket.operands);
    add(CutItem::Kind::start, cut_.collectives.size());
    under_way_.push_back(static_cast<std::int32_t>(cut_.collectives.size()));
    cut_.collectives.push_back(std::move(bucket));
    return true;
  }
  void describe(ValueId id, CutCollective& bucket) const {
    const auto& attr = program_.op(id).attributes.get<CollectiveAttr>();
    bucket.kind = communication_kind(program_.op(id).kind);
    bucket.reduction = attr.reduction;
    bucket.axes = attr.axes;
  }
  bool is_alike(ValueId id, const CutCollective& bucket) const {
    CutCollective own;
    describe(id, own);
    return own.kind == bucket.kind && own.reduction == bucket.reduction && own.axes == bucket.axes;
  }

  /// What waits for nothing. While there is something to wait for, only heavy ops, results, and
  /// what they need: the rest is better fused with what comes after the Wait.
  bool run_rest() {
    const bool all = under_way_.empty() && arrivals_.empty();
    std::vector<ValueId> ops;
    for (ValueId id : computed_) {
      if (done_[at(id)] || blocked_[at(id)]) continue;
      const OpKind kind = program_.op(id).kind;
      const bool worth = is_heavy(kind) || (graph_.leaves[at(id)] && !is_view(kind));
      if (all || (worth && graph_.varies[at(id)])) ops.push_back(id);
    }
    if (ops.empty()) return false;
    run_for(ops);
    return true;
  }

  /// Collectives before arrivals: those are this mesh's own, already under way.
  bool wait() {
    if (!under_way_.empty()) {
      const std::int32_t index = under_way_.front();
      under_way_.erase(under_way_.begin());
      for (ValueId id : cut_.collectives[static_cast<std::size_t>(index)].results)
        done_[at(id)] = true;
      add(CutItem::Kind::wait, static_cast<std::size_t>(index));
      return true;
    }
    if (arrivals_.empty()) return false;
    const std::int32_t arrival = arrivals_.front();
    arrivals_.erase(arrivals_.begin());
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      if (problem_.arrival[i] == arrival) done_[at(program_.inputs[i].value)] = true;
    }
    add(CutItem::Kind::arrive, static_cast<std::size_t>(arrival));
    return true;
  }

  /// What `values` are computed from and themselves, as far as it has not run.
  void run_for(const std::vector<ValueId>& values) {
    std::vector<ValueId> ops, stack = values;
    std::vector<bool>& seen = seen_;
    seen.assign(program_.ops.size(), false);
    while (!stack.empty()) {
      const ValueId id = stack.back();
      stack.pop_back();
      if (done_[at(id)] || seen[at(id)]) continue;
      seen[at(id)] = true;
      ops.push_back(id);
      stack.insert(stack.end(), graph_.bases[at(id)].begin(), graph_.bases[at(id)].end());
      if (not_before_[at(id)] != kNoValue) stack.push_back(not_before_[at(id)]);
    }
    if (ops.empty()) return;
    std::sort(ops.begin(), ops.end());
    add_run(ops);
  }

  void add(CutItem::Kind kind, std::size_t index) {
    cut_.items.push_back({kind, static_cast<std::int32_t>(index)});
  }

  void add_run(const std::vector<ValueId>& ops) {
    add(CutItem::Kind::run, cut_.runs.size());
    CutRun& run = cut_.runs.emplace_back();
    local_.assign(program_.ops.size(), kNoValue);
    in_run_.assign(program_.ops.size(), false);
    for (ValueId id : ops) in_run_[at(id)] = true;
    for (ValueId id : ops) copy_into(run, id);
    for (ValueId id : ops) {
      done_[at(id)] = true;
      if (leaves(id)) {
        run.outputs.push_back(id);
        run.program.outputs.push_back({local_[at(id)], OutputKind::value, -1});
      }
    }
  }
  /// Something outside of the run under construction reads `id`.
  bool leaves(ValueId id) const {
    const std::vector<ValueId>& users = graph_.users[at(id)];
    return graph_.leaves[at(id)] || std::any_of(users.begin(), users.end(),
                                                [&](ValueId user) { return !in_run_[at(user)]; });
  }
  ValueId copy_into(CutRun& run, ValueId id) {
    if (local_[at(id)] != kNoValue) return local_[at(id)];
    const Op& op = program_.op(id);
    Op copy;
    if (in_run_[at(id)] || is_cheap(op)) {
      copy = op;
      copy.name.clear();
      copy.origin = kNoValue;
      for (ValueId& operand : copy.operands) operand = copy_into(run, operand);
    } else {
      copy.kind = OpKind::parameter;
      copy.shape = op.shape;
      run.inputs.push_back(id);
      run.program.inputs.push_back({run.program.size(), InputKind::parameter, {}, -1});
    }
    run.program.ops.push_back(std::move(copy));
    return local_[at(id)] = run.program.size() - 1;
  }

  const CutProblem& problem_;
  const Program& program_;
  Graph graph_;
  std::vector<bool> done_, blocked_, left_, seen_, in_run_;
  std::vector<ValueId> not_before_;  ///< per op; kNoValue: any time
  std::vector<ValueId> collectives_, computed_, local_;
  std::vector<std::int32_t> arrivals_, under_way_;
  CutProgram cut_;
};

}  // namespace

CutProgram cut(const CutProblem& problem) { return Cutter(problem).cut(); }

}  // namespace rhino::plan
