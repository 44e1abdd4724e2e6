// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rhino::models {

struct HfWeight {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<std::string> dims;  ///< what each is
};

/// The weights of a model, of which all layers are alike.
struct HfWeights {
  std::int64_t num_layers = 0;
  std::vector<HfWeight> front, layer, behind;  ///< in front of the layers, of each, and behind them
};

/// Those of the decoder that the config.json at `path` describes, whether or not it can be built:
/// gpt2, llama, mixtral, qwen3 or qwen3_moe. Dims: vocabulary, positions, hidden, qkv, heads,
/// kv_heads, head_dim, ffn; of experts, whose matrices are one tensor, expert, expert_ffn. Throws
/// Error that names the file, and the field.
HfWeights read_hf_weights(const std::string& path);

std::int64_t num_elements(const HfWeights& weights);

}  // namespace rhino::models
