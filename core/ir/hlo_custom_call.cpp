// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_custom_call.hpp"

#include <algorithm>
#include <utility>

#include "ir/hlo_expand.hpp"
#include "rhino/error.hpp"

namespace rhino::ir::hlo {
namespace {

/// What a framework or compiler puts in that changes nothing that is computed, and kernels whose
/// formula is known. Operand orders are those that graphs of their makers show.
const std::map<std::string, std::string>& known_targets() {
  static const std::map<std::string, std::string> kKnown = {
      {"AwsNeuronTransferWithStaticRing", "identity"},
      {"AwsNeuronGelu", "gelu"},
      {"AwsNeuronGeluBackward", "gelu_derivative"},
      {"AwsNeuronGeluApprxTanh", "gelu_tanh"},
      {"AwsNeuronSoftmax", "softmax"},
      {"AwsNeuronSoftmaxBackward", "softmax_gradient"},
      {"LayoutConstraint", "identity"},
      {"Sharding", "identity"},
      {"SPMDFullToShardShape", "identity"},
      {"SPMDShardToFullShape", "identity"},
      {"TopK", "top_k"},
      {"annotate_device_placement", "identity"},
      {"xla.sdy.FuncResultSharding", "identity"},
      {"xla.sdy.GlobalToLocalShape", "identity"},
      {"xla.sdy.LocalToGlobalShape", "identity"},
  };
  return kKnown;
}

struct Meaning {
  std::string_view name;
  std::size_t num_operands;  ///< 0: any
  std::vector<ValueId> (*make)(Builder&, const CustomCall&);
};

std::int64_t dim_of(const Builder& b, const CustomCall& call) {
  return call.dim >= 0 ? call.dim : std::ssize(b.shape(call.operands[0]).dims) - 1;
}

template <auto function>
std::vector<ValueId> make_unary(Builder& b, const CustomCall& call) {
  return {function(b, call.operands[0])};
}

constexpr Meaning kMeanings[] = {
    {"identity", 0, [](Builder&, const CustomCall& call) { return call.operands; }},
    {"gelu", 1, make_unary<gelu>},
    {"gelu_derivative", 1, make_unary<gelu_derivative>},
    {"gelu_tanh", 1, make_unary<gelu_tanh>},
    {"gelu_tanh_derivative", 1, make_unary<gelu_tanh_derivative>},
    {"softmax", 1,
     [](Builder& b, const CustomCall& call) {
       return std::vector{softmax(b, call.operands[0], dim_of(b, call))};
     }},
    {"softmax_gradient", 2,
     [](Builder& b, const CustomCall& call) {
       return std::vector{softmax_gradient(b, call.operands[0], call.operands[1], dim_of(b, call))};
     }},
    {"top_k", 1,
     [](Builder& b, const CustomCall& call) {
       return top_k(b, call.operands[0], call.count, true);
     }},
};

const Meaning* find_meaning(std::string_view name) {
  const auto found = std::ranges::find(kMeanings, name, &Meaning::name);
  return found == std::end(kMeanings) ? nullptr : found;
}

std::string all_meanings() {
  std::string text;
  for (const Meaning& meaning : kMeanings) {
    text += (text.empty() ? "" : ", ") + std::string(meaning.name);
  }
  return text;
}

}  // namespace

CustomCalls::CustomCalls(const std::map<std::string, std::string>& more) : meanings_(more) {
  for (const auto& [target, meaning] : more) {
    if (find_meaning(meaning)) continue;
    throw Error("custom-call '" + target + "' cannot mean '" + meaning +
                "'; known meanings: " + all_meanings());
  }
  meanings_.insert(known_targets().begin(), known_targets().end());
}

const std::string& CustomCalls::meaning(const std::string& target) const {
  const auto found = meanings_.find(target);
  if (found != meanings_.end()) return found->second;
  throw Error("the meaning of custom-call '" + target + "' is not known; custom_calls: {" + target +
              ": MEANING} tells it, one of " + all_meanings());
}

std::vector<ValueId> make_custom_call(Builder& b, std::string_view name, const CustomCall& call) {
  const Meaning* meaning = find_meaning(name);
  if (!meaning) throw Error("'" + std::string(name) + "' is no meaning of a custom-call");
  if (meaning->num_operands != 0 && call.operands.size() != meaning->num_operands) {
    throw Error(std::string(name) + " takes " + std::to_string(meaning->num_operands) +
                " operands, not " + std::to_string(call.operands.size()));
  }
  return meaning->make(b, call);
}

}  // namespace rhino::ir::hlo
