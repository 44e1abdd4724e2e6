// SPDX-License-Identifier: Apache-2.0
#include "sharding/defer_scales.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ir/dead_ops.hpp"
#include "ir/op_traits.hpp"
#include "rhino/index.hpp"
#include "sharding/late_scales.hpp"
#include "sharding/propagate.hpp"
#include "sharding/rule_maker.hpp"

namespace rhino::sharding {
namespace {

using Key = LateScales::Key;

struct Part {
  Key key = LateScales::kNone;
  ValueId value = kNoValue;
};

/// A value of the old program as values of the new one.
struct Parts {
  std::vector<Part> parts;
  ValueId uniform = kNoValue;  ///< a late scalar that every element is; there are no parts then
  ValueId whole = kNoValue;    ///< the value itself, where somebody asked for it

  bool is_plain() const {
    return uniform == kNoValue && parts.size() == 1 && parts[0].key == LateScales::kNone;
  }
};

class Deferrer {
 public:
  Deferrer(const OpGraph& graph, bool may_repeat)
      : graph_(graph), may_repeat_(may_repeat), values_(at(graph.size())) {}

  Program run() {
    out_.program().name = graph_.program().name;
    for (ValueId id = 0; id < graph_.size(); ++id) values_[at(id)] = made(id);
    map_origins();
    for (Input input : graph_.program().inputs) {
      input.value = values_[at(input.value)].parts[0].value;
      out_.program().inputs.push_back(std::move(input));
    }
    for (Output output : graph_.program().outputs) {
      reader_ = kNoValue;
      phase_ = output.kind == OutputKind::loss ? Phase::forward : Phase::update;
      output.value = whole(output.value);
      out_.program().outputs.push_back(output);
    }
    return std::move(out_.program());
  }

  /// What reads `id` of the new program, which makes a value whole, and why; empty: nothing does.
  std::string reason(ValueId id) const {
    const auto found = reasons_.find(id);
    return found == reasons_.end() ? "" : found->second;
  }

 private:
  bool is_uniform(ValueId old) const {
    const Parts& value = values_[at(old)];
    return value.uniform != kNoValue || (value.is_plain() && out_.is_late(value.parts[0].value));
  }

  Parts made(ValueId id) {
    const Op& op = graph_.op(id);
    phase_ = op.phase;
    reader_ = id;
    const bool is_plain = std::ranges::all_of(
        op.operands, [&](ValueId operand) { return values_[at(operand)].is_plain(); });
    if (op.phase == Phase::update || (is_plain && (is_single(op.shape) || !reads_late(op))))
      return copied(op, "");
    if (auto uniform = as_uniform(op)) return *std::move(uniform);
    if (auto scaled = as_scaled(op)) return *std::move(scaled);
    if (is_plain) return copied(op, "");  // it reads a late scalar as what it is: a position, say
    if (auto linear = as_linear(id)) return *std::move(linear);
    return copied(op, " is not linear in it");
  }

  bool reads_late(const Op& op) const {
    return std::ranges::any_of(op.operands, [&](ValueId operand) { return is_uniform(operand); });
  }

  /// An op on operands that are whole; `reason`: why they have to be.
  Parts copied(const Op& op, const std::string& reason) {
    reason_ = reason;
    Op copy = op;
    for (ValueId& operand : copy.operands) operand = whole(operand);
    return {{{LateScales::kNone, append(std::move(copy))}}};
  }

  /// Origins may come later than what derives from them.
  void map_origins() {
    for (Op& op : out_.program().ops) {
      if (op.origin == kNoValue) continue;
      const Parts& origin = values_[at(op.origin)];
      op.origin = origin.uniform != kNoValue ? origin.uniform : origin.parts[0].value;
    }
  }

  /// Of an op that has its old origin.
  ValueId append(Op op) {
    const Input* input = graph_.input(reader_);
    const bool is_batch = input != nullptr && input->kind == InputKind::batch;
    const bool is_cut = is_batch && !op.shape.dims.empty() && op.shape.dims[0] > 1;
    return out_.append(std::move(op), is_cut);
  }

  // Values of which every element is one late scalar.

  std::optional<Parts> as_uniform(const Op& op) {
    const ir::OpTraits& traits = ir::traits(op.kind);
    const bool is_moved = op.kind == OpKind::broadcast || op.kind == OpKind::reshape ||
                          op.kind == OpKind::transpose || op.kind == OpKind::slice;
    if ((!is_moved && traits.op_class != ir::OpClass::elementwise) || !reads_late(op)) return {};
    std::vector<ValueId> scalars;
    for (const ValueId operand : op.operands) {
      scalars.push_back(scalar_of(operand));
      if (scalars.back() == kNoValue) return {};
    }
    if (is_moved) return Parts{{}, scalars[0]};
    return Parts{{}, out_.make(op.kind, {op.shape.dtype, {}}, scalars, op.phase, op.attributes)};
  }

  /// The scalar that every element of an old value is; kNoValue: there is none.
  ValueId scalar_of(ValueId old) {
    const Parts& value = values_[at(old)];
    if (value.uniform != kNoValue) return value.uniform;
    if (!value.is_plain()) return kNoValue;
    const Op& op = graph_.op(old);
    const auto* constant = op.attributes.get_if<ConstantAttr>();
    const Shape scalar{op.shape.dtype, {}};
    if (constant != nullptr && constant->elements.size() == 1)
      return out_.splat(scalar, constant->elements[0], phase_);
    if (op.kind == OpKind::broadcast && is_single(graph_.shape(op.operands[0])))
      return scalar_of(op.operands[0]);
    if (!is_single(op.shape)) return kNoValue;
    if (op.shape == scalar) return value.parts[0].value;
    return out_.make(OpKind::reshape, scalar, {value.parts[0].value}, phase_);
  }

  // Values times, or divided by, one late scalar.

  std::optional<Parts> as_scaled(const Op& op) {
    const bool divides = op.kind == OpKind::divide;
    if ((!divides && op.kind != OpKind::multiply) || !is_floating(op.shape.dtype)) return {};
    for (std::size_t i = divides ? 1 : 0; i < 2; ++i) {
      const ValueId other = op.operands[1 - i];
      if (!is_uniform(op.operands[i])) continue;
      const ValueId scalar = scalar_of(op.operands[i]);
      Parts result;
      for (const Part& part : parts_of(other)) result.parts.push_back(scaled(part, op, scalar));
      return result;
    }
    return {};
  }

  Part scaled(const Part& part, const Op& op, ValueId scalar) {
    const LateScales::Taken taken =
        scales_.take_out(scalar, op.kind == OpKind::divide, part.key, op.phase);
    Op copy = op;
    copy.kind = OpKind::multiply;
    copy.operands = {part.value, out_.spread(taken.rest, op.shape, op.phase)};
    return {taken.key, append(std::move(copy))};
  }

  /// The parts of an old value; empty where it is uniform and no floating-point number.
  std::vector<Part> parts_of(ValueId old) {
    const Parts& value = values_[at(old)];
    if (value.uniform == kNoValue) return value.parts;
    const Shape& shape = graph_.shape(old);
    if (!is_floating(shape.dtype)) return {};
    const LateScales::Taken taken =
        scales_.take_out(value.uniform, false, LateScales::kNone, phase_);
    return {{taken.key, out_.spread(taken.rest, shape, phase_)}};
  }

  // Values that are linear in their parts.

  std::optional<Parts> as_linear(ValueId id) {
    const Op& op = graph_.op(id);
    const OpRule& rule = graph_.rule(id);
    std::vector<std::vector<Part>> operands;
    std::vector<Key> keys;
    std::size_t num_scaled = 0;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const bool is_plain = values_[at(op.operands[i])].is_plain();
      operands.push_back(parts_of(op.operands[i]));
      if (operands.back().empty() || (!is_plain && !rule.passes_sum[i])) return {};
      num_scaled += is_plain ? 0 : 1;
      const bool adds = rule.sum_together && rule.passes_sum[i];
      if (is_plain && (!adds || is_zero(graph_.program(), op.operands[i]))) continue;
      for (const Part& part : operands.back()) {
        if (std::ranges::find(keys, part.key) == keys.end()) keys.push_back(part.key);
      }
    }
    if (num_scaled > 1 && !rule.sum_together) return {};
    if (keys.size() > 1 && ir::traits(op.kind).heavy && !may_repeat_) {
      return copied(op,
                    " would be computed once per part of the loss that has a scale of its own "
                    "(`repeat_ops: true` beside the file of a model allows that)");
    }
    Parts result;
    for (const Key key : keys) result.parts.push_back({key, linear(id, operands, key)});
    return result;
  }

  /// What the op makes of the parts of `key`.
  ValueId linear(ValueId id, const std::vector<std::vector<Part>>& operands, Key key) {
    const OpRule& rule = graph_.rule(id);
    Op copy = graph_.op(id);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_fixed =
          !rule.passes_sum[i] || (!rule.sum_together && values_[at(copy.operands[i])].is_plain());
      const Shape& shape = graph_.shape(copy.operands[i]);
      const auto part =
          std::ranges::find(operands[i], is_fixed ? LateScales::kNone : key, &Part::key);
      copy.operands[i] = part == operands[i].end() ? out_.splat(shape, 0, copy.phase) : part->value;
      if (part != operands[i].end()) continue;
      // The other term is all of a sum.
      const auto other = [&] { return std::ranges::find(operands[1 - i], key, &Part::key)->value; };
      if (copy.kind == OpKind::add || (copy.kind == OpKind::subtract && i == 1)) return other();
    }
    return append(std::move(copy));
  }

  // Values with their scales again.

  ValueId whole(ValueId old) {
    Parts& value = values_[at(old)];
    if (value.is_plain()) return value.parts[0].value;
    if (value.whole != kNoValue) return value.whole;
    const ValueId first = out_.program().size();
    value.whole = made_whole(value, graph_.shape(old));
    out_.program().ops[at(value.whole)].name = graph_.op(old).name;
    if (reader_ == kNoValue || reason_.empty()) return value.whole;
    for (ValueId id = first; id < out_.program().size(); ++id)
      reasons_[id] = graph_.text(reader_) + reason_;
    return value.whole;
  }

  ValueId made_whole(const Parts& value, const Shape& shape) {
    if (value.uniform != kNoValue) return out_.spread(value.uniform, shape, phase_);
    ValueId sum = kNoValue;
    for (const Part& part : value.parts) {
      const ValueId term = with_scale(part, shape);
      sum = sum == kNoValue ? term : out_.make(OpKind::add, shape, {sum, term}, phase_);
    }
    return sum;
  }

  ValueId with_scale(const Part& part, const Shape& shape) {
    if (part.key == LateScales::kNone) return part.value;
    const ValueId factor = scales_.factor(part.key);
    // In the wider of both dtypes, so that one rounding is left.
    const DType narrow = shape.dtype, own = out_.shape(factor).dtype;
    const DType wide = num_bytes({own, {}}) > num_bytes({narrow, {}}) ? own : narrow;
    const DType dtype = is_narrow(wide) ? DType::f32 : wide;
    const Shape wider{dtype, shape.dims};
    const ValueId product =
        out_.make(OpKind::multiply, wider,
                  {as(part.value, dtype), out_.spread(as(factor, dtype), wider, phase_)}, phase_);
    return as(product, narrow);
  }

  ValueId as(ValueId value, DType dtype) {
    if (out_.shape(value).dtype == dtype) return value;
    return out_.make(OpKind::convert, {dtype, out_.shape(value).dims}, {value}, phase_);
  }

  const OpGraph& graph_;
  bool may_repeat_;
  std::vector<Parts> values_;  ///< by value of the old program
  LateProgram out_;
  LateScales scales_{out_};
  Phase phase_ = Phase::forward;  ///< of what is made
  ValueId reader_ = kNoValue;     ///< the op of the old program that is looked at
  std::string reason_;
  std::map<ValueId, std::string> reasons_;
};

/// Into how many micro-batches a batch can be cut: the least number above 1; 1 where none is.
std::int64_t least_micro_batches(const Program& program) {
  std::int64_t extent = 0;
  for (const Input& input : program.inputs) {
    const Shape& shape = program.shape(input.value);
    if (input.kind != InputKind::batch || shape.dims.empty() || shape.dims[0] == 1) continue;
    extent = std::gcd(extent, shape.dims[0]);
  }
  for (std::int64_t parts = 2; parts <= extent; ++parts) {
    if (extent % parts == 0) return parts;
  }
  return 1;
}

/// The op that keeps `graph` from being cut into micro-batches; kNoValue: none does.
ValueId coupling_op(const OpGraph& graph, std::int64_t num_micro_batches) {
  const std::vector<std::int32_t> chunk_of(at(graph.size()), 0);
  const std::vector<Chunk> chunks{{.mesh = {.axes = {{"one", 1}}, .devices = {0}}}};
  Assignment assignment(graph, chunk_of, chunks, num_micro_batches);
  try {
    split_micro_batches(assignment);
  } catch (const CouplesBatch& error) {
    return error.op();
  }
  return kNoValue;
}

}  // namespace

Deferral defer_scales(Program step, bool may_repeat) {
  const std::int64_t parts = least_micro_batches(step);
  if (parts == 1) return {std::move(step)};
  const OpGraph graph(step);
  if (coupling_op(graph, parts) == kNoValue) return {std::move(step)};
  Deferrer deferrer(graph, may_repeat);
  Program deferred = deferrer.run();
  const ValueId coupling = coupling_op(OpGraph(deferred), parts);
  if (coupling != kNoValue) return {std::move(step), false, deferrer.reason(coupling)};
  return {ir::without_dead_ops(deferred, ir::Unused::kept), true};
}

}  // namespace rhino::sharding
