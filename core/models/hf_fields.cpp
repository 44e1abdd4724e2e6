// SPDX-License-Identifier: Apache-2.0
#include "models/hf_fields.hpp"

#include <algorithm>
#include <array>

#include "codec/text_file.hpp"
#include "rhino/error.hpp"

namespace rhino::models {
namespace {

/// Fields that say nothing of what a training step computes here.
constexpr std::array kSilent = {"_name_or_path",
                                "architectures",
                                "attention_dropout",
                                "attention_probs_dropout_prob",
                                "attn_pdrop",
                                "bos_token_id",
                                "classifier_dropout",
                                "decoder_start_token_id",
                                "dropout_rate",
                                "dtype",
                                "embd_pdrop",
                                "eos_token_id",
                                "gradient_checkpointing",
                                "hidden_dropout_prob",
                                "initializer_factor",
                                "initializer_range",
                                "model_type",
                                "output_past",
                                "output_router_logits",
                                "pad_token_id",
                                "pretraining_tp",
                                "reorder_and_upcast_attn",
                                "resid_pdrop",
                                "summary_activation",
                                "summary_first_dropout",
                                "summary_proj_to_labels",
                                "summary_type",
                                "summary_use_proj",
                                "task_specific_params",
                                "torch_dtype",
                                "transformers_version",
                                "use_cache"};

std::string shown(const std::string& word) { return "'" + word + "'"; }
std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(std::int64_t value) { return std::to_string(value); }
std::string shown(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace

HfFields::HfFields(const std::string& path)
    : path_(path), text_(codec::read_file(path), "'" + path + "' is no JSON") {
  try {
    model_type_ = word("model_type", "");
  } catch (const Error&) {
    fail("it is no config.json of a model: it has no model_type");
  }
  if (model_type_.empty()) fail("it is no config.json of a model: it has no model_type");
}

void HfFields::fail(const std::string& sentence) const { throw Error(path_ + ": " + sentence); }

std::optional<codec::JsonView> HfFields::find(const char* field) {
  asked_.insert(field);
  const std::optional<codec::JsonView> view = text_.root().find(field);
  return view && view->is_null() ? std::nullopt : view;
}

template <class Get>
auto HfFields::read(const char* field, const codec::JsonView& view, Get get) const {
  try {
    return get(view);
  } catch (const Error& error) {
    fail(std::string(field) + ": " + error.what());
  }
}

bool HfFields::has(const char* field) { return find(field).has_value(); }

std::int64_t HfFields::size(const char* field, std::optional<std::int64_t> fallback) {
  const std::optional<codec::JsonView> view = find(field);
  if (!view && !fallback) fail(std::string(field) + " is missing");
  if (!view) return *fallback;
  const std::int64_t value =
      read(field, *view, [](const codec::JsonView& json) { return json.whole(); });
  if (value < 1) fail(std::string(field) + " is " + shown(value) + ", and must be at least 1");
  return value;
}

double HfFields::number(const char* field, double fallback) {
  const std::optional<codec::JsonView> view = find(field);
  return view ? read(field, *view, [](const codec::JsonView& json) { return json.number(); })
              : fallback;
}

bool HfFields::boolean(const char* field, bool fallback) {
  const std::optional<codec::JsonView> view = find(field);
  return view ? read(field, *view, [](const codec::JsonView& json) { return json.boolean(); })
              : fallback;
}

std::string HfFields::word(const char* field, const std::string& fallback) {
  const std::optional<codec::JsonView> view = find(field);
  return view ? read(field, *view,
                     [](const codec::JsonView& json) { return std::string(json.text()); })
              : fallback;
}

template <class Value>
void HfFields::require(const char* field, bool is_so, const Value& found,
                       const std::string& wanted) const {
  if (!is_so)
    fail(std::string(field) + " is " + shown(found) + ", and " + model_type_ + " is built with " +
         wanted + " alone");
}

void HfFields::must_be_word(const char* field, const std::string& fallback,
                            std::initializer_list<const char*> allowed) {
  const std::string found = word(field, fallback);
  std::string wanted;
  for (const char* word : allowed)
    wanted += (wanted.empty() ? "'" : " or '") + std::string(word) + "'";
  require(field, std::ranges::find(allowed, found) != allowed.end(), found, wanted);
}

void HfFields::must_be(const char* field, bool allowed) {
  const bool found = boolean(field, allowed);
  require(field, found == allowed, found, shown(allowed));
}

void HfFields::must_be_number(const char* field, double allowed) {
  const double found = number(field, allowed);
  require(field, found == allowed, found, shown(allowed));
}

void HfFields::must_be_size(const char* field, std::int64_t allowed, const std::string& because) {
  const std::int64_t found = size(field, allowed);
  require(field, found == allowed, found, shown(allowed) + ", " + because + ",");
}

void HfFields::must_be_null(const char* field) {
  if (has(field)) fail(std::string(field) + " is given, and " + model_type_ + " is built without");
}

void HfFields::finish() const {
  for (const std::string& field : text_.root().keys())
    if (!asked_.contains(field) && std::ranges::find(kSilent, field) == kSilent.end())
      fail("unknown field '" + field + "' of a " + model_type_);
}

}  // namespace rhino::models
