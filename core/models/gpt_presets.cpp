// SPDX-License-Identifier: Apache-2.0
#include "models/models.hpp"
#include "models/presets.hpp"

namespace rhino::models {
namespace {

/// 350m to 76b: the suite of the Alpa evaluation (Zheng et al. 2022). 125m and 175b: layers, hidden
/// and heads of GPT-3 (Brown et al. 2020, table 2.1).
const GptConfig kGptPresets[] = {
    {"1m", 2, 128, 4, 1024, 64},         {"15m", 6, 384, 8, 8192, 256},
    {"125m", 12, 768, 12, 51200, 1024},  {"350m", 24, 1024, 16, 51200, 1024},
    {"760m", 24, 1536, 16, 51200, 1024}, {"1.3b", 24, 2048, 32, 51200, 1024},
    {"2.6b", 32, 2560, 32, 51200, 1024}, {"6.7b", 32, 4096, 32, 51200, 1024},
    {"15b", 48, 5120, 40, 51200, 1024},  {"39b", 48, 8192, 64, 51200, 1024},
    {"76b", 60, 10240, 80, 51200, 1024}, {"175b", 96, 12288, 96, 51200, 2048},
};

}  // namespace

GptConfig gpt_preset(const std::string& name) { return find_preset(kGptPresets, "gpt", name); }

std::vector<std::string> gpt_presets() { return preset_names(kGptPresets); }

std::int64_t gpt_num_parameters(const GptConfig& config) {
  const std::int64_t hidden = config.hidden;
  const std::int64_t layer = 12 * hidden * hidden + 13 * hidden;
  const std::int64_t embeddings = (config.vocabulary + config.sequence) * hidden;
  return config.num_layers * layer + embeddings + 2 * hidden;
}

double gpt_step_flops(const GptConfig& config, std::int64_t batch) {
  const auto hidden = static_cast<double>(config.hidden);
  const auto layers = static_cast<double>(config.num_layers);
  const auto sequence = static_cast<double>(config.sequence);
  const double tokens = static_cast<double>(batch) * sequence;
  const double weights =
      layers * 12 * hidden * hidden + static_cast<double>(config.vocabulary) * hidden;
  return 6 * tokens * weights + 12 * layers * tokens * sequence * hidden;
}

}  // namespace rhino::models
