// SPDX-License-Identifier: Apache-2.0
#include "measure/driver.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>

#include "config/strategy_file.hpp"
#include "measure/cell_run.hpp"
#include "measure/statistics.hpp"
#include "planning/choices.hpp"
#include "rhino/error.hpp"

namespace rhino::measure {
namespace {

/// Says nothing: the engine prints its own table.
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

/// One cell as a benchmark: the first repetition prepares it, the last one ends it.
class CellBenchmark {
 public:
  CellBenchmark(RunContext& context, const NamedCell& cell, std::int64_t repetitions,
                std::function<void(const store::Record&)> on_record)
      : context_(context),
        cell_(cell),
        repetitions_(repetitions),
        on_record_(std::move(on_record)) {}

  void run(benchmark::State& state) {
    if (done_ == 0) run_.emplace(context_, cell_.cell, cell_.name).prepare();
    const bool wanted = run_->failure().empty() && (done_ == 0 || !run_->single_sample());
    const double seconds = wanted ? run_->repetition() : 0;
    if (!run_->failure().empty()) state.SkipWithError(run_->failure().c_str());
    for (auto iteration : state) {
      (void)iteration;
      state.SetIterationTime(seconds);
    }
    if (++done_ == repetitions_) end();
  }

 private:
  void end() {
    const store::Record record = run_->finish();
    const bool cut = !run_->failure().empty() && context_.is_interrupted();
    run_.reset();
    if (cut) return;  // --resume runs it again
    context_.folder.append(record);
    on_record_(record);
  }

  RunContext& context_;
  const NamedCell& cell_;
  std::int64_t repetitions_;
  std::function<void(const store::Record&)> on_record_;
  std::optional<CellRun> run_;
  std::int64_t done_ = 0;
};

std::string short_name(const std::string& id) {
  const std::size_t slash = id.rfind('/');
  std::string name = slash == std::string::npos ? id : id.substr(slash + 1);
  if (name.ends_with(".yaml")) name.resize(name.size() - 5);
  return name;
}

std::string shortened(config::Choice choice) {
  choice.id = short_name(choice.id);
  return config::to_string(choice);
}

/// `reshard(case 4)/p3_8xlarge_x5/broadcast/simulate`
std::string communication_name(const config::CellSpec& cell) {
  std::string name;
  if (cell.reshard) {
    name = "reshard(" +
           (cell.reshard->name.empty() ? config::to_string(*cell.reshard) : cell.reshard->name) +
           ")/" + shortened(cell.topology) + "/" + shortened(cell.resharding);
  } else {
    name = config::to_string(*cell.collective) + "/" + shortened(cell.topology);
    std::replace(name.begin(), name.end(), ' ', '-');
  }
  return cell.backend == "ucx" ? name : name + "/" + cell.backend;
}

std::string model_name(const config::CellSpec& cell) {
  std::string name;
  for (const config::Choice* choice :
       {&cell.model, &cell.topology, &cell.search, &cell.resharding, &cell.schedule}) {
    name += (name.empty() ? "" : "/") + shortened(*choice);
  }
  return name;
}

/// What is measured and compared in one case under one number.
bool same_subject(const store::Record& a, const store::Record& b) {
  return a.case_index == b.case_index && a.communication.bytes == b.communication.bytes;
}

}  // namespace

std::vector<NamedCell> name_cells(const config::Experiment& experiment) {
  std::vector<NamedCell> named;
  for (const config::CellSpec& cell : experiment.cells) {
    std::string name = cell.is_communication() ? communication_name(cell) : model_name(cell);
    if (cell.device != "cpu") name += "/" + cell.device;
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    const auto same = std::count_if(named.begin(), named.end(), [&](const NamedCell& other) {
      return other.name.rfind(name, 0) == 0;
    });
    named.push_back({same > 0 ? name + "#" + std::to_string(same + 1) : name, cell});
  }
  return named;
}

void merge_equal_cells(config::Experiment& experiment, const std::vector<std::string>& folders) {
  std::vector<config::CellSpec> kept;
  const auto has_one_stage = [&](const config::CellSpec& cell) {
    if (!planning::is_strategy_file(cell.search)) return false;
    const std::string path = planning::find_file(cell.search.id, folders);
    return !path.empty() &&
           config::read_strategy_file(path, Options(cell.search.options)).num_stages == 1;
  };
  const auto essence = [](config::CellSpec cell) {
    cell.schedule = cell.resharding = {};
    return std::to_string(cell.case_index) + config::canonical(cell);
  };
  std::map<std::string, std::size_t> first;
  for (const config::CellSpec& cell : experiment.cells) {
    if (has_one_stage(cell)) {
      const auto [found, is_new] = first.try_emplace(essence(cell), kept.size());
      if (!is_new) {
        std::vector<std::string>& names = kept[found->second].baselines;
        names.insert(names.end(), cell.baselines.begin(), cell.baselines.end());
        continue;
      }
    }
    kept.push_back(cell);
  }
  experiment.cells = std::move(kept);
}

bool drive(RunContext& context, const std::vector<NamedCell>& cells, std::vector<std::string> flags,
           const std::function<void(const store::Record&)>& on_record) {
  std::int64_t repetitions = context.experiment.measure.repetitions;
  const std::string given = flag_value(flags, "benchmark_repetitions");
  if (!given.empty()) std::from_chars(given.data(), given.data() + given.size(), repetitions);
  std::vector<std::unique_ptr<CellBenchmark>> benchmarks;
  benchmark::ClearRegisteredBenchmarks();
  for (const NamedCell& cell : cells) {
    benchmarks.push_back(std::make_unique<CellBenchmark>(context, cell, repetitions, on_record));
    auto* registered = benchmark::RegisterBenchmark(
        cell.name.c_str(),
        [one = benchmarks.back().get()](benchmark::State& state) { one->run(state); });
    registered->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
    if (given.empty()) registered->Repetitions(static_cast<int>(repetitions));
  }
  flags.insert(flags.begin(), "rhino-bench");
  std::vector<char*> arguments;
  for (std::string& flag : flags) arguments.push_back(flag.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return false;
  const bool chosen_format = !flag_value(flags, "benchmark_format").empty();
  const bool list = std::find_if(flags.begin(), flags.end(), [](const std::string& f) {
                      return f.rfind("--benchmark_list_tests", 0) == 0;
                    }) != flags.end();
  SilentReporter silent;
  // A reporter of our own would switch --benchmark_format off.
  if (chosen_format || list) benchmark::RunSpecifiedBenchmarks();
  else benchmark::RunSpecifiedBenchmarks(&silent);
  return true;
}

void compare_with_baselines(std::vector<store::Record>& records) {
  for (store::Record& record : records) {
    record.baselines.clear();
    for (const store::Record& other : records) {
      const bool timed = record.status == store::Status::ok && other.status == store::Status::ok &&
                         !record.samples_s.empty() && !other.samples_s.empty();
      if (!same_subject(other, record) || other.cell_id == record.cell_id) continue;
      for (const std::string& name : other.baseline_of) {
        record.baselines.push_back(timed ? compare_samples(name, other.samples_s, record.samples_s)
                                         : store::BaselineRatio{.name = name, .verdict = "none"});
      }
    }
  }
}

}  // namespace rhino::measure
