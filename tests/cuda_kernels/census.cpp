// SPDX-License-Identifier: Apache-2.0
#include "census.hpp"

#include <cctype>
#include <random>
#include <regex>
#include <vector>

#include "../fake_cuda/attention_programs.hpp"
#include "codec/fingerprint.hpp"
#include "ir/builder.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"
#include "ir/training_step.hpp"
#include "models/catalog.hpp"
#include "rhino/error.hpp"
#include "runtime/cuda/attention_prelude.hpp"
#include "runtime/cuda/kernel_unit.hpp"
#include "runtime/cuda/prelude.hpp"

namespace rhino::test {
namespace {

constexpr std::int64_t kBatch = 4;
constexpr std::int64_t kNormBatch = 32;  ///< samples that share statistics, at the least
constexpr int kSamplesPerOp = 2;

/// Depths of attention's heads: of each way in which tiles are cut.
constexpr std::int64_t kDepths[] = {16, 32, 64, 96, 128, 192, 256};
constexpr std::int64_t kDeepestOfF16 = 64;  ///< beyond, it is as bf16

/// A preset of a size that is trained.
struct RealSize {
  const char* model;
  const char* preset;
};
constexpr RealSize kRealSizes[] = {
    {"gpt", "1.3b"}, {"llama", "llama2_7b"},    {"moe", "1.3b"},         {"bert", "large"},
    {"t5", "large"}, {"u_transformer", "470m"}, {"wide_resnet", "250m"}, {"vgg", "19"}};

Program forward_of(const std::string& model, const char* preset, DType dtype) {
  const Options options =
      preset == nullptr ? Options() : Options({{"preset", std::string(preset)}});
  const std::int64_t batch = model == "wide_resnet" ? kNormBatch : kBatch;
  return models::build_forward(model, options, batch, dtype).program;
}

/// The smallest preset's name; nullptr where a model has none.
const char* smallest(const std::string& model) {
  for (const char* preset : {"tiny", "1m"}) {
    try {
      forward_of(model, preset, DType::f32);
      return preset;
    } catch (const Error&) {
      // the model has other presets
    }
  }
  return nullptr;
}

Program step_of(Program forward, DType dtype) {
  ir::Optimizer optimizer;
  optimizer.master_weights = optimizer.wide_gradients = is_narrow(dtype);
  if (dtype == DType::f16) optimizer.loss_scale = {.initial = 65536, .growth_interval = 2000};
  return ir::training_step(std::move(forward), optimizer);
}

std::vector<DType> dtypes_of(const std::string& model) {
  if (models::has_own_dtypes(model)) return {DType::f32};
  return {DType::f32, DType::bf16, DType::f16};
}

Program samples_of(const ir::OpTraits& row) {
  std::mt19937_64 random(1);
  ir::Builder b("op");
  for (int i = 0; i < kSamplesPerOp; ++i) {
    ir::Sampler sampler(b, random);
    b.output(row.sample(sampler), OutputKind::value);
  }
  return std::move(b).finish();
}

/// Forward and backward, causal as most are.
void visit_attention(const std::function<void(const Program&)>& visit) {
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    for (const std::int64_t depth : kDepths) {
      if (dtype == DType::f16 && depth > kDeepestOfF16) continue;
      Program program = step({.batch = 4,
                              .rows = 1024,
                              .columns = 1024,
                              .heads = 16,
                              .depth = depth,
                              .dtype = dtype,
                              .is_causal = true});
      program.name = "attention of depth " + std::to_string(depth);
      visit(program);
    }
  }
}

/// `softmax_rows<Bf16, Bf16, 1, 64, 64, Row>`: what kernels of attention are made of.
std::string attention_call(const std::string& text) {
  static const std::regex call("\\w+<[^()<>]*\\bRow>\\(");
  std::smatch found;
  return std::regex_search(text, found, call) ? found.str() : std::string();
}

/// Numbers are digits behind no letter: `q1` and `u32` stay.
std::string without_numbers(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    const char before = i == 0 ? ' ' : text[i - 1];
    if (!is_digit || std::isalpha(static_cast<unsigned char>(before))) {
      result += text[i];
      // The rest of a name's number.
      while (std::isalnum(static_cast<unsigned char>(text[i])) && i + 1 < text.size() &&
             std::isdigit(static_cast<unsigned char>(text[i + 1])))
        result += text[++i];
    } else {
      while (i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1]))) ++i;
      result += '#';
    }
  }
  return result;
}

}  // namespace

void for_each_program(const std::function<void(const Program&)>& visit) {
  for (const std::string& model : models::model_names()) {
    if (model == "hf_config") continue;  // one of the others, by sizes of a file
    const char* preset = smallest(model);
    for (DType dtype : dtypes_of(model)) visit(step_of(forward_of(model, preset, dtype), dtype));
  }
  for (const auto& [model, preset] : kRealSizes) {
    const DType dtype = dtypes_of(model).size() > 1 ? DType::bf16 : DType::f32;
    visit(step_of(forward_of(model, preset, dtype), dtype));
  }
  for (const ir::OpTraits& row : ir::all_traits()) {
    if (row.sample) visit(samples_of(row));
  }
  visit_attention(visit);
}

Census take_census() {
  Census census;
  for_each_program([&](const Program& program) {
    for (const bool has_attention : {false, true}) {
      for (const runtime::cuda::GroupSource& group : runtime::cuda::group_sources(
               lower::lower(program, lower::kernels_of_gpus(has_attention)))) {
        const auto add = [&](const std::vector<runtime::cuda::KernelText>& kernels) {
          for (const runtime::cuda::KernelText& kernel : kernels)
            census.try_emplace(kernel.text,
                               CountedKernel{kernel.kind, program.name, kernel.at_once});
        };
        add(group.kernels);
        if (!group.convolution) continue;
        add(group.convolution->before);
        add(group.convolution->after);
      }
    }
  });
  return census;
}

Census without_likes(const Census& census) {
  std::map<std::string, std::string> chosen;  // by the text without its numbers
  for (const auto& [text, kernel] : census) {
    const std::string call = attention_call(text);
    std::string& of_kind = chosen[call.empty() ? without_numbers(text) : call];
    if (of_kind.size() < text.size()) of_kind = text;
  }
  Census result;
  for (const auto& [kind, text] : chosen) result.emplace(text, census.at(text));
  return result;
}

std::string fingerprint_of(const Census& census) {
  std::string all = runtime::cuda::kPrelude + runtime::cuda::attention_preludes();
  for (const auto& [text, kernel] : census) all += text;
  return codec::fingerprint(all);
}

}  // namespace rhino::test
