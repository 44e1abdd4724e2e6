// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "store/record.hpp"

namespace rhino::measure {

/// Google Benchmark's side of a run: `--benchmark_out`, `--benchmark_format` and what goes with
/// them. A cell is a benchmark, a round a repetition.
class BenchmarkReport {
 public:
  /// Takes the `--benchmark_*` words as given, without filter and repetitions.
  explicit BenchmarkReport(std::vector<std::string> flags);

  /// What is wrong with them; empty: nothing.
  const std::string& refusal() const { return refusal_; }
  /// Google Benchmark has standard output for itself.
  bool takes_stdout() const { return takes_stdout_; }
  /// Writes what was asked for, of all records at once.
  void write(const std::vector<store::Record>& records) const;

 private:
  std::string refusal_;
  bool wanted_ = false, takes_stdout_ = false;
};

}  // namespace rhino::measure
