// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <utility>
#include <vector>

namespace rhino {

/// min cost·x over x >= 0 under rows low <= a·x <= high, solved by Clp, which comes with CBC.
class LinearProgram {
 public:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  using Terms = std::vector<std::pair<int, double>>;  ///< row, coefficient

  int add_row(double low, double high);
  int add_column(double cost, const Terms& terms);
  /// The optimum; throws Error where there is none. Built without CBC: `available` is false.
  double solve() const;
  static bool available();

 private:
  std::vector<std::pair<double, double>> rows_;
  std::vector<double> costs_;
  std::vector<Terms> columns_;
};

}  // namespace rhino
