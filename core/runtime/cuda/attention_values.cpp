// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/attention_values.hpp"

#include <algorithm>
#include <utility>

#include "ir/op_info.hpp"
#include "lower/attention_passes.hpp"
#include "lower/score_axes.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/leaf_text.hpp"

namespace rhino::runtime::cuda {

using lower::Attention;
using Member = Attention::Member;
using Part = Attention::Part;

AttentionValues::AttentionValues(const lower::LoweredProgram& lowered, const Attention& attention,
                                 KernelWriter& writer, bool is_stream)
    : lowered_(lowered),
      attention_(attention),
      writer_(writer),
      is_stream_(is_stream),
      later_sums_(lower::later_sums_of(attention)) {
  for (const Member& member : attention.members) {
    if (is_computed(member) && lower::is_of_row(attention, member)) fields_.push_back(member.op);
  }
  if (is_stream && !attention.causal.empty()) find_predicate();
}

/// The softmax of a causal attention is over a select that puts a constant where nothing is seen.
void AttentionValues::find_predicate() {
  const Program& program = lowered_.program;
  const Op& select = program.op(program.op(attention_.maximum).operands[0]);
  predicate_ = select.operands[0];
  const auto otherwise = lower::splat_of(program, select.operands[2]),
             where_true = lower::splat_of(program, select.operands[1]);
  is_seen_where_true_ = otherwise && (!where_true || *otherwise < *where_true);
}

/// An op of its own, not a window of another member.
bool AttentionValues::is_computed(const Member& member) const {
  return member.part == Part::element && ir::is_elementwise(lowered_.program.op(member.op).kind);
}

std::string AttentionValues::row_members() const {
  const std::size_t num_later = std::max<std::size_t>(1, later_sums_.size());
  std::string text = "float maximum, sum, later[" + std::to_string(num_later) + "];\n";
  for (std::size_t i = 0; i < fields_.size(); ++i)
    text +=
        computed_type(lowered_.program.shape(fields_[i]).dtype) + " f" + std::to_string(i) + ";\n";
  return text;
}

std::size_t AttentionValues::index_of_later(ValueId op) const {
  return at(std::ranges::find(later_sums_, op) - later_sums_.begin());
}

AttentionValues::Known AttentionValues::known_with(ValueId op) const {
  const Member* member = attention_.member(op);
  if (!member || member->part == Part::maximum || member->part == Part::product)
    return Known::maximum;
  if (member->part == Part::sum) return Known::sum;
  if (member->part == Part::later_sum) return Known::later_sums;
  Known latest = Known::maximum;
  for (ValueId operand : lowered_.program.op(op).operands)
    latest = std::max(latest, known_with(operand));
  return latest;
}

std::string AttentionValues::know(Known known) {
  begin({});
  writes_row_ = true;
  std::string stores;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (known_with(fields_[i]) != known) continue;
    const std::string made = computed(fields_[i]);
    text_ += "row.f" + std::to_string(i) + " = " + made + ";\n";
  }
  writes_row_ = false;
  return std::exchange(text_, {});
}

void AttentionValues::begin(const std::vector<ValueId>& products, ValueId given) {
  products_ = products;
  names_.clear();
  if (given != kNoValue) names_[given] = "x";
  text_.clear();
}

std::string AttentionValues::returned(ValueId value_id, const std::vector<ValueId>& products,
                                      ValueId given) {
  begin(products, given);
  const std::string made = attention_.member(value_id) ? value(value_id) : std::string("0");
  return std::exchange(text_, {}) + "return (float)" + made + ";\n";
}

std::string AttentionValues::added(const std::vector<ValueId>& values,
                                   const std::vector<ValueId>& products, const std::string& into,
                                   ValueId given) {
  begin(products, given);
  std::string sums;
  for (std::size_t i = 0; i < values.size(); ++i)
    sums += into + "[" + std::to_string(i) + "] += (float)" + value(values[i]) + ";\n";
  return std::exchange(text_, {}) + sums;
}

std::string AttentionValues::assigned(const std::vector<ValueId>& values,
                                      const std::vector<ValueId>& products,
                                      const std::string& into) {
  begin(products);
  std::string ends;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Member* member = attention_.member(values[i]);
    const bool is_made = member && is_computed(*member) && !lower::is_of_row(attention_, *member);
    const std::string made = is_made ? raw(values[i]) : member ? value(values[i]) : "0";
    ends += into + "[" + std::to_string(i) + "] = (float)" + made + ";\n";
  }
  return std::exchange(text_, {}) + ends;
}

std::string AttentionValues::value(ValueId op) {
  const auto known = names_.find(op);
  if (known != names_.end()) return known->second;
  const Member& member = *attention_.member(op);
  const Shape& shape = lowered_.program.shape(op);
  switch (member.part) {
    case Part::maximum: return "row.maximum";
    case Part::sum: return rounded(shape.dtype, "row.sum");
    case Part::later_sum:
      return rounded(shape.dtype, "row.later[" + std::to_string(index_of_later(op)) + "]");
    case Part::product: {
      const auto index = std::ranges::find(products_, op) - products_.begin();
      const std::string made = "s[" + std::to_string(index) + "]";
      return names_[op] = is_stream_ ? made : rounded(shape.dtype, made);
    }
    default: break;
  }
  if (!is_computed(member)) return operand(member, 0);
  const auto field = std::ranges::find(fields_, op);
  if (field != fields_.end()) return "row.f" + std::to_string(field - fields_.begin());
  const std::string made = computed(op);
  const std::string name = "v" + std::to_string(names_.size());
  text_ += "const " + computed_type(shape.dtype) + " " + name + " = " + made + ";\n";
  return names_[op] = name;
}

std::string AttentionValues::computed(ValueId id) {
  return rounded(lowered_.program.shape(id).dtype, raw(id));
}

/// Not yet rounded to its dtype.
std::string AttentionValues::raw(ValueId id) {
  const Member& member = *attention_.member(id);
  const Op& op = lowered_.program.op(id);
  std::vector<std::string> operands;
  for (std::size_t i = 0; i < op.operands.size(); ++i) operands.push_back(operand(member, i));
  if (is_stream_ && op.kind == OpKind::exponential && op.shape.dtype == DType::f32)
    return "quick_exponential(" + operands[0] + ")";
  return unrounded(lowered_.program, op, operands);
}

std::string AttentionValues::operand(const Member& member, std::size_t index) {
  const std::string made = operand_as_made(member, index);
  if (predicate_ == kNoValue || lowered_.program.op(member.op).operands[index] != predicate_)
    return made;
  return is_seen_where_true_ ? "(whole || " + made + ")" : "(!whole && " + made + ")";
}

std::string AttentionValues::operand_as_made(const Member& member, std::size_t index) {
  const ValueId id = lowered_.program.op(member.op).operands[index];
  const Member* made = attention_.member(id);
  if (made && made->part != Part::row_result && made->part != Part::column_result) return value(id);
  const Attention::Axes& axes = member.operand_axes[index];
  const lower::View& view = lowered_.views[at(id)];
  if (view.base != kNoValue)
    return writer_.load(lowered_.program.shape(id).dtype, view.base, offset(view, axes));
  Coordinates coordinates;
  for (std::int32_t axis : axes) coordinates.push_back(coordinate(axis));
  return leaf_text(lowered_.program, id, coordinates);
}

std::string AttentionValues::offset(const lower::View& view, const Attention::Axes& axes) const {
  std::string text = std::to_string(view.offset);
  for (std::size_t d = 0; d < axes.size(); ++d) {
    if (axes[d] < 0 || view.strides[d] == 0) continue;
    text += " + (Index)" + coordinate(axes[d]) + " * " + std::to_string(view.strides[d]);
  }
  return text;
}

std::string AttentionValues::coordinate(std::int32_t axis) const {
  if (axis == Attention::kOne) return "0";
  if (axis == attention_.column) return "c";
  if (contains(attention_.batch, axis)) return "b" + std::to_string(axis);
  std::int64_t inner = 1;
  std::string text = "r";
  for (std::size_t i = attention_.rows.size(); i-- > 0 && attention_.rows[i] != axis;)
    inner *= attention_.extents[at(attention_.rows[i])];
  if (inner > 1) text += " / " + std::to_string(inner);
  if (attention_.rows.front() != axis) text += " % " + std::to_string(attention_.extents[at(axis)]);
  return "(" + text + ")";
}

}  // namespace rhino::runtime::cuda
