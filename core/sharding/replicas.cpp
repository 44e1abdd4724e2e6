// SPDX-License-Identifier: Apache-2.0
#include "sharding/replicas.hpp"

#include <algorithm>
#include <utility>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/step_graph.hpp"

namespace rhino::sharding {
namespace {

class Replicator {
 public:
  Replicator(const Program& program, const Strategy& strategy, const std::vector<Chunk>& chunks)
      : program_(program),
        strategy_(strategy),
        graph_(program, strategy),
        num_replicas_(chunks.size() / strategy.chunks.size()),
        copies_(num_replicas_, std::vector<ValueId>(program.ops.size(), kNoValue)),
        sums_(copies_) {
    step_.program.name = program.name;
    step_.strategy = strategy;
    step_.strategy.chunks = chunks;
    for (std::size_t c = 0; c < chunks.size(); ++c)
      step_.strategy.chunks[c].recompute = strategy.chunks[c % strategy.chunks.size()].recompute;
    step_.strategy.chunk_of.clear();
    step_.strategy.specs.clear();
    step_.strategy.recompute.clear();
  }

  ReplicatedStep make() && {
    find_sums();
    find_needed();
    for (ValueId id = 0; id < program_.size(); ++id) {
      for (std::size_t r = 0; r < num_replicas_; ++r) copies_[r][at(id)] = copied(id, r);
      for (std::size_t r = 0; r < num_replicas_; ++r) {
        if (r == 0 ? of_[at(id)].is_read : of_[at(id)].is_needed) sums_[r][at(id)] = summed(id, r);
      }
    }
    add_inputs();
    add_outputs();
    for (const std::vector<ValueId>& copies : copies_) {
      for (const ValueId id : strategy_.recompute) {
        if (copies[at(id)] != kNoValue) step_.strategy.recompute.push_back(copies[at(id)]);
      }
    }
    std::ranges::sort(step_.strategy.recompute);
    return std::move(step_);
  }

 private:
  /// Of a sum over micro-batches that is read once a step.
  struct Sum {
    bool is_read = false, is_needed = false;  ///< at all; by replicas but the first
    ShardingSpec spec;
  };

  bool is_sum(ValueId id) const {
    return !graph_.is_copied(id) && graph_.input_of(id) == nullptr &&
           graph_.timing(id) == Timing::each && graph_.form(id).result.accumulates;
  }
  /// Whether it needs all terms of operand `i`.
  bool reads_sum(ValueId id, std::size_t i) const {
    return is_sum(program_.op(id).operands[i]) &&
           (graph_.is_copied(id) || !graph_.form(id).needs[i].accumulates);
  }

  void find_sums() {
    of_.resize(program_.ops.size());
    for (const Output& output : program_.outputs) {
      if (!is_sum(output.value)) continue;
      of_[at(output.value)].is_read = true;
      of_[at(output.value)].spec = without_partial(graph_.form(output.value).result.spec);
    }
    for (ValueId id = program_.size(); id-- > 0;) {
      const std::vector<ValueId>& operands = program_.op(id).operands;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!reads_sum(id, i)) continue;
        of_[at(operands[i])].is_read = true;
        of_[at(operands[i])].spec = graph_.is_copied(id)
                                        ? without_partial(graph_.form(operands[i]).result.spec)
                                        : graph_.form(id).needs[i].spec;
      }
    }
  }
  /// What replicas but the first do: terms of sums and updates, and what these read.
  void find_needed() {
    is_needed_.resize(program_.ops.size());
    for (const Output& output : program_.outputs) {
      if (output.kind != OutputKind::updated_state) continue;
      is_needed_[at(output.value)] = true;
      is_needed_[at(program_.inputs[at(output.input)].value)] = true;
    }
    for (ValueId id = program_.size(); id-- > 0;) {
      is_needed_[at(id)] = is_needed_[at(id)] || of_[at(id)].is_read;
      const std::vector<ValueId>& operands = program_.op(id).operands;
      for (std::size_t i = 0; is_needed_[at(id)] && i < operands.size(); ++i) {
        is_needed_[at(operands[i])] = true;
        if (reads_sum(id, i)) of_[at(operands[i])].is_needed = true;
      }
    }
  }

  /// Of all replicas the same: what is no parameter or state and reads none.
  bool is_shared(ValueId id) const {
    if (const Input* input = graph_.input_of(id))
      return input->kind == InputKind::batch || input->kind == InputKind::scalar;
    const std::vector<ValueId>& operands = program_.op(id).operands;
    return graph_.is_copied(id) && std::ranges::all_of(operands, [&](ValueId operand) {
             return copies_.front()[at(operand)] == copies_.back()[at(operand)];
           });
  }

  ValueId copied(ValueId id, std::size_t replica) {
    if (replica > 0 && !is_needed_[at(id)]) return kNoValue;
    if (replica > 0 && is_shared(id)) return copies_.front()[at(id)];
    Op op = program_.op(id);
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const auto& values = reads_sum(id, i) ? sums_ : copies_;
      op.operands[i] = values[replica][at(op.operands[i])];
    }
    if (op.origin != kNoValue) op.origin = copies_[replica][at(op.origin)];
    return append(std::move(op), chunk(id, replica), strategy_.specs[at(id)]);
  }
  ValueId summed(ValueId id, std::size_t replica) {
    ValueId sum = copies_.front()[at(id)];
    for (std::size_t r = 1; r < num_replicas_; ++r) {
      Op add;
      add.kind = OpKind::add;
      add.phase = Phase::update;
      add.shape = program_.shape(id);
      add.operands = {sum, copies_[r][at(id)]};
      add.name = program_.op(id).name;
      sum = append(std::move(add), chunk(id, replica), of_[at(id)].spec);
    }
    return sum;
  }
  ValueId append(Op op, std::int32_t chunk, const ShardingSpec& spec) {
    step_.program.ops.push_back(std::move(op));
    step_.strategy.chunk_of.push_back(chunk);
    step_.strategy.specs.push_back(spec);
    return step_.program.size() - 1;
  }
  std::int32_t chunk(ValueId id, std::size_t replica) const {
    const std::int32_t own = graph_.chunks_of()[at(id)];
    const std::size_t before = replica * strategy_.chunks.size();
    return own < 0 ? own : own + static_cast<std::int32_t>(before);
  }

  void add_inputs() {
    for (std::size_t r = 0; r < num_replicas_; ++r) {
      std::vector<std::int32_t>& own = inputs_of_.emplace_back();
      for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
        Input input = program_.inputs[i];
        const bool is_there = r > 0 && (is_shared(input.value) || !is_needed_[at(input.value)]);
        own.push_back(is_there ? -1 : static_cast<std::int32_t>(step_.inputs.size()));
        if (is_there) continue;
        input.value = copies_[r][at(input.value)];
        step_.program.inputs.push_back(std::move(input));
        step_.inputs.push_back(static_cast<std::int32_t>(i));
      }
      for (const std::int32_t i : own) {
        if (i >= 0 && step_.program.inputs[at(i)].state_of >= 0)
          step_.program.inputs[at(i)].state_of = own[at(step_.program.inputs[at(i)].state_of)];
      }
    }
  }
  void add_outputs() {
    for (std::size_t r = 0; r < num_replicas_; ++r) {
      for (std::size_t o = 0; o < program_.outputs.size(); ++o) {
        Output output = program_.outputs[o];
        if (r > 0 && output.kind != OutputKind::updated_state) continue;
        const auto& values = is_sum(output.value) ? sums_ : copies_;
        output.value = values[r][at(output.value)];
        if (output.input >= 0) output.input = inputs_of_[r][at(output.input)];
        step_.program.outputs.push_back(output);
        step_.outputs.push_back(static_cast<std::int32_t>(o));
      }
    }
  }

  const Program& program_;
  const Strategy& strategy_;
  const StepGraph graph_;
  const std::size_t num_replicas_;
  std::vector<bool> is_needed_;                       ///< per value
  std::vector<Sum> of_;                               ///< per value
  std::vector<std::vector<ValueId>> copies_, sums_;   ///< [replica][value]
  std::vector<std::vector<std::int32_t>> inputs_of_;  ///< [replica][input]; -1: none
  ReplicatedStep step_;
};

}  // namespace

ReplicatedStep replicate(const Program& program, const Strategy& strategy,
                         const std::vector<Chunk>& chunks) {
  const std::size_t num_chunks = strategy.chunks.size();
  if (chunks.size() % num_chunks != 0)
    throw Error("replicas of " + std::to_string(num_chunks) + " chunks cannot have " +
                std::to_string(chunks.size()) + " in all");
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    if (chunks[c].mesh.axes != strategy.chunks[c % num_chunks].mesh.axes)
      throw Error("strategy '" + strategy.name + "': chunk " + std::to_string(c % num_chunks) +
                  " lies on meshes of different axes in different replicas");
  }
  return Replicator(program, strategy, chunks).make();
}

}  // namespace rhino::sharding
