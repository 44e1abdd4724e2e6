// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "plan/validate_parts.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

std::string pass_name(std::int32_t chunk, InstructionPhase phase) {
  return std::string(name_of(phase)) + " of chunk " + std::to_string(chunk);
}

/// The Runs of one pass, per micro-batch.
struct PassRuns {
  std::map<std::int32_t, std::int64_t> count;
  /// The micro-batch that comes first: it has nothing to accumulate onto and may take fewer Runs.
  std::int32_t first = -1;
  /// That which comes last: reductions of what it completes may cut it otherwise.
  std::int32_t last = -1;
  /// Buffers that Runs accumulate into, and of which micro-batch, but for the first.
  std::vector<std::pair<std::int32_t, std::int32_t>> sums;

  void add(const Instruction& run) {
    if (first < 0) first = run.instance;
    last = run.instance;
    ++count[run.instance];
    if (run.instance == first) return;
    for (const std::int32_t buffer : run.outputs)
      if (contains(run.inputs, buffer)) sums.emplace_back(buffer, run.instance);
  }
  /// The last micro-batch accumulates into all that others do.
  bool has_last_sums() const {
    std::set<std::int32_t> last_sums;
    for (const auto& [buffer, micro_batch] : sums)
      if (micro_batch == last) last_sums.insert(buffer);
    return std::ranges::all_of(sums,
                               [&](const auto& sum) { return last_sums.contains(sum.first); });
  }
};

bool is_pass_run(const Instruction& instruction) {
  return instruction.kind == InstructionKind::run && instruction.instance >= 0 &&
         instruction.phase != InstructionPhase::update;
}

/// Which replica runs each micro-batch.
class Replicas {
 public:
  explicit Replicas(const ExecutionPlan& plan) : of_(at(plan.num_micro_batches), -1) {
    std::int64_t num_chunks = 0;
    for_each_pass(plan, [&](const Instruction& run) {
      num_chunks = std::max(num_chunks, std::int64_t{run.chunk} + 1);
    });
    chunks_each_ = std::max<std::int64_t>(num_chunks / plan.num_replicas, 1);
    for_each_pass(plan, [&](const Instruction& run) {
      std::int64_t& replica = of_[at(run.instance)];
      if (replica >= 0 && !runs(run.chunk, run.instance))
        throw Error("micro-batch " + std::to_string(run.instance) + " runs through replicas " +
                    std::to_string(replica) + " and " + std::to_string(run.chunk / chunks_each_));
      replica = run.chunk / chunks_each_;
    });
  }
  bool runs(std::int32_t chunk, std::int32_t micro_batch) const {
    return chunk / chunks_each_ == std::max<std::int64_t>(of_[at(micro_batch)], 0);
  }

 private:
  template <class Do>
  static void for_each_pass(const ExecutionPlan& plan, Do&& act) {
    for (const Role& role : plan.roles) {
      for (const Instruction& run : role.instructions) {
        if (is_pass_run(run)) act(run);
      }
    }
  }

  std::vector<std::int64_t> of_;  ///< per micro-batch; -1: none
  std::int64_t chunks_each_ = 1;
};

/// Runs of one program and micro-batch on the same buffers are equal, wherever they stand. What
/// they write tells most of them apart.
struct RunHash {
  std::size_t operator()(const Instruction* run) const {
    std::size_t hash = at(run->index);
    const auto mix = [&](std::int32_t value) {
      hash ^= static_cast<std::size_t>(value) + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
    };
    mix(run->instance);
    for (const std::int32_t buffer : run->outputs) mix(buffer);
    return hash;
  }
};
struct SameRun {
  bool operator()(const Instruction* a, const Instruction* b) const {
    return a->index == b->index && a->instance == b->instance && a->inputs == b->inputs &&
           a->outputs == b->outputs;
  }
};

void check_role(const ExecutionPlan& plan, const Replicas& replicas, std::size_t index) {
  const std::vector<Instruction>& list = plan.roles[index].instructions;
  std::map<std::pair<std::int32_t, InstructionPhase>, PassRuns> passes;
  std::unordered_set<const Instruction*, RunHash, SameRun> seen(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Instruction& run = list[i];
    if (run.kind != InstructionKind::run) continue;
    if (!seen.insert(&run).second) {
      throw Error(instruction_place(plan, index, i) + ": runs a second time");
    }
    if (!is_pass_run(run)) continue;
    passes[{run.chunk, run.phase}].add(run);
  }
  for (const auto& [key, pass] : passes) {
    const std::string place = "device " + std::to_string(plan.roles[index].mesh.devices.front()) +
                              " (role " + std::to_string(index) + ")";
    std::int64_t usual = -1;
    for (std::int32_t m = 0; m < plan.num_micro_batches; ++m) {
      if (!replicas.runs(key.first, m)) continue;
      const auto found = pass.count.find(m);
      if (found == pass.count.end())
        throw Error(place + " lacks the " + pass_name(key.first, key.second) + " for micro-batch " +
                    std::to_string(m));
      if (m == pass.first || m == pass.last) continue;
      if (usual < 0) usual = found->second;
      if (found->second != usual) {
        throw Error(place + " takes " + std::to_string(found->second) + " Runs for the " +
                    pass_name(key.first, key.second) + ", micro-batch " + std::to_string(m) +
                    ", and " + std::to_string(usual) + " for others");
      }
    }
    if (!pass.has_last_sums())
      throw Error(place + " adds less up in the " + pass_name(key.first, key.second) +
                  ", micro-batch " + std::to_string(pass.last) + ", than in others");
  }
}

}  // namespace

void check_micro_batches(const ExecutionPlan& plan) {
  const Replicas replicas(plan);
  for (std::size_t role = 0; role < plan.roles.size(); ++role) check_role(plan, replicas, role);
}

}  // namespace rhino::plan
