// SPDX-License-Identifier: Apache-2.0
#include "plan/reductions.hpp"

#include <algorithm>
#include <map>

#include "rhino/index.hpp"

namespace rhino::plan {
namespace {

/// Per value.
std::vector<std::int32_t> num_readers(const Program& program) {
  std::vector<std::int32_t> counts(program.ops.size());
  for (const Op& op : program.ops) {
    for (const ValueId operand : op.operands) ++counts[at(operand)];
  }
  for (const Output& output : program.outputs) ++counts[at(output.value)];
  return counts;
}

/// The block of the last pass at `site`: the first one's where that is the only one, as of a
/// replica that runs a single micro-batch.
const Block* last_block(const RoleBlocks& role, const Site& site, bool is_only_one) {
  for (const std::vector<PassBlocks>& passes : role.passes) {
    for (const PassBlocks& pass : passes) {
      if (pass.first.site == site) return is_only_one ? &pass.first : &pass.following();
    }
  }
  return nullptr;
}

class Mover {
 public:
  Mover(RoleBlocks& role, const std::vector<Handover>& handovers,
        const std::vector<PassStep>& steps)
      : role_(role),
        handovers_(handovers),
        steps_(steps),
        last_{phase_of(steps.back().pass), steps.back().chunk},
        update_(role.update),
        num_readers_(num_readers(role.update.program)) {}

  /// Reductions of the update whose operand a site accumulates, for nothing else.
  std::vector<ValueId> find() {
    std::vector<ValueId> found;
    for (ValueId id = 0; id < update_.program.size(); ++id) {
      const Op& op = update_.program.op(id);
      const bool reduces = op.kind == OpKind::all_reduce || op.kind == OpKind::reduce_scatter;
      if (reduces && can_move(summed(id))) found.push_back(id);
    }
    return found;
  }

  std::vector<LastPass> move(const std::vector<ValueId>& reductions) {
    for (const ValueId id : reductions) move(id);
    for (LastPass& pass : passes_) append(pass);
    return std::move(passes_);
  }

 private:
  /// What was the reduction `op` of `sum`, an output of the block, becomes one of its outputs.
  struct Moved {
    ValueId sum = kNoValue;
    Op op;
    std::int32_t resident = -1;
  };

  /// The operand of a reduction; that of a scatter, which is a reshape to the devices, as it was
  /// before where that is cut along its leading dim: so it lies in memory in the same way.
  ValueId summed(ValueId reduction) const {
    const Program& program = update_.program;
    const ValueId operand = program.op(reduction).operands.front();
    if (program.op(operand).kind != OpKind::reshape || num_readers_[at(operand)] != 1)
      return operand;
    const ValueId whole = program.op(operand).operands.front();
    std::vector<std::int64_t> dims = program.shape(whole).dims;
    const std::int64_t n = program.shape(operand).dims.front();
    if (dims.empty() || dims.front() <= n) return operand;
    dims.front() /= n;
    return dims == program.shape(reduction).dims ? whole : operand;
  }

  bool can_move(ValueId operand) {
    const std::int32_t accumulated = resident_of(operand);
    if (accumulated < 0 || num_readers_[at(operand)] != 1) return false;
    const Resident& resident = role_.residents[at(accumulated)];
    if (resident.origin != Resident::Origin::made || !resident.accumulates) return false;
    const Block* block = last_block(resident.site);
    if (block == nullptr || (sends(*block) && !is_followed(*block))) return false;
    const ValueId sum = made_by(*block, accumulated);
    return sum != kNoValue && readers_in(*block)[at(sum)] == 1;
  }

  const Block* last_block(const Site& site) const {
    const auto num_steps = std::ranges::count_if(steps_, [&](const PassStep& step) {
      return Site{phase_of(step.pass), step.chunk} == site;
    });
    return plan::last_block(role_, site, num_steps == 1);
  }

  const std::vector<std::int32_t>& readers_in(const Block& block) {
    const auto [found, is_new] = num_readers_in_.try_emplace(&block);
    if (is_new) found->second = num_readers(block.program);
    return found->second;
  }

  bool sends(const Block& block) const {
    return std::ranges::any_of(handovers_, [&](const Handover& handover) {
      return handover.per_micro_batch && handover.site == block.site;
    });
  }

  /// Whether passes of others come behind the last one of this block, and not the update at once.
  bool is_followed(const Block& block) const { return block.site != last_; }

  /// The resident that enters the update as `value`; -1: none.
  std::int32_t resident_of(ValueId value) const {
    const std::vector<Input>& inputs = update_.program.inputs;
    const auto input = std::ranges::find(inputs, value, &Input::value);
    return input == inputs.end() ? -1 : update_.inputs[at(input - inputs.begin())];
  }
  static ValueId made_by(const Block& block, std::int32_t resident) {
    const auto output = std::ranges::find(block.outputs, resident);
    return output == block.outputs.end()
               ? kNoValue
               : block.program.outputs[at(output - block.outputs.begin())].value;
  }

  void move(ValueId reduction) {
    Op& op = update_.program.ops[at(reduction)];
    const ValueId operand = summed(reduction);
    const std::int32_t accumulated = resident_of(operand);
    const std::size_t pass = pass_of(role_.residents[at(accumulated)].site);
    const std::int32_t sum = reduced(accumulated, reduction);
    moved_[pass].push_back({made_by(passes_[pass].block, accumulated), op, sum});
    op.kind = OpKind::parameter;
    op.operands = {};
    op.attributes = {};
    const auto input = std::ranges::find(update_.program.inputs, operand, &Input::value);
    update_.inputs[at(input - update_.program.inputs.begin())] = sum;
    input->value = reduction;
  }

  std::size_t pass_of(const Site& site) {
    for (std::size_t p = 0; p < passes_.size(); ++p) {
      if (passes_[p].block.site == site) return p;
    }
    const Block& block = *last_block(site);
    passes_.push_back({block, {}, sends(block)});
    moved_.emplace_back();
    return passes_.size() - 1;
  }

  /// The resident of the sum over all devices: that which the update yields, else a new one. In the
  /// memory of the operand where it is whole.
  std::int32_t reduced(std::int32_t accumulated, ValueId reduction) {
    const Shape& shape = update_.program.shape(reduction);
    const bool is_whole = shape == role_.residents[at(accumulated)].tile;
    for (std::size_t o = 0; o < update_.outputs.size(); ++o) {
      Resident& yielded = role_.residents[at(update_.outputs[o])];
      if (update_.program.outputs[o].value != reduction || yielded.stored_in >= 0) continue;
      if (is_whole) yielded.stored_in = accumulated;
      return update_.outputs[o];
    }
    Resident sum = role_.residents[at(accumulated)];
    sum.accumulates = false;
    sum.spec.partial.clear();
    sum.tile = shape;
    if (is_whole) sum.stored_in = accumulated;
    role_.residents.push_back(std::move(sum));
    return static_cast<std::int32_t>(role_.residents.size() - 1);
  }

  /// In the order in which their operands are made.
  void append(LastPass& pass) {
    std::vector<Moved>& list = moved_[at(&pass - passes_.data())];
    std::ranges::stable_sort(list, {}, &Moved::sum);
    Program& program = pass.block.program;
    for (Moved& moved : list) {
      moved.op.operands = {moved.sum};
      program.ops.push_back(std::move(moved.op));
      pass.reductions.push_back(program.size() - 1);
      program.outputs.push_back({program.size() - 1, OutputKind::value, -1});
      pass.block.outputs.push_back(moved.resident);
    }
  }

  RoleBlocks& role_;
  const std::vector<Handover>& handovers_;
  const std::vector<PassStep>& steps_;
  const Site last_;
  Block& update_;
  const std::vector<std::int32_t> num_readers_;  ///< per value of the update, as it was
  std::map<const Block*, std::vector<std::int32_t>> num_readers_in_;  ///< of passes
  std::vector<LastPass> passes_;
  std::vector<std::vector<Moved>> moved_;  ///< per pass
};

}  // namespace

std::vector<LastPass> reduce_early(RoleBlocks& role, const std::vector<Handover>& handovers,
                                   const GradientSums& sums, const std::vector<PassStep>& steps) {
  Mover mover(role, handovers, steps);
  const std::vector<ValueId> reductions = mover.find();
  std::int64_t bytes = 0;
  for (const ValueId id : reductions) {
    const Op& op = role.update.program.op(id);
    bytes += num_bytes(role.update.program.shape(op.operands.front()));
  }
  const bool is_worth = sums.overlap && bytes > sums.bucket_bytes;
  return is_worth ? mover.move(reductions) : std::vector<LastPass>{};
}

}  // namespace rhino::plan
