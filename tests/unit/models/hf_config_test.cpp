// SPDX-License-Identifier: Apache-2.0
#include "models/hf_config.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>

#include "codec/text_file.hpp"
#include "ir/flops.hpp"
#include "models/catalog.hpp"

using namespace rhino;
using namespace rhino::models;

namespace {

std::string published(const std::string& name) {
  return std::string(RHINO_TEST_DATA) + "/hf/" + name + ".json";
}

/// A published file with `from` replaced by `to`, in a file of its own.
class Changed {
 public:
  Changed(const std::string& name, const std::string& from, const std::string& to)
      : path_(std::filesystem::temp_directory_path() /
              ("hf_config_test_" + std::to_string(getpid()) + ".json")) {
    std::string text = codec::read_file(published(name));
    const std::size_t begin = text.find(from);
    REQUIRE(begin != std::string::npos);
    codec::write_file(path_, text.replace(begin, from.size(), to));
  }
  ~Changed() { std::filesystem::remove(path_); }
  Changed(const Changed&) = delete;
  Changed& operator=(const Changed&) = delete;

  /// What is said of it, but for its name.
  std::string refusal() const {
    try {
      read_hf_config(path_);
    } catch (const Error& error) {
      const std::string text = error.what();
      const std::size_t end = text.find(path_);
      return end == std::string::npos ? "no path: " + text : text.substr(end + path_.size());
    }
    return "none";
  }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("models of published config.json files have the published parameters") {
  const std::pair<const char*, std::int64_t> models[] = {{"gpt2", 124'439'808},
                                                         {"bert-base-uncased", 109'514'298},
                                                         {"llama-2-7b", 6'738'415'616},
                                                         {"mixtral-8x7b", 46'702'792'704},
                                                         {"t5-base", 222'903'552}};
  for (const auto& [name, count] : models) {
    CAPTURE(name);
    const Options options({{"file", published(name)}});
    const Forward forward = build_forward("hf_config", options, 1, DType::bf16);
    CHECK(ir::num_parameters(forward.program) == count);
    CHECK(options.unread().empty());
  }
}

TEST_CASE("options go before what a config.json says, and unknown ones stay unread") {
  const Options options({{"file", published("llama-2-7b")},
                         {"num_layers", std::int64_t{1}},
                         {"sequence", std::int64_t{128}},
                         {"num_encoders", std::int64_t{3}}});
  const Forward forward = build_forward("hf_config", options, 1, DType::bf16);
  CHECK(forward.tokens_per_sample == 128);
  CHECK(ir::num_parameters(forward.program) ==
        6'738'415'616 - std::int64_t{31} * (4 * 4096 * 4096 + 3 * 4096 * 11008 + 2 * 4096));
  CHECK(options.unread() == std::vector<std::string>{"num_encoders"});
}

TEST_CASE("a config.json that is not built as it says is refused in one sentence") {
  const std::array<std::string, 4> changes[] = {
      {"llama-2-7b", R"("llama")", R"("qwen3")",
       ": no model is built of model_type 'qwen3', but of gpt2, bert, llama, mixtral, t5"},
      {"llama-2-7b", R"("model_type": "llama",)", "",
       ": it is no config.json of a model: it has no model_type"},
      {"llama-2-7b", R"("vocab_size")", R"("vocabulary_size")", ": vocab_size is missing"},
      {"llama-2-7b", R"("use_cache")", R"("use_magic")", ": unknown field 'use_magic' of a llama"},
      {"llama-2-7b", "32000", "0", ": vocab_size is 0, and must be at least 1"},
      {"llama-2-7b", "32000", "3.5", ": vocab_size: an integer is expected where there is 3.5"},
      {"llama-2-7b", R"("num_attention_heads": 32)", R"("num_attention_heads": 33)",
       ": hidden_size 4096 does not divide by 33 num_attention_heads"},
      {"llama-2-7b", R"("rope_scaling": null)", R"("rope_scaling": {"factor": 8})",
       ": rope_scaling is given, and llama is built without"},
      {"llama-2-7b", R"("silu")", R"("gelu")",
       ": hidden_act is 'gelu', and llama is built with 'silu' alone"},
      {"gpt2", R"("n_ctx": 1024)", R"("n_ctx": 512)",
       ": n_ctx is 512, and gpt2 is built with 1024, n_positions, alone"},
      {"bert-base-uncased", "3072", "4096",
       ": intermediate_size is 4096, and bert is built with 3072, 4 times hidden_size, alone"},
      {"mixtral-8x7b", R"("num_experts_per_tok": 2)", R"("num_experts_per_tok": 4)",
       ": num_experts_per_tok is 4, and mixtral is built with 2, top-2 gating, alone"},
      {"t5-base", R"("is_encoder_decoder": true)", R"("is_encoder_decoder": false)",
       ": is_encoder_decoder is false, and t5 is built with true alone"},
      {"t5-base", "}\n", "\n", "' is no JSON"},
  };
  for (const auto& [name, from, to, refusal] : changes) {
    CAPTURE(name, from, to);
    CHECK_THAT(Changed(name, from, to).refusal(), Catch::StartsWith(refusal));
  }
  CHECK_THROWS_WITH(read_hf_config("/nowhere/config.json"),
                    Catch::Contains("/nowhere/config.json"));
}
