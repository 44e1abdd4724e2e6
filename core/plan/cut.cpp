// SPDX-License-Identifier: Apache-2.0
#include "plan/cut.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "ir/structure_hash.hpp"
#include "ir/without_names.hpp"
#include "plan/cut_blocked.hpp"
#include "plan/cut_bucket.hpp"
#include "plan/cut_graph.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// Of reductions that are alike; of those that are there to save memory.
constexpr std::int64_t kMostBuckets = 32, kMostSavingBuckets = 128;

bool is_view(OpKind kind) { return ir::traits(kind).view || kind == OpKind::convert; }

/// Not part of any fused loop: worth a run of its own while a communication is under way.
bool is_heavy(OpKind kind) { return ir::traits(kind).heavy; }

class Cutter {
 public:
  explicit Cutter(const CutProblem& problem)
      : problem_(problem),
        program_(problem.program),
        graph_(problem),
        done_(program_.ops.size()),
        left_(problem.departures.size()),
        seen_(program_.ops.size()),
        local_in_(program_.ops.size()),
        not_before_(program_.ops.size(), kNoValue),
        local_(program_.ops.size()),
        arrivals_(arrivals_in_order(problem, graph_)),
        gathered_in_(program_.ops.size()) {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i)
      done_[at(program_.inputs[i].value)] = problem.arrival[i] < 0;
    for (ValueId id = 0; id < program_.size(); ++id) {
      if (!graph_.needed[at(id)]) continue;
      if (std::ranges::binary_search(problem.reductions, id)) continue;
      if (ir::is_collective(program_.op(id).kind)) collectives_.push_back(id);
    }
    hold_back_repeated();
    for (const ValueId id : problem.reductions) add_reduction(id, false);
    hold_back_results();
    hold_back_gathers();
    for (Reductions& alike : reductions_) {
      const std::int64_t most = alike.drains ? kMostSavingBuckets : kMostBuckets;
      alike.bucket_bytes = std::max(problem.least_bucket_bytes, alike.bucket_bytes / most);
    }
    blocked_.emplace(program_, graph_, not_before_, done_);
  }

  CutProgram cut() {
    while (true) {
      if (depart() || start_collectives() || start_reductions() || run_rest()) continue;
      if (!wait() && !start_reductions(true)) break;
    }
    return std::move(cut_);
  }

 private:
  /// Those of one kind over the same axes, in the order of the program.
  struct Reductions {
    CutCollective kind;
    bool drains = false;  ///< are waited for here, one bucket after the other
    std::int64_t bucket_bytes = 0;
    std::vector<ValueId> left;
  };
  void add_reduction(ValueId id, bool drains) {
    const auto is_of = [&](const Reductions& other) {
      return other.drains == drains && is_alike(program_, id, other.kind);
    };
    auto alike = std::ranges::find_if(reductions_, is_of);
    if (alike == reductions_.end())
      alike = reductions_.insert(alike, Reductions{described(program_, id), drains, 0, {}});
    alike->left.push_back(id);
    alike->bucket_bytes += bucket_bytes(program_, id);
  }
  /// Sums that are scattered, gradients say, and new parameters that are gathered, for nothing else
  /// here, are reductions too, but that they are waited for: so that few of them are alive at once.
  void hold_back_results() {
    std::vector<ValueId> results;
    std::int64_t bytes = 0;
    for (const ValueId id : collectives_) {
      const OpKind kind = program_.op(id).kind;
      const bool changes_size = kind == OpKind::reduce_scatter || kind == OpKind::all_gather;
      if (!changes_size || graph_.feeds[at(id)]) continue;
      results.push_back(id);
      bytes += bucket_bytes(program_, id);
    }
    if (bytes <= problem_.least_bucket_bytes) return;
    std::erase_if(collectives_,
                  [&](ValueId id) { return std::ranges::binary_search(results, id); });
    for (const ValueId id : results) add_reduction(id, true);
  }

  void hold_back_gathers() {
    for (const HeldGather& gather : held_gathers(problem_, graph_, kMostSavingBuckets)) {
      gathered_in_[at(gather.id)] = gather.bucket;
      if (gather.not_before != kNoValue) not_before_[at(gather.id)] = gather.not_before;
    }
  }

  void hold_back_repeated() {
    ValueId last = kNoValue;
    for (ValueId id = 0; id < program_.size(); ++id) {
      const Op& op = program_.op(id);
      if (op.phase == Phase::forward) not_before_[at(id)] = last;
      else if (graph_.needed[at(id)] && is_heavy(op.kind)) last = id;
    }
  }

  bool is_blocked(ValueId id) const { return (*blocked_)[id]; }
  bool is_ready(ValueId id) const { return blocked_->is_ready(id); }

  bool depart() {
    for (std::size_t d = 0; d < problem_.departures.size(); ++d) {
      const std::vector<ValueId>& values = problem_.departures[d];
      const bool ready =
          std::none_of(values.begin(), values.end(), [&](ValueId id) { return is_blocked(id); });
      if (left_[d] || !ready || overtakes(d)) continue;
      run_for(values);
      left_[d] = true;
      add(CutItem::Kind::depart, d);
      return true;
    }
    return false;
  }

  bool overtakes(std::size_t departure) const {
    const auto& roles = problem_.target_roles;
    for (std::size_t d = 0; d < std::min(departure, roles.size()); ++d) {
      const auto both = std::ranges::find_first_of(roles[d], roles[departure]);
      if (!left_[d] && both != roles[d].end()) return true;
    }
    return false;
  }

  std::int32_t start(CutCollective collective) {
    add(CutItem::Kind::start, cut_.collectives.size());
    cut_.collectives.push_back(std::move(collective));
    return static_cast<std::int32_t>(cut_.collectives.size()) - 1;
  }

  /// Starts the first bucket of collectives that are ready and alike.
  bool start_collectives() {
    CutBucket bucket;
    std::vector<ValueId> remaining, before;
    for (ValueId id : collectives_) {
      const std::int32_t gathered_in = gathered_in_[at(id)];
      const bool has_room = bucket.bytes < kBucketBytes || gathered_in > 0;
      const bool taken = has_room && is_ready(id) &&
                         (bucket.bytes == 0 || (is_alike(program_, id, bucket.collective) &&
                                                gathered_in == bucket.gathered_in));
      if (!taken) {
        remaining.push_back(id);
        continue;
      }
      bucket.add(program_, id);
      bucket.gathered_in = gathered_in;
      if (not_before_[at(id)] != kNoValue) before.push_back(not_before_[at(id)]);
    }
    if (bucket.bytes == 0) return false;
    collectives_ = std::move(remaining);
    before.insert(before.end(), bucket.collective.operands.begin(),
                  bucket.collective.operands.end());
    run_for(before);
    under_way_.push_back(start(std::move(bucket.collective)));
    if (problem_.blocks && bucket.gathered_in == 0) {
      add(CutItem::Kind::wait, at(under_way_.back()));
      has_blocked_.insert(under_way_.back());
    }
    return true;
  }

  /// The first bucket of its kind that is full, or all that is left of it; empty: there is none.
  CutBucket full_bucket(const Reductions& alike) const {
    CutBucket bucket;
    std::size_t num_left = 0;
    for (const ValueId id : alike.left) {
      if (bucket.most_bytes < alike.bucket_bytes && is_ready(id)) bucket.add(program_, id);
      else ++num_left;
    }
    return bucket.most_bytes >= alike.bucket_bytes || num_left == 0 ? bucket : CutBucket();
  }

  /// Starts that bucket of reductions whose operands are complete first.
  bool start_reductions(bool all_else_is_done = false) {
    Reductions* first = nullptr;
    CutBucket bucket;
    for (Reductions& alike : reductions_) {
      if (problem_.reduces_last && !alike.drains && !all_else_is_done) continue;
      CutBucket full = full_bucket(alike);
      if (full.bytes == 0) continue;
      if (first != nullptr && full.last_operand() > bucket.last_operand()) continue;
      first = &alike;
      bucket = std::move(full);
    }
    if (first == nullptr) return false;
    std::erase_if(first->left, [&](ValueId id) {
      return std::ranges::binary_search(bucket.collective.results, id);
    });
    run_for(bucket.collective.operands);
    const std::vector<ValueId> complete = first->drains ? drain() : std::vector<ValueId>{};
    const std::int32_t index = start(std::move(bucket.collective));
    if (first->drains) draining_.push_back(index);
    run_for(complete);
    return true;
  }

  /// Waits for what drains. Returns the results that this completes.
  std::vector<ValueId> drain() {
    std::vector<ValueId> reached, complete;
    ++search_;
    const auto reach = [&](ValueId id) {
      if (std::exchange(seen_[at(id)], search_) != search_ && !is_blocked(id))
        reached.push_back(id);
    };
    std::vector<std::int32_t> ended = std::exchange(draining_, {});
    for (const std::int32_t index : ended) wait_for(index);
    for (const std::int32_t index : ended)
      std::ranges::for_each(cut_.collectives[at(index)].results, reach);
    for (std::size_t i = 0; i < reached.size(); ++i) {
      if (graph_.leaves[at(reached[i])]) complete.push_back(reached[i]);
      std::ranges::for_each(graph_.users[at(reached[i])], reach);
    }
    return complete;
  }
  /// What waits for nothing. While there is something to wait for, only heavy ops, results, and
  /// what they need: the rest is better fused with what comes after the Wait.
  bool run_rest() {
    const bool all = under_way_.empty() && arrivals_.empty() && draining_.empty();
    std::vector<ValueId> ops;
    std::erase_if(blocked_->free(), [&](ValueId id) { return done_[at(id)]; });
    for (ValueId id : blocked_->free()) {
      const OpKind kind = program_.op(id).kind;
      const bool worth = is_heavy(kind) || (graph_.leaves[at(id)] && !is_view(kind));
      if (all || (worth && graph_.varies[at(id)])) ops.push_back(id);
    }
    if (ops.empty()) return false;
    run_for(ops);
    return true;
  }

  void wait_for(std::int32_t index) {
    for (const ValueId id : cut_.collectives[at(index)].results) complete(id);
    if (!has_blocked_.contains(index)) add(CutItem::Kind::wait, at(index));
  }
  void complete(ValueId id) {
    done_[at(id)] = true;
    blocked_->complete(id);
  }

  bool is_under_way(std::int32_t arrival) const { return arrival >= problem_.first_under_way; }
  /// What this mesh's own collectives bring comes before other arrivals, in the order in which they
  /// began: so they end, one after the other. What drains comes last: nothing waits for it.
  bool wait() {
    if (!arrivals_.empty() && is_under_way(arrivals_.front())) return arrive();
    if (!under_way_.empty()) {
      wait_for(under_way_.front());
      under_way_.erase(under_way_.begin());
      return true;
    }
    if (!arrivals_.empty()) return arrive();
    if (draining_.empty()) return false;
    run_for(drain());
    return true;
  }
  bool arrive() {
    const std::int32_t arrival = arrivals_.front();
    arrivals_.erase(arrivals_.begin());
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
      if (problem_.arrival[i] == arrival) complete(program_.inputs[i].value);
    }
    add(CutItem::Kind::arrive, static_cast<std::size_t>(arrival));
    return true;
  }

  /// What `values` are computed from and themselves, as far as it has not run.
  void run_for(const std::vector<ValueId>& values) {
    std::vector<ValueId> ops, stack = values;
    ++search_;
    while (!stack.empty()) {
      const ValueId id = stack.back();
      stack.pop_back();
      if (done_[at(id)] || std::exchange(seen_[at(id)], search_) == search_) continue;
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
    run.program.ops.reserve(ops.size());
    for (ValueId id : ops) copy_into(run, id);
    for (ValueId id : ops) {
      done_[at(id)] = true;
      if (leaves(id)) {
        run.outputs.push_back(id);
        run.program.outputs.push_back({local_[at(id)], OutputKind::value, -1});
      }
    }
    run.hash = ir::structure_hash(run.program);
  }
  /// Something outside of the run under construction reads `id`.
  bool leaves(ValueId id) const {
    const std::vector<ValueId>& users = graph_.users[at(id)];
    return graph_.leaves[at(id)] ||
           std::any_of(users.begin(), users.end(), [&](ValueId user) { return !is_in_run(user); });
  }
  /// Under construction: it is what was searched last.
  bool is_in_run(ValueId id) const { return seen_[at(id)] == search_; }
  ValueId copy_into(CutRun& run, ValueId id) {
    if (std::exchange(local_in_[at(id)], search_) == search_) return local_[at(id)];
    const Op& op = program_.op(id);
    Op copy;
    if (is_in_run(id) || graph_.repeated[at(id)]) {
      copy = ir::without_name(op);
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
  const CutGraph graph_;
  std::vector<bool> done_, left_;
  std::optional<CutBlocked> blocked_;  ///< once it is known what is held back
  /// Per op: the search, or run, that saw it last, and that in which it is local_.
  std::vector<std::int32_t> seen_, local_in_;
  std::int32_t search_ = 0;
  std::vector<ValueId> not_before_;  ///< per op; kNoValue: any time
  std::vector<ValueId> collectives_, local_;
  std::vector<Reductions> reductions_;  ///< that have not left
  std::vector<std::int32_t> arrivals_, under_way_, draining_;
  std::set<std::int32_t> has_blocked_;     ///< of collectives: where they started
  std::vector<std::int32_t> gathered_in_;  ///< per op: its bucket of gathers, from 1; 0: in none
  CutProgram cut_;
};

}  // namespace

CutProgram cut(const CutProblem& problem) { return Cutter(problem).cut(); }

}  // namespace rhino::plan
