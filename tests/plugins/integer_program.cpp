// SPDX-License-Identifier: Apache-2.0
#include "integer_program.hpp"

#include <Cbc_C_Interface.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <string>

#include "rhino/error.hpp"

namespace rhino::test {

using common::choice::CostGraph;
using common::choice::kForbidden;
using common::choice::Labels;

namespace {

/// Columns by what rows they are in; every row is an equation.
struct Columns {
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> rows;
  std::vector<double> coefficients, costs, right_sides;

  int add_row(double right_side) {
    right_sides.push_back(right_side);
    return static_cast<int>(right_sides.size()) - 1;
  }
  void add_term(int row, double coefficient) {
    rows.push_back(row);
    coefficients.push_back(coefficient);
  }
  int end_column(double cost) {
    costs.push_back(cost);
    starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    return static_cast<int>(costs.size()) - 1;
  }
};

/// Per edge and end and label a row: shares with it add up to whether it is taken.
struct EdgeRows {
  int from = 0, to = 0;  ///< of label 0
};

class Writer {
 public:
  explicit Writer(const CostGraph& graph) : graph_(graph), ends_of_(graph.nodes.size()) {}

  Columns run(std::vector<int>& first_column) && {
    for (std::int32_t node = 0; node < graph_.size(); ++node) columns_.add_row(1);
    for (const CostGraph::Edge& edge : graph_.edges) add_rows(edge);
    for (std::int32_t node = 0; node < graph_.size(); ++node) {
      first_column.push_back(static_cast<int>(columns_.costs.size()));
      for (std::size_t label = 0; label < graph_.num_labels(node); ++label) add_label(node, label);
    }
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) add_shares(graph_.edges[e], rows_[e]);
    return std::move(columns_);
  }

 private:
  void add_rows(const CostGraph::Edge& edge) {
    const auto begin = [&](std::int32_t node) {
      const int first = columns_.add_row(0);
      for (std::size_t label = 1; label < graph_.num_labels(node); ++label) columns_.add_row(0);
      ends_of_[at(node)].push_back(first);
      return first;
    };
    const int from = begin(edge.from);
    rows_.push_back({from, begin(edge.to)});
  }

  void add_label(std::int32_t node, std::size_t label) {
    columns_.add_term(node, 1);
    for (const int first : ends_of_[at(node)])
      columns_.add_term(first + static_cast<int>(label), -1);
    columns_.end_column(graph_.nodes[at(node)].cost[label]);
  }

  void add_shares(const CostGraph::Edge& edge, const EdgeRows& rows) {
    const std::size_t width = graph_.num_labels(edge.to);
    for (std::size_t i = 0; i < edge.cost->size(); ++i) {
      if ((*edge.cost)[i] >= kForbidden) continue;
      columns_.add_term(rows.from + static_cast<int>(i / width), 1);
      columns_.add_term(rows.to + static_cast<int>(i % width), 1);
      columns_.end_column((*edge.cost)[i]);
    }
  }

  const CostGraph& graph_;
  Columns columns_;
  std::vector<EdgeRows> rows_;
  std::vector<std::vector<int>> ends_of_;  ///< per node the rows of its label 0
};

Cbc_Model* model_of(const CostGraph& graph, std::vector<int>& first_column) {
  const Columns columns = Writer(graph).run(first_column);
  const auto num_columns = static_cast<int>(columns.costs.size());
  const std::vector<double> low(columns.costs.size(), 0.0), high(columns.costs.size(), 1.0);
  Cbc_Model* model = Cbc_newModel();
  Cbc_setLogLevel(model, 0);
  Cbc_loadProblem(model, num_columns, static_cast<int>(columns.right_sides.size()),
                  columns.starts.data(), columns.rows.data(), columns.coefficients.data(),
                  low.data(), high.data(), columns.costs.data(), columns.right_sides.data(),
                  columns.right_sides.data());
  for (std::int32_t node = 0; node < graph.size(); ++node) {
    for (std::size_t label = 0; label < graph.num_labels(node); ++label)
      Cbc_setInteger(model, first_column[at(node)] + static_cast<int>(label));
  }
  return model;
}

/// What the child tells, labels behind it.
struct Told {
  double bound = 0;
  std::int32_t is_proved = 0, is_found = 0;
};

void tell(int pipe, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  for (ssize_t sent = 0; size > 0 && sent >= 0;
       bytes += sent, size -= static_cast<std::size_t>(sent))
    sent = write(pipe, bytes, size);
}

[[noreturn]] void solve_in_child(const CostGraph& graph, double most_s, int pipe) {
  // Less than the limit of the process, so that there is time to tell.
  const auto limit = static_cast<rlim_t>(std::ceil(most_s));
  const rlimit limits{limit, limit + 1};
  setrlimit(RLIMIT_CPU, &limits);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::vector<int> first_column;
  Cbc_Model* model = model_of(graph, first_column);
  Cbc_setParameter(model, "logLevel", "0");
  Cbc_setParameter(model, "timeMode", "cpu");
  Cbc_setParameter(model, "seconds", std::to_string(0.95 * most_s).c_str());
  Cbc_solve(model);
  const double* values = Cbc_isProvenInfeasible(model) != 0 ? nullptr : Cbc_getColSolution(model);
  const Told told{Cbc_getBestPossibleObjValue(model), Cbc_isProvenOptimal(model),
                  values != nullptr ? 1 : 0};
  Labels labels;
  for (std::int32_t node = 0; node < graph.size() && values != nullptr; ++node) {
    const double* own = values + first_column[at(node)];
    labels.push_back(
        static_cast<std::int32_t>(std::max_element(own, own + graph.num_labels(node)) - own));
  }
  tell(pipe, &told, sizeof told);
  tell(pipe, labels.data(), labels.size() * sizeof labels.front());
  _exit(0);
}

bool hear(int pipe, void* data, std::size_t size) {
  auto* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t heard = read(pipe, bytes, size);
    if (heard <= 0) return false;
    bytes += heard, size -= static_cast<std::size_t>(heard);
  }
  return true;
}

}  // namespace

IntegerAnswer solve_as_integers(const CostGraph& graph, double most_s) {
  int ends[2];
  if (pipe(ends) != 0) throw Error("no pipe to CBC");
  const pid_t child = fork();
  if (child < 0) throw Error("no process for CBC");
  if (child == 0) solve_in_child(graph, most_s, ends[1]);
  close(ends[1]);
  IntegerAnswer answer;
  Told told;
  Labels labels(graph.nodes.size());
  if (hear(ends[0], &told, sizeof told) && told.is_found != 0 &&
      hear(ends[0], labels.data(), labels.size() * sizeof labels.front())) {
    answer.solution = {labels, common::choice::cost(graph, labels), told.bound};
    answer.is_proved = told.is_proved != 0;
  }
  close(ends[0]);
  rusage used{};
  wait4(child, nullptr, 0, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  answer.cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime);
  return answer;
}

}  // namespace rhino::test
