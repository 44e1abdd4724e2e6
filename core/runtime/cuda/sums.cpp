// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/sums.hpp"

namespace rhino::runtime::cuda {

std::string for_width(const SumsInputs& inputs, LoopValues& values, std::int64_t width,
                      const std::string& rows, const std::string& each) {
  const std::string columns = decimal(inputs.nest.columns);
  const bool is_of_one_row = inputs.nest.columns % width == 0;
  const std::string body = is_of_one_row ? each : with_index("r", "i / " + columns, rows + each);
  const std::string all = values.take_loads() + "#pragma unroll\nfor (int u = 0; u < " +
                          decimal(width) + "; ++u) {\n" + with_index("i", "first + u", body) +
                          "}\n" + values.take_stores();
  return is_of_one_row ? with_index("r", "first / " + columns, rows + all) : all;
}

}  // namespace rhino::runtime::cuda
