// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <fstream>
#include <string>

#include "plan/single_communication.hpp"
#include "plan/validate.hpp"
#include "plugin/registry.hpp"
#include "reshard_cases.hpp"

/// How long the resharding plugins plan: the 64 unit tasks of AlpaComm's case 4 in every order
/// (target: 10 ms), and every plugin between two meshes of 64 hosts x 8 devices (target: one second
/// and 500 MiB). The way from there to an
/// execution plan that is proved is timed beside it.
namespace rhino {
namespace {

const plugin::Registry& registry() {
  static const plugin::Registry kRegistry({RHINO_PLUGINS});
  return kRegistry;
}

std::unique_ptr<Resharding> make(const std::string& name,
                                 std::map<std::string, OptionValue> values) {
  const Options options(std::move(values));
  return plugin::make_resharding(registry().find("resharding/" + name), options);
}

/// Memory of this process in MiB by a line of /proc/self/status.
double status_mib(const std::string& key) {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kib = 0;
  while (status >> word) {
    if (word == key + ":") status >> kib;
  }
  return kib / 1024;
}

/// How far the process grew since it was made, at its highest.
class PeakGrowth {
 public:
  PeakGrowth() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak is what there is now
    before_mib_ = status_mib("VmRSS");
  }
  double mib() const { return status_mib("VmHWM") - before_mib_; }

 private:
  double before_mib_;
};

constexpr std::int64_t kDevices = 512;
const std::vector<std::int64_t> kDims{4096, 4096, 32};

/// From one mesh of `kDevices` to another, or to the same one.
ReshardProblem between(const std::vector<std::string>& source,
                       const std::vector<std::string>& target, bool to_itself,
                       std::int64_t per_host = 8) {
  const std::int64_t hosts = kDevices / per_host;
  ReshardProblem problem;
  problem.cluster = conformance::alike_hosts(2 * hosts, per_host);
  const Mesh from = host_mesh(hosts, per_host, 0);
  const Mesh to = to_itself ? from : host_mesh(hosts, per_host, kDevices);
  problem.tensors = {reshard_tensor({DType::f32, kDims}, {from, source}, {{to, target}})};
  return problem;
}

void plan_order(benchmark::State& state, const std::string& order) {
  const ReshardProblem problem = many_to_many_cases()[3].problem;
  const auto plugin = make("broadcast", {{"order", order}});
  for (auto _ : state) benchmark::DoNotOptimize(plugin->plan(problem));
}

void plan_large(benchmark::State& state, const std::string& plugin_name,
                const ReshardProblem& problem) {
  const auto plugin = make(plugin_name, {});
  const PeakGrowth peak;
  std::size_t num_ops = 0;
  for (auto _ : state) num_ops = plugin->plan(problem).ops.size();
  state.counters["ops"] = static_cast<double>(num_ops);
  state.counters["peak_MiB"] = peak.mib();
}

/// From the problem to a plan that is proved.
void validate_large(benchmark::State& state, const std::string& plugin_name,
                    const ReshardProblem& problem) {
  const auto plugin = make(plugin_name, {});
  const PeakGrowth peak;
  std::size_t num_messages = 0;
  for (auto _ : state) {
    const plan::ExecutionPlan plan = plan::reshard_plan(problem, plugin->plan(problem));
    plan::validate(plan);
    num_messages = plan.communications[0].steps.size();
  }
  state.counters["messages"] = static_cast<double>(num_messages);
  state.counters["peak_MiB"] = peak.mib();
}

void register_all() {
  for (const char* order : {"naive", "load_balance", "greedy", "search", "ensemble"}) {
    benchmark::RegisterBenchmark(("order_of_64_tasks/" + std::string(order)).c_str(), plan_order,
                                 std::string(order))
        ->Unit(benchmark::kMillisecond);
  }
  const std::vector<std::string> rows{"S01", "R", "R"}, columns{"R", "S01", "R"},
      whole{"R", "R", "R"};
  const std::vector<std::string> hosts_only{"S0", "R", "R"}, crossed{"S1", "S0", "R"};
  const std::vector<std::pair<std::string, ReshardProblem>> problems = {
      {"rows_to_columns", between(rows, columns, false)},
      {"rows_to_rows", between(rows, rows, false)},
      {"whole_to_whole", between(whole, whole, false)},
      {"rows_to_whole", between(rows, whole, false)},
      {"whole_to_rows", between(whole, rows, false)},
      {"hosts_to_crossed", between(hosts_only, crossed, false)},
      {"columns_to_hosts", between(columns, hosts_only, false)},
      {"rows_to_columns_of_lone_devices", between(rows, columns, false, 1)},
      {"rows_to_columns_in_place", between(rows, columns, true)},
      {"rows_to_whole_in_place", between(rows, whole, true)},
  };
  for (const plugin::PluginInfo& info : registry().plugins()) {
    if (info.id.rfind("resharding/", 0) != 0) continue;
    const std::string name = info.id.substr(std::string("resharding/").size());
    for (const auto& [what, problem] : problems) {
      benchmark::RegisterBenchmark(("512_to_512/" + name + "/" + what).c_str(), plan_large, name,
                                   problem)
          ->Unit(benchmark::kMillisecond)
          ->Iterations(1);
      benchmark::RegisterBenchmark(("512_to_512_validated/" + name + "/" + what).c_str(),
                                   validate_large, name, problem)
          ->Unit(benchmark::kMillisecond)
          ->Iterations(1);
    }
  }
}

}  // namespace
}  // namespace rhino

int main(int argc, char** argv) {
  rhino::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
