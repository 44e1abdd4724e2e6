// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "conformance/conformance.hpp"
#include "rhino/error.hpp"

namespace rhino::conformance {

/// Puts problems to a plugin and collects what comes of them.
class Grid {
 public:
  explicit Grid(const OnProblem& on_problem) : on_problem_(on_problem) {}

  /// `ask` calls the plugin and may throw Error, a refusal; it is called twice, and its answers
  /// must be equal. `fault_of(answer)` is a sentence, empty where the answer is right.
  template <class Ask, class FaultOf>
  void put(const std::string& problem, Ask&& ask, FaultOf&& fault_of) {
    if (report_.faults.size() >= kMostFaults) return;
    on_problem_(problem);
    ++report_.num_problems;
    try {
      const auto answer = ask();
      std::string fault = fault_of(answer);
      if (fault.empty() && !(ask() == answer))
        fault = "asked twice, the plugin gives different answers";
      if (!fault.empty()) report_.faults.push_back(problem + ": " + fault);
    } catch (const Error& error) {
      if (report_.num_refused++ == 0) report_.first_refusal = problem + ": " + error.what();
    }
  }

  ConformanceReport take() {
    if (report_.num_refused == report_.num_problems)
      report_.faults.push_back("every problem is refused; the first, " + report_.first_refusal);
    return std::move(report_);
  }

 private:
  static constexpr std::size_t kMostFaults = 5;

  const OnProblem& on_problem_;
  ConformanceReport report_;
};

}  // namespace rhino::conformance
