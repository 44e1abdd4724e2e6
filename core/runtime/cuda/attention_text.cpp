// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/attention_text.hpp"

#include <algorithm>

#include "lower/attention_passes.hpp"
#include "lower/score_axes.hpp"
#include "rhino/index.hpp"

namespace rhino::runtime::cuda {

using lower::Attention;
using Known = AttentionValues::Known;

namespace {

constexpr std::int64_t kWideBytes = 16, kSumBytes = 4;
constexpr std::int64_t kOthers = 32;  ///< what blocks meet begins at a multiple of it

}  // namespace

std::string text_of(std::int64_t value) { return std::to_string(value); }

std::string element_of(DType dtype) {
  return dtype == DType::bf16 ? "Bf16" : dtype == DType::f16 ? "F16" : "F32";
}

AttentionText::AttentionText(const lower::LoweredProgram& lowered, const lower::KernelGroup& group)
    : lowered_(lowered),
      a_(*group.attention),
      num_batches_(extent_of(a_.batch)),
      num_rows_(extent_of(a_.rows)),
      num_columns_(a_.extents[at(a_.column)]) {
  for (ValueId base : group.inputs) note_size(base);
  for (ValueId base : group.outputs) note_size(base);
}

std::int64_t AttentionText::extent_of(const Attention::Axes& axes) const {
  std::int64_t extent = 1;
  for (std::int32_t axis : axes) extent *= a_.extents[at(axis)];
  return extent;
}

void AttentionText::note_size(ValueId base) {
  largest_ = std::max(largest_, num_elements(shape(base)));
}

std::int64_t AttentionText::note_sums(std::int64_t num_later) {
  const std::int64_t count = (kMaximumAndSum + num_later) * num_batches_ * num_rows_;
  largest_ = std::max(largest_, count);
  return count * kSumBytes;
}

AttentionText::Products AttentionText::products_for(const std::vector<ValueId>& values) const {
  Products result;
  for (ValueId op : lower::computed_for(program(), a_, values)) {
    if (a_.member(op)->part == Attention::Part::product) result.ops.push_back(op);
  }
  return completed(std::move(result));
}

AttentionText::Products AttentionText::completed(Products products) const {
  if (products.ops.empty())  // weights that no score is in: any product will do
    products.ops = {std::ranges::find(a_.members, Attention::Part::product, &Member::part)->op};
  products.dtype = shape(operand(products.ops[0], 0)).dtype;
  for (ValueId op : products.ops) {
    for (std::size_t i : {0U, 1U}) {
      if (shape(operand(op, i)).dtype != products.dtype) products.dtype = DType::f32;
    }
    products.depth = std::max(products.depth, depth_of(*a_.member(op), 0));
  }
  return products;
}

std::int64_t AttentionText::depth_of(const Member& member, std::size_t index) const {
  const Attention::Axes& axes = member.operand_axes[index];
  const auto found = std::ranges::find(axes, Attention::kDepth);
  return found == axes.end() ? 1 : shape(operand(member.op, index)).dims[at(found - axes.begin())];
}

AttentionText::Body AttentionText::begin(bool by_rows) const {
  Body body;
  const std::int64_t num_own = by_rows ? num_rows_ : num_columns_;
  const std::int64_t tiles = (num_own + kAttentionOwn - 1) / kAttentionOwn;
  body.blocks = tiles * num_batches_;
  // Those that have the most to do go first: of a causal attention the last rows, the first
  // columns.
  const std::string number = "blockIdx.x % " + text_of(tiles);
  const bool is_reversed = by_rows && !a_.causal.empty();
  body.text = "const int own = " +
              (is_reversed ? "(" + text_of(tiles - 1) + " - " + number + ")" : number) + " * " +
              text_of(kAttentionOwn) + ", batch = blockIdx.x / " + text_of(tiles) + ";\n";
  std::int64_t inner = 1;
  for (std::size_t i = a_.batch.size(); i-- > 0;) {
    const std::int64_t extent = a_.extents[at(a_.batch[i])];
    body.text += "const int b" + text_of(a_.batch[i]) + " = batch / " + text_of(inner) + " % " +
                 text_of(extent) + ";\n";
    inner *= extent;
  }
  body.text += extents(by_rows);
  return body;
}

/// Others that a block has to meet: of a causal attention those that are seen.
std::string AttentionText::extents(bool by_rows) const {
  std::string first = "0", end = text_of(by_rows ? num_columns_ : num_rows_);
  if (!a_.causal.empty()) {
    const std::int64_t ahead = a_.causal[0].ahead;
    const std::int64_t inner = num_rows_ / a_.extents[at(a_.causal[0].row_axis)];
    if (by_rows) {
      const std::string last = "(own + " + text_of(kAttentionOwn - 1) + " < " + text_of(num_rows_) +
                               " ? own + " + text_of(kAttentionOwn - 1) + " : " +
                               text_of(num_rows_ - 1) + ")";
      const std::string seen = last + " / " + text_of(inner) + " + " + text_of(ahead + 1);
      end = seen + " < " + end + " ? " + seen + " : " + end;
    } else {
      const std::string place = "(own > " + text_of(ahead) + " ? own - " + text_of(ahead) + " : 0)";
      first = place + " * " + text_of(inner) + " / " + text_of(kOthers) + " * " + text_of(kOthers);
    }
  }
  return "const Extents extents = {" + text_of(num_rows_) + ", " + text_of(num_columns_) + ", " +
         first + ", " + end + "};\n";
}

KernelText AttentionText::finish(Body body, const AttentionValues& values, int at_once) const {
  body.text = "struct Row {\n" + values.row_members() + "};\n" + body.text;
  KernelText kernel = body.writer.finish(body.text, largest_);
  kernel.blocks = body.blocks;
  kernel.kind = kAttentionKind;
  kernel.threads = kAttentionThreads;
  kernel.at_once = at_once;
  return kernel;
}

std::string AttentionText::matrix(Body& body, const AttentionValues& values, const Member& member,
                                  std::size_t index, DType tile) const {
  const ValueId id = operand(member.op, index);
  const Attention::Axes& axes = member.operand_axes[index];
  const lower::View& view = lowered_.views[at(id)];
  const bool of_columns = contains(axes, a_.column);
  const auto depth = std::ranges::find(axes, Attention::kDepth);
  const std::int64_t stride = depth == axes.end() ? 0 : view.strides[at(depth - axes.begin())];
  return "matrix<" + element_of(shape(id).dtype) + ", " +
         (is_wide(view, axes, id, tile) ? "true, " : "false, ") +
         (of_columns || is_even(view, axes) ? "true" : "false") + ", Index>(" +
         body.writer.pointer(view.base) + ", [=](int " + (of_columns ? "c" : "r") +
         ") -> Index { return " + values.offset(view, axes) + "; }, " +
         text_of(of_columns ? num_columns_ : num_rows_) + ", " + text_of(depth_of(member, index)) +
         ", " + text_of(stride) + ")";
}

bool AttentionText::is_even(const lower::View& view, const Attention::Axes& axes) const {
  lower::Dims extents, strides;
  for (std::int32_t axis : a_.rows) {
    const auto found = std::ranges::find(axes, axis);
    extents.push_back(a_.extents[at(axis)]);
    strides.push_back(found == axes.end() ? 0 : view.strides[at(found - axes.begin())]);
  }
  return lower::collapsed(extents, strides).size() <= 1;
}

std::size_t AttentionText::own_operand(const Member& product, bool by_rows) const {
  const std::size_t columns = contains(product.operand_axes[0], a_.column) ? 0 : 1;
  return by_rows ? 1 - columns : columns;
}

bool AttentionText::is_wide(const Member& member, std::size_t index, DType tile) const {
  const ValueId id = operand(member.op, index);
  return is_wide(lowered_.views[at(id)], member.operand_axes[index], id, tile);
}

bool AttentionText::is_wide(const lower::View& view, const Attention::Axes& axes, ValueId id,
                            DType tile) const {
  const DType dtype = shape(id).dtype;
  const std::int64_t width = kWideBytes / dtype_bytes(dtype);
  if (dtype != tile || view.offset % width != 0) return false;
  bool has_depth = false;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    if (axes[d] == Attention::kOne) continue;
    if (axes[d] == Attention::kDepth) {
      has_depth = view.strides[d] == 1 && shape(id).dims[d] % width == 0;
    } else if (view.strides[d] % width != 0) {
      return false;
    }
  }
  return has_depth;
}

std::string AttentionText::result_text(Body& body, const AttentionValues& values, ValueId result,
                                       bool of_rows) const {
  const Attention::Axes& axes = a_.member(result)->axes;
  const lower::View& view = lowered_.views[at(result)];
  const Shape& made = shape(result);
  const auto found = std::ranges::find(axes, Attention::kDepth);
  const auto d = at(found - axes.begin());
  return "result<" + element_of(made.dtype) + ", " +
         (is_wide(view, axes, result, made.dtype) ? "true" : "false") + ", Index>(" +
         body.writer.pointer(view.base) + ", [=](int " + (of_rows ? "r" : "c") +
         ") -> Index { return " + values.offset(view, axes) + "; }, " +
         text_of(of_rows ? num_rows_ : num_columns_) + ", " +
         (found == axes.end() ? "1, 0" : text_of(made.dims[d]) + ", " + text_of(view.strides[d])) +
         ")";
}

std::string AttentionText::sum_place(Body& body, const std::string& number) const {
  const std::int64_t count = num_batches_ * num_rows_;
  return "((float*)" + body.writer.pointer(scratch_base(lowered_, 0)) + ")[(Index)(" + number +
         ") * " + text_of(count) + " + (Index)batch * " + text_of(num_rows_) + " + r]";
}

std::string AttentionText::fetch_row(Body& body, bool with_later) const {
  std::string fetch =
      "row.maximum = " + sum_place(body, "0") + ";\nrow.sum = " + sum_place(body, "1") + ";\n";
  const auto num_later = with_later ? lower::later_sums_of(a_).size() : 0;
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(num_later); ++k)
    fetch +=
        "row.later[" + text_of(k) + "] = " + sum_place(body, text_of(kMaximumAndSum + k)) + ";\n";
  return fetch;
}

std::string AttentionText::know_row(AttentionValues& values, bool with_later) const {
  const std::string known = values.know(Known::maximum) + values.know(Known::sum);
  return with_later ? known + values.know(Known::later_sums) : known;
}

std::string AttentionText::scaling(AttentionValues& values, const lower::Scaled& scaled) const {
  if (scaled.op == kNoValue) return "const float by = 1;\n";
  const ValueId factor = operand(scaled.op, scaled.scale);
  const auto splat = lower::splat_of(program(), factor);
  const std::string made =
      splat ? "return " + literal(DType::f32, *splat) + ";\n" : values.returned(factor, {});
  const bool divides = program().op(scaled.op).kind == OpKind::divide;
  const std::string name = divides ? "whole" : "by";
  return "const float " + name + " = [&]() -> float {\n" + made + "}();\n" +
         (divides ? "const float by = 1 / whole;\n" : "");
}

}  // namespace rhino::runtime::cuda
