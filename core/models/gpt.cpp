// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "models/layers.hpp"
#include "models/models.hpp"
#include "models/presets.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

/// Activations are [batch, sequence, hidden] throughout, heads a dim of their own: batch, sequence,
/// heads, ffn and vocabulary can each be cut.
class Gpt {
 public:
  Gpt(const GptConfig& config, std::int64_t batch)
      : config_(config),
        batch_(batch),
        head_dim_(config.hidden / config.num_heads),
        b_(program_name("gpt", config.preset)) {}

  Program run() && {
    const ValueId tokens = batch_input("tokens"), labels = batch_input("labels");
    const ValueId table = weight(b_, {config_.dtype, {config_.vocabulary, config_.hidden}},
                                 kDeviation, "wte", {"vocabulary", "hidden"});
    ValueId x = embed(tokens, table);
    for (std::int64_t layer = 0; layer < config_.num_layers; ++layer) {
      b_.set_scope("h" + std::to_string(layer));
      x = b_.add(x, attention(layer_norm(b_, x, "ln1", "hidden")));
      b_.name(x, "mid");
      x = b_.add(x, mlp(layer_norm(b_, x, "ln2", "hidden")));
      b_.name(x, "out");
    }
    b_.set_scope("");
    const ValueId logits =
        b_.dot(layer_norm(b_, x, "ln_f", "hidden"), table, contraction({2}, {1}));
    b_.name(logits, "logits");
    return finished(b_, mean_cross_entropy(b_, logits, labels));
  }

 private:
  using Dims = std::vector<std::int64_t>;

  static DotAttr contraction(Dims lhs, Dims rhs) {
    return {{}, {}, std::move(lhs), std::move(rhs)};
  }

  /// Projections into the residual stream are smaller, so that its variance does not grow with
  /// depth (GPT-2).
  double residual_deviation() const {
    return kDeviation / std::sqrt(2.0 * static_cast<double>(config_.num_layers));
  }

  ValueId batch_input(const std::string& name) {
    const Initializer any_token{Initializer::Kind::uniform_integer, 0,
                                static_cast<double>(config_.vocabulary)};
    const ValueId value =
        b_.input(InputKind::batch, {DType::s32, {batch_, config_.sequence}}, any_token, name);
    b_.name_dims({"batch", "sequence"});
    return value;
  }

  ValueId embed(ValueId tokens, ValueId table) {
    const ValueId words = look_up(b_, table, tokens);
    const ValueId positions = weight(b_, {config_.dtype, {config_.sequence, config_.hidden}},
                                     kDeviation, "wpe", {"sequence", "hidden"});
    const ValueId x = b_.add(words, broadcast_last(b_, positions, words));
    b_.name(x, "embedding");
    return x;
  }

  ValueId attention(ValueId x) {
    const ValueId qkv = config_.fused_qkv ? fused_heads(x) : heads(x);
    const ValueId query = part(qkv, 0), key = part(qkv, 1), value = part(qkv, 2);
    // [batch, heads, sequence, sequence]
    const ValueId scores = b_.dot(query, key, {{0, 2}, {0, 2}, {3}, {3}});
    const ValueId weights = convert_to(b_, softmax(b_, causal(widened(b_, scores))), config_.dtype);
    // [batch, heads, sequence, head_dim] → [batch, sequence, heads, head_dim]
    const ValueId mixed = b_.dot(weights, value, {{0, 1}, {0, 2}, {3}, {1}});
    return linear(b_, b_.transpose(mixed, {0, 2, 1, 3}),
                  {.name = "attn.out",
                   .result = {config_.hidden},
                   .num_contracted = 2,
                   .deviation = residual_deviation(),
                   .dims = {"heads", "head_dim", "hidden"}});
  }

  /// [batch, sequence, 3, heads, head_dim], as are fused_heads.
  ValueId heads(ValueId x) {
    return linear(b_, x,
                  {.name = "attn.qkv",
                   .result = {3, config_.num_heads, head_dim_},
                   .dims = {"hidden", "qkv", "heads", "head_dim"}});
  }

  ValueId fused_heads(ValueId x) {
    const ValueId rows = linear(
        b_, x, {.name = "attn.qkv", .result = {3 * config_.hidden}, .dims = {"hidden", "qkv"}});
    const ValueId heads =
        b_.reshape(rows, {batch_, config_.sequence, 3, config_.num_heads, head_dim_});
    b_.name(heads, "attn.heads");
    return heads;
  }

  /// Query, key or value: [batch, sequence, heads, head_dim].
  ValueId part(ValueId qkv, std::int64_t index) {
    const std::int64_t heads = config_.num_heads, sequence = config_.sequence;
    const ValueId slice =
        b_.slice(qkv, {0, 0, index, 0, 0}, {batch_, sequence, index + 1, heads, head_dim_});
    return b_.reshape(slice, {batch_, sequence, heads, head_dim_});
  }

  /// Scores over sqrt(head_dim) where the key comes no later than the query; elsewhere what softmax
  /// makes zero.
  ValueId causal(ValueId scores) {
    const Shape square{DType::s32, {config_.sequence, config_.sequence}};
    const ValueId seen = b_.compare(Comparison::ge, b_.iota(square, 0), b_.iota(square, 1));
    const ValueId scaled = b_.scale(scores, 1 / std::sqrt(static_cast<double>(head_dim_)));
    const ValueId hidden = b_.fill(Shape(b_.shape(scores)), -1e30);
    return b_.select(broadcast_last(b_, seen, scores), scaled, hidden);
  }

  ValueId mlp(ValueId x) {
    const ValueId up = linear(
        b_, x, {.name = "mlp.up", .result = {4 * config_.hidden}, .dims = {"hidden", "ffn"}});
    return linear(b_, gelu(b_, up),
                  {.name = "mlp.down",
                   .result = {config_.hidden},
                   .deviation = residual_deviation(),
                   .dims = {"ffn", "hidden"}});
  }

  const GptConfig& config_;
  std::int64_t batch_, head_dim_;
  ir::Builder b_;
};

void check(const GptConfig& config, std::int64_t batch) {
  if (config.num_layers < 1 || config.hidden < 1 || config.num_heads < 1 || config.sequence < 1 ||
      config.vocabulary < 1 || batch < 1) {
    throw Error("gpt: every size must be at least 1");
  }
  if (config.hidden % config.num_heads != 0) {
    throw Error("gpt: hidden " + std::to_string(config.hidden) + " does not divide by " +
                std::to_string(config.num_heads) + " heads");
  }
  const auto hidden = static_cast<double>(config.hidden),
             sequence = static_cast<double>(config.sequence),
             vocabulary = static_cast<double>(config.vocabulary),
             tokens = static_cast<double>(batch) * sequence;
  check_size(
      "num_layers", config.num_layers,
      std::max({4 * hidden * hidden, vocabulary * hidden, tokens * 4 * hidden, tokens * vocabulary,
                tokens * sequence * static_cast<double>(config.num_heads)}));
  if (!is_floating(config.dtype)) throw Error("gpt: dtype must be a floating-point type");
}

}  // namespace

Program gpt_forward(const GptConfig& config, std::int64_t batch) {
  check(config, batch);
  return Gpt(config, batch).run();
}

}  // namespace rhino::models
