// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lower/attention_passes.hpp"
#include "lower/score_axes.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/attention_values.hpp"
#include "runtime/cuda/op_source.hpp"

namespace rhino::runtime::cuda {
namespace {

using lower::Attention;
using Member = Attention::Member;

constexpr std::int64_t kOwn = 64, kOthers = 32;  ///< rows or columns of a block, and met at a time
constexpr std::int64_t kWideBytes = 16;
constexpr std::int64_t kSumBytes = 4, kMaximumAndSum = 2;

std::string text(std::int64_t value) { return std::to_string(value); }

std::string element_of(DType dtype) {
  return dtype == DType::bf16 ? "Bf16" : dtype == DType::f16 ? "F16" : "F32";
}

/// Depth of tiles: whole steps of tensor cores.
std::int64_t padded_depth(std::int64_t depth) {
  const std::int64_t step = depth <= 64 ? 16 : 32;
  return (depth + step - 1) / step * step;
}

class AttentionSource {
 public:
  AttentionSource(const lower::LoweredProgram& lowered, const lower::KernelGroup& group)
      : lowered_(lowered),
        a_(*group.attention),
        num_batches_(extent_of(a_.batch)),
        num_rows_(extent_of(a_.rows)),
        num_columns_(a_.extents[at(a_.column)]) {
    for (ValueId base : group.inputs) note_size(base);
    for (ValueId base : group.outputs) note_size(base);
  }

  GroupSource run() {
    const bool is_one_pass = lower::is_one_pass(program(), a_);
    const std::vector<ValueId> by_rows = lower::results_of(a_, true);
    const std::vector<ValueId> by_columns = lower::results_of(a_, false);
    const std::vector<ValueId> later = lower::later_sums_of(a_);
    if (!is_one_pass || !by_columns.empty()) {
      const auto num_sums = kMaximumAndSum + static_cast<std::int64_t>(later.size());
      source_.scratch_bytes = {num_sums * num_batches_ * num_rows_ * kSumBytes};
      largest_ = std::max(largest_, num_sums * num_batches_ * num_rows_);
      add_softmax_sums();
      if (!later.empty()) add_later_sums(later);
    }
    for (ValueId result : by_rows)
      is_one_pass ? add_softmax_rows(result) : add_weighted_sums(result, true);
    for (ValueId result : by_columns) add_weighted_sums(result, false);
    return std::move(source_);
  }

 private:
  using Known = AttentionValues::Known;

  /// One kernel that is being written.
  struct Body {
    KernelWriter writer = {};
    std::string text = {};
    std::int64_t blocks = 0;
  };
  struct Products {
    std::vector<ValueId> ops;
    DType dtype = DType::f32;
    std::int64_t depth = 1;
  };

  const Program& program() const { return lowered_.program; }
  const Shape& shape(ValueId id) const { return program().shape(id); }
  ValueId operand(ValueId id, std::size_t index) const { return program().op(id).operands[index]; }

  std::int64_t extent_of(const Attention::Axes& axes) const {
    std::int64_t extent = 1;
    for (std::int32_t axis : axes) extent *= a_.extents[at(axis)];
    return extent;
  }
  void note_size(ValueId base) { largest_ = std::max(largest_, num_elements(shape(base))); }

  Products products_for(const std::vector<ValueId>& values) const {
    Products result;
    for (ValueId op : lower::computed_for(program(), a_, values)) {
      if (a_.member(op)->part == Attention::Part::product) result.ops.push_back(op);
    }
    return completed(std::move(result));
  }
  /// Tiles are of the factors' type where all have one.
  Products completed(Products products) const {
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

  std::int64_t depth_of(const Member& member, std::size_t index) const {
    const Attention::Axes& axes = member.operand_axes[index];
    const auto found = std::ranges::find(axes, Attention::kDepth);
    return found == axes.end() ? 1
                               : shape(operand(member.op, index)).dims[at(found - axes.begin())];
  }

  Body begin(bool by_rows) {
    Body body;
    const std::int64_t num_own = by_rows ? num_rows_ : num_columns_;
    const std::int64_t tiles = (num_own + kOwn - 1) / kOwn;
    body.blocks = tiles * num_batches_;
    body.text = "const int own = blockIdx.x % " + text(tiles) + " * " + text(kOwn) +
                ", batch = blockIdx.x / " + text(tiles) + ";\n";
    std::int64_t inner = 1;
    for (std::size_t i = a_.batch.size(); i-- > 0;) {
      const std::int64_t extent = a_.extents[at(a_.batch[i])];
      body.text += "const int b" + text(a_.batch[i]) + " = batch / " + text(inner) + " % " +
                   text(extent) + ";\n";
      inner *= extent;
    }
    body.text += extents(by_rows);
    return body;
  }

  /// Others that a block has to meet: of a causal attention those that are seen.
  std::string extents(bool by_rows) const {
    std::string first = "0", end = text(by_rows ? num_columns_ : num_rows_);
    if (!a_.causal.empty()) {
      const std::int64_t ahead = a_.causal[0].ahead;
      const std::int64_t inner = num_rows_ / a_.extents[at(a_.causal[0].row_axis)];
      if (by_rows) {
        const std::string last = "(own + " + text(kOwn - 1) + " < " + text(num_rows_) +
                                 " ? own + " + text(kOwn - 1) + " : " + text(num_rows_ - 1) + ")";
        const std::string seen = last + " / " + text(inner) + " + " + text(ahead + 1);
        end = seen + " < " + end + " ? " + seen + " : " + end;
      } else {
        const std::string place = "(own > " + text(ahead) + " ? own - " + text(ahead) + " : 0)";
        first = place + " * " + text(inner) + " / " + text(kOthers) + " * " + text(kOthers);
      }
    }
    return "const Extents extents = {" + text(num_rows_) + ", " + text(num_columns_) + ", " +
           first + ", " + end + "};\n";
  }

  void finish(Body body, AttentionValues& values) {
    body.text = "struct Row {\n" + values.row_members() + "};\n" + body.text;
    KernelText kernel = body.writer.finish(body.text, largest_);
    kernel.blocks = body.blocks;
    kernel.kind = kAttentionKind;
    kernel.threads = kAttentionThreads;
    source_.kernels.push_back(std::move(kernel));
  }

  /// Operand `index` of a dot as rows of `of_rows ? r : c`, of elements along depth.
  std::string matrix(Body& body, const AttentionValues& values, const Member& member,
                     std::size_t index, DType tile) const {
    const ValueId id = operand(member.op, index);
    const Attention::Axes& axes = member.operand_axes[index];
    const lower::View& view = lowered_.views[at(id)];
    const bool of_columns = contains(axes, a_.column);
    const auto depth = std::ranges::find(axes, Attention::kDepth);
    const std::int64_t stride = depth == axes.end() ? 0 : view.strides[at(depth - axes.begin())];
    return "matrix<" + element_of(shape(id).dtype) + ", " +
           (is_wide(view, axes, id, tile) ? "true" : "false") + ", Index>(" +
           body.writer.pointer(view.base) + ", [=](int " + (of_columns ? "c" : "r") +
           ") -> Index { return " + values.offset(view, axes) + "; }, " +
           text(of_columns ? num_columns_ : num_rows_) + ", " + text(depth_of(member, index)) +
           ", " + text(stride) + ")";
  }

  /// Elements along depth lie side by side, 16 bytes of them aligned.
  bool is_wide(const lower::View& view, const Attention::Axes& axes, ValueId id, DType tile) const {
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

  std::string factors(Body& body, const AttentionValues& values, const Products& products,
                      bool by_rows) const {
    std::string list;
    for (ValueId op : products.ops) {
      const Member& member = *a_.member(op);
      const std::size_t columns = contains(member.operand_axes[0], a_.column) ? 0 : 1;
      const std::size_t own = by_rows ? 1 - columns : columns;
      const std::string both = matrix(body, values, member, own, products.dtype) + ",\n" +
                               matrix(body, values, member, 1 - own, products.dtype);
      list += (list.empty() ? "" : ",\n") + both;
      if (products.ops.size() == 1) list += ",\n" + both;
    }
    return "factors(" + list + ")";
  }

  static std::string of_scores(const Products& products) {
    return element_of(products.dtype) + ", " +
           text(static_cast<std::int64_t>(products.ops.size())) + ", " +
           text(padded_depth(products.depth));
  }

  std::string sum_place(Body& body, const std::string& number) const {
    const std::int64_t count = num_batches_ * num_rows_;
    return "((float*)" + body.writer.pointer(scratch_base(lowered_, 0)) + ")[(Index)(" + number +
           ") * " + text(count) + " + (Index)batch * " + text(num_rows_) + " + r]";
  }

  /// What a kernel that comes after the first ones knows of a row.
  std::string load_row(Body& body, AttentionValues& values, bool with_later) const {
    std::string load = "[=](int r, Row& row) {\nrow.maximum = " + sum_place(body, "0") +
                       ";\nrow.sum = " + sum_place(body, "1") + ";\n" +
                       values.know(Known::maximum) + values.know(Known::sum);
    if (!with_later) return load + "}";
    for (std::size_t k = 0; k < lower::later_sums_of(a_).size(); ++k) {
      const auto number = static_cast<std::int64_t>(k);
      load += "row.later[" + text(number) +
              "] = " + sum_place(body, text(kMaximumAndSum + number)) + ";\n";
    }
    return load + values.know(Known::later_sums) + "}";
  }

  std::string softmax_of(AttentionValues& values, const Products& products) const {
    const ValueId x = operand(a_.maximum, 0);
    const ValueId shift = operand(operand(a_.exponential, 0), 1);
    return "softmax([=](int r, Row& row) {\n" + values.know(Known::maximum) +
           "},\n[=](const Row& row) -> float {\n" + values.returned(shift, {}) +
           "},\n[=](int r, int c, const float* s, const Row& row) -> float {\n" +
           values.returned(x, products.ops) +
           "},\n[=](int r, int c, float x, const Row& row) -> float {\n" +
           values.returned(a_.exponential, {}, x) + "})";
  }

  void add_softmax_sums() {
    Body body = begin(true);
    AttentionValues values(lowered_, a_, body.writer);
    const Products products = products_for({operand(a_.maximum, 0)});
    body.text +=
        "softmax_sums<" + of_scores(products) + ", Row>(" + factors(body, values, products, true) +
        ", own, extents,\n" + softmax_of(values, products) + ",\n[=](int r, const Row& row) {\n" +
        sum_place(body, "0") + " = row.maximum;\n" + sum_place(body, "1") + " = row.sum;\n});\n";
    finish(std::move(body), values);
  }

  void add_later_sums(const std::vector<ValueId>& later) {
    std::vector<ValueId> terms;
    for (ValueId sum : later) terms.push_back(operand(sum, 0));
    Body body = begin(true);
    AttentionValues values(lowered_, a_, body.writer);
    const Products products = products_for(terms);
    body.text +=
        "later_sums<" + of_scores(products) + ", " + text(static_cast<std::int64_t>(later.size())) +
        ", Row>(" + factors(body, values, products, true) + ", own, extents,\n" +
        load_row(body, values, false) +
        ",\n[=](int r, int c, const float* s, const Row& row, float* sums) {\n" +
        values.added(terms, products.ops, "sums") + "},\n[=](int r, int k, float sum) {\n" +
        sum_place(body, "k + 2") + " = sum;\n});\n";
    finish(std::move(body), values);
  }

  /// The result's other factor, and tiles of weights.
  struct Weighing {
    ValueId scores = kNoValue;
    std::string types, y;
  };
  Weighing weighing(Body& body, const AttentionValues& values, ValueId result) const {
    const Member& member = *a_.member(result);
    const std::size_t scores = lower::scores_operand(program(), a_, result);
    const DType left = shape(operand(result, 0)).dtype, right = shape(operand(result, 1)).dtype;
    const DType tile = left == right ? left : DType::f32;
    return {operand(result, scores), element_of(tile) + ", ",
            matrix(body, values, member, 1 - scores, tile)};
  }

  /// Rows of `of_rows ? r : c` that a kernel makes.
  std::string result_text(Body& body, const AttentionValues& values, ValueId result,
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
           text(of_rows ? num_rows_ : num_columns_) + ", " +
           (found == axes.end() ? "1, 0" : text(made.dims[d]) + ", " + text(view.strides[d])) + ")";
  }

  std::int64_t result_depth(ValueId result) const {
    const std::size_t other = 1 - lower::scores_operand(program(), a_, result);
    return padded_depth(depth_of(*a_.member(result), other));
  }

  void add_softmax_rows(ValueId result) {
    Body body = begin(true);
    AttentionValues values(lowered_, a_, body.writer);
    const Products products = products_for({operand(a_.maximum, 0)});
    const Weighing w = weighing(body, values, result);
    const lower::Scaled scaled = *lower::scaled_exponential(program(), a_, w.scores);
    body.text += "softmax_rows<" + element_of(products.dtype) + ", " + w.types +
                 text(static_cast<std::int64_t>(products.ops.size())) + ", " +
                 text(padded_depth(products.depth)) + ", " + text(result_depth(result)) +
                 ", Row>(" + factors(body, values, products, true) + ",\n" + w.y +
                 ", own, extents,\n" + softmax_of(values, products) +
                 ",\n[=](int r, Row& row) {\n" + values.know(Known::sum) + "},\n" +
                 result_text(body, values, result, true) +
                 ",\n[=](int r, float v, const Row& row) -> float {\n" + scaling(values, scaled) +
                 "return v * by;\n});\n";
    finish(std::move(body), values);
  }

  /// Declares `by`, and divides `v` where weights are quotients.
  std::string scaling(AttentionValues& values, const lower::Scaled& scaled) const {
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

  void add_weighted_sums(ValueId result, bool by_rows) {
    Body body = begin(by_rows);
    AttentionValues values(lowered_, a_, body.writer);
    const Weighing w = weighing(body, values, result);
    const Products products = products_for({w.scores});
    body.text += "weighted_sums<" + element_of(products.dtype) + ", " + w.types +
                 text(static_cast<std::int64_t>(products.ops.size())) + ", " +
                 text(padded_depth(products.depth)) + ", " + text(result_depth(result)) + ", " +
                 (by_rows ? "true" : "false") + ", Row>(" +
                 factors(body, values, products, by_rows) + ",\n" + w.y + ", own, extents,\n" +
                 load_row(body, values, true) +
                 ",\n[=](int r, int c, const float* s, const Row& row) -> float {\n" +
                 values.returned(w.scores, products.ops) + "},\n" +
                 result_text(body, values, result, by_rows) + ");\n";
    finish(std::move(body), values);
  }

  const lower::LoweredProgram& lowered_;
  const Attention& a_;
  const std::int64_t num_batches_, num_rows_, num_columns_;
  std::int64_t largest_ = 0;
  GroupSource source_;
};

}  // namespace

GroupSource attention_source(const lower::LoweredProgram& lowered,
                             const lower::KernelGroup& group) {
  return AttentionSource(lowered, group).run();
}

}  // namespace rhino::runtime::cuda
