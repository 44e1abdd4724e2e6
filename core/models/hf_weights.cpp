// SPDX-License-Identifier: Apache-2.0
#include "models/hf_weights.hpp"

#include <algorithm>

#include "models/hf_fields.hpp"
#include "rhino/error.hpp"
#include "rhino/shape.hpp"

namespace rhino::models {
namespace {

HfWeights gpt2_weights(HfFields& fields) {
  const std::int64_t hidden = fields.size("n_embd"), heads = fields.size("n_head"),
                     ffn = fields.size("n_inner", 4 * hidden);
  if (hidden % heads != 0)
    fields.fail("n_embd " + std::to_string(hidden) + " does not divide by " +
                std::to_string(heads) + " n_head");
  const std::int64_t head_dim = hidden / heads;
  const auto norm = [&](const std::string& name) {
    return std::vector<HfWeight>{{name + ".scale", {hidden}, {"hidden"}},
                                 {name + ".bias", {hidden}, {"hidden"}}};
  };
  HfWeights weights{.num_layers = fields.size("n_layer")};
  weights.front = {{"wte", {fields.size("vocab_size"), hidden}, {"vocabulary", "hidden"}},
                   {"wpe", {fields.size("n_positions"), hidden}, {"positions", "hidden"}}};
  weights.layer = {
      {"qkv", {hidden, 3, heads, head_dim}, {"hidden", "qkv", "heads", "head_dim"}},
      {"qkv.bias", {3, heads, head_dim}, {"qkv", "heads", "head_dim"}},
      {"out", {heads, head_dim, hidden}, {"heads", "head_dim", "hidden"}},
      {"out.bias", {hidden}, {"hidden"}},
      {"up", {hidden, ffn}, {"hidden", "ffn"}},
      {"up.bias", {ffn}, {"ffn"}},
      {"down", {ffn, hidden}, {"ffn", "hidden"}},
      {"down.bias", {hidden}, {"hidden"}},
  };
  for (const char* name : {"ln1", "ln2"})
    for (HfWeight& weight : norm(name)) weights.layer.push_back(std::move(weight));
  weights.behind = norm("ln_f");
  return weights;
}

/// Where feed-forward layers are mixtures, the fields of these.
struct MixtureFields {
  const char* experts = nullptr;
  const char* ffn = "intermediate_size";
};

void add_mlp(HfWeights& weights, HfFields& fields, const MixtureFields& mixture) {
  const std::int64_t hidden = fields.size("hidden_size"), ffn = fields.size(mixture.ffn);
  if (mixture.experts == nullptr) {
    for (const char* name : {"gate", "up"})
      weights.layer.push_back({name, {hidden, ffn}, {"hidden", "ffn"}});
    weights.layer.push_back({"down", {ffn, hidden}, {"ffn", "hidden"}});
    return;
  }
  const std::int64_t experts = fields.size(mixture.experts);
  weights.layer.push_back({"router", {hidden, experts}, {"hidden", "experts"}});
  for (const char* name : {"gate", "up"})
    weights.layer.push_back({name, {experts, hidden, ffn}, {"expert", "hidden", "expert_ffn"}});
  weights.layer.push_back({"down", {experts, ffn, hidden}, {"expert", "expert_ffn", "hidden"}});
}

/// Llama and what came after it: `norms_heads`, RMS norms of each query and key.
HfWeights llama_weights(HfFields& fields, const MixtureFields& mixture, bool norms_heads) {
  const std::int64_t hidden = fields.size("hidden_size"),
                     heads = fields.size("num_attention_heads"),
                     kv_heads = fields.size("num_key_value_heads", heads),
                     head_dim = fields.size("head_dim", std::max<std::int64_t>(1, hidden / heads)),
                     vocabulary = fields.size("vocab_size");
  fields.must_be("attention_bias", false);
  fields.must_be("mlp_bias", false);
  HfWeights weights{.num_layers = fields.size("num_hidden_layers")};
  weights.front = {{"wte", {vocabulary, hidden}, {"vocabulary", "hidden"}}};
  weights.layer = {{"query", {hidden, heads, head_dim}, {"hidden", "heads", "head_dim"}},
                   {"key", {hidden, kv_heads, head_dim}, {"hidden", "kv_heads", "head_dim"}},
                   {"value", {hidden, kv_heads, head_dim}, {"hidden", "kv_heads", "head_dim"}},
                   {"out", {heads, head_dim, hidden}, {"heads", "head_dim", "hidden"}}};
  for (const char* name : {"norm1", "norm2"}) weights.layer.push_back({name, {hidden}, {"hidden"}});
  if (norms_heads)
    for (const char* name : {"query.norm", "key.norm"})
      weights.layer.push_back({name, {head_dim}, {"head_dim"}});
  add_mlp(weights, fields, mixture);
  weights.behind = {{"norm_f", {hidden}, {"hidden"}}};
  if (!fields.boolean("tie_word_embeddings", false))
    weights.behind.push_back({"head", {hidden, vocabulary}, {"hidden", "vocabulary"}});
  return weights;
}

}  // namespace

HfWeights read_hf_weights(const std::string& path) {
  HfFields fields(path);
  const std::string& type = fields.model_type();
  if (type == "gpt2") return gpt2_weights(fields);
  if (type == "llama") return llama_weights(fields, {}, false);
  if (type == "mixtral") return llama_weights(fields, {.experts = "num_local_experts"}, false);
  if (type == "qwen3") return llama_weights(fields, {}, true);
  if (type == "qwen3_moe")
    return llama_weights(fields, {.experts = "num_experts", .ffn = "moe_intermediate_size"}, true);
  fields.fail("weights of model_type '" + type +
              "' are not known, but of gpt2, llama, mixtral, qwen3, qwen3_moe");
}

std::int64_t num_elements(const HfWeights& weights) {
  const auto sum = [](const std::vector<HfWeight>& list) {
    std::int64_t count = 0;
    for (const HfWeight& weight : list) count += rhino::num_elements(weight.shape);
    return count;
  };
  return sum(weights.front) + weights.num_layers * sum(weights.layer) + sum(weights.behind);
}

}  // namespace rhino::models
