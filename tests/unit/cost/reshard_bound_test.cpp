// SPDX-License-Identifier: Apache-2.0
#include "cost/reshard_bound.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "cost/tightest_set.hpp"
#include "element_slices.hpp"
#include "linear_program.hpp"
#include "reshard_cases.hpp"
#include "rhino/index.hpp"

using namespace rhino;
using namespace rhino::cost;

namespace {

/// Bytes by (nodes that have them, other nodes that lack them).
using Demands = std::map<std::pair<std::set<int>, std::set<int>>, std::int64_t>;

std::set<int> hosts_of(const Cluster& cluster, const std::set<DeviceId>& devices) {
  std::set<int> hosts;
  for (const DeviceId device : devices) hosts.insert(cluster.host_of[at(device)]);
  return hosts;
}

template <class Node>
void add_demand(Demands& demands, const std::set<Node>& holders, std::set<Node> takers,
                std::int64_t bytes) {
  for (const Node node : holders) takers.erase(node);
  if (takers.empty()) return;
  demands[{{holders.begin(), holders.end()}, {takers.begin(), takers.end()}}] += bytes;
}

Demands host_demands(const ReshardProblem& problem) {
  Demands demands;
  for (const auto& [ends, bytes] : element_slices(problem))
    add_demand(demands, hosts_of(problem.cluster, ends.first),
               hosts_of(problem.cluster, ends.second), bytes);
  return demands;
}

/// What only links of devices can carry.
Demands device_demands(const ReshardProblem& problem) {
  Demands demands;
  for (const auto& [ends, bytes] : element_slices(problem)) {
    std::set<int> hosts = hosts_of(problem.cluster, ends.first);
    hosts.merge(hosts_of(problem.cluster, ends.second));
    if (hosts.size() == 1) add_demand(demands, ends.first, ends.second, bytes);
  }
  return demands;
}

double worst_ingress(const Demands& demands) {
  std::map<int, std::int64_t> bytes;
  std::int64_t most = 0;
  for (const auto& [ends, amount] : demands) {
    for (const int node : ends.second) most = std::max(most, bytes[node] += amount);
  }
  return static_cast<double>(most);
}

bool inside(const std::set<int>& nodes, int mask) {
  return std::all_of(nodes.begin(), nodes.end(), [&](int node) { return mask >> node & 1; });
}

/// Over all sets of nodes.
double worst_egress(const Demands& demands, int num_nodes) {
  double most = 0;
  for (int mask = 1; mask < 1 << num_nodes; ++mask) {
    std::int64_t bytes = 0;
    for (const auto& [ends, amount] : demands) {
      if (!inside(ends.first, mask)) continue;
      bytes += amount;
      if (inside(ends.second, mask)) bytes += amount * (std::ssize(ends.second) - 1);
    }
    most = std::max(most, static_cast<double>(bytes) / __builtin_popcount(unsigned(mask)));
  }
  return most;
}

double term(const ReshardBound& bound, const std::string& place) {
  for (const ReshardBoundTerm& term : bound.terms) {
    if (term.what.rfind(place, 0) == 0) return term.seconds;
  }
  return 0;
}

double seconds(const Link& link, double bytes_per_link) {
  if (bytes_per_link == 0) return 0;
  return link.latency_s + std::max(0.0, bytes_per_link - link.burst_bytes) / link.bytes_per_s;
}

/// Calls visit(parent of each taker) for every way of relaying: forests whose roots are holders.
void for_each_relay(const std::set<int>& holders, const std::set<int>& takers,
                    const std::function<void(const std::map<int, int>&)>& visit) {
  std::vector<int> nodes(holders.begin(), holders.end()), order(takers.begin(), takers.end());
  nodes.insert(nodes.end(), order.begin(), order.end());
  std::map<int, int> parent;
  const std::function<void(std::size_t)> choose = [&](std::size_t k) {
    if (k < order.size()) {
      for (const int node : nodes) {
        if (node == order[k]) continue;
        parent[order[k]] = node;
        choose(k + 1);
      }
      return;
    }
    for (const int taker : order) {
      int node = taker;
      for (std::size_t hops = 0; !holders.contains(node); ++hops) {
        if (hops == order.size()) return;  // a circle
        node = parent[node];
      }
    }
    visit(parent);
  };
  choose(0);
}

/// Bytes through the busiest interface under the best mixture of relay forests.
double best_mixture(const Demands& demands, int num_nodes) {
  LinearProgram program;
  std::vector<int> out, in;
  LinearProgram::Terms time;
  for (int node = 0; node < num_nodes; ++node) {
    for (std::vector<int>* side : {&out, &in}) {
      side->push_back(program.add_row(-LinearProgram::kInfinity, 0));
      time.push_back({side->back(), -1});
    }
  }
  program.add_column(1, time);
  for (const auto& [ends, bytes] : demands) {
    const auto amount = static_cast<double>(bytes);
    const int all = program.add_row(amount, amount);
    for_each_relay(ends.first, ends.second, [&](const std::map<int, int>& parent) {
      std::map<int, double> load;
      for (const auto& [taker, sender] : parent) {
        load[out[at(sender)]] += 1;
        load[in[at(taker)]] += 1;
      }
      LinearProgram::Terms terms(load.begin(), load.end());
      terms.push_back({all, 1});
      program.add_column(0, terms);
    });
  }
  return program.solve();
}

}  // namespace

TEST_CASE("the tightest set is that of an enumeration of all sets") {
  std::mt19937 random(20240601);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const int num_nodes = 1 + static_cast<int>(random() % 6);
    std::vector<SharedWork> works;
    for (unsigned w = random() % 7; w > 0; --w) {
      SharedWork work{static_cast<std::int64_t>(random() % 50), {}};
      for (int v = 0; v < num_nodes; ++v)
        if (random() % 3 == 0) work.nodes.push_back(v);
      if (!work.nodes.empty()) works.push_back(work);
    }
    double most = 0;
    for (int mask = 1; mask < 1 << num_nodes; ++mask) {
      std::int64_t amount = 0;
      for (const SharedWork& work : works)
        if (inside({work.nodes.begin(), work.nodes.end()}, mask)) amount += work.amount;
      most = std::max(most, static_cast<double>(amount) / __builtin_popcount(unsigned(mask)));
    }
    const TightestSet set = tightest_set(works, num_nodes);
    REQUIRE(set.nodes.empty() == (most == 0));
    if (most > 0)
      REQUIRE(static_cast<double>(set.amount) / static_cast<double>(set.nodes.size()) ==
              Approx(most));
  }
}

TEST_CASE("each term of the bound is that of brute force over elements and sets of hosts") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    ReshardProblem problem = conformance::random_reshard({.extent = {1, 6}}, random);
    if (round % 3 == 0) problem.cluster.inter_host.burst_bytes = 20;
    CAPTURE(round, conformance::describe(problem));
    const ReshardBound bound = reshard_bound(problem);
    const Demands hosts = host_demands(problem), devices = device_demands(problem);
    const auto num_hosts = static_cast<int>(problem.cluster.hosts.size());
    const Link& nic = problem.cluster.inter_host;
    const Link& own = problem.cluster.intra_host;
    REQUIRE(term(bound, "ingress") == Approx(seconds(nic, worst_ingress(hosts))));
    REQUIRE(term(bound, "egress") == Approx(seconds(nic, worst_egress(hosts, num_hosts))));
    REQUIRE(term(bound, "link into") == Approx(seconds(own, worst_ingress(devices))));
    REQUIRE(term(bound, "links out of") ==
            Approx(seconds(own, worst_egress(devices, problem.cluster.num_devices()))));
    std::int64_t crossing = 0;
    for (const auto& [ends, bytes] : hosts) crossing += bytes * std::ssize(ends.second);
    REQUIRE(bound.crossing_bytes == crossing);
  }
}

TEST_CASE("the terms of interfaces are the optimum of mixtures of relay trees") {
  if (!LinearProgram::available()) {
    WARN("skipped: built without CBC (meson -Dcbc=enabled)");
    return;
  }
  constexpr unsigned kSeed = 11;
  std::mt19937 random(kSeed);
  int num_relayed = 0, num_tight = 0;
  constexpr int kRounds = 150;
  for (int round = 0; round < kRounds; ++round) {
    const ReshardProblem problem = conformance::random_reshard({.extent = {1, 6}}, random);
    CAPTURE(kSeed, round, conformance::describe(problem));
    const Demands demands = host_demands(problem);
    const auto num_hosts = static_cast<int>(problem.cluster.hosts.size());
    const double optimum = demands.empty() ? 0 : best_mixture(demands, num_hosts);
    const ReshardBound bound = reshard_bound(problem);
    const double binding = std::max(term(bound, "ingress"), term(bound, "egress"));
    const double optimum_s = seconds(problem.cluster.inter_host, optimum);
    CHECK(binding <= optimum_s * (1 + 1e-9));
    num_tight += binding >= optimum_s * (1 - 1e-9);
    num_relayed += std::any_of(demands.begin(), demands.end(),
                               [](const auto& demand) { return demand.first.second.size() > 1; });
  }
  CAPTURE(num_relayed);
  CHECK(num_tight == kRounds);  // a proof is in reshard_bound.md, section 2
  CHECK(num_relayed > kRounds / 10);
}

TEST_CASE("the cases of the paper have the bounds of the model by hand") {
  std::vector<NamedProblem> cases = many_to_many_cases();
  for (NamedProblem& one : one_to_many_cases(std::int64_t{1} << 30)) cases.push_back(one);
  for (const NamedProblem& one : cases) {
    CAPTURE(one.name);
    CHECK(reshard_bound(one.problem).seconds ==
          Approx(one.bound_s + one.problem.cluster.inter_host.latency_s).epsilon(1e-12));
  }
}

/// Both devices of a host lack 4096 bytes: one gets them at 150 bytes/s, both at 250.
TEST_CASE("devices of a host get what they lack over their links and the interface together") {
  Cluster cluster;
  cluster.hosts = {{"a", {0}}, {"b", {1, 2}}};
  cluster.host_of = {0, 1, 1};
  cluster.model_of = {0, 0, 0};
  cluster.models = {DeviceModel{}};
  cluster.intra_host = {100, 2};
  cluster.inter_host = {50, 3};
  const Mesh source{{{"x", 1}}, {0}}, target{{{"x", 2}}, {1, 2}};
  const ShardingSpec whole{{{}}, {}};
  ReshardProblem problem{{}, cluster};
  problem.tensors.push_back({{DType::f32, {1024}}, source, whole, {{target, whole}}});
  CHECK(term(reshard_bound(problem), "links and interface into") == Approx(2 + 2 * 4096 / 250.0));
}

TEST_CASE("data in place costs nothing") {
  NamedProblem one = one_to_many_cases(1024).front();
  ReshardTensor& tensor = one.problem.tensors[0];
  tensor.targets[0].mesh = tensor.source_mesh;
  const ReshardBound bound = reshard_bound(one.problem);
  CHECK(bound.seconds == 0);
  CHECK(bound.what == "nothing moves");
  CHECK(bound.terms.empty());
}

TEST_CASE("the bound names the place that binds") {
  const std::vector<NamedProblem> cases = many_to_many_cases();
  CHECK(reshard_bound(cases[5].problem).what == "egress of hosts 0, 1");
  const std::vector<NamedProblem> further = further_cases();
  for (const NamedProblem& one : further) {
    CAPTURE(one.name);
    const std::string what = reshard_bound(one.problem).what;
    if (one.name == "overlapping meshes") CHECK(what == "ingress of host 2");
    if (one.name == "inside one host") CHECK(what == "link into device 4");
  }
}

TEST_CASE("the bound of two meshes of 512 devices is that of their interfaces") {
  const std::vector<std::int64_t> dims{4096, 4096, 64};
  for (const std::int64_t per_host : {8, 1}) {
    ReshardProblem problem;
    problem.cluster = conformance::alike_hosts(1024 / per_host, per_host);
    const Mesh from = host_mesh(64, 8, 0), to = host_mesh(64, 8, 512);
    problem.tensors.push_back(
        reshard_tensor({DType::f32, dims}, {from, {"S01", "R", "R"}}, {{to, {"R", "S01", "R"}}}));
    const ReshardBound bound = reshard_bound(problem);
    const double bytes = 4096.0 * 4096 * 64 * 4 / (512.0 / static_cast<double>(per_host));
    CHECK(bound.seconds == Approx(seconds(problem.cluster.inter_host, bytes)));
  }
}
