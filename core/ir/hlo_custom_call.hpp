// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/builder.hpp"

namespace rhino::ir::hlo {

/// What custom-calls mean: target to the name of a meaning, `identity`, `gelu`,
/// `gelu_derivative`, `gelu_tanh`, `gelu_tanh_derivative`, `softmax`, `softmax_gradient` or
/// `top_k`. Beside it the targets that are known without being told.
class CustomCalls {
 public:
  /// Throws Error if `more` has a meaning that does not exist.
  explicit CustomCalls(const std::map<std::string, std::string>& more);

  /// The meaning of `target`; throws Error that names it and what to do.
  const std::string& meaning(const std::string& target) const;

 private:
  std::map<std::string, std::string> meanings_;
};

/// One call of a known meaning. `dim`: of softmax, -1: the last one. `count`: of top_k.
struct CustomCall {
  std::vector<ValueId> operands;
  std::int64_t dim = -1, count = 0;
};
/// Its results; several for top_k and for identity of several. Throws Error.
std::vector<ValueId> make_custom_call(Builder& b, std::string_view meaning, const CustomCall& call);

}  // namespace rhino::ir::hlo
