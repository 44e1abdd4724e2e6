// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "../ir/gradient_check.hpp"
#include "models/models.hpp"

using namespace rhino;
using namespace rhino::models;
using namespace rhino::testing;

namespace {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;  ///< one per position

/// GPT on one sequence in plain loops, written from the papers, not from the graph.
class PlainGpt {
 public:
  PlainGpt(const GptConfig& config, std::map<std::string, Vector> weights)
      : config_(config), weights_(std::move(weights)) {}

  /// Sum over positions of -log probability of the label.
  double loss(const Vector& tokens, const Vector& labels) const {
    const Rows x = last_hidden(tokens);
    double sum = 0;
    for (std::size_t t = 0; t < x.size(); ++t) {
      Vector logits(size(config_.vocabulary));
      double total = 0;
      for (std::size_t v = 0; v < logits.size(); ++v) {
        for (std::size_t h = 0; h < x[t].size(); ++h) {
          logits[v] += x[t][h] * at("wte")[v * x[t].size() + h];
        }
        total += std::exp(logits[v]);
      }
      sum += std::log(total) - logits[static_cast<std::size_t>(labels[t])];
    }
    return sum;
  }

 private:
  static std::size_t size(std::int64_t extent) { return static_cast<std::size_t>(extent); }
  const Vector& at(const std::string& name) const { return weights_.at(name); }

  Rows last_hidden(const Vector& tokens) const {
    const std::size_t hidden = size(config_.hidden);
    Rows x(tokens.size(), Vector(hidden));
    for (std::size_t t = 0; t < x.size(); ++t) {
      for (std::size_t h = 0; h < hidden; ++h) {
        x[t][h] =
            at("wte")[static_cast<std::size_t>(tokens[t]) * hidden + h] + at("wpe")[t * hidden + h];
      }
    }
    for (std::int64_t layer = 0; layer < config_.num_layers; ++layer) {
      const std::string name = "h" + std::to_string(layer);
      x = sum(x, attention(norm(x, name + ".ln1"), name + ".attn"));
      x = sum(x, mlp(norm(x, name + ".ln2"), name + ".mlp"));
    }
    return norm(x, "ln_f");
  }

  static Rows sum(Rows a, const Rows& b) {
    for (std::size_t t = 0; t < a.size(); ++t) {
      for (std::size_t i = 0; i < a[t].size(); ++i) a[t][i] += b[t][i];
    }
    return a;
  }

  Rows norm(Rows x, const std::string& name) const {
    for (Vector& row : x) {
      const double n = static_cast<double>(row.size());
      double mean = 0, variance = 0;
      for (double element : row) mean += element / n;
      for (double element : row) variance += (element - mean) * (element - mean) / n;
      for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = (row[i] - mean) / std::sqrt(variance + 1e-5) * at(name + ".scale")[i] +
                 at(name + ".bias")[i];
      }
    }
    return x;
  }

  Rows linear(const Rows& x, const std::string& name) const {
    const Vector &weight = at(name + ".weight"), &bias = at(name + ".bias");
    Rows y(x.size(), bias);
    for (std::size_t t = 0; t < x.size(); ++t) {
      for (std::size_t i = 0; i < x[t].size(); ++i) {
        for (std::size_t j = 0; j < bias.size(); ++j) {
          y[t][j] += x[t][i] * weight[i * bias.size() + j];
        }
      }
    }
    return y;
  }

  /// The rows of `qkv` are query, key, value; in each the heads one after the other.
  Rows attention(const Rows& x, const std::string& name) const {
    const Rows qkv = linear(x, name + ".qkv");
    const std::size_t hidden = size(config_.hidden), heads = size(config_.num_heads);
    const std::size_t head_dim = hidden / heads;
    Rows mixed(x.size(), Vector(hidden));
    for (std::size_t head = 0; head < heads; ++head) {
      const std::size_t first = head * head_dim;
      for (std::size_t t = 0; t < x.size(); ++t) {
        Vector weights(t + 1);
        double total = 0;
        for (std::size_t s = 0; s <= t; ++s) {
          double score = 0;
          for (std::size_t d = first; d < first + head_dim; ++d) {
            score += qkv[t][d] * qkv[s][hidden + d];
          }
          weights[s] = std::exp(score / std::sqrt(static_cast<double>(head_dim)));
          total += weights[s];
        }
        for (std::size_t s = 0; s <= t; ++s) {
          for (std::size_t d = first; d < first + head_dim; ++d) {
            mixed[t][d] += weights[s] / total * qkv[s][2 * hidden + d];
          }
        }
      }
    }
    return linear(mixed, name + ".out");
  }

  Rows mlp(const Rows& x, const std::string& name) const {
    Rows up = linear(x, name + ".up");
    for (Vector& row : up) {
      for (double& u : row) {
        const double inner = std::sqrt(2 / std::acos(-1.0)) * (u + 0.044715 * u * u * u);
        u = 0.5 * u * (1 + std::tanh(inner));
      }
    }
    return linear(up, name + ".down");
  }

  const GptConfig& config_;
  std::map<std::string, Vector> weights_;
};

Vector row(const ir::Tensor& tensor, std::int64_t index) {
  const std::int64_t length = tensor.shape.dims[1];
  const auto begin = tensor.elements.begin() + index * length;
  return {begin, begin + length};
}

}  // namespace

TEST_CASE("gpt's loss equals that of plain loops") {
  const GptConfig config{.preset = "tiny",
                         .num_layers = 2,
                         .hidden = 12,
                         .num_heads = 3,
                         .vocabulary = 10,
                         .sequence = 7,
                         .fused_qkv = GENERATE(false, true)};
  constexpr std::int64_t kBatch = 3;
  const Program program = gpt_forward(config, kBatch);
  Random random(21);
  const std::vector<ir::Tensor> inputs = random_inputs(program, random);
  std::map<std::string, Vector> weights;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    weights[program.producer(program.inputs[i].value).name] = inputs[i].elements;
  }
  const PlainGpt plain(config, weights);
  double sum = 0;
  for (std::int64_t b = 0; b < kBatch; ++b) sum += plain.loss(row(inputs[0], b), row(inputs[1], b));
  const double expected = sum / static_cast<double>(kBatch * config.sequence);
  const double actual = ir::evaluate(program, inputs, ir::Precision::f64)[0].elements[0];
  CHECK(actual == Approx(expected).epsilon(1e-12));
}

TEST_CASE("gpt's softmax stays finite for scores that overflow exp") {
  GptConfig config{.preset = "tiny",
                   .num_layers = 1,
                   .hidden = 8,
                   .num_heads = 2,
                   .vocabulary = 10,
                   .sequence = 5};
  for (DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    config.dtype = dtype;
    const Program step = ir::training_step(gpt_forward(config, 2), {});
    Random random(22);
    std::vector<ir::Tensor> inputs = random_inputs(step, random);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::string& name = step.producer(step.inputs[i].value).name;
      const bool is_qkv = name == "h0.attn.qkv.weight", is_scale = name == "ln_f.scale";
      for (double& element : inputs[i].elements) {
        if (is_qkv || is_scale) element *= is_qkv ? 1000 : 100;
        if (step.inputs[i].kind == InputKind::optimizer_state) element = 0;
      }
    }
    for (const ir::Tensor& result : ir::evaluate(step, inputs)) {
      CHECK(std::ranges::all_of(result.elements, [](double x) { return std::isfinite(x); }));
    }
  }
}
