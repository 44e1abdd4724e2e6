// SPDX-License-Identifier: Apache-2.0
#include "linear_program.hpp"

#include "rhino/error.hpp"

#ifdef RHINO_TEST_CBC
#include <Clp_C_Interface.h>
#endif

namespace rhino {

int LinearProgram::add_row(double low, double high) {
  rows_.push_back({low, high});
  return static_cast<int>(rows_.size()) - 1;
}

int LinearProgram::add_column(double cost, const Terms& terms) {
  costs_.push_back(cost);
  columns_.push_back(terms);
  return static_cast<int>(costs_.size()) - 1;
}

#ifdef RHINO_TEST_CBC

bool LinearProgram::available() { return true; }

double LinearProgram::solve() const {
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> rows;
  std::vector<double> coefficients, row_low, row_high;
  for (const Terms& column : columns_) {
    for (const auto& [row, coefficient] : column) {
      rows.push_back(row);
      coefficients.push_back(coefficient);
    }
    starts.push_back(static_cast<CoinBigIndex>(rows.size()));
  }
  for (const auto& [low, high] : rows_) row_low.push_back(low), row_high.push_back(high);
  const std::vector<double> low(columns_.size(), 0.0), high(columns_.size(), kInfinity);
  Clp_Simplex* model = Clp_newModel();
  Clp_setLogLevel(model, 0);
  Clp_loadProblem(model, static_cast<int>(columns_.size()), static_cast<int>(rows_.size()),
                  starts.data(), rows.data(), coefficients.data(), low.data(), high.data(),
                  costs_.data(), row_low.data(), row_high.data());
  Clp_initialSolve(model);
  const bool optimal = Clp_isProvenOptimal(model) != 0;
  const double value = Clp_getObjValue(model);
  Clp_deleteModel(model);
  if (!optimal) throw Error("the linear program has no optimum");
  return value;
}

#else

bool LinearProgram::available() { return false; }
double LinearProgram::solve() const { throw Error("built without CBC"); }

#endif

}  // namespace rhino
