// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "lower/attention_passes.hpp"
#include "rhino/index.hpp"
#include "runtime/cuda/attention_stream_source.hpp"
#include "runtime/cuda/attention_text.hpp"

namespace rhino::runtime::cuda {
namespace {

using lower::Attention;
using Member = Attention::Member;
using Body = AttentionText::Body;
using Products = AttentionText::Products;

/// Depth of tiles: whole steps of tensor cores.
std::int64_t padded_depth(std::int64_t depth) {
  const std::int64_t step = depth <= 64 ? 16 : 32;
  return (depth + step - 1) / step * step;
}

class AttentionSource {
 public:
  AttentionSource(const lower::LoweredProgram& lowered, const lower::KernelGroup& group)
      : text_(lowered, group), a_(text_.attention()), streams_(text_) {}

  GroupSource run() {
    const bool is_one_pass = lower::is_one_pass(text_.program(), a_);
    const std::vector<ValueId> by_rows = lower::results_of(a_, true);
    const std::vector<ValueId> by_columns = lower::results_of(a_, false);
    if (!is_one_pass || !by_columns.empty()) add_sums();
    for (ValueId result : by_rows) {
      if (is_one_pass) add(streams_.softmax_rows(result), [&] { return softmax_rows(result); });
      else add_weighted_sums(result, true);
    }
    add_columns(by_columns);
    return std::move(source_);
  }

 private:
  using Known = AttentionValues::Known;

  template <class Other>
  void add(std::optional<KernelText> stream, Other other) {
    source_.kernels.push_back(stream ? std::move(*stream) : other());
  }

  void add_sums() {
    const std::vector<ValueId> later = lower::later_sums_of(a_);
    source_.scratch_bytes = {text_.note_sums(static_cast<std::int64_t>(later.size()))};
    if (auto all = streams_.softmax_sums(later)) {
      source_.kernels.push_back(std::move(*all));
      return;
    }
    add(streams_.softmax_sums({}), [&] { return softmax_sums(); });
    if (!later.empty()) source_.kernels.push_back(later_sums(later));
  }

  void add_columns(const std::vector<ValueId>& results) {
    if (auto all = streams_.weighted_sums(results, false)) {
      source_.kernels.push_back(std::move(*all));
      return;
    }
    for (ValueId result : results) add_weighted_sums(result, false);
  }

  void add_weighted_sums(ValueId result, bool by_rows) {
    add(streams_.weighted_sums({result}, by_rows), [&] { return weighted_sums(result, by_rows); });
  }

  std::string factors(Body& body, const AttentionValues& values, const Products& products,
                      bool by_rows) const {
    std::string list;
    for (ValueId op : products.ops) {
      const Member& member = *a_.member(op);
      const std::size_t own = text_.own_operand(member, by_rows);
      const std::string both = text_.matrix(body, values, member, own, products.dtype) + ",\n" +
                               text_.matrix(body, values, member, 1 - own, products.dtype);
      list += (list.empty() ? "" : ",\n") + both;
      if (products.ops.size() == 1) list += ",\n" + both;
    }
    return "factors(" + list + ")";
  }

  static std::string of_scores(const Products& products) {
    return element_of(products.dtype) + ", " +
           text_of(static_cast<std::int64_t>(products.ops.size())) + ", " +
           text_of(padded_depth(products.depth));
  }

  std::string load_row(Body& body, AttentionValues& values, bool with_later) const {
    return "[=](int r, Row& row) {\n" + text_.fetch_row(body, with_later) +
           text_.know_row(values, with_later) + "}";
  }

  std::string softmax_of(AttentionValues& values, const Products& products) const {
    const ValueId x = text_.operand(a_.maximum, 0);
    const ValueId shift = text_.operand(text_.operand(a_.exponential, 0), 1);
    return "softmax([=](int r, Row& row) {\n" + values.know(Known::maximum) +
           "},\n[=](const Row& row) -> float {\n" + values.returned(shift, {}) +
           "},\n[=](int r, int c, const float* s, const Row& row) -> float {\n" +
           values.returned(x, products.ops) +
           "},\n[=](int r, int c, float x, const Row& row) -> float {\n" +
           values.returned(a_.exponential, {}, x) + "})";
  }

  KernelText softmax_sums() const {
    Body body = text_.begin(true);
    AttentionValues values(text_.lowered(), a_, body.writer);
    const Products products = text_.products_for({text_.operand(a_.maximum, 0)});
    body.text += "softmax_sums<" + of_scores(products) + ", Row>(" +
                 factors(body, values, products, true) + ", own, extents,\n" +
                 softmax_of(values, products) + ",\n[=](int r, const Row& row) {\n" +
                 text_.sum_place(body, "0") + " = row.maximum;\n" + text_.sum_place(body, "1") +
                 " = row.sum;\n});\n";
    return text_.finish(std::move(body), values);
  }

  KernelText later_sums(const std::vector<ValueId>& later) const {
    std::vector<ValueId> terms;
    for (ValueId sum : later) terms.push_back(text_.operand(sum, 0));
    Body body = text_.begin(true);
    AttentionValues values(text_.lowered(), a_, body.writer);
    const Products products = text_.products_for(terms);
    body.text += "later_sums<" + of_scores(products) + ", " +
                 text_of(static_cast<std::int64_t>(later.size())) + ", Row>(" +
                 factors(body, values, products, true) + ", own, extents,\n" +
                 load_row(body, values, false) +
                 ",\n[=](int r, int c, const float* s, const Row& row, float* sums) {\n" +
                 values.added(terms, products.ops, "sums") +
                 "},\n[=](int r, int k, float sum) {\n" +
                 text_.sum_place(body, "k + " + text_of(kMaximumAndSum)) + " = sum;\n});\n";
    return text_.finish(std::move(body), values);
  }

  /// The result's other factor, and tiles of weights.
  struct Weighing {
    ValueId scores = kNoValue;
    std::string types, y;
  };
  Weighing weighing(Body& body, const AttentionValues& values, ValueId result) const {
    const Member& member = *a_.member(result);
    const std::size_t scores = lower::scores_operand(text_.program(), a_, result);
    const DType left = text_.shape(text_.operand(result, 0)).dtype,
                right = text_.shape(text_.operand(result, 1)).dtype;
    const DType tile = left == right ? left : DType::f32;
    return {text_.operand(result, scores), element_of(tile) + ", ",
            text_.matrix(body, values, member, 1 - scores, tile)};
  }

  std::int64_t result_depth(ValueId result) const {
    const std::size_t other = 1 - lower::scores_operand(text_.program(), a_, result);
    return padded_depth(text_.depth_of(*a_.member(result), other));
  }

  KernelText softmax_rows(ValueId result) const {
    Body body = text_.begin(true);
    AttentionValues values(text_.lowered(), a_, body.writer);
    const Products products = text_.products_for({text_.operand(a_.maximum, 0)});
    const Weighing w = weighing(body, values, result);
    const lower::Scaled scaled = *lower::scaled_exponential(text_.program(), a_, w.scores);
    body.text += "softmax_rows<" + element_of(products.dtype) + ", " + w.types +
                 text_of(static_cast<std::int64_t>(products.ops.size())) + ", " +
                 text_of(padded_depth(products.depth)) + ", " + text_of(result_depth(result)) +
                 ", Row>(" + factors(body, values, products, true) + ",\n" + w.y +
                 ", own, extents,\n" + softmax_of(values, products) +
                 ",\n[=](int r, Row& row) {\n" + values.know(Known::sum) + "},\n" +
                 text_.result_text(body, values, result, true) +
                 ",\n[=](int r, float v, const Row& row) -> float {\n" +
                 text_.scaling(values, scaled) + "return v * by;\n});\n";
    return text_.finish(std::move(body), values);
  }

  KernelText weighted_sums(ValueId result, bool by_rows) const {
    Body body = text_.begin(by_rows);
    AttentionValues values(text_.lowered(), a_, body.writer);
    const Weighing w = weighing(body, values, result);
    const Products products = text_.products_for({w.scores});
    body.text += "weighted_sums<" + element_of(products.dtype) + ", " + w.types +
                 text_of(static_cast<std::int64_t>(products.ops.size())) + ", " +
                 text_of(padded_depth(products.depth)) + ", " + text_of(result_depth(result)) +
                 ", " + (by_rows ? "true" : "false") + ", Row>(" +
                 factors(body, values, products, by_rows) + ",\n" + w.y + ", own, extents,\n" +
                 load_row(body, values, true) +
                 ",\n[=](int r, int c, const float* s, const Row& row) -> float {\n" +
                 values.returned(w.scores, products.ops) + "},\n" +
                 text_.result_text(body, values, result, by_rows) + ");\n";
    return text_.finish(std::move(body), values);
  }

  AttentionText text_;
  const Attention& a_;
  const AttentionStreamSource streams_;
  GroupSource source_;
};

}  // namespace

GroupSource attention_source(const lower::LoweredProgram& lowered,
                             const lower::KernelGroup& group) {
  return AttentionSource(lowered, group).run();
}

}  // namespace rhino::runtime::cuda
