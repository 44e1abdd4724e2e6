// SPDX-License-Identifier: Apache-2.0
#include "models/catalog.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "models/bert.hpp"
#include "models/hf_config.hpp"
#include "models/llama.hpp"
#include "models/models.hpp"
#include "models/moe.hpp"
#include "models/t5.hpp"
#include "models/u_transformer.hpp"
#include "models/vgg.hpp"
#include "models/wide_resnet.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

using Build = Forward (*)(const Options& options, std::int64_t batch, DType dtype);

GptConfig gpt_config(const Options& options, DType dtype) {
  GptConfig config = gpt_preset(options.get<std::string>("preset", "15m"));
  config.num_layers = options.get<std::int64_t>("num_layers", config.num_layers);
  config.hidden = options.get<std::int64_t>("hidden", config.hidden);
  config.num_heads = options.get<std::int64_t>("num_heads", config.num_heads);
  config.vocabulary = options.get<std::int64_t>("vocabulary", config.vocabulary);
  config.sequence = options.get<std::int64_t>("sequence", config.sequence);
  config.fused_qkv = options.get<bool>("fused_qkv", false);
  config.dtype = dtype;
  for (const std::int64_t size :
       {config.num_layers, config.hidden, config.num_heads, config.vocabulary, config.sequence}) {
    if (size < 1) throw Error("sizes must be at least 1");
  }
  if (config.hidden % config.num_heads != 0) {
    throw Error("hidden size " + std::to_string(config.hidden) + " does not divide into " +
                std::to_string(config.num_heads) + " heads");
  }
  return config;
}

Forward gpt(const Options& options, std::int64_t batch, DType dtype) {
  const GptConfig config = gpt_config(options, dtype);
  return {gpt_forward(config, batch), config.sequence, "dots of the graph; attention full square"};
}

using Sizes = std::initializer_list<std::pair<const char*, std::int64_t*>>;

/// Each as the option of its name says, if there is one.
void read_sizes(const Options& options, const Sizes& sizes) {
  for (const auto& [name, size] : sizes) *size = options.get<std::int64_t>(name, *size);
}

Forward llama(const Options& options, std::int64_t batch, DType dtype) {
  LlamaConfig config = llama_preset(options.get<std::string>("preset", "tiny"));
  read_sizes(options, {{"num_layers", &config.num_layers},
                       {"hidden", &config.hidden},
                       {"num_heads", &config.num_heads},
                       {"num_kv_heads", &config.num_kv_heads},
                       {"ffn", &config.ffn},
                       {"vocabulary", &config.vocabulary},
                       {"sequence", &config.sequence}});
  config.rope_theta = options.get<double>("rope_theta", config.rope_theta);
  config.epsilon = options.get<double>("epsilon", config.epsilon);
  config.tied = options.get<bool>("tied", config.tied);
  config.experts = options.get<std::int64_t>("experts", config.experts);
  const std::int64_t group = std::min(config.group, config.sequence);
  config.group = options.get<std::int64_t>("group", config.experts > 0 ? group : config.group);
  if (config.experts < 0 || config.group < 1) throw Error("sizes must be at least 1");
  config.capacity = options.get<std::int64_t>(
      "capacity",
      std::max<std::int64_t>(1, 2 * config.group / std::max<std::int64_t>(1, config.experts)));
  config.balance = options.get<double>("balance", config.balance);
  config.dtype = dtype;
  return {llama_forward(config, batch), config.sequence,
          config.experts > 0 ? "dots of the graph, slots that stay empty too; attention full square"
                             : "dots of the graph; attention full square"};
}

Forward bert(const Options& options, std::int64_t batch, DType dtype) {
  BertConfig config = bert_preset(options.get<std::string>("preset", "tiny"));
  read_sizes(options, {{"num_layers", &config.num_layers},
                       {"hidden", &config.hidden},
                       {"num_heads", &config.num_heads},
                       {"vocabulary", &config.vocabulary},
                       {"sequence", &config.sequence}});
  config.epsilon = options.get<double>("epsilon", config.epsilon);
  config.dtype = dtype;
  return {bert_forward(config, batch), config.sequence, "dots of the graph; attention full square"};
}

Forward t5(const Options& options, std::int64_t batch, DType dtype) {
  T5Config config = t5_preset(options.get<std::string>("preset", "tiny"));
  read_sizes(options, {{"num_layers", &config.num_layers},
                       {"num_decoder_layers", &config.num_decoder_layers},
                       {"hidden", &config.hidden},
                       {"num_heads", &config.num_heads},
                       {"head_dim", &config.head_dim},
                       {"ffn", &config.ffn},
                       {"vocabulary", &config.vocabulary},
                       {"sequence", &config.sequence},
                       {"target_sequence", &config.target_sequence},
                       {"num_buckets", &config.num_buckets},
                       {"max_distance", &config.max_distance}});
  config.epsilon = options.get<double>("epsilon", config.epsilon);
  config.is_gated = options.get<bool>("gated", config.is_gated);
  config.tied = options.get<bool>("tied", config.tied);
  config.dtype = dtype;
  return {t5_forward(config, batch), config.sequence + config.target_sequence,
          "dots of the graph; attention full square"};
}

Forward moe(const Options& options, std::int64_t batch, DType dtype) {
  MoeConfig config = moe_preset(options.get<std::string>("preset", "tiny"));
  read_sizes(options, {{"num_layers", &config.num_layers},
                       {"hidden", &config.hidden},
                       {"num_heads", &config.num_heads},
                       {"ffn", &config.ffn},
                       {"vocabulary", &config.vocabulary},
                       {"sequence", &config.sequence},
                       {"experts", &config.experts},
                       {"group", &config.group}});
  if (config.group < 1 || config.experts < 1) throw Error("sizes must be at least 1");
  config.capacity = options.get<std::int64_t>(
      "capacity", std::max<std::int64_t>(1, 2 * config.group / config.experts));
  config.balance = options.get<double>("balance", config.balance);
  config.dtype = dtype;
  return {moe_forward(config, batch), config.sequence,
          "dots of the graph, slots that stay empty too; attention full square"};
}

Forward u_transformer(const Options& options, std::int64_t batch, DType dtype) {
  UTransformerConfig config = u_transformer_preset(options.get<std::string>("preset", "tiny"));
  read_sizes(options, {{"image", &config.image},
                       {"channels", &config.channels},
                       {"heads", &config.heads},
                       {"norm_groups", &config.norm_groups},
                       {"layers_per_block", &config.layers_per_block}});
  const std::int64_t levels = options.get<std::int64_t>("levels", config.num_levels());
  if (levels < 1 || levels > config.num_levels())
    throw Error("u_transformer: levels are 1 to " + std::to_string(config.num_levels()));
  config.widths.resize(static_cast<std::size_t>(levels));
  config.dtype = dtype;
  return {.program = u_transformer_forward(config, batch),
          .flops_formula = "dots and convolutions of the graph, taps on padding too"};
}

Forward vgg(const Options& options, std::int64_t batch, DType dtype) {
  VggConfig config = vgg_preset(options.get<std::string>("preset", "tiny"));
  read_sizes(options,
             {{"image", &config.image}, {"hidden", &config.hidden}, {"classes", &config.classes}});
  config.dtype = dtype;
  return {.program = vgg_forward(config, batch),
          .flops_formula = "dots and convolutions of the graph, taps on padding too"};
}

Forward wide_resnet(const Options& options, std::int64_t batch, DType dtype) {
  WideResnetConfig config = wide_resnet_preset(options.get<std::string>("preset", "tiny"));
  read_sizes(options, {{"image", &config.image},
                       {"channels", &config.channels},
                       {"width", &config.width},
                       {"classes", &config.classes},
                       {"norm_batch", &config.norm_batch}});
  config.dtype = dtype;
  return {.program = wide_resnet_forward(config, batch),
          .flops_formula = "dots and convolutions of the graph, taps on padding too"};
}

Forward mlp(const Options& options, std::int64_t batch, DType dtype) {
  const MlpConfig sizes;
  return {.program = mlp_forward({options.get<std::int64_t>("inputs", sizes.inputs),
                                  options.get<std::int64_t>("width", sizes.width),
                                  options.get<std::int64_t>("depth", sizes.depth),
                                  options.get<std::int64_t>("classes", sizes.classes), dtype},
                                 batch)};
}

Forward branching(const Options& options, std::int64_t batch, DType dtype) {
  return {.program = branching_forward(batch, options.get<std::int64_t>("width", 64),
                                       options.get<std::int64_t>("depth", 4), dtype)};
}

Forward random(const Options& options, std::int64_t batch, DType) {
  return {.program =
              random_forward(static_cast<std::uint64_t>(options.get<std::int64_t>("seed", 0)),
                             batch, options.get<std::int64_t>("num_ops", 30))};
}

/// Options `file` and `content` (see imported_model()), and those of the built-in model, which go
/// before what the file says.
Forward hf_config(const Options& options, std::int64_t batch, DType dtype) {
  HfModel described = read_hf_config(options.get<std::string>("file", ""));
  options.get<std::string>("content", "");
  for (const auto& [key, value] : options.values())
    if (key != "file" && key != "content") described.options[key] = value;
  const Options all(described.options);
  Forward forward = build_forward(described.model, all, batch, dtype);
  for (const std::string& key : all.asked())  // what may be given, for whoever misspells it
    if (!options.values().contains(key)) options.get<bool>(key, false);
  const std::vector<std::string> unread = all.unread();
  for (const auto& [key, value] : options.values()) {
    if (std::ranges::find(unread, key) != unread.end()) continue;
    std::visit([&](const auto& of_its_type) { options.get(key, of_its_type); }, value);
  }
  return forward;
}

struct Entry {
  const char* name;
  Build build;
  bool has_own_dtypes = false;
};

const Entry kCatalog[] = {
    {"gpt", gpt},
    {"bert", bert},
    {"llama", llama},
    {"moe", moe},
    {"t5", t5},
    {"u_transformer", u_transformer},
    {"vgg", vgg},
    {"wide_resnet", wide_resnet},
    {"mlp", mlp},
    {"hf_config", hf_config},
    {"branching", branching},
    {"random", random, true},
};

const Entry* find(const std::string& model) {
  const Entry* found = std::ranges::find(kCatalog, model, &Entry::name);
  return found == std::end(kCatalog) ? nullptr : found;
}

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kCatalog) names.push_back(entry.name);
  return names;
}

bool has_own_dtypes(const std::string& model) {
  const Entry* entry = find(model);
  return entry != nullptr && entry->has_own_dtypes;
}

Forward build_forward(const std::string& model, const Options& options, std::int64_t batch,
                      DType dtype) {
  if (const Entry* entry = find(model)) return entry->build(options, batch, dtype);
  throw Error("no model '" + model + "'");
}

}  // namespace rhino::models
