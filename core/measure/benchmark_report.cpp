// SPDX-License-Identifier: Apache-2.0
#include "measure/benchmark_report.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace rhino::measure {
namespace {

/// Says nothing on standard output: the engine prints its own table.
class SilentReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

/// The value of `--flag=value`; empty where it is not given.
std::string flag_value(const std::vector<std::string>& flags, const std::string& name) {
  for (const std::string& flag : flags) {
    if (flag.rfind("--" + name + "=", 0) == 0) return flag.substr(name.size() + 3);
  }
  return "";
}

/// What Google Benchmark would answer with its help, or an empty file, and end well.
std::string refuse_format(const std::vector<std::string>& flags, const std::string& name) {
  constexpr std::array kFormats = {"", "console", "json", "csv"};
  const std::string format = flag_value(flags, name);
  const bool known = std::find(kFormats.begin(), kFormats.end(), format) != kFormats.end();
  return known ? "" : "--" + name + ": console, json or csv, not '" + format + "'";
}

/// Its times, as Google Benchmark asks for one after the other.
void replay(const store::Record& record, std::size_t& next, benchmark::State& state) {
  const bool timed = store::is_timed(record);
  const std::string why =
      record.oversubscribed           ? "checked, not timed: more workers than cores"
      : store::is_fake(record)        ? "checked, not timed: " + record.environment.at("device")
      : store::shares_devices(record) ? "checked, not timed: a device shared"
                                      : store::status_name(record.status) + (": " + record.message);
  if (!timed) state.SkipWithError(why.c_str());
  for ([[maybe_unused]] auto iteration : state)
    state.SetIterationTime(record.samples_s[next++ % record.samples_s.size()]);
}

}  // namespace

BenchmarkReport::BenchmarkReport(std::vector<std::string> flags) {
  takes_stdout_ = !flag_value(flags, "benchmark_format").empty();
  const std::string out = flag_value(flags, "benchmark_out");
  wanted_ = takes_stdout_ || !out.empty();
  for (const char* name : {"benchmark_format", "benchmark_out_format"})
    if (refusal_.empty()) refusal_ = refuse_format(flags, name);
  if (!out.empty() && !std::ofstream(out, std::ios::app))
    refusal_ = "--benchmark_out: " + out + " cannot be written";
  if (!refusal_.empty()) return;
  static std::string name = "rhino-bench";  // Google Benchmark keeps a pointer to it
  std::vector<char*> arguments{name.data()};
  for (std::string& flag : flags) arguments.push_back(flag.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (count > 1) refusal_ = std::string("unknown word '") + arguments[1] + "'";
}

void BenchmarkReport::write(const std::vector<store::Record>& records) const {
  if (!wanted_) return;
  benchmark::ClearRegisteredBenchmarks();
  std::vector<std::size_t> next(records.size(), 0);
  for (std::size_t i = 0; i < records.size(); ++i) {
    benchmark::RegisterBenchmark(
        records[i].label.c_str(),
        [&, i](benchmark::State& state) { replay(records[i], next[i], state); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(std::max(1, static_cast<int>(records[i].samples_s.size())));
  }
  SilentReporter silent;
  // A reporter of our own would switch --benchmark_format off.
  if (takes_stdout_) benchmark::RunSpecifiedBenchmarks();
  else benchmark::RunSpecifiedBenchmarks(&silent);
}

}  // namespace rhino::measure
