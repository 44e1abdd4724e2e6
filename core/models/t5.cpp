// SPDX-License-Identifier: Apache-2.0
#include "models/t5.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/presets.hpp"
#include "models/transformer.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

/// As published: 512 tokens are read, and 114 written, where spans of 15 % are left out.
const T5Config kT5Presets[] = {
    {"tiny"},
    {"small", 6, 6, 512, 8, 64, 2048, 32128, 512, 114},
    {"base", 12, 12, 768, 12, 64, 3072, 32128, 512, 114},
    {"large", 24, 24, 1024, 16, 64, 4096, 32128, 512, 114},
    {"3b", 24, 24, 1024, 32, 128, 16384, 32128, 512, 114},
    {"11b", 24, 24, 1024, 128, 128, 65536, 32128, 512, 114},
};

class T5 {
 public:
  T5(const T5Config& config, std::int64_t batch)
      : config_(config), batch_(batch), b_(program_name("t5", config.preset)) {}

  Program run() && {
    const ValueId tokens = words("tokens", config_.sequence),
                  written = words("written", config_.target_sequence),
                  labels = words("labels", config_.target_sequence);
    const ValueId table = weight(b_, {config_.dtype, {config_.vocabulary, config_.hidden}}, 1,
                                 "wte", {"vocabulary", "hidden"});
    const ValueId encoded = encode(look_up(b_, table, tokens));
    const ValueId logits = this->logits(decode(look_up(b_, table, written), encoded), table);
    b_.name(logits, "logits");
    return finished(b_, mean_cross_entropy(b_, logits, labels));
  }

 private:
  ValueId words(const char* name, std::int64_t count) {
    return token_input(b_, name, {batch_, count}, config_.vocabulary);
  }

  ValueId encode(ValueId x) {
    b_.name(x, "embedding");
    const Scores scores = by_distance("encoder", config_.sequence, true);
    for (std::int64_t layer = 0; layer < config_.num_layers; ++layer) {
      b_.set_scope("encoder.h" + std::to_string(layer));
      const ValueId normed = norm(x, "norm1");
      x = b_.add(x, attend(normed, normed, "attn", scores));
      b_.name(x, "mid");
      x = b_.add(x, mlp(norm(x, "norm2")));
      b_.name(x, "out");
    }
    b_.set_scope("");
    x = norm(x, "encoder.norm_f");
    b_.name(x, "encoded");
    return x;
  }

  ValueId decode(ValueId x, ValueId encoded) {
    b_.name(x, "decoder.embedding");
    const Scores scores = by_distance("decoder", config_.target_sequence, false);
    for (std::int64_t layer = 0; layer < config_.num_decoder_layers; ++layer) {
      b_.set_scope("decoder.h" + std::to_string(layer));
      const ValueId normed = norm(x, "norm1");
      x = b_.add(x, attend(normed, normed, "attn", scores));
      b_.name(x, "mid");
      x = b_.add(x, attend(norm(x, "norm2"), encoded, "cross", {.is_scaled = false}));
      b_.name(x, "crossed");
      x = b_.add(x, mlp(norm(x, "norm3")));
      b_.name(x, "out");
    }
    b_.set_scope("");
    return norm(x, "decoder.norm_f");
  }

  ValueId norm(ValueId x, const std::string& name) {
    return rms_norm(b_, x, name, "hidden", config_.epsilon);
  }

  Scores by_distance(const std::string& stack, std::int64_t positions, bool in_two_directions) {
    const ValueId table =
        weight(b_, {config_.dtype, {config_.num_buckets, config_.num_heads}},
               deviation(config_.hidden), stack + ".distances.weight", {"buckets", "heads"});
    const ValueId buckets = distance_buckets(b_, {.queries = positions,
                                                  .keys = positions,
                                                  .num_buckets = config_.num_buckets,
                                                  .max_distance = config_.max_distance,
                                                  .in_two_directions = in_two_directions});
    const ValueId bias = b_.transpose(look_up(b_, table, buckets), {2, 0, 1});
    b_.name(bias, stack + ".distances");
    return {.is_causal = !in_two_directions, .is_scaled = false, .bias = bias};
  }

  /// Positions of `x` look at those of `memory`.
  ValueId attend(ValueId x, ValueId memory, const std::string& name, const Scores& scores) {
    const std::int64_t heads = config_.num_heads, head_dim = config_.head_dim;
    const double common = deviation(config_.hidden);
    const auto projection = [&](ValueId source, const char* part, double factor) {
      return linear(b_, source,
                    {.name = name + "." + part,
                     .result = {heads, head_dim},
                     .deviation = common * factor,
                     .dims = {"hidden", "heads", "head_dim"},
                     .has_bias = false});
    };
    // What would divide scores is in the weights of the query from the beginning.
    const ValueId query = projection(x, "query", deviation(head_dim));
    const ValueId key = projection(memory, "key", 1), value = projection(memory, "value", 1);
    std::vector<std::int64_t> dims = b_.shape(query).dims;
    dims.insert(dims.begin() + 3, 1);  // each query has a key of its own
    const ValueId mixed = attention(b_, b_.reshape(query, dims), key, value, scores);
    dims.erase(dims.begin() + 3);
    return linear(b_, b_.reshape(mixed, dims),
                  {.name = name + ".out",
                   .result = {config_.hidden},
                   .num_contracted = 2,
                   .deviation = deviation(heads * head_dim),
                   .dims = {"heads", "head_dim", "hidden"},
                   .has_bias = false});
  }

  ValueId mlp(ValueId x) {
    const auto layer = [&](ValueId y, const char* name, std::int64_t result, Names dims) {
      return linear(b_, y,
                    {.name = std::string("mlp.") + name,
                     .result = {result},
                     .deviation = deviation(b_.shape(y).dims.back()),
                     .dims = std::move(dims),
                     .has_bias = false});
    };
    const ValueId up = layer(x, "up", config_.ffn, {"hidden", "ffn"});
    const ValueId wide =
        config_.is_gated ? b_.mul(gelu(b_, layer(x, "gate", config_.ffn, {"hidden", "ffn"})), up)
                         : relu(b_, up);
    return layer(wide, "down", config_.hidden, {"ffn", "hidden"});
  }

  ValueId logits(ValueId x, ValueId table) {
    if (config_.tied)
      return b_.dot(b_.scale(x, deviation(config_.hidden)), table, {{}, {}, {2}, {1}});
    return linear(b_, x,
                  {.name = "head",
                   .result = {config_.vocabulary},
                   .deviation = deviation(config_.hidden),
                   .dims = {"hidden", "vocabulary"},
                   .has_bias = false});
  }

  static double deviation(std::int64_t terms) { return 1 / std::sqrt(static_cast<double>(terms)); }

  const T5Config& config_;
  std::int64_t batch_;
  ir::Builder b_;
};

void check(const T5Config& config, std::int64_t batch) {
  for (const std::int64_t size : {config.num_layers, config.num_decoder_layers, config.hidden,
                                  config.num_heads, config.head_dim, config.ffn, config.vocabulary,
                                  config.sequence, config.target_sequence, batch})
    if (size < 1) throw Error("t5: every size must be at least 1");
  if (config.num_buckets < 4 || config.num_buckets % 4 != 0 ||
      config.max_distance <= config.num_buckets / 2)
    throw Error("t5: distances up to " + std::to_string(config.max_distance) + " do not fill " +
                std::to_string(config.num_buckets) + " buckets, a multiple of 4");
  if (!is_floating(config.dtype)) throw Error("t5: dtype must be a floating-point type");
  const auto number = [](std::int64_t size) { return static_cast<double>(size); };
  const double length = number(std::max(config.sequence, config.target_sequence)),
               tokens = number(batch) * length,
               inner = number(config.num_heads) * number(config.head_dim);
  const double largest = std::max(
      {number(config.hidden) * std::max({inner, number(config.ffn), number(config.vocabulary)}),
       tokens * std::max({number(config.hidden), number(config.ffn), number(config.vocabulary)}),
       tokens * inner, tokens * length * number(config.num_heads)});
  check_size("num_layers", config.num_layers, largest);
  check_size("num_decoder_layers", config.num_decoder_layers, largest);
}

}  // namespace

ValueId distance_buckets(ir::Builder& b, const Distances& distances) {
  const Shape shape{DType::f32, {distances.queries, distances.keys}};
  const auto number = [&](double value) { return b.fill(shape, value); };
  const ValueId later = b.sub(b.iota(shape, 1), b.iota(shape, 0)),
                earlier = b.unary(OpKind::negate, later);
  const std::int64_t count = distances.num_buckets / (distances.in_two_directions ? 2 : 1);
  const auto half = static_cast<double>(count / 2);
  const ValueId distance =
      b.binary(OpKind::maximum, earlier, distances.in_two_directions ? later : number(0));
  // Where a bucket begins at a whole number, rounding of the logarithm must not end the one before
  // it a number late.
  constexpr double kAboveRounding = 1e-4;
  const double widths = half / std::log(static_cast<double>(distances.max_distance) / half);
  const ValueId far = b.binary(OpKind::maximum, distance, number(half));
  const ValueId steps = b.scale(b.unary(OpKind::log, b.scale(far, 1 / half)), widths);
  const ValueId wide = b.shift(b.unary(OpKind::floor, b.shift(steps, kAboveRounding)), half);
  const ValueId last = number(static_cast<double>(count - 1));
  ValueId bucket = b.select(b.compare(Comparison::lt, distance, number(half)), distance,
                            b.binary(OpKind::minimum, wide, last));
  if (distances.in_two_directions) {
    const ValueId is_later = b.compare(Comparison::gt, later, number(0));
    bucket = b.select(is_later, b.shift(bucket, static_cast<double>(count)), bucket);
  }
  return b.convert(bucket, DType::s32);
}

T5Config t5_preset(const std::string& name) { return find_preset(kT5Presets, "t5", name); }

std::vector<std::string> t5_presets() { return preset_names(kT5Presets); }

Program t5_forward(const T5Config& config, std::int64_t batch) {
  check(config, batch);
  return T5(config, batch).run();
}

std::int64_t t5_num_parameters(const T5Config& config) {
  const std::int64_t hidden = config.hidden,
                     attention = 4 * hidden * config.num_heads * config.head_dim,
                     mlp = (config.is_gated ? 3 : 2) * hidden * config.ffn;
  return (config.tied ? 1 : 2) * config.vocabulary * hidden +
         config.num_layers * (attention + mlp + 2 * hidden) +
         config.num_decoder_layers * (2 * attention + mlp + 3 * hidden) +
         2 * config.num_buckets * config.num_heads + 2 * hidden;
}

double t5_step_flops(const T5Config& config, std::int64_t batch) {
  const auto number = [](std::int64_t size) { return static_cast<double>(size); };
  const double hidden = number(config.hidden),
               inner = number(config.num_heads) * number(config.head_dim),
               mlp = (config.is_gated ? 3 : 2) * hidden * number(config.ffn),
               read = number(config.sequence), written = number(config.target_sequence),
               encoder = number(config.num_layers), decoder = number(config.num_decoder_layers);
  // Per sample; keys and values of the encoder's positions are made anew by each layer that looks.
  const double weights =
      encoder * read * (4 * hidden * inner + mlp) +
      decoder * (written * (6 * hidden * inner + mlp) + read * 2 * hidden * inner) +
      written * hidden * number(config.vocabulary);
  const double squares = inner * (encoder * read * read + decoder * written * (written + read));
  return number(batch) * (6 * weights + 12 * squares);
}

}  // namespace rhino::models
