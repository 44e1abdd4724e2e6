// SPDX-License-Identifier: Apache-2.0
// Races resharding/striped against every other resharding algorithm in the simulator, on random
// problems of all sizes: race PLUGINS COUNT [SEED]. Prints, by size, how near each comes to the
// physical bound and how long it plans, and the problems that striped loses, the worst last.
// Exit 1: it loses one by more than 2 %, or is faster than the bound.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <numeric>

#include "conformance/random_reshard.hpp"
#include "cost/reshard_bound.hpp"
#include "plan/single_communication.hpp"
#include "plugin/registry.hpp"
#include "reshard_cases.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "simulate/simulate.hpp"

using namespace rhino;

namespace {

constexpr double kMostLoss = 0.02;
constexpr const char* kNames[] = {"striped", "broadcast", "send_recv", "local_allgather",
                                  "global_allgather"};

/// Inside hosts and between them: AlpaComm's evaluation, cores of one machine, namespaces of one,
/// a network with long ways, and interfaces that are faster than the links behind them.
struct Links {
  Link inside, between;
};
constexpr Links kLinks[] = {{{150e9, 5e-6}, {1.25e9, 30e-6}}, {{4e9, 50e-6}, {1.25e9, 30e-6}},
                            {{4e9, 20e-6}, {0.12e9, 100e-6}}, {{20e9, 2e-6}, {12.5e9, 200e-6}},
                            {{3e9, 10e-6}, {12e9, 10e-6}},    {{1e9, 5e-6}, {4e9, 20e-6}}};

class Maker {
 public:
  explicit Maker(std::uint32_t seed) : random_(seed) {}

  ReshardProblem make() {
    ReshardProblem problem;
    switch (pick(0, 2)) {
      case 0: problem = scattered(); break;
      case 1: problem = hosts_to_hosts(); break;
      default: problem = multicasts();
    }
    const Links& links = kLinks[at(pick(0, std::ssize(kLinks) - 1))];
    problem.cluster.intra_host = links.inside;
    problem.cluster.inter_host = links.between;
    return problem;
  }

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint32_t>(high - low + 1));
  }

  /// Any devices to any others, and in all specs.
  ReshardProblem scattered() {
    constexpr std::int64_t kExtents[] = {4, 9, 24, 64, 160, 400, 1000};
    const std::int64_t most = kExtents[at(pick(0, 6))];
    return conformance::random_reshard({.hosts = {1, 8},
                                        .devices_per_host = {1, 8},
                                        .tensors = {1, 3},
                                        .extent = {most > 24 ? most / 3 : 1, most}},
                                       random_);
  }

  /// 1 to 3 dims of about 2 to 2^28 elements in all.
  std::vector<std::int64_t> dims() {
    std::vector<std::int64_t> dims;
    double left = std::exp2(static_cast<double>(pick(10, 280)) / 10);
    for (std::int64_t more = pick(0, 2); more > 0; --more) {
      dims.push_back(pick(1, static_cast<std::int64_t>(std::min(1000.0, left))));
      left /= static_cast<double>(dims.back());
    }
    dims.push_back(std::max<std::int64_t>(1, std::llround(left)));
    return dims;
  }

  std::vector<std::string> spec(std::size_t num_dims) {
    std::vector<std::string> words(num_dims, "R");
    const auto any = [&]() -> std::string& { return words[at(pick(0, std::ssize(words) - 1))]; };
    switch (pick(0, 4)) {
      case 0: break;
      case 1: any() = "S0"; break;
      case 2: any() = "S1"; break;
      case 3: any() = "S01"; break;
      default:
        any() = "S0";
        std::string& other = any();
        other = other == "R" ? "S1" : "S01";
    }
    return words;
  }

  /// Hosts x devices to others, apart or in part the same.
  ReshardProblem hosts_to_hosts() {
    const std::int64_t per_host = pick(1, 4), sources = pick(1, 4), targets = pick(1, 4);
    const std::int64_t apart = pick(0, 3) == 0 ? pick(0, sources) : sources;
    ReshardProblem problem;
    problem.cluster = conformance::alike_hosts(std::max(sources, apart + targets), per_host);
    const Mesh from = host_mesh(sources, per_host, 0);
    const Mesh to = host_mesh(targets, per_host, static_cast<DeviceId>(apart * per_host));
    for (std::int64_t left = pick(0, 1) == 0 ? 1 : pick(1, 3); left > 0; --left) {
      const std::vector<std::int64_t> extents = dims();
      problem.tensors.push_back(reshard_tensor({DType::f32, extents}, {from, spec(extents.size())},
                                               {{to, spec(extents.size())}}));
    }
    return problem;
  }

  /// Whole tensors from some hosts of one device to others.
  ReshardProblem multicasts() {
    const std::int64_t num_hosts = pick(2, 8);
    ReshardProblem problem;
    problem.cluster = conformance::alike_hosts(num_hosts, 1);
    const bool alike = pick(0, 1) == 0;
    const std::vector<std::int64_t> same = dims();
    std::vector<DeviceId> hosts(at(num_hosts));
    std::iota(hosts.begin(), hosts.end(), 0);
    for (std::int64_t left = pick(1, 8); left > 0; --left) {
      std::shuffle(hosts.begin(), hosts.end(), random_);
      const auto middle = hosts.begin() + pick(1, num_hosts - 1);
      const auto end = middle + pick(1, hosts.end() - middle);
      const auto mesh = [](auto first, auto last) {
        return Mesh{{{"x", last - first}}, {first, last}};
      };
      const Mesh from = mesh(hosts.begin(), middle), to = mesh(middle, end);
      const std::vector<std::int64_t> extents = alike ? same : dims();
      const std::vector<std::string> whole(extents.size(), "R");
      problem.tensors.push_back(
          reshard_tensor({DType::f32, extents}, {from, whole}, {{to, whole}}));
    }
    return problem;
  }

  std::mt19937 random_;
};

/// Stripes of stripes may come to millions of boxes, which no transport would send one by one.
constexpr std::size_t kMostMessages = 100'000;

double bytes_of(const ReshardProblem& problem) {
  double bytes = 0;
  for (const ReshardTensor& tensor : problem.tensors)
    bytes += static_cast<double>(num_bytes(tensor.shape));
  return bytes;
}

std::string size_class(double bytes) {
  if (bytes < 32 << 10) return "1 below 32 KiB";
  if (bytes < 1 << 20) return "2 below 1 MiB";
  if (bytes < 32 << 20) return "3 below 32 MiB";
  return bytes < 1 << 30 ? "4 below 1 GiB" : "5 1 GiB and more";
}

/// What came of the problems of one size.
struct Class {
  std::vector<double> losses;
  std::vector<std::vector<double>> shares, planning_ms;  ///< per algorithm
};

/// Of this process, so that others do not count.
double cpu_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
  return values[values.size() / 2];
}

class Race {
 public:
  explicit Race(const std::string& plugins) : registry_({plugins}) {
    for (const char* name : kNames) {
      algorithms_.push_back(
          plugin::make_resharding(registry_.find(std::string("resharding/") + name), Options()));
    }
  }

  void run(std::uint32_t seed) {
    const ReshardProblem problem = Maker(seed).make();
    const double bound_s = cost::reshard_bound(problem).seconds;
    if (bound_s <= 0 || algorithms_[2]->plan(problem).ops.size() > kMostMessages) return;
    Class& mine = classes_[size_class(bytes_of(problem))];
    mine.shares.resize(algorithms_.size());
    mine.planning_ms.resize(algorithms_.size());
    std::vector<double> seconds;
    for (std::size_t a = 0; a < algorithms_.size(); ++a) {
      const double begin_ms = cpu_ms();
      const TransferPlan transfers = algorithms_[a]->plan(problem);
      mine.planning_ms[a].push_back(cpu_ms() - begin_ms);
      seconds.push_back(simulate::simulate(plan::reshard_plan(problem, transfers),
                                           cost::CostModel(problem.cluster), {.keep_events = false})
                            .makespan_s);
      mine.shares[a].push_back(bound_s / seconds.back());
    }
    const auto best = std::min_element(seconds.begin() + 1, seconds.end());
    mine.losses.push_back(seconds.front() / *best - 1);
    is_beaten_ = is_beaten_ || mine.losses.back() > kMostLoss;
    if (seconds.front() < bound_s * (1 - 1e-9))
      throw Error(fmt::format("seed {}: faster than the bound", seed));
    if (mine.losses.back() > kMostLoss / 2) {
      const Cluster& cluster = problem.cluster;
      losers_.emplace(
          mine.losses.back(),
          fmt::format("seed {}: {:.1f} % behind {}, {:.0f} % of the bound, {:.3g} us, "
                      "links of {:.2g} and {:.2g} GB/s: {}",
                      seed, mine.losses.back() * 100, kNames[best - seconds.begin()],
                      100 * bound_s / seconds.front(), seconds.front() * 1e6,
                      cluster.intra_host.bytes_per_s / 1e9, cluster.inter_host.bytes_per_s / 1e9,
                      conformance::describe(problem).substr(0, 600)));
    }
  }

  /// Whether striped lost none by too much.
  bool report() const {
    for (const auto& [loss, sentence] : losers_) fmt::print("{}\n", sentence);
    for (const auto& [name, mine] : classes_) {
      fmt::print("{}: {} problems, worst loss {:.2f} %; bound / time, planning ms:", name.substr(2),
                 mine.losses.size(),
                 100 * *std::max_element(mine.losses.begin(), mine.losses.end()));
      for (std::size_t a = 0; a < mine.shares.size(); ++a) {
        const std::vector<double>&shares = mine.shares[a], &ms = mine.planning_ms[a];
        fmt::print(" {} median {:.3f} worst {:.3f}, {:.1f} to {:.0f};", kNames[a], median(shares),
                   *std::min_element(shares.begin(), shares.end()), median(ms),
                   *std::max_element(ms.begin(), ms.end()));
      }
      fmt::print("\n");
    }
    return !is_beaten_;
  }

 private:
  plugin::Registry registry_;
  std::vector<std::unique_ptr<Resharding>> algorithms_;
  std::map<std::string, Class> classes_;
  std::multimap<double, std::string> losers_;
  bool is_beaten_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int count = std::atoi(argv[2]), first = argc > 3 ? std::atoi(argv[3]) : 0;
  try {
    Race race(argv[1]);
    fmt::print("seeds {} to {}\n", first, first + count - 1);
    for (int seed = first; seed < first + count; ++seed) race.run(static_cast<std::uint32_t>(seed));
    return race.report() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}
