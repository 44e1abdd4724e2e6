// SPDX-License-Identifier: Apache-2.0
#include "sharding/op_graph.hpp"

#include <algorithm>
#include <unordered_map>

#include "ir/op_info.hpp"
#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
bool is_on_zeros(const Program& program, ValueId id) {
  const OpKind kind = program.op(id).kind;
  if (kind != OpKind::pad && kind != OpKind::scatter) return false;
  return RuleMaker(program, id).is_zero(kind == OpKind::pad ? 1 : 0);
}

namespace {

void mix(std::size_t& hash, std::size_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 29;
}

void mix(std::size_t& hash, const Shape& shape) {
  mix(hash, static_cast<std::size_t>(shape.dtype) + 31 * shape.dims.size());
  for (const std::int64_t extent : shape.dims) mix(hash, static_cast<std::size_t>(extent));
}

std::size_t hash_of(const Program& program, ValueId id) {
  const Op& op = program.op(id);
  std::size_t hash = static_cast<std::size_t>(op.kind) + 64 * op.attributes.index();
  mix(hash, op.shape);
  for (const ValueId operand : op.operands) mix(hash, program.shape(operand));
  return hash;
}

bool are_alike(const Program& program, ValueId a, ValueId b) {
  const Op &left = program.op(a), &right = program.op(b);
  return left.kind == right.kind && left.shape == right.shape &&
         left.attributes == right.attributes &&
         std::ranges::equal(
             left.operands, right.operands,
             [&](ValueId x, ValueId y) { return program.shape(x) == program.shape(y); }) &&
         is_on_zeros(program, a) == is_on_zeros(program, b);
}

}  // namespace

OpGraph::OpGraph(const Program& program) : program_(program) {
  find_classes();
  is_output_.resize(program.ops.size());
  for (const Output& output : program.outputs) {
    is_output_[static_cast<std::size_t>(output.value)] = true;
  }
  input_of_.assign(program.ops.size(), -1);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    input_of_[static_cast<std::size_t>(program.inputs[i].value)] = static_cast<std::int32_t>(i);
  }
  index_uses();
  classify();
}

void OpGraph::find_classes() {
  std::unordered_multimap<std::size_t, ValueId> first_members;
  class_of_.reserve(program_.ops.size());
  for (ValueId id = 0; id < size(); ++id) {
    const std::size_t hash = hash_of(program_, id);
    const auto [first, last] = first_members.equal_range(hash);
    const auto same = std::find_if(
        first, last, [&](const auto& entry) { return are_alike(program_, entry.second, id); });
    if (same != last) {
      class_of_.push_back(class_of(same->second));
      continue;
    }
    class_of_.push_back(num_classes());
    rules_.push_back(op_rule(program_, id));
    first_members.emplace(hash, id);
  }
}

void OpGraph::index_uses() {
  first_use_.assign(program_.ops.size() + 1, 0);
  for (const Op& op : program_.ops) {
    for (ValueId operand : op.operands) ++first_use_[static_cast<std::size_t>(operand) + 1];
  }
  for (std::size_t i = 1; i < first_use_.size(); ++i) first_use_[i] += first_use_[i - 1];
  uses_.resize(static_cast<std::size_t>(first_use_.back()));
  std::vector<std::int32_t> next(first_use_.begin(), first_use_.end() - 1);
  for (ValueId id = 0; id < size(); ++id) {
    const auto& operands = op(id).operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto slot = next[static_cast<std::size_t>(operands[i])]++;
      uses_[static_cast<std::size_t>(slot)] = {id, static_cast<std::int32_t>(i)};
    }
  }
}

void OpGraph::classify() {
  is_pure_.resize(program_.ops.size());
  on_batch_.resize(program_.ops.size());
  for (ValueId id = 0; id < size(); ++id) {
    const auto& operands = op(id).operands;
    const Input* given = input(id);
    const auto index = static_cast<std::size_t>(id);
    is_pure_[index] = given ? given->kind == InputKind::scalar
                            : std::all_of(operands.begin(), operands.end(),
                                          [&](ValueId operand) { return is_pure(operand); });
    on_batch_[index] = given ? given->kind == InputKind::batch
                             : std::any_of(operands.begin(), operands.end(), [&](ValueId operand) {
                                 return depends_on_batch(operand);
                               });
  }
}

std::span<const Use> OpGraph::uses(ValueId id) const {
  const auto first = static_cast<std::size_t>(first_use_[static_cast<std::size_t>(id)]);
  const auto last = static_cast<std::size_t>(first_use_[static_cast<std::size_t>(id) + 1]);
  return std::span<const Use>(uses_).subspan(first, last - first);
}

const Input* OpGraph::input(ValueId id) const {
  const std::int32_t index = input_of_[static_cast<std::size_t>(id)];
  return index < 0 ? nullptr : &program_.inputs[static_cast<std::size_t>(index)];
}

std::string OpGraph::text(ValueId id) const {
  const std::string kind(ir::op_name(op(id).kind));
  const std::string& name = op(id).name;
  return "op " + (name.empty() ? std::to_string(id) : "'" + name + "'") + " (" + kind + ")";
}

}  // namespace rhino::sharding
