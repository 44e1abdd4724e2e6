// SPDX-License-Identifier: Apache-2.0
#include "models/hf_config.hpp"

#include "models/hf_fields.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

using OptionMap = std::map<std::string, OptionValue>;

HfModel read_gpt2(HfFields& fields) {
  const std::int64_t hidden = fields.size("n_embd"), positions = fields.size("n_positions");
  fields.must_be_size("n_inner", 4 * hidden, "4 times n_embd");
  fields.must_be_size("n_ctx", positions, "n_positions");
  fields.must_be_word("activation_function", "gelu_new", {"gelu_new", "gelu", "gelu_pytorch_tanh"});
  fields.must_be_number("layer_norm_epsilon", 1e-5);
  fields.must_be("scale_attn_weights", true);
  fields.must_be("scale_attn_by_inverse_layer_idx", false);
  fields.must_be("add_cross_attention", false);
  fields.must_be("tie_word_embeddings", true);
  return {"gpt",
          {{"num_layers", fields.size("n_layer")},
           {"hidden", hidden},
           {"num_heads", fields.size("n_head")},
           {"vocabulary", fields.size("vocab_size")},
           {"sequence", positions}}};
}

HfModel read_bert(HfFields& fields) {
  const std::int64_t hidden = fields.size("hidden_size");
  fields.must_be_size("intermediate_size", 4 * hidden, "4 times hidden_size");
  fields.must_be_size("type_vocab_size", 2, "segments of a pair");
  fields.must_be_word("hidden_act", "gelu", {"gelu", "gelu_new", "gelu_pytorch_tanh"});
  fields.must_be_word("position_embedding_type", "absolute", {"absolute"});
  fields.must_be("is_decoder", false);
  fields.must_be("add_cross_attention", false);
  fields.must_be("tie_word_embeddings", true);
  return {"bert",
          {{"num_layers", fields.size("num_hidden_layers")},
           {"hidden", hidden},
           {"num_heads", fields.size("num_attention_heads")},
           {"vocabulary", fields.size("vocab_size")},
           {"sequence", fields.size("max_position_embeddings")},
           {"epsilon", fields.number("layer_norm_eps", 1e-12)}}};
}

/// Of a Llama, and of what differs from it in its feed-forward layers.
OptionMap llama_options(HfFields& fields) {
  const std::int64_t hidden = fields.size("hidden_size"),
                     heads = fields.size("num_attention_heads");
  if (hidden % heads != 0)
    fields.fail("hidden_size " + std::to_string(hidden) + " does not divide by " +
                std::to_string(heads) + " num_attention_heads");
  fields.must_be_size("head_dim", hidden / heads, "hidden_size by num_attention_heads");
  fields.must_be_word("hidden_act", "silu", {"silu"});
  fields.must_be("attention_bias", false);
  fields.must_be("mlp_bias", false);
  fields.must_be_null("rope_scaling");
  fields.must_be_null("sliding_window");
  return {{"num_layers", fields.size("num_hidden_layers")},
          {"hidden", hidden},
          {"num_heads", heads},
          {"num_kv_heads", fields.size("num_key_value_heads", heads)},
          {"ffn", fields.size("intermediate_size")},
          {"vocabulary", fields.size("vocab_size")},
          {"sequence", fields.size("max_position_embeddings")},
          {"rope_theta", fields.number("rope_theta", 1e4)},
          {"epsilon", fields.number("rms_norm_eps", 1e-6)},
          {"tied", fields.boolean("tie_word_embeddings", false)}};
}

HfModel read_mixtral(HfFields& fields) {
  OptionMap options = llama_options(fields);
  options["experts"] = fields.size("num_local_experts");
  fields.must_be_size("num_experts_per_tok", 2, "top-2 gating");
  fields.must_be_number("router_jitter_noise", 0);
  options["balance"] = fields.number("router_aux_loss_coef", 0.001);
  return {"llama", options};
}

HfModel read_t5(HfFields& fields) {
  const std::int64_t layers = fields.size("num_layers"),
                     positions = fields.size("n_positions", 512);
  fields.must_be_word("feed_forward_proj", "relu", {"relu", "gated-gelu"});
  const bool is_gated = fields.word("feed_forward_proj", "relu") == "gated-gelu";
  fields.must_be("is_gated_act", is_gated);
  const std::string activation = is_gated ? "gelu_new" : "relu";
  fields.must_be_word("dense_act_fn", activation, {activation.c_str()});
  fields.must_be("is_encoder_decoder", true);
  return {"t5",
          {{"num_layers", layers},
           {"num_decoder_layers", fields.size("num_decoder_layers", layers)},
           {"hidden", fields.size("d_model")},
           {"num_heads", fields.size("num_heads")},
           {"head_dim", fields.size("d_kv")},
           {"ffn", fields.size("d_ff")},
           {"vocabulary", fields.size("vocab_size")},
           {"sequence", positions},
           {"target_sequence", positions},
           {"num_buckets", fields.size("relative_attention_num_buckets", 32)},
           {"max_distance", fields.size("relative_attention_max_distance", 128)},
           {"epsilon", fields.number("layer_norm_epsilon", 1e-6)},
           {"gated", is_gated},
           {"tied", fields.boolean("tie_word_embeddings", true)}}};
}

struct Reader {
  const char* model_type;
  HfModel (*read)(HfFields& fields);
};
const Reader kReaders[] = {
    {"gpt2", read_gpt2},
    {"bert", read_bert},
    {"llama",
     [](HfFields& fields) {
       return HfModel{"llama", llama_options(fields)};
     }},
    {"mixtral", read_mixtral},
    {"t5", read_t5},
};

}  // namespace

HfModel read_hf_config(const std::string& path) {
  HfFields fields(path);
  std::string known;
  for (const Reader& reader : kReaders) {
    if (fields.model_type() == reader.model_type) {
      HfModel model = reader.read(fields);
      fields.finish();
      return model;
    }
    known += (known.empty() ? "" : ", ") + std::string(reader.model_type);
  }
  fields.fail("no model is built of model_type '" + fields.model_type() + "', but of " + known);
}

}  // namespace rhino::models
