// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/builder.hpp"

namespace rhino::models {

/// Sizes of a T5 (Raffel et al. 2020): an encoder, and a decoder that looks at what it made.
struct T5Config {
  std::string preset;
  std::int64_t num_layers = 2;  ///< of the encoder
  std::int64_t num_decoder_layers = 2;
  std::int64_t hidden = 64, num_heads = 4, head_dim = 16, ffn = 128, vocabulary = 512;
  std::int64_t sequence = 32, target_sequence = 16;   ///< tokens that are read, and written
  std::int64_t num_buckets = 32, max_distance = 128;  ///< of relative positions
  double epsilon = 1e-6;
  bool is_gated = false;  ///< GELU of one matrix times another (1.1) in place of ReLU
  bool tied = true;       ///< the output embedding is the input one (1.0)
  DType dtype = DType::f32;
  bool operator==(const T5Config&) const = default;
};

/// tiny, small, base, large, 3b, 11b. Throws Error with the known names.
T5Config t5_preset(const std::string& name);
std::vector<std::string> t5_presets();

/// Forward pass and mean cross-entropy of the written tokens, without dropout. RMS norms in front
/// of attention and feed-forward, no biases, scores that are not scaled; to these all layers of a
/// stack add a number that they share, by head and distance (`encoder.distances.weight`,
/// `decoder.distances.weight` [buckets, heads]), but not where the decoder looks at the encoder.
/// Weights: `wte` [vocabulary, hidden]; `encoder.h0.attn.query.weight`, `.key`, `.value` [hidden,
/// heads, head_dim], `.out.weight` [heads, head_dim, hidden], `encoder.h0.mlp.up.weight` [hidden,
/// ffn], `.down.weight`, where gated `.gate.weight`, `encoder.h0.norm1.scale`, ...,
/// `encoder.norm_f.scale`; of the decoder also `decoder.h0.cross.query.weight`, ...; where it is
/// not tied `head.weight`. Batch inputs `tokens` [batch, sequence], `written` (behind a first
/// token, as the decoder reads them) and `labels` [batch, target_sequence] s32. Activations:
/// `embedding`, `encoder.h0.mid`, `encoder.h0.out`, `encoded`, which all layers of the decoder
/// read, `decoder.embedding`, `decoder.h0.mid`, `decoder.h0.crossed`, `decoder.h0.out`, `logits`.
/// Throws Error.
Program t5_forward(const T5Config& config, std::int64_t batch);

/// [queries, keys] s32: the bucket of the distance between a key and a query, both counted from 0.
/// In one direction keys that come later count as at distance 0; in two they have half of the
/// buckets. Half of those of a direction are of one distance each, the others as wide on a scale of
/// logarithms, up to `max_distance`.
struct Distances {
  std::int64_t queries = 1, keys = 1;
  std::int64_t num_buckets = 32, max_distance = 128;
  bool in_two_directions = true;
};
ValueId distance_buckets(ir::Builder& builder, const Distances& distances);

/// Closed formulas: parameters, and FLOPs of forward and backward dots of one step with the full
/// attention squares.
std::int64_t t5_num_parameters(const T5Config& config);
double t5_step_flops(const T5Config& config, std::int64_t batch);

}  // namespace rhino::models
