// SPDX-License-Identifier: Apache-2.0
#include "models/llama.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "ir/autodiff.hpp"
#include "ir/flops.hpp"
#include "ir/initial_values.hpp"
#include "ir/training_step.hpp"

using namespace rhino;
using namespace rhino::models;

namespace {

using Row = std::vector<double>;

/// A Llama in plain loops over one sample, after Touvron et al. 2023 and Su et al. 2021.
class PlainLlama {
 public:
  PlainLlama(const LlamaConfig& config, const Program& program,
             const std::vector<ir::Tensor>& inputs)
      : config_(config), program_(program), inputs_(inputs) {}

  /// Mean over the batch's tokens of -log probability of the label.
  double loss(std::int64_t batch) const {
    double sum = 0;
    for (std::int64_t sample = 0; sample < batch; ++sample) sum += sample_loss(sample);
    return sum / static_cast<double>(batch * config_.sequence);
  }

 private:
  const std::vector<double>& input(const std::string& name) const {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i)
      if (program_.producer(program_.inputs[i].value).name == name) return inputs_[i].elements;
    FAIL("no input " << name);
    return inputs_[0].elements;
  }

  /// x times a row-major matrix of so many rows.
  static Row times(const Row& x, const std::vector<double>& matrix) {
    Row y(matrix.size() / x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < y.size(); ++j) y[j] += x[i] * matrix[i * y.size() + j];
    return y;
  }

  Row norm(const Row& x, const std::string& name) const {
    double squares = 0;
    for (const double element : x) squares += element * element;
    const double factor = 1 / std::sqrt(squares / static_cast<double>(x.size()) + config_.epsilon);
    Row y = x;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] *= factor * input(name + ".scale")[i];
    return y;
  }

  /// Every head turned by the position, as complex numbers x[i] + i x[i + half].
  void turn(Row& heads, std::size_t position) const {
    const auto size = static_cast<std::size_t>(config_.head_dim()), half = size / 2;
    for (std::size_t first = 0; first < heads.size(); first += size) {
      for (std::size_t i = 0; i < half; ++i) {
        const double frequency =
            std::pow(config_.rope_theta, -2.0 * static_cast<double>(i) / static_cast<double>(size));
        const double angle = static_cast<double>(position) * frequency;
        const double real = heads[first + i], imaginary = heads[first + i + half];
        heads[first + i] = real * std::cos(angle) - imaginary * std::sin(angle);
        heads[first + i + half] = real * std::sin(angle) + imaginary * std::cos(angle);
      }
    }
  }

  /// Query head h looks at key head h / (query heads per key head), positions up to its own.
  Row mix(const Row& query, const std::vector<Row>& keys, const std::vector<Row>& values) const {
    const auto size = static_cast<std::size_t>(config_.head_dim());
    const auto group = static_cast<std::size_t>(config_.num_heads / config_.num_kv_heads);
    Row mixed(query.size());
    for (std::size_t head = 0; head < static_cast<std::size_t>(config_.num_heads); ++head) {
      const std::size_t from = head / group * size;
      Row weights;
      double total = 0;
      for (const Row& key : keys) {
        double score = 0;
        for (std::size_t d = 0; d < size; ++d) score += query[head * size + d] * key[from + d];
        weights.push_back(std::exp(score / std::sqrt(static_cast<double>(size))));
        total += weights.back();
      }
      for (std::size_t t = 0; t < keys.size(); ++t)
        for (std::size_t d = 0; d < size; ++d)
          mixed[head * size + d] += weights[t] / total * values[t][from + d];
    }
    return mixed;
  }

  static void add(const Row& more, Row& x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += more[i];
  }

  void layer(const std::string& name, std::vector<Row>& rows) const {
    std::vector<Row> keys, values;
    for (std::size_t position = 0; position < rows.size(); ++position) {
      Row& x = rows[position];
      const Row normed = norm(x, name + ".norm1");
      Row query = times(normed, input(name + ".attn.query.weight"));
      keys.push_back(times(normed, input(name + ".attn.key.weight")));
      values.push_back(times(normed, input(name + ".attn.value.weight")));
      turn(query, position), turn(keys.back(), position);
      add(times(mix(query, keys, values), input(name + ".attn.out.weight")), x);
      const Row again = norm(x, name + ".norm2");
      add(config_.experts > 0
              ? two_experts(again, name + ".moe")
              : gated(again, {input(name + ".mlp.gate.weight"), input(name + ".mlp.up.weight"),
                              input(name + ".mlp.down.weight")}),
          x);
    }
  }

  static Row gated(const Row& x, const std::array<std::vector<double>, 3>& weights) {
    Row gate = times(x, weights[0]);
    const Row up = times(x, weights[1]);
    for (std::size_t i = 0; i < gate.size(); ++i)
      gate[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
    return times(gate, weights[2]);
  }

  /// Those of the largest logits, in proportion to the exponentials of these (Jiang et al. 2024).
  Row two_experts(const Row& x, const std::string& name) const {
    const Row logits = times(x, input(name + ".router.weight"));
    std::vector<std::size_t> order(logits.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
    const double share = 1 / (1 + std::exp(logits[order[1]] - logits[order[0]]));
    Row sum(x.size());
    for (const auto& [expert, factor] : {std::pair{order[0], share}, {order[1], 1 - share}}) {
      const auto size = static_cast<std::ptrdiff_t>(config_.hidden * config_.ffn);
      const auto own = [&](const char* part) {
        const auto begin = input(name + "." + part + ".weight").begin() +
                           static_cast<std::ptrdiff_t>(expert) * size;
        return std::vector<double>(begin, begin + size);
      };
      const Row y = gated(x, {own("gate"), own("up"), own("down")});
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * y[i];
    }
    return sum;
  }

  double sample_loss(std::int64_t sample) const {
    const auto hidden = static_cast<std::size_t>(config_.hidden);
    const auto word = [&](const char* name, std::size_t position) {
      return static_cast<std::size_t>(
          input(name)[static_cast<std::size_t>(sample * config_.sequence) + position]);
    };
    std::vector<Row> rows;
    for (std::size_t s = 0; s < static_cast<std::size_t>(config_.sequence); ++s) {
      const auto row =
          input("wte").begin() + static_cast<std::ptrdiff_t>(word("tokens", s) * hidden);
      rows.emplace_back(row, row + static_cast<std::ptrdiff_t>(hidden));
    }
    for (std::int64_t l = 0; l < config_.num_layers; ++l) layer("h" + std::to_string(l), rows);
    double loss = 0;
    for (std::size_t s = 0; s < rows.size(); ++s) {
      const Row logits = times(norm(rows[s], "norm_f"), output_table());
      double total = 0;
      for (const double logit : logits) total += std::exp(logit);
      loss += std::log(total) - logits[word("labels", s)];
    }
    return loss;
  }

  /// [hidden, vocabulary].
  std::vector<double> output_table() const {
    if (!config_.tied) return input("head.weight");
    const auto hidden = static_cast<std::size_t>(config_.hidden),
               vocabulary = static_cast<std::size_t>(config_.vocabulary);
    std::vector<double> turned(hidden * vocabulary);
    for (std::size_t v = 0; v < vocabulary; ++v)
      for (std::size_t h = 0; h < hidden; ++h)
        turned[h * vocabulary + v] = input("wte")[v * hidden + h];
    return turned;
  }

  const LlamaConfig& config_;
  const Program& program_;
  const std::vector<ir::Tensor>& inputs_;
};

}  // namespace

TEST_CASE("llama presets have the parameters of the published models") {
  const std::pair<const char*, std::int64_t> published[] = {
      {"tinyllama_1.1b", 1'100'048'384}, {"mistral_7b", 7'241'732'096},
      {"llama2_7b", 6'738'415'616},      {"llama2_13b", 13'015'864'320},
      {"llama2_70b", 68'976'648'192},    {"llama3_8b", 8'030'261'248},
      {"llama3_70b", 70'553'706'496},    {"mixtral_8x7b", 46'702'792'704}};
  CHECK(std::size(published) + 2 == llama_presets().size());
  for (const auto& [name, count] : published) {
    CAPTURE(name);
    CHECK(llama_num_parameters(llama_preset(name)) == count);
  }
}

TEST_CASE("the graph of every llama preset has the parameters and FLOPs of the closed formulas") {
  for (const std::string& name : llama_presets()) {
    for (const bool tied : {false, true}) {
      CAPTURE(name, tied);
      LlamaConfig config = llama_preset(name);
      config.tied = tied;
      const Program step = ir::training_step(llama_forward(config, 2), {});
      CHECK(ir::num_parameters(step) == llama_num_parameters(config));
      CHECK(ir::dot_flops(step) == Approx(llama_step_flops(config, 2)).epsilon(1e-12));
    }
  }
}

TEST_CASE("the loss of a llama is that of plain loops") {
  const auto [heads, kv_heads, tied, experts] =
      GENERATE(std::tuple{4, 2, false, 0}, std::tuple{4, 4, false, 0}, std::tuple{4, 1, true, 0},
               std::tuple{4, 2, false, 5});
  CAPTURE(heads, kv_heads, tied, experts);
  LlamaConfig config = llama_preset("tiny");
  config.hidden = 24, config.num_heads = heads, config.num_kv_heads = kv_heads, config.tied = tied;
  config.vocabulary = 40, config.sequence = 11, config.ffn = 30;
  // Slots for all tokens: none is dropped.
  config.experts = experts, config.group = config.capacity = config.sequence, config.balance = 0;
  const Program program = llama_forward(config, 2);
  std::vector<ir::Tensor> inputs = ir::initial_tensors(program, 5);
  // Large enough that attention and gates matter.
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (program.inputs[i].kind != InputKind::parameter || inputs[i].shape.dims.size() < 2) continue;
    for (double& element : inputs[i].elements) element *= 15;
  }
  const double found = ir::evaluate(program, inputs, ir::Precision::f64)[0].elements.at(0);
  CHECK(found == Approx(PlainLlama(config, program, inputs).loss(2)).epsilon(1e-6));
}

TEST_CASE("sizes of a llama that do not fit are refused") {
  CHECK_THROWS_WITH(llama_preset("llama2_8b"),
                    Catch::Contains("'llama2_8b'") && Catch::Contains("llama2_7b"));
  LlamaConfig config = llama_preset("tiny");
  config.num_kv_heads = 3;
  CHECK_THROWS_WITH(llama_forward(config, 1),
                    "llama: 4 heads do not divide by 3 heads of key and value");
  config.num_heads = 64;
  CHECK_THROWS_WITH(llama_forward(config, 1), Catch::Contains("heads of an even size"));
  // The angles of positions would be no numbers.
  for (const double theta : {0., -1e4}) {
    config = llama_preset("tiny");
    config.rope_theta = theta;
    CHECK_THROWS_WITH(llama_forward(config, 1), "llama: rope_theta must be above 0");
  }
}
