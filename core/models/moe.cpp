// SPDX-License-Identifier: Apache-2.0
#include "models/moe.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/layers.hpp"
#include "models/mixture.hpp"
#include "models/presets.hpp"
#include "models/transformer.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

/// 380m to 70b: Alpa's evaluation (Zheng et al. 2022), whose feed-forward layers have 8 times the
/// hidden size. rhino: the GPT-MoE among Rhino's examples.
const MoeConfig kMoePresets[] = {
    {"tiny", 2, 64, 4, 512, 32, 256, 4, 32, 16},
    {"rhino", 8, 768, 16, 32000, 1024, 6144, 8, 1024, 256},
    {"380m", 8, 768, 16, 32000, 1024, 6144, 8, 2048, 512},
    {"690m", 8, 768, 16, 32000, 1024, 6144, 16, 2048, 256},
    {"1.3b", 16, 768, 16, 32000, 1024, 6144, 16, 2048, 256},
    {"2.4b", 16, 1024, 16, 32000, 1024, 8192, 16, 2048, 256},
    {"10b", 16, 1536, 16, 32000, 1024, 12288, 32, 2048, 128},
    {"27b", 16, 2048, 16, 32000, 1024, 16384, 48, 2048, 85},
    {"70b", 32, 2048, 16, 32000, 1024, 16384, 64, 2048, 64},
};

class Moe {
 public:
  Moe(const MoeConfig& config, std::int64_t batch)
      : config_(config),
        batch_(batch),
        num_groups_(batch * config.sequence / config.group),
        b_(program_name("moe", config.preset)) {}

  Program run() && {
    const ValueId tokens = token_input(b_, "tokens", token_dims(), config_.vocabulary),
                  labels = token_input(b_, "labels", token_dims(), config_.vocabulary);
    const ValueId table = weight(b_, {config_.dtype, {config_.vocabulary, config_.hidden}},
                                 kDeviation, "wte", {"vocabulary", "hidden"});
    ValueId x = with_positions(b_, look_up(b_, table, tokens), "wpe");
    b_.name(x, "embedding");
    for (std::int64_t layer = 0; layer < config_.num_layers; ++layer) x = block(x, layer);
    b_.set_scope("");
    const ValueId logits = b_.dot(layer_norm(b_, x, "ln_f", "hidden"), table, {{}, {}, {2}, {1}});
    b_.name(logits, "logits");
    ValueId loss = mean_cross_entropy(b_, logits, labels);
    const auto terms = static_cast<double>(imbalances_.size()) * static_cast<double>(num_groups_);
    for (const ValueId imbalance : imbalances_)
      loss = b_.add(loss, b_.scale(imbalance, config_.balance / terms));
    return finished(b_, loss);
  }

 private:
  std::vector<std::int64_t> token_dims() const { return {batch_, config_.sequence}; }

  ValueId block(ValueId x, std::int64_t layer) {
    b_.set_scope("h" + std::to_string(layer));
    const ValueId normed = layer_norm(b_, x, "ln1", "hidden");
    x = b_.add(
        x, multi_head_attention(
               b_, normed, normed,
               {.heads = config_.num_heads, .is_causal = true, .deviation = residual_deviation()}));
    b_.name(x, "mid");
    const ValueId y = layer_norm(b_, x, "ln2", "hidden");
    x = b_.add(
        x, layer % 2 == 1 ? mixture(y) : feed_forward(b_, y, config_.ffn, residual_deviation()));
    b_.name(x, "out");
    return x;
  }

  ValueId mixture(ValueId x) {
    const Mixed mixed = mixture_of_experts(b_, x,
                                           {.experts = config_.experts,
                                            .group = config_.group,
                                            .capacity = config_.capacity,
                                            .ffn = config_.ffn,
                                            .deviation = residual_deviation()});
    imbalances_.push_back(mixed.imbalance);
    return mixed.value;
  }

  double residual_deviation() const {
    return kDeviation / std::sqrt(2.0 * static_cast<double>(config_.num_layers));
  }

  const MoeConfig& config_;
  std::int64_t batch_, num_groups_;
  ir::Builder b_;
  std::vector<ValueId> imbalances_;  ///< of each mixture
};

std::int64_t num_mixtures(const MoeConfig& config) { return config.num_layers / 2; }

void check(const MoeConfig& config, std::int64_t batch) {
  for (const std::int64_t size :
       {config.num_layers, config.hidden, config.num_heads, config.vocabulary, config.sequence,
        config.ffn, config.group, config.capacity, batch})
    if (size < 1) throw Error("moe: every size must be at least 1");
  if (config.num_layers < 2) throw Error("moe: needs 2 layers, of which the second has experts");
  if (config.hidden % config.num_heads != 0)
    throw Error("moe: hidden " + std::to_string(config.hidden) + " does not divide by " +
                std::to_string(config.num_heads) + " heads");
  check_mixture("moe", {.experts = config.experts, .group = config.group}, batch, config.sequence);
  if (!is_floating(config.dtype)) throw Error("moe: dtype must be a floating-point type");
  const auto number = [](std::int64_t size) { return static_cast<double>(size); };
  const double tokens = number(batch) * number(config.sequence),
               slots = number(config.experts) * number(config.capacity);
  check_size("num_layers", config.num_layers,
             std::max({number(config.experts) * number(config.hidden) * number(config.ffn),
                       number(config.vocabulary) * number(config.hidden), tokens * slots,
                       tokens * number(config.vocabulary), tokens * number(config.ffn),
                       tokens / number(config.group) * slots * number(config.ffn),
                       tokens * number(config.sequence) * number(config.num_heads)}));
}

}  // namespace

MoeConfig moe_preset(const std::string& name) { return find_preset(kMoePresets, "moe", name); }

std::vector<std::string> moe_presets() { return preset_names(kMoePresets); }

Program moe_forward(const MoeConfig& config, std::int64_t batch) {
  check(config, batch);
  return Moe(config, batch).run();
}

std::int64_t moe_num_parameters(const MoeConfig& config) {
  const std::int64_t hidden = config.hidden, mixtures = num_mixtures(config);
  const std::int64_t attention = 4 * hidden * hidden + 4 * hidden, norms = 4 * hidden;
  const std::int64_t dense = 2 * hidden * config.ffn + config.ffn + hidden;
  const std::int64_t mixture = config.experts * (2 * hidden * config.ffn + hidden);
  return config.num_layers * (attention + norms) + (config.num_layers - mixtures) * dense +
         mixtures * mixture + (config.vocabulary + config.sequence + 2) * hidden;
}

double moe_step_flops(const MoeConfig& config, std::int64_t batch) {
  const auto number = [](std::int64_t size) { return static_cast<double>(size); };
  const double hidden = number(config.hidden), ffn = number(config.ffn),
               layers = number(config.num_layers), mixtures = number(num_mixtures(config)),
               sequence = number(config.sequence), tokens = number(batch) * sequence;
  const double dense = layers * 4 * hidden * hidden + (layers - mixtures) * 2 * hidden * ffn +
                       number(config.vocabulary) * hidden;
  const double mixed =
      mixtures *
      mixture_weights({config.experts, config.group, config.capacity, config.ffn}, config.hidden);
  return 6 * tokens * (dense + mixed) + 12 * layers * tokens * sequence * hidden;
}

}  // namespace rhino::models
