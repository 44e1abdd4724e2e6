// SPDX-License-Identifier: Apache-2.0
#include "ir/output_names.hpp"

#include <algorithm>

#include "ir/hlo_syntax.hpp"

namespace rhino::ir {
std::vector<std::string> hlo_output_names(std::string_view text, const std::string& file) {
  std::vector<std::string> names;
  const hlo::Module module = hlo::parse_module(text, file);
  for (const hlo::Computation& computation : module.computations) {
    const auto root = std::ranges::find_if(computation.instructions,
                                           [](const hlo::Instruction& one) { return one.is_root; });
    if (!computation.is_entry || root == computation.instructions.end()) continue;
    if (root->opcode != "tuple") return {std::string(root->name)};
    // Elements of a tuple within it are outputs of their own.
    if (root->shape.find('(', 1) != std::string_view::npos) return {};
    for (std::string_view operand : hlo::operand_names(root->arguments))
      names.emplace_back(operand);
  }
  return names;
}

std::vector<std::string> stablehlo_output_names(std::string_view text) {
  constexpr std::string_view kKey = "jax.result_info = \"";
  std::vector<std::string> names;
  for (std::size_t begin = 0; (begin = text.find(kKey, begin)) != std::string_view::npos;) {
    begin += kKey.size();
    names.emplace_back(text.substr(begin, text.find('"', begin) - begin));
  }
  return names;
}

}  // namespace rhino::ir
