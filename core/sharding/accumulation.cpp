// SPDX-License-Identifier: Apache-2.0
#include "sharding/partition.hpp"

namespace rhino::sharding {
namespace {

/// Copies a program and adds to each accumulated value, right behind the op that makes it, what
/// earlier micro-batches have summed up.
class Accumulation {
 public:
  explicit Accumulation(const ChunkProgram& old)
      : old_(old),
        new_ids_(old.program.ops.size()),
        outputs_of_(old.program.ops.size()),
        sums_(old.outputs.size(), kNoValue),
        result_{old.chunk, old.phase, old.level, {}, old.inputs, old.outputs} {
    program() = {old.program.name, {}, old.program.inputs, old.program.outputs};
    program().ops.reserve(old.program.ops.size() + 2 * old.outputs.size());
    for (std::size_t i = 0; i < old.outputs.size(); ++i) {
      if (old.outputs[i].repeat != Repeat::accumulated) continue;
      outputs_of_[index(old.program.outputs[i].value)].push_back(i);
    }
  }

  ChunkProgram run() && {
    for (ValueId id = 0; id < old_.program.size(); ++id) {
      new_ids_[index(id)] = append(renumbered(old_.program.op(id)));
      for (std::size_t output : outputs_of_[index(id)]) add_sum(output, new_ids_[index(id)]);
    }
    for (Input& input : program().inputs) input.value = new_ids_[index(input.value)];
    for (std::size_t i = 0; i < sums_.size(); ++i) finish_output(i);
    return std::move(result_);
  }

 private:
  static std::size_t index(ValueId id) { return static_cast<std::size_t>(id); }
  Program& program() { return result_.program; }

  ValueId append(Op op) {
    program().ops.push_back(std::move(op));
    return program().size() - 1;
  }

  Op renumbered(Op op) const {
    for (ValueId& operand : op.operands) operand = new_ids_[index(operand)];
    return op;
  }

  /// sums_[output]: the sum so far; the value after it: with this micro-batch's term.
  void add_sum(std::size_t output, ValueId term) {
    Op op = program().op(term);
    op.attributes = {};
    op.operands = {};
    op.kind = OpKind::parameter;
    sums_[output] = append(op);
    op.kind = OpKind::add;
    op.operands = {sums_[output], term};
    append(std::move(op));
  }

  void finish_output(std::size_t i) {
    Output& output = program().outputs[i];
    if (sums_[i] == kNoValue) {
      output.value = new_ids_[index(output.value)];
      return;
    }
    output = {sums_[i] + 1, OutputKind::updated_state,
              static_cast<std::int32_t>(program().inputs.size())};
    program().inputs.push_back({sums_[i], InputKind::batch, {}, -1});
    Port port = old_.outputs[i];
    port.source = old_.chunk;
    result_.inputs.push_back(std::move(port));
  }

  const ChunkProgram& old_;
  std::vector<ValueId> new_ids_;
  std::vector<std::vector<std::size_t>> outputs_of_;
  std::vector<ValueId> sums_;  ///< per output the input that holds its sum
  ChunkProgram result_;
};

}  // namespace

ChunkProgram with_accumulation(const ChunkProgram& chunk_program) {
  return Accumulation(chunk_program).run();
}

}  // namespace rhino::sharding
