// SPDX-License-Identifier: Apache-2.0
#include "models/bert.hpp"

#include <algorithm>
#include <utility>

#include "models/presets.hpp"
#include "models/transformer.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

constexpr std::int64_t kNumSegments = 2;

/// base and large as they were published, uncased.
const BertConfig kBertPresets[] = {
    {"tiny", 2, 64, 4, 512, 32},
    {"base", 12, 768, 12, 30522, 512},
    {"large", 24, 1024, 16, 30522, 512},
};

class Bert {
 public:
  Bert(const BertConfig& config, std::int64_t batch)
      : config_(config), batch_(batch), b_(program_name("bert", config.preset)) {}

  Program run() && {
    const ValueId tokens = words("tokens", config_.vocabulary),
                  segments = words("segments", kNumSegments),
                  labels = words("labels", config_.vocabulary);
    const ValueId table = embedding("wte", config_.vocabulary, "vocabulary");
    ValueId x = look_up(b_, table, tokens);
    x = b_.add(x, look_up(b_, embedding("segment", kNumSegments, "segments"), segments));
    x = norm(with_positions(b_, x, "wpe"), "ln_e");
    b_.name(x, "embedding");
    for (std::int64_t layer = 0; layer < config_.num_layers; ++layer) x = block(x, layer);
    b_.set_scope("");
    const ValueId logits = this->logits(x, table);
    b_.name(logits, "logits");
    return finished(b_, mean_cross_entropy(b_, logits, labels));
  }

 private:
  ValueId words(const char* name, std::int64_t count) {
    return token_input(b_, name, {batch_, config_.sequence}, count);
  }
  ValueId embedding(const char* name, std::int64_t count, const char* dim) {
    return weight(b_, {config_.dtype, {count, config_.hidden}}, kDeviation, name, {dim, "hidden"});
  }
  ValueId norm(ValueId x, const std::string& name) {
    return layer_norm(b_, x, name, "hidden", config_.epsilon);
  }

  ValueId block(ValueId x, std::int64_t layer) {
    b_.set_scope("h" + std::to_string(layer));
    x = norm(b_.add(x, multi_head_attention(b_, x, x, {.heads = config_.num_heads})), "ln1");
    b_.name(x, "mid");
    x = norm(b_.add(x, feed_forward(b_, x, 4 * config_.hidden, kDeviation)), "ln2");
    b_.name(x, "out");
    return x;
  }

  ValueId logits(ValueId x, ValueId table) {
    const ValueId dense = linear(
        b_, x, {.name = "head.dense", .result = {config_.hidden}, .dims = {"hidden", "features"}});
    const ValueId products = b_.dot(norm(gelu(b_, dense), "head.ln"), table, {{}, {}, {2}, {1}});
    const ValueId bias =
        constant_weight(b_, {config_.dtype, {config_.vocabulary}}, 0, "head.bias", {"vocabulary"});
    return b_.add(products, broadcast_last(b_, bias, products));
  }

  const BertConfig& config_;
  std::int64_t batch_;
  ir::Builder b_;
};

void check(const BertConfig& config, std::int64_t batch) {
  for (const std::int64_t size : {config.num_layers, config.hidden, config.num_heads,
                                  config.vocabulary, config.sequence, batch})
    if (size < 1) throw Error("bert: every size must be at least 1");
  if (config.hidden % config.num_heads != 0)
    throw Error("bert: hidden " + std::to_string(config.hidden) + " does not divide by " +
                std::to_string(config.num_heads) + " heads");
  if (!is_floating(config.dtype)) throw Error("bert: dtype must be a floating-point type");
  const auto number = [](std::int64_t size) { return static_cast<double>(size); };
  const double tokens = number(batch) * number(config.sequence);
  check_size("num_layers", config.num_layers,
             std::max({4 * number(config.hidden) * number(config.hidden),
                       number(config.vocabulary) * number(config.hidden),
                       tokens * 4 * number(config.hidden), tokens * number(config.vocabulary),
                       tokens * number(config.sequence) * number(config.num_heads)}));
}

}  // namespace

BertConfig bert_preset(const std::string& name) { return find_preset(kBertPresets, "bert", name); }

std::vector<std::string> bert_presets() { return preset_names(kBertPresets); }

Program bert_forward(const BertConfig& config, std::int64_t batch) {
  check(config, batch);
  return Bert(config, batch).run();
}

std::int64_t bert_num_parameters(const BertConfig& config) {
  const std::int64_t hidden = config.hidden, layer = 12 * hidden * hidden + 13 * hidden;
  const std::int64_t embeddings =
      (config.vocabulary + config.sequence + kNumSegments) * hidden + 2 * hidden;
  return embeddings + config.num_layers * layer + hidden * hidden + 3 * hidden + config.vocabulary;
}

double bert_step_flops(const BertConfig& config, std::int64_t batch) {
  const auto number = [](std::int64_t size) { return static_cast<double>(size); };
  const double hidden = number(config.hidden), layers = number(config.num_layers),
               sequence = number(config.sequence), tokens = number(batch) * sequence;
  const double weights = (12 * layers + 1) * hidden * hidden + number(config.vocabulary) * hidden;
  return 6 * tokens * weights + 12 * layers * tokens * sequence * hidden;
}

}  // namespace rhino::models
