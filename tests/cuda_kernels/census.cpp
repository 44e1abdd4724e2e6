// SPDX-License-Identifier: Apache-2.0
#include "census.hpp"

#include <cctype>
#include <random>
#include <vector>

#include "codec/fingerprint.hpp"
#include "ir/builder.hpp"
#include "ir/op_traits.hpp"
#include "ir/sampler.hpp"
#include "ir/training_step.hpp"
#include "models/catalog.hpp"
#include "rhino/error.hpp"
#include "runtime/cuda/kernel_unit.hpp"
#include "runtime/cuda/prelude.hpp"

namespace rhino::test {
namespace {

constexpr std::int64_t kBatch = 4;
constexpr std::int64_t kNormBatch = 32;  ///< samples that share statistics, at the least
constexpr int kSamplesPerOp = 2;

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
}

Census take_census() {
  Census census;
  for_each_program([&](const Program& program) {
    for (const runtime::cuda::GroupSource& group :
         runtime::cuda::group_sources(lower::lower(program))) {
      for (const runtime::cuda::KernelText& kernel : group.kernels)
        census.try_emplace(kernel.text, CountedKernel{kernel.kind, program.name});
    }
  });
  return census;
}

Census without_likes(const Census& census) {
  std::map<std::string, std::string> chosen;  // by the text without its numbers
  for (const auto& [text, kernel] : census) {
    std::string& of_kind = chosen[without_numbers(text)];
    if (of_kind.size() < text.size()) of_kind = text;
  }
  Census result;
  for (const auto& [kind, text] : chosen) result.emplace(text, census.at(text));
  return result;
}

std::string fingerprint_of(const Census& census) {
  std::string all = runtime::cuda::kPrelude;
  for (const auto& [text, kernel] : census) all += text;
  return codec::fingerprint(all);
}

}  // namespace rhino::test
