// SPDX-License-Identifier: Apache-2.0
#include "models/imported_parts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "ir/training_step.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::models::imported {
namespace {

bool is_movement(OpKind kind) { return kind == OpKind::reshape || kind == OpKind::transpose; }

/// The part of an update that runs element by element, up to what the backward pass leaves.
class Cone {
 public:
  Cone(const Program& program, const Passes& passes) : program_(program), passes_(passes) {}

  std::vector<ValueId> leaves(ValueId updated) {
    visit(updated);
    std::vector<ValueId> leaves;
    std::ranges::copy_if(nodes_, std::back_inserter(leaves),
                         [&](ValueId id) { return !is_inner(id); });
    return leaves;
  }

  ValueId gateway(ValueId updated, ValueId parameter) {
    visit(updated);
    const ValueId first = first_alone(updated);
    return first == kNoValue ? first : moved(first, updated, parameter);
  }

 private:
  bool is_backward(ValueId id) const {
    return passes_.after_batch[at(id)] && !passes_.forward[at(id)];
  }

  /// A factor for all elements, such as what clips norms: no way of a gradient.
  bool is_factor(ValueId id) const {
    const Op& op = program_.op(id);
    return op.kind == OpKind::broadcast && program_.shape(op.operands[0]).dims.empty();
  }

  bool is_inner(ValueId id) const {
    const OpKind kind = program_.op(id).kind;
    return ir::is_elementwise(kind) || is_movement(kind);
  }

  void visit(ValueId top) {
    std::vector<ValueId> open{top};
    while (!open.empty()) {
      const ValueId id = open.back();
      open.pop_back();
      if (!is_backward(id) || is_factor(id) || !nodes_.insert(id).second) continue;
      if (!is_inner(id)) {
        ++num_leaves_;
        continue;
      }
      const std::vector<ValueId>& operands = program_.op(id).operands;
      open.insert(open.end(), operands.begin(), operands.end());
    }
    for (ValueId id : nodes_) {
      if (!is_inner(id)) continue;
      for (ValueId operand : program_.op(id).operands) {
        if (nodes_.contains(operand)) readers_[operand].insert(id);
      }
    }
  }

  /// The first value behind all leaves beside which nothing is read any more, nor behind it by
  /// gradients.
  ValueId first_alone(ValueId updated) const {
    std::set<ValueId> waiting;  // values that later ones read
    ValueId last_shared = kNoValue;
    for (ValueId id : nodes_) {
      if (passes_.of_gradients[at(id)]) last_shared = id;
    }
    std::size_t num_leaves = 0;
    for (ValueId id : nodes_) {
      if (is_inner(id)) {
        for (ValueId operand : program_.op(id).operands) {
          const auto readers = readers_.find(operand);
          if (readers != readers_.end() && *readers->second.rbegin() == id) waiting.erase(operand);
        }
      } else {
        ++num_leaves;
      }
      waiting.insert(id);
      const bool is_alone = num_leaves == num_leaves_ && waiting.size() == 1 && id != updated;
      if (is_alone && id >= last_shared) return id;
    }
    return kNoValue;
  }

  /// Behind reshapes and transposes that alone read `value`.
  ValueId moved(ValueId value, ValueId updated, ValueId parameter) const {
    for (;;) {
      const auto readers = readers_.find(value);
      if (readers == readers_.end() || readers->second.size() != 1) break;
      const ValueId next = *readers->second.begin();
      if (!is_movement(program_.op(next).kind) || next == updated) break;
      value = next;
    }
    return program_.shape(value).dims == program_.shape(parameter).dims ? value : kNoValue;
  }

  const Program& program_;
  const Passes& passes_;
  std::set<ValueId> nodes_;
  std::map<ValueId, std::set<ValueId>> readers_;  ///< among them
  std::size_t num_leaves_ = 0;
};

/// The least extent that values made of `input` index, by gathers, scatters and comparisons with
/// an iota; 0: none.
std::int64_t indexed_extent(const Program& program, ValueId input) {
  std::int64_t extent = 0;
  const auto limit = [&extent](std::int64_t found) {
    extent = extent == 0 ? found : std::min(extent, found);
  };
  Marks follows(program.ops.size());
  follows[at(input)] = true;
  for (ValueId id = input + 1; id < program.size(); ++id) {
    const Op& op = program.op(id);
    const auto reads = [&](std::size_t k) {
      return k < op.operands.size() && follows[at(op.operands[k])];
    };
    if (const auto* gather = op.attributes.get_if<GatherAttr>(); gather && reads(1)) {
      for (std::int64_t d : gather->start_index_map)
        limit(program.shape(op.operands[0]).dims[at(d)]);
    } else if (const auto* scatter = op.attributes.get_if<ScatterAttr>(); scatter && reads(1)) {
      for (std::int64_t d : scatter->scatter_dims_to_operand_dims) limit(op.shape.dims[at(d)]);
    } else if (op.kind == OpKind::compare && (reads(0) || reads(1))) {
      const Op* other = &program.op(op.operands[reads(0) ? 1 : 0]);
      if (other->kind == OpKind::broadcast) other = &program.op(other->operands[0]);
      if (other->kind == OpKind::iota) {
        limit(other->shape.dims[at(other->attributes.get<DimAttr>().dim)]);
      }
    } else {
      const bool is_index = !is_floating(op.shape.dtype) && op.shape.dtype != DType::pred;
      const auto op_class = ir::traits(op.kind).op_class;
      const bool keeps = ir::is_elementwise(op.kind) || op_class == ir::OpClass::movement;
      for (std::size_t k = 0; is_index && keeps && k < op.operands.size(); ++k) {
        if (reads(k)) follows[at(id)] = true;
      }
    }
  }
  return extent;
}

Initializer initializer_of(const Program& program, const Input& input) {
  using Kind = Initializer::Kind;
  const Shape& shape = program.shape(input.value);
  const bool is_scalar = shape.dims.empty();
  if (input.kind == InputKind::batch) {
    if (is_floating(shape.dtype)) return {Kind::normal, 0, 1};
    const std::int64_t extent = indexed_extent(program, input.value);
    return {Kind::uniform_integer, 0, static_cast<double>(std::max<std::int64_t>(2, extent))};
  }
  if (!is_floating(shape.dtype)) return {Kind::constant, 1, 0};
  if (input.kind == InputKind::scalar) return {Kind::constant, 0.1, 0};
  if (input.kind == InputKind::optimizer_state) {
    return is_scalar ? Initializer{Kind::constant, 1, 0} : Initializer{Kind::uniform, 0.01, 1};
  }
  if (shape.dims.size() < 2) return {Kind::uniform, 0.5, 1};
  const std::int64_t largest = *std::ranges::max_element(shape.dims);
  return {Kind::normal, 0, 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, largest)))};
}

}  // namespace

Marks ancestors(const Program& program, const std::vector<ValueId>& values) {
  Marks marks(program.ops.size());
  for (ValueId value : values) marks[at(value)] = true;
  for (ValueId id = program.size(); id-- > 0;) {
    if (!marks[at(id)]) continue;
    for (ValueId operand : program.op(id).operands) marks[at(operand)] = true;
  }
  return marks;
}

Marks descendants(const Program& program, const std::vector<ValueId>& values) {
  Marks marks(program.ops.size());
  for (ValueId value : values) marks[at(value)] = true;
  for (ValueId id = 0; id < program.size(); ++id) {
    for (ValueId operand : program.op(id).operands) {
      if (marks[at(operand)]) marks[at(id)] = true;
    }
  }
  return marks;
}

ValueId gateway(const Program& program, ValueId updated, ValueId parameter, const Passes& passes) {
  return Cone(program, passes).gateway(updated, parameter);
}

std::vector<ValueId> leaves_of_update(const Program& program, ValueId updated,
                                      const Marks& after_batch) {
  const Marks none(program.ops.size());
  return Cone(program, {after_batch, none, none}).leaves(updated);
}

bool reads_elementwise(const Program& program, ValueId value, ValueId read) {
  std::vector<ValueId> open{value};
  std::set<ValueId> seen;
  while (!open.empty()) {
    const ValueId id = open.back();
    open.pop_back();
    if (id == read) return true;
    if (id < read || !seen.insert(id).second) continue;
    const Op& op = program.op(id);
    if (!ir::is_elementwise(op.kind) && !is_movement(op.kind)) continue;
    open.insert(open.end(), op.operands.begin(), op.operands.end());
  }
  return false;
}

bool has_own_update(const Program& step) {
  try {
    ir::update_only(step);
    return true;
  } catch (const Error&) {
    return false;
  }
}

ValueId as_scalar(Program& program, ValueId value) {
  const Shape shape = program.shape(value);
  if (num_elements(shape) != 1 || !is_floating(shape.dtype))
    throw Error("the loss is one floating-point number, and no " + to_string(shape));
  if (shape.dims.empty()) return value;
  program.ops.push_back(
      Op{.kind = OpKind::reshape, .shape = {shape.dtype, {}}, .operands = {value}});
  return program.size() - 1;
}

void set_origins(Program& program, ValueId loss) {
  std::vector<ValueId> reader(program.ops.size(), kNoValue);  // the first one of the forward pass
  for (ValueId id = program.size(); id-- > 0;) {
    if (program.op(id).phase != Phase::forward) continue;
    for (ValueId operand : program.op(id).operands) reader[at(operand)] = id;
  }
  for (ValueId id = 0; id < program.size(); ++id) {
    Op& op = program.ops[at(id)];
    if (op.phase != Phase::backward) continue;
    ValueId of_forward = kNoValue, inherited = kNoValue;
    for (ValueId operand : op.operands) {
      const Op& source = program.op(operand);
      const bool is_value = source.kind == OpKind::parameter || !source.operands.empty();
      if (source.phase == Phase::backward) inherited = std::max(inherited, source.origin);
      else if (is_value && reader[at(operand)] != kNoValue) {
        of_forward = std::max(of_forward, reader[at(operand)]);
      }
    }
    op.origin = of_forward != kNoValue ? of_forward : inherited != kNoValue ? inherited : loss;
  }
}

void set_initializers(Program& program) {
  for (Input& input : program.inputs) input.initializer = initializer_of(program, input);
}

}  // namespace rhino::models::imported
