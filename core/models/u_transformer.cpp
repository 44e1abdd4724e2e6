// SPDX-License-Identifier: Apache-2.0
#include "models/u_transformer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/image_layers.hpp"
#include "models/presets.hpp"
#include "models/transformer.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

constexpr std::int64_t kNumTimes = 1000;  ///< steps of noise

/// 470m to 2b: the evaluation of AlpaComm (Zhuang et al. 2022).
const UTransformerConfig kUTransformerPresets[] = {
    {"tiny", 8, 16, 2, 8},
    {"470m", 32, 320, 8, 32},
    {"1b", 32, 480, 8, 32},
    {"2b", 32, 672, 8, 32},
};

class UTransformer {
 public:
  UTransformer(const UTransformerConfig& config, std::int64_t batch)
      : config_(config), batch_(batch), b_(program_name("u_transformer", config.preset)) {}

  Program run() && {
    const DType wide = config_.dtype == DType::f64 ? DType::f64 : DType::f32;
    const std::int64_t image = config_.image;
    const ValueId sample = input("sample", {wide, {batch_, image, image, config_.in_channels}},
                                 image_dims()),
                  states =
                      input("states", {wide, {batch_, config_.num_states(), config_.state_width()}},
                            {"batch", "states", "width"}),
                  target = input("target", {wide, {batch_, image, image, config_.out_channels}},
                                 image_dims());
    states_ = convert_to(b_, states, config_.dtype);
    embed_time();
    ValueId x = convolution(b_, convert_to(b_, sample, config_.dtype),
                            {.name = "in", .features = config_.channels});
    keep(x);
    for (std::int64_t level = 0; level < config_.num_levels(); ++level) x = down(x, level);
    for (std::int64_t level = config_.num_levels(); level-- > 0;) x = up(x, level);
    x = silu(b_, group_norm(b_, x, "norm", config_.norm_groups));
    x = widened(b_, convolution(b_, x, {.name = "out", .features = config_.out_channels}));
    const ValueId error = b_.sub(x, target);
    const ValueId sum = b_.reduce(b_.mul(error, error), {0, 1, 2, 3}, Reduction::sum);
    const auto count = static_cast<double>(num_elements(b_.shape(target)));
    const ValueId loss = b_.scale(sum, 1 / count);
    return finished(b_, loss);
  }

 private:
  ValueId input(const std::string& name, Shape shape, std::vector<std::string> dims) {
    const ValueId made =
        b_.input(InputKind::batch, std::move(shape), {Initializer::Kind::normal, 0, 1}, name);
    b_.name_dims(std::move(dims));
    return made;
  }

  /// Sines and cosines of the step of each sample, through two layers: [batch, time].
  void embed_time() {
    const ValueId step = b_.input(InputKind::batch, {DType::s32, {batch_}},
                                  {Initializer::Kind::uniform_integer, 0, kNumTimes}, "time");
    const std::int64_t half = config_.channels / 2;
    const DType wide = config_.dtype == DType::f64 ? DType::f64 : DType::f32;
    const Shape table{wide, {batch_, half}};
    const double slope = -std::log(1e4) / static_cast<double>(half);
    const ValueId frequency = b_.unary(OpKind::exponential, b_.scale(b_.iota(table, 1), slope));
    const ValueId angle =
        b_.mul(b_.broadcast_in_dim(b_.convert(step, wide), table.dims, {0}), frequency);
    const ValueId waves =
        b_.concatenate({b_.unary(OpKind::cosine, angle), b_.unary(OpKind::sine, angle)}, 1);
    const auto layer = [&](ValueId x, const char* name) {
      return linear(b_, x,
                    {.name = name,
                     .result = {4 * config_.channels},
                     .deviation = deviation(b_.shape(x).dims.back()),
                     .dims = {"in", "out"}});
    };
    const ValueId first = layer(convert_to(b_, waves, config_.dtype), "time.layer0");
    time_ = silu(b_, layer(silu(b_, first), "time.layer1"));
  }

  void keep(ValueId x) {
    const std::string name = "skip" + std::to_string(skips_.size());
    b_.set_scope("");
    b_.name(x, name);
    skips_.push_back(x);
  }

  ValueId down(ValueId x, std::int64_t level) {
    const std::string name = "down" + std::to_string(level);
    for (std::int64_t l = 0; l < config_.layers_per_block; ++l) {
      x = layer(x, name + ".layer" + std::to_string(l), level);
      keep(x);
    }
    if (level + 1 == config_.num_levels()) return x;
    x = convolution(b_, x, {.name = name + ".half", .features = config_.width(level), .stride = 2});
    keep(x);
    return x;
  }

  ValueId up(ValueId x, std::int64_t level) {
    const std::string name = "up" + std::to_string(level);
    for (std::int64_t l = 0; l <= config_.layers_per_block; ++l) {
      const std::string layer_name = name + ".layer" + std::to_string(l);
      x = b_.concatenate({x, skips_.back()}, 3);
      b_.name(x, layer_name + ".joined");
      skips_.pop_back();
      x = layer(x, layer_name, level);
    }
    if (level == 0) return x;
    return convolution(b_, doubled(b_, x),
                       {.name = name + ".double", .features = config_.width(level)});
  }

  /// Leaves the builder without a scope, as it is elsewhere.
  ValueId layer(ValueId x, const std::string& name, std::int64_t level) {
    b_.set_scope(name + ".res");
    x = residual(x, config_.width(level));
    if (level + 1 < config_.num_levels()) {
      b_.set_scope(name + ".att");
      x = transformer(x);
    }
    b_.set_scope("");
    return x;
  }

  ValueId residual(ValueId x, std::int64_t width) {
    ValueId y = silu(b_, group_norm(b_, x, "norm1", config_.norm_groups));
    y = convolution(b_, y, {.name = "conv1", .features = width});
    const ValueId time = linear(b_, time_,
                                {.name = "time",
                                 .result = {width},
                                 .deviation = deviation(4 * config_.channels),
                                 .dims = {"in", "out"}});
    y = b_.add(y, b_.broadcast_in_dim(time, b_.shape(y).dims, {0, 3}));
    y = silu(b_, group_norm(b_, y, "norm2", config_.norm_groups));
    y = convolution(b_, y, {.name = "conv2", .features = width});
    const ValueId sum =
        b_.add(b_.shape(x).dims[3] == width ? x : pointwise(x, "shortcut", width), y);
    b_.name(sum, "sum");
    return sum;
  }

  /// A convolution of one pixel.
  ValueId pointwise(ValueId x, const std::string& name, std::int64_t width) {
    return linear(b_, x,
                  {.name = name,
                   .result = {width},
                   .deviation = deviation(b_.shape(x).dims.back()),
                   .dims = {"in", "out"}});
  }

  ValueId transformer(ValueId image) {
    const std::vector<std::int64_t> dims = b_.shape(image).dims;
    const std::int64_t hidden = dims[3];
    ValueId x = pointwise(group_norm(b_, image, "norm", config_.norm_groups), "in", hidden);
    x = b_.reshape(x, {dims[0], dims[1] * dims[2], hidden});
    const ValueId first = layer_norm(b_, x, "ln1", "hidden");
    x = b_.add(x, multi_head_attention(b_, first, first, {.name = "self", .heads = config_.heads}));
    const ValueId second = layer_norm(b_, x, "ln2", "hidden");
    x = b_.add(
        x, multi_head_attention(b_, second, states_, {.name = "cross", .heads = config_.heads}));
    x = b_.add(x, feed_forward(b_, layer_norm(b_, x, "ln3", "hidden"), 4 * hidden, kDeviation));
    return b_.add(image, pointwise(b_.reshape(x, dims), "out", hidden));
  }

  static double deviation(std::int64_t terms) { return 1 / std::sqrt(static_cast<double>(terms)); }

  const UTransformerConfig& config_;
  std::int64_t batch_;
  ir::Builder b_;
  ValueId states_ = kNoValue, time_ = kNoValue;
  std::vector<ValueId> skips_;  ///< those that nothing was joined to yet
};

void check(const UTransformerConfig& config, std::int64_t batch) {
  for (const std::int64_t size : {config.image, config.channels, config.heads, config.norm_groups,
                                  config.layers_per_block, config.num_levels(), batch})
    if (size < 1) throw Error("u_transformer: every size must be at least 1");
  if (config.channels % 2 != 0 || config.channels % config.heads != 0 ||
      config.channels % config.norm_groups != 0)
    throw Error("u_transformer: " + std::to_string(config.channels) +
                " channels are not even, or do not divide into " + std::to_string(config.heads) +
                " heads and " + std::to_string(config.norm_groups) + " groups of norms");
  if (config.image % (std::int64_t{1} << (config.num_levels() - 1)) != 0)
    throw Error("u_transformer: images of " + std::to_string(config.image) +
                " pixels cannot be halved " + std::to_string(config.num_levels() - 1) + " times");
  if (!is_floating(config.dtype)) throw Error("u_transformer: dtype must be a floating-point type");
  const auto widest = static_cast<double>(8 * config.channels),
             pixels = static_cast<double>(config.image * config.image);
  check_size("layers_per_block", config.layers_per_block,
             std::max({9 * widest * widest, static_cast<double>(batch) * pixels * widest,
                       static_cast<double>(batch * config.heads) * pixels * pixels}));
}

/// Sums over all layers, without the graph.
class Count {
 public:
  explicit Count(const UTransformerConfig& config) : c_(config) { run(); }
  double parameters = 0;
  double forward = 0;   ///< products and sums of dots and convolutions, per sample
  double ungraded = 0;  ///< those of `forward` whose input is no result: no gradient goes there

 private:
  void run() {
    const auto c = static_cast<double>(c_.channels);
    double side = static_cast<double>(c_.image), now = c;
    ungraded += dense(side * side, 9 * static_cast<double>(c_.in_channels), c);
    ungraded += dense(1, c, 4 * c);
    dense(1, 4 * c, 4 * c);
    std::vector<double> skips{c};
    for (std::int64_t level = 0; level < c_.num_levels(); ++level) {
      for (std::int64_t l = 0; l < c_.layers_per_block; ++l) {
        layer(side, now, level);
        skips.push_back(now = width(level));
      }
      if (level + 1 == c_.num_levels()) break;
      side /= 2;
      dense(side * side, 9 * now, now);
      skips.push_back(now);
    }
    for (std::int64_t level = c_.num_levels(); level-- > 0;) {
      for (std::int64_t l = 0; l <= c_.layers_per_block; ++l) {
        layer(side, now + skips.back(), level);
        skips.pop_back();
        now = width(level);
      }
      if (level == 0) break;
      side *= 2;
      dense(side * side, 9 * now, now);
    }
    parameters += 2 * now;
    dense(side * side, 9 * now, static_cast<double>(c_.out_channels));
  }

  double width(std::int64_t level) const { return static_cast<double>(c_.width(level)); }

  /// Rows of `terms` by a matrix, with a bias.
  double dense(double rows, double terms, double results) {
    parameters += terms * results + results;
    forward += 2 * rows * terms * results;
    return 2 * rows * terms * results;
  }

  void layer(double side, double in, std::int64_t level) {
    const double out = width(level), pixels = side * side;
    dense(pixels, 9 * in, out);
    dense(pixels, 9 * out, out);
    dense(1, 4 * static_cast<double>(c_.channels), out);
    parameters += 2 * in + 2 * out;
    if (in != out) dense(pixels, in, out);
    if (level + 1 < c_.num_levels()) transformer(pixels, out);
  }

  void transformer(double pixels, double hidden) {
    const auto states = static_cast<double>(c_.num_states()),
               width = static_cast<double>(c_.state_width());
    parameters += 2 * hidden + 3 * 2 * hidden;
    for (int i = 0; i < 2 + 4 + 2; ++i) dense(pixels, hidden, hidden);
    for (int i = 0; i < 2; ++i) ungraded += dense(states, width, hidden);
    dense(pixels, hidden, 4 * hidden);
    dense(pixels, 4 * hidden, hidden);
    forward += 2 * 2 * pixels * (pixels + states) * hidden;
  }

  const UTransformerConfig& c_;
};

}  // namespace

UTransformerConfig u_transformer_preset(const std::string& name) {
  return find_preset(kUTransformerPresets, "u_transformer", name);
}

std::vector<std::string> u_transformer_presets() { return preset_names(kUTransformerPresets); }

Program u_transformer_forward(const UTransformerConfig& config, std::int64_t batch) {
  check(config, batch);
  return UTransformer(config, batch).run();
}

std::int64_t u_transformer_num_parameters(const UTransformerConfig& config) {
  return static_cast<std::int64_t>(Count(config).parameters);
}

double u_transformer_step_flops(const UTransformerConfig& config, std::int64_t batch) {
  const Count count(config);
  return static_cast<double>(batch) * (3 * count.forward - count.ungraded);
}

}  // namespace rhino::models
