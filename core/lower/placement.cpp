// SPDX-License-Identifier: Apache-2.0
#include "lower/placement.hpp"

#include <algorithm>
#include <utility>

#include "lower/loop_space.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

class OutputPlacement {
 public:
  OutputPlacement(LoweredProgram& lowered, const Storage& storage, Dependencies& dependencies)
      : lowered_(lowered),
        storage_(storage),
        dependencies_(dependencies),
        readers_(lowered.program.ops.size()),
        visited_(lowered.groups.size()) {
    for (std::size_t group = 0; group < lowered.groups.size(); ++group) {
      for (ValueId op : lowered.groups[group].ops) {
        for (ValueId operand : program().op(op).operands) {
          const ValueId base = lowered.views[at(operand)].base;
          if (base != kNoValue && program().producer(base).kind == OpKind::parameter) {
            readers_[at(base)].push_back(op);
          }
        }
      }
    }
  }

  void run() {
    for (std::size_t index = 0; index < program().outputs.size(); ++index) {
      place(static_cast<std::int32_t>(index));
    }
  }

 private:
  const Program& program() const { return lowered_.program; }
  std::int32_t group_of(ValueId op) const { return dependencies_.group_of[at(op)]; }

  void place(std::int32_t index) {
    const Output& output = program().outputs[at(index)];
    const ValueId base = lowered_.views[at(output.value)].base;
    if (lowered_.placed_out[at(base)] >= 0) return;
    if (output.kind == OutputKind::updated_state) {
      const ValueId input = program().inputs[at(output.input)].value;
      if (!may_overwrite(output.value, input)) return;
      run_readers_first(output.value, input);
      lowered_.placed_in[at(base)] = input;
    }
    lowered_.placed_out[at(base)] = index;
  }

  bool may_overwrite(ValueId value, ValueId input) {
    const ValueId writer = storage_.source[at(value)];
    mark_later(group_of(writer));
    return std::ranges::all_of(readers_[at(input)], [&](ValueId reader) {
      return group_of(reader) == group_of(writer) ? reads_in_place(writer, reader, input)
                                                  : visited_[at(group_of(reader))] != search_;
    });
  }

  /// Marks groups that cannot run before `group`.
  void mark_later(std::int32_t group) {
    ++search_;
    std::vector<std::int32_t> open{group};
    while (!open.empty()) {
      const std::int32_t next = open.back();
      open.pop_back();
      for (std::int32_t user : dependencies_.users[at(next)]) {
        if (std::exchange(visited_[at(user)], search_) != search_) open.push_back(user);
      }
    }
  }

  /// Whether `reader`, in one group with `writer`, reads only those elements of `input` that are
  /// about to be replaced.
  bool reads_in_place(ValueId writer, ValueId reader, ValueId input) const {
    const KernelGroup& group = lowered_.groups[at(group_of(writer))];
    const Op& op = program().op(reader);
    if (group.kind == KernelGroup::Kind::dot)
      return reader != writer;  // the add that it accumulates for
    if (group.kind == KernelGroup::Kind::attention) return false;
    if (group.kind == KernelGroup::Kind::other) {
      return (op.kind == OpKind::scatter || op.kind == OpKind::dynamic_update_slice) &&
             std::ranges::none_of(op.operands.begin() + 1, op.operands.end(), [&](ValueId operand) {
               return lowered_.views[at(operand)].base == input;
             });
    }
    return replaces(lowered_, group.nests[0], {writer, reader, input});
  }

  void run_readers_first(ValueId value, ValueId input) {
    const std::int32_t writer = group_of(storage_.source[at(value)]);
    for (ValueId reader : readers_[at(input)]) {
      if (group_of(reader) != writer) dependencies_.users[at(group_of(reader))].push_back(writer);
    }
  }

  LoweredProgram& lowered_;
  const Storage& storage_;
  Dependencies& dependencies_;
  std::vector<std::vector<ValueId>> readers_;  ///< per parameter: ops that read it
  std::vector<std::int32_t> visited_;          ///< per group: the last search that saw it
  std::int32_t search_ = 0;
};

const LoopNest::Member& member(const LoopNest& nest, ValueId op) {
  return *std::ranges::find(nest.members, op, &LoopNest::Member::op);
}

}  // namespace

bool replaces(const LoweredProgram& lowered, const LoopNest& nest, const Replacement& what) {
  const Program& program = lowered.program;
  const LoopNest::Member &writes = member(nest, what.writer), &reads = member(nest, what.reader);
  const bool accumulates = program.op(what.writer).kind == OpKind::reduce && !writes.folds;
  const bool writes_rows = writes.per_row || writes.folds;
  if (accumulates || writes_rows != reads.per_row) return false;
  const std::vector<ValueId>& operands = program.op(what.reader).operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (lowered.views[at(operands[i])].base != what.input) continue;
    const Read read = read_of(program, lowered.views, what.reader, i);
    if (!is_dense(read.view, read.dims)) return false;
    if (num_elements(read.dims) != num_elements(program.shape(what.input))) return false;
  }
  return true;
}

Dependencies dependencies_of(const Program& program, const Storage& storage,
                             const std::vector<KernelGroup>& groups) {
  Dependencies result;
  result.users.resize(groups.size());
  result.group_of.assign(program.ops.size(), -1);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (ValueId op : groups[group].ops) {
      result.group_of[at(op)] = static_cast<std::int32_t>(group);
    }
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto index = static_cast<std::int32_t>(group);
    for (ValueId op : groups[group].ops) {
      for (ValueId operand : program.op(op).operands) {
        const ValueId source = storage.source[at(operand)];
        if (source == kNoValue || result.group_of[at(source)] == index) continue;
        std::vector<std::int32_t>& users = result.users[at(result.group_of[at(source)])];
        if (users.empty() || users.back() != index) users.push_back(index);
      }
    }
  }
  return result;
}

void place_outputs(LoweredProgram& lowered, const Storage& storage, Dependencies& dependencies) {
  lowered.placed_in.assign(lowered.program.ops.size(), kNoValue);
  lowered.placed_out.assign(lowered.program.ops.size(), -1);
  OutputPlacement(lowered, storage, dependencies).run();
}

}  // namespace rhino::lower
