// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/attention_stream_source.hpp"

#include <algorithm>
#include <utility>

#include "lower/attention_passes.hpp"
#include "rhino/index.hpp"

namespace rhino::runtime::cuda {

using lower::Attention;
using Member = Attention::Member;
using Known = AttentionValues::Known;

namespace {

constexpr std::int64_t kStep = 16, kDeepest = 128;  ///< of tiles, along depth
constexpr std::int64_t kDeepestOfTwo = 64;          ///< whose sums fit in registers

}  // namespace

struct AttentionStreamSource::Stream {
  AttentionText::Body body;
  AttentionValues values;
  AttentionText::Products products;
  std::int64_t depth = kStep;
  std::string own;  ///< first arguments: own rows, `copy`, `is_full`
  std::vector<std::string> tiles;
  std::vector<std::int64_t> y;  ///< per result its tile

  Stream(const AttentionText& text, bool by_rows)
      : body(text.begin(by_rows)), values(text.lowered(), text.attention(), body.writer, true) {}
  Stream(const Stream&) = delete;  // values write to the body

  /// `Bf16, 1, 64, 2`: what is stored, products, their depth, tiles.
  std::string types() const {
    return element_of(products.dtype) + ", " +
           text_of(static_cast<std::int64_t>(products.ops.size())) + ", " + text_of(depth) + ", " +
           text_of(static_cast<std::int64_t>(tiles.size()));
  }
  /// Blocks of a multiprocessor, so that some multiply while others wait or compute.
  int at_once() const {
    return depth > kDeepestOfTwo ? 2 : products.ops.size() > 1 || y.size() > 1 ? 3 : 4;
  }
  std::int64_t tile_of(const std::string& matrix) {
    const auto found = std::ranges::find(tiles, matrix);
    const auto index = found - tiles.begin();
    if (found == tiles.end()) tiles.push_back(matrix);
    return index;
  }
};

bool AttentionStreamSource::fits(const AttentionText::Products& products,
                                 const std::vector<ValueId>& results) const {
  const DType dtype = products.dtype;
  if (!is_narrow(dtype)) return false;
  for (ValueId op : products.ops) {
    const Member& member = *text_.attention().member(op);
    const bool is_wide = text_.is_wide(member, 0, dtype) && text_.is_wide(member, 1, dtype);
    if (!is_wide || text_.shape(op).dtype != text_.shape(products.ops[0]).dtype) return false;
  }
  return std::ranges::all_of(results, [&](ValueId result) {
    const std::size_t scores = lower::scores_operand(text_.program(), text_.attention(), result);
    return text_.shape(text_.operand(result, scores)).dtype == dtype &&
           text_.is_wide(*text_.attention().member(result), 1 - scores, dtype);
  });
}

std::unique_ptr<AttentionStreamSource::Stream> AttentionStreamSource::begin(
    const std::vector<ValueId>& scores, const std::vector<ValueId>& results, bool by_rows) const {
  auto made = std::make_unique<Stream>(text_, by_rows);
  Stream& s = *made;
  s.products = text_.products_for(scores);
  if (!fits(s.products, results)) return nullptr;
  std::int64_t depth = s.products.depth;
  std::string own;
  for (ValueId op : s.products.ops) {
    const Member& member = *text_.attention().member(op);
    const std::size_t index = text_.own_operand(member, by_rows);
    own += text_.matrix(s.body, s.values, member, index, s.products.dtype) + ",\n";
    s.tiles.push_back(text_.matrix(s.body, s.values, member, 1 - index, s.products.dtype));
  }
  for (ValueId result : results) {
    const std::size_t y = 1 - lower::scores_operand(text_.program(), text_.attention(), result);
    const Member& member = *text_.attention().member(result);
    s.y.push_back(s.tile_of(text_.matrix(s.body, s.values, member, y, s.products.dtype)));
    depth = std::max(depth, text_.depth_of(member, y));
  }
  s.depth = (depth + kStep - 1) / kStep * kStep;
  if (s.depth > (results.size() > 1 ? kDeepestOfTwo : kDeepest)) return nullptr;
  s.own = own + (s.products.ops.size() == 1 ? own : "") +
          "own, extents,\n[=](Streams::Tile* tiles, int other) {\n";
  for (std::size_t i = 0; i < s.tiles.size(); ++i)
    s.own += "Streams::copy_rows(tiles[" + std::to_string(i) + "], " + s.tiles[i] + ", other);\n";
  s.own += "},\n" + is_full(by_rows);
  s.body.text += "typedef Stream<" + s.types() + "> Streams;\n";
  return made;
}

/// Whether all of `n` others is inside and, where that is said, seen by all that a block has.
std::string AttentionStreamSource::is_full(bool by_rows) const {
  const Attention& a = text_.attention();
  const std::string last = "own + " + text_of(kAttentionOwn - 1),
                    own = text_of(by_rows ? text_.num_rows() : text_.num_columns()),
                    others = text_of(by_rows ? text_.num_columns() : text_.num_rows());
  std::string holds = last + " < " + own + " && other + n <= " + others;
  if (!a.causal.empty()) {
    const std::int64_t inner = text_.num_rows() / a.extents[at(a.causal[0].row_axis)];
    const std::string row = by_rows ? "own" : "other", column = by_rows ? "other + n - 1" : last;
    holds += " && " + column + " <= " + row + " / " + text_of(inner) + " + " +
             text_of(a.causal[0].ahead);
  }
  return "[=](int other, int n) -> bool { return " + holds + "; },\n";
}

std::string AttentionStreamSource::softmax_of(AttentionValues& values,
                                              const AttentionText::Products& products) const {
  const Attention& a = text_.attention();
  const ValueId x = text_.operand(a.maximum, 0);
  const ValueId shift = text_.operand(text_.operand(a.exponential, 0), 1);
  return "softmax([=](int r, Row& row) {\n" + values.know(Known::maximum) +
         "},\n[=](const Row& row) -> float {\n" + values.returned(shift, {}) +
         "},\n[=](bool whole, int r, int c, const float* s, const Row& row) -> float {\n" +
         values.returned(x, products.ops) + "},\n[=](float x, const Row& row) -> float {\n" +
         values.returned(a.exponential, {}, x) + "}),\n";
}

std::optional<KernelText> AttentionStreamSource::softmax_rows(ValueId result) const {
  const Attention& a = text_.attention();
  const auto made = begin({text_.operand(a.maximum, 0)}, {result}, true);
  if (!made) return std::nullopt;
  Stream& s = *made;
  const std::size_t index = lower::scores_operand(text_.program(), a, result);
  const lower::Scaled scaled =
      *lower::scaled_exponential(text_.program(), a, text_.operand(result, index));
  s.body.text += "stream_softmax_rows<" + s.types() + ", " + text_of(s.y[0]) + ", Row>(" + s.own +
                 softmax_of(s.values, s.products) + "[=](int r, Row& row) {\n" +
                 s.values.know(Known::sum) + "},\n" +
                 text_.result_text(s.body, s.values, result, true) +
                 ",\n[=](int r, float v, const Row& row) -> float {\n" +
                 text_.scaling(s.values, scaled) + "return v * by;\n});\n";
  return text_.finish(std::move(s.body), s.values, s.at_once());
}

std::optional<KernelText> AttentionStreamSource::softmax_sums(
    const std::vector<ValueId>& later) const {
  const Attention& a = text_.attention();
  std::vector<ValueId> terms, scores{text_.operand(a.maximum, 0)};
  for (ValueId sum : later) terms.push_back(text_.operand(sum, 0));
  for (ValueId term : terms) {
    if (!lower::grows_as_exponential(text_.program(), a, term)) return std::nullopt;
  }
  scores.insert(scores.end(), terms.begin(), terms.end());
  const auto made = begin(scores, {}, true);
  if (!made) return std::nullopt;
  Stream& s = *made;
  s.body.text +=
      "stream_softmax_sums<" + s.types() + ", " + text_of(static_cast<std::int64_t>(later.size())) +
      ", Row>(" + s.own + softmax_of(s.values, s.products) +
      "[=](bool whole, int r, int c, const float* s, float x, const Row& row, float* sums) {\n" +
      s.values.added(terms, s.products.ops, "sums", a.exponential) +
      "},\n[=](int r, const Row& row) {\n" + text_.sum_place(s.body, "0") + " = row.maximum;\n" +
      text_.sum_place(s.body, "1") + " = row.sum;\n},\n[=](int r, int k, float sum) {\n" +
      (later.empty() ? ""
                     : text_.sum_place(s.body, "k + " + text_of(kMaximumAndSum)) + " = sum;\n") +
      "});\n";
  return text_.finish(std::move(s.body), s.values, s.at_once());
}

std::optional<KernelText> AttentionStreamSource::weighted_sums(const std::vector<ValueId>& results,
                                                               bool by_rows) const {
  if (results.empty() || results.size() > 2) return std::nullopt;
  std::vector<ValueId> scores;
  for (ValueId result : results) {
    const std::size_t index = lower::scores_operand(text_.program(), text_.attention(), result);
    scores.push_back(text_.operand(result, index));
  }
  const auto made = begin(scores, results, by_rows);
  if (!made) return std::nullopt;
  Stream& s = *made;
  std::string stores;
  for (std::size_t i = 0; i < results.size(); ++i)
    stores += "store_sums<" + text_of(s.depth) + ">(sum[" + std::to_string(i) + "], own, " +
              text_.result_text(s.body, s.values, results[i], by_rows) +
              ", [](int, int, float v) { return v; });\n";
  s.body.text += "stream_weighted_sums<" + s.types() + ", " + (by_rows ? "true" : "false") + ", " +
                 text_of(s.y[0]) + ", " + (results.size() > 1 ? text_of(s.y[1]) : "-1") +
                 ", Row>(" + s.own + "[=](int r, Row& row) {\n" + text_.fetch_row(s.body, true) +
                 "},\n[=](int r, Row& row) {\n" + text_.know_row(s.values, true) +
                 "},\n[=](bool whole, int r, int c, const float* s, const Row& row, float* w) {\n" +
                 s.values.assigned(scores, s.products.ops, "w") +
                 "},\n[=](Streams::Sums* sum) {\n" + stores + "});\n";
  return text_.finish(std::move(s.body), s.values, s.at_once());
}

}  // namespace rhino::runtime::cuda
