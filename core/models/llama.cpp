// SPDX-License-Identifier: Apache-2.0
#include "models/llama.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/layers.hpp"
#include "models/mixture.hpp"
#include "models/presets.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

/// As the models were published, in their config.json.
const LlamaConfig kLlamaPresets[] = {
    {"tiny", 2, 64, 4, 2, 176, 512, 32},
    {"tinyllama_1.1b", 22, 2048, 32, 4, 5632, 32000, 2048},
    {"mistral_7b", 32, 4096, 32, 8, 14336, 32000, 8192},
    {"llama2_7b", 32, 4096, 32, 32, 11008, 32000, 4096},
    {"llama2_13b", 40, 5120, 40, 40, 13824, 32000, 4096},
    {"llama2_70b", 80, 8192, 64, 8, 28672, 32000, 4096},
    {"llama3_8b", 32, 4096, 32, 8, 14336, 128256, 8192, 5e5},
    {"llama3_70b", 80, 8192, 64, 8, 28672, 128256, 8192, 5e5},
    {"tiny_mixtral", 2, 64, 4, 2, 128, 512, 32, 1e6, 1e-5, false, 4, 32, 16},
    {"mixtral_8x7b", 32, 4096, 32, 8, 14336, 32000, 8192, 1e6, 1e-5, false, 8, 1024, 256},
};

Mixture experts_of(const LlamaConfig& config, double deviation = kDeviation) {
  return {config.experts, config.group, config.capacity, config.ffn, true, deviation};
}

class Llama {
 public:
  Llama(const LlamaConfig& config, std::int64_t batch)
      : config_(config), batch_(batch), b_(program_name("llama", config.preset)) {}

  Program run() && {
    const ValueId tokens = batch_input("tokens"), labels = batch_input("labels");
    const ValueId table = weight(b_, {config_.dtype, {config_.vocabulary, config_.hidden}},
                                 kDeviation, "wte", {"vocabulary", "hidden"});
    ValueId x = look_up(b_, table, tokens);
    b_.name(x, "embedding");
    for (std::int64_t layer = 0; layer < config_.num_layers; ++layer) {
      b_.set_scope("h" + std::to_string(layer));
      x = b_.add(x, attention(norm(x, "norm1")));
      b_.name(x, "mid");
      const ValueId y = norm(x, "norm2");
      x = b_.add(x, config_.experts > 0 ? mixture(y) : mlp(y));
      b_.name(x, "out");
    }
    b_.set_scope("");
    const ValueId logits = this->logits(norm(x, "norm_f"), table);
    b_.name(logits, "logits");
    const auto num_tokens = static_cast<double>(batch_ * config_.sequence);
    ValueId loss = mean_cross_entropy(b_, logits, labels);
    const double terms =
        static_cast<double>(imbalances_.size()) * num_tokens / static_cast<double>(config_.group);
    for (const ValueId imbalance : imbalances_)
      loss = b_.add(loss, b_.scale(imbalance, config_.balance / terms));
    return finished(b_, loss);
  }

 private:
  ValueId batch_input(const std::string& name) {
    const Initializer any_token{Initializer::Kind::uniform_integer, 0,
                                static_cast<double>(config_.vocabulary)};
    const ValueId value =
        b_.input(InputKind::batch, {DType::s32, {batch_, config_.sequence}}, any_token, name);
    b_.name_dims({"batch", "sequence"});
    return value;
  }

  ValueId norm(ValueId x, const std::string& name) {
    return rms_norm(b_, x, name, "hidden", config_.epsilon);
  }

  ValueId logits(ValueId x, ValueId table) {
    if (config_.tied) return b_.dot(x, table, {{}, {}, {2}, {1}});
    return linear(b_, x,
                  {.name = "head",
                   .result = {config_.vocabulary},
                   .dims = {"hidden", "vocabulary"},
                   .has_bias = false});
  }

  ValueId attention(ValueId x) {
    const std::int64_t heads = config_.num_kv_heads, group = config_.num_heads / heads;
    const ValueId query = linear(b_, x,
                                 {.name = "attn.query",
                                  .result = {heads, group, config_.head_dim()},
                                  .dims = {"hidden", "heads", "group", "head_dim"},
                                  .has_bias = false});
    const ValueId key = of_heads(x, "attn.key"), value = of_heads(x, "attn.value");
    const ValueId places = turned(query), columns = turned(key);
    b_.name(places, "attn.query.turned");
    b_.name(columns, "attn.key.turned");
    const ValueId mixed = models::attention(b_, places, columns, value, {.is_causal = true});
    b_.name(mixed, "attn.mixed");
    const ValueId product = b_.program().op(mixed).operands[0];
    b_.name(product, "attn.product");
    b_.name(b_.program().op(product).operands[0], "attn.shares");
    return linear(b_, mixed,
                  {.name = "attn.out",
                   .result = {config_.hidden},
                   .num_contracted = 3,
                   .deviation = residual_deviation(),
                   .dims = {"heads", "group", "head_dim", "hidden"},
                   .has_bias = false});
  }

  ValueId of_heads(ValueId x, const std::string& name) {
    return linear(b_, x,
                  {.name = name,
                   .result = {config_.num_kv_heads, config_.head_dim()},
                   .dims = {"hidden", "heads", "head_dim"},
                   .has_bias = false});
  }

  /// By its position (dim 1), entry i of the last dim together with entry i + half of it.
  ValueId turned(ValueId x) {
    const Shape shape = b_.shape(x);
    const auto last = static_cast<std::int64_t>(shape.dims.size()) - 1;
    const std::int64_t half = shape.dims.back() / 2;
    const DType wide = shape.dtype == DType::f64 ? DType::f64 : DType::f32;
    const Shape table{wide, {shape.dims[1], half}};
    const double slope = -2 * std::log(config_.rope_theta) / static_cast<double>(2 * half);
    const ValueId angle = b_.mul(b_.iota(table, 0),
                                 b_.unary(OpKind::exponential, b_.scale(b_.iota(table, 1), slope)));
    std::vector<std::int64_t> halved = shape.dims;
    halved.back() = half;
    const auto spread = [&](OpKind kind) {
      return b_.broadcast_in_dim(b_.unary(kind, angle), halved, {1, last});
    };
    const ValueId cosine = spread(OpKind::cosine), sine = spread(OpKind::sine);
    const auto part = [&](std::int64_t begin) {
      std::vector<std::int64_t> starts(shape.dims.size()), limits = shape.dims;
      starts.back() = begin, limits.back() = begin + half;
      return widened(b_, b_.slice(x, starts, limits));
    };
    const ValueId low = part(0), high = part(half);
    const ValueId first = b_.sub(b_.mul(low, cosine), b_.mul(high, sine));
    const ValueId second = b_.add(b_.mul(high, cosine), b_.mul(low, sine));
    return convert_to(b_, b_.concatenate({first, second}, last), shape.dtype);
  }

  ValueId mlp(ValueId x) {
    const auto widening = [&](const std::string& name) {
      return linear(
          b_, x,
          {.name = name, .result = {config_.ffn}, .dims = {"hidden", "ffn"}, .has_bias = false});
    };
    const ValueId gate = silu(b_, widening("mlp.gate"));
    return linear(b_, b_.mul(gate, widening("mlp.up")),
                  {.name = "mlp.down",
                   .result = {config_.hidden},
                   .deviation = residual_deviation(),
                   .dims = {"ffn", "hidden"},
                   .has_bias = false});
  }

  ValueId mixture(ValueId x) {
    const Mixed mixed = mixture_of_experts(b_, x, experts_of(config_, residual_deviation()));
    imbalances_.push_back(mixed.imbalance);
    return mixed.value;
  }

  double residual_deviation() const {
    return kDeviation / std::sqrt(2.0 * static_cast<double>(config_.num_layers));
  }

  const LlamaConfig& config_;
  std::int64_t batch_;
  ir::Builder b_;
  std::vector<ValueId> imbalances_;  ///< of each mixture
};

void check(const LlamaConfig& config, std::int64_t batch) {
  for (const std::int64_t size :
       {config.num_layers, config.hidden, config.num_heads, config.num_kv_heads, config.ffn,
        config.vocabulary, config.sequence, batch})
    if (size < 1) throw Error("llama: every size must be at least 1");
  if (config.hidden % config.num_heads != 0 || config.head_dim() % 2 != 0)
    throw Error("llama: hidden " + std::to_string(config.hidden) + " does not divide by " +
                std::to_string(config.num_heads) + " heads of an even size");
  if (config.num_heads % config.num_kv_heads != 0)
    throw Error("llama: " + std::to_string(config.num_heads) + " heads do not divide by " +
                std::to_string(config.num_kv_heads) + " heads of key and value");
  if (!is_floating(config.dtype)) throw Error("llama: dtype must be a floating-point type");
  if (!(config.rope_theta > 0)) throw Error("llama: rope_theta must be above 0");
  if (config.experts != 0) {
    if (config.group < 1 || config.capacity < 1)
      throw Error("llama: every size must be at least 1");
    check_mixture("llama", experts_of(config), batch, config.sequence);
  }
  const auto hidden = static_cast<double>(config.hidden), ffn = static_cast<double>(config.ffn),
             vocabulary = static_cast<double>(config.vocabulary),
             sequence = static_cast<double>(config.sequence),
             tokens = static_cast<double>(batch) * sequence;
  const double experts = static_cast<double>(std::max<std::int64_t>(1, config.experts)),
               slots = static_cast<double>(config.experts) * static_cast<double>(config.capacity);
  check_size("num_layers", config.num_layers,
             std::max({hidden * hidden, experts * hidden * ffn, tokens * slots,
                       tokens / static_cast<double>(config.group) * slots * ffn,
                       vocabulary * hidden, tokens * ffn, tokens * vocabulary,
                       tokens * sequence * static_cast<double>(config.num_heads)}));
}

/// Of the matrices of attention in a layer.
std::int64_t attention_weights(const LlamaConfig& config) {
  return 2 * config.hidden * (config.hidden + config.num_kv_heads * config.head_dim());
}

}  // namespace

LlamaConfig llama_preset(const std::string& name) {
  return find_preset(kLlamaPresets, "llama", name);
}

std::vector<std::string> llama_presets() { return preset_names(kLlamaPresets); }

Program llama_forward(const LlamaConfig& config, std::int64_t batch) {
  check(config, batch);
  return Llama(config, batch).run();
}

std::int64_t llama_num_parameters(const LlamaConfig& config) {
  const std::int64_t embeddings = (config.tied ? 1 : 2) * config.vocabulary * config.hidden;
  const std::int64_t mlp = 3 * config.hidden * config.ffn;
  const std::int64_t layer = attention_weights(config) + 2 * config.hidden +
                             (config.experts > 0 ? config.experts * (mlp + config.hidden) : mlp);
  return config.num_layers * layer + embeddings + config.hidden;
}

double llama_step_flops(const LlamaConfig& config, std::int64_t batch) {
  const auto hidden = static_cast<double>(config.hidden),
             layers = static_cast<double>(config.num_layers),
             sequence = static_cast<double>(config.sequence),
             tokens = static_cast<double>(batch) * sequence;
  const double mlp = config.experts > 0 ? mixture_weights(experts_of(config), config.hidden)
                                        : 3 * hidden * static_cast<double>(config.ffn);
  const double weights = layers * (static_cast<double>(attention_weights(config)) + mlp) +
                         static_cast<double>(config.vocabulary) * hidden;
  return 6 * tokens * weights + 12 * layers * tokens * sequence * hidden;
}

}  // namespace rhino::models
