// SPDX-License-Identifier: Apache-2.0
// Whole plugins, as the engine loads them: what their options do.
#include <catch2/catch.hpp>

#include "conformance/deliveries.hpp"
#include "plugin/registry.hpp"
#include "reshard_cases.hpp"
#include "rhino/error.hpp"

using namespace rhino;

namespace {

using Values = std::map<std::string, OptionValue>;

TransferPlan planned(const std::string& name, const ReshardProblem& problem, Values values = {}) {
  static const plugin::Registry plugins({RHINO_TEST_PLUGINS});
  const Options options(std::move(values));
  return plugin::make_resharding(plugins.find("resharding/" + name), options)->plan(problem);
}

template <class Op>
std::vector<Op> ops_of(const TransferPlan& plan) {
  std::vector<Op> ops;
  for (const TransferOp& op : plan.ops) {
    if (const auto* found = std::get_if<Op>(&op.what)) ops.push_back(*found);
  }
  return ops;
}

/// One device to hosts x per_host devices that want it all.
ReshardProblem one_to_many(std::int64_t hosts, std::int64_t per_host, std::int64_t extent) {
  ReshardProblem problem;
  problem.cluster = conformance::alike_hosts(hosts + 1, per_host);
  const Mesh from = host_mesh(1, 1, 0);
  const Mesh to = host_mesh(hosts, per_host, static_cast<DeviceId>(per_host));
  problem.tensors = {
      {{DType::s32, {extent}}, from, spec_of({"R"}, {extent}, from), {{to, {{{}}, {}}}}}};
  return problem;
}

ReshardProblem random_problem(std::uint32_t seed) {
  std::mt19937 random(seed);
  return conformance::random_reshard({}, random);
}

/// How many elements pass between hosts.
std::int64_t elements_across(const ReshardProblem& problem, const TransferPlan& plan) {
  const auto& host = problem.cluster.host_of;
  const auto differ = [&](DeviceId a, DeviceId b) {
    return host[static_cast<std::size_t>(a)] != host[static_cast<std::size_t>(b)];
  };
  std::int64_t count = 0;
  for (const Copy& copy : ops_of<Copy>(plan))
    count += differ(copy.from, copy.to) ? num_elements(copy.box) : 0;
  for (const Multicast& chain : ops_of<Multicast>(plan)) {
    DeviceId from = chain.from;
    for (const DeviceId to : chain.receivers) {
      count += differ(from, to) ? num_elements(chain.box) : 0;
      from = to;
    }
  }
  return count;
}

using Catch::Contains;

}  // namespace

TEST_CASE("a broadcast visits every host once") {
  const ReshardProblem problem = one_to_many(3, 4, 1 << 24);
  const TransferPlan chain = planned("broadcast", problem);
  REQUIRE(chain.ops.size() == 1);
  CHECK(ops_of<Multicast>(chain)[0].num_chunks > 16);
  CHECK(elements_across(problem, chain) == 3 << 24);
  CHECK(elements_across(problem, planned("send_recv", problem)) == 12 << 24);
  CHECK(ops_of<Multicast>(planned("broadcast", problem, {{"chunks", std::int64_t{7}}}))[0]
            .num_chunks == 7);
}

TEST_CASE("a broadcast to one device, or of few bytes, is messages") {
  const TransferPlan one = planned("broadcast", one_to_many(1, 1, 1 << 24));
  CHECK(ops_of<Copy>(one).size() == 1);
  const TransferPlan small = planned("broadcast", one_to_many(2, 2, 4));
  CHECK(ops_of<Copy>(small).size() == 4);
}

TEST_CASE("every order of a broadcast delivers, concurrent or not") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const ReshardProblem problem = random_problem(seed);
    INFO(conformance::describe(problem));
    for (const char* order : {"naive", "load_balance", "greedy", "search", "ensemble"}) {
      for (const bool concurrent : {false, true}) {
        const Values values{{"order", std::string(order)}, {"concurrent", concurrent}};
        const TransferPlan answer = planned("broadcast", problem, values);
        CHECK(conformance::delivery_fault(problem, answer) == "");
        CHECK(planned("broadcast", problem, values) == answer);
        for (const TransferOp& op : answer.ops) CHECK((!concurrent || op.after.empty()));
      }
    }
  }
}

TEST_CASE("a local all-gather delivers without its fall-backs, too") {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const ReshardProblem problem = random_problem(seed);
    INFO(conformance::describe(problem));
    const TransferPlan answer =
        planned("local_allgather", problem, {{"fallback", std::string("none")}});
    CHECK(conformance::delivery_fault(problem, answer) == "");
  }
}

TEST_CASE("the tasks of a host come one after the other, unless they are concurrent") {
  for (const NamedProblem& one : many_to_many_cases()) {
    INFO(one.name);
    const TransferPlan serial = planned("broadcast", one.problem);
    const auto host = [&](DeviceId device) {
      return one.problem.cluster.host_of[static_cast<std::size_t>(device)];
    };
    // (sending?, host) → the last op there: the next one must come right after it.
    std::map<std::pair<bool, std::int32_t>, std::int32_t> last;
    for (std::size_t i = 0; i < serial.ops.size(); ++i) {
      const auto& op = serial.ops[i];
      std::set<std::pair<bool, std::int32_t>> sides;
      if (const auto* copy = std::get_if<Copy>(&op.what)) {
        sides = {{true, host(copy->from)}, {false, host(copy->to)}};
      } else {
        const auto& chain = std::get<Multicast>(op.what);
        sides.emplace(true, host(chain.from));
        for (const DeviceId to : chain.receivers) sides.emplace(false, host(to));
      }
      std::set<std::int32_t> expected;
      for (const auto& side : sides) {
        if (last.contains(side)) expected.insert(last[side]);
        last[side] = static_cast<std::int32_t>(i);
      }
      CHECK(std::set<std::int32_t>(op.after.begin(), op.after.end()) == expected);
    }
    for (const TransferOp& op : planned("broadcast", one.problem, {{"concurrent", true}}).ops)
      CHECK(op.after.empty());
  }
}

TEST_CASE("options of a broadcast that make no sense are refused") {
  const ReshardProblem problem = one_to_many(1, 1, 4);
  CHECK_THROWS_WITH(planned("broadcast", problem, {{"order", std::string("random")}}),
                    Contains("'order' is 'random'; it must be naive, load_balance"));
  CHECK_THROWS_WITH(planned("broadcast", problem, {{"chunks", std::int64_t{-1}}}),
                    Contains("'chunks' is -1; it must be at least 0"));
  CHECK_THROWS_WITH(planned("local_allgather", problem, {{"fallback", std::string("some")}}),
                    Contains("'fallback' is 'some'; it must be published or none"));
}

TEST_CASE("a local all-gather brings a tile into each host once") {
  const ReshardProblem one_host = one_to_many(1, 4, 1024);
  CHECK(elements_across(one_host, planned("local_allgather", one_host)) == 1024);
  const ReshardProblem hosts = one_to_many(3, 4, 1024);
  const Values none{{"fallback", std::string("none")}};
  CHECK(elements_across(hosts, planned("local_allgather", hosts, none)) == 3 * 1024);
  CHECK(ops_of<AllGather>(planned("local_allgather", hosts, none)).size() == 3);
}

TEST_CASE("a local all-gather falls back as published") {
  const ReshardProblem hosts = one_to_many(2, 4, 1024);  // replicas on several hosts
  CHECK(ops_of<AllGather>(planned("local_allgather", hosts)).empty());
  CHECK(elements_across(hosts, planned("local_allgather", hosts)) == 8 * 1024);
  const ReshardProblem three = one_to_many(1, 3, 1024);  // 3 devices, a power of two
  CHECK(elements_across(three, planned("local_allgather", three)) == 3 * 1024);
  const ReshardProblem six = one_to_many(1, 6, 1024);  // two parts, each to three devices
  CHECK(elements_across(six, planned("local_allgather", six)) == 3 * 1024);
  CHECK(ops_of<AllGather>(planned("local_allgather", six)).size() == 3);
  const Values none{{"fallback", std::string("none")}};
  CHECK(elements_across(three, planned("local_allgather", three, none)) == 1024);
}

TEST_CASE("a global all-gather scatters one part to each receiver") {
  const ReshardProblem problem = one_to_many(3, 4, 1000);
  const TransferPlan answer = planned("global_allgather", problem);
  CHECK(ops_of<Copy>(answer).size() == 12);
  CHECK(elements_across(problem, answer) == 1000);
  REQUIRE(ops_of<AllGather>(answer).size() == 1);
  CHECK(ops_of<AllGather>(answer)[0].group.size() == 12);
}

TEST_CASE("what a device holds already it copies to itself") {
  ReshardProblem problem = one_to_many(1, 2, 1 << 20);
  const Mesh mesh = host_mesh(2, 2, 0);
  problem.tensors[0].source_mesh = mesh;
  problem.tensors[0].targets[0].mesh = mesh;  // replicated over four devices, before and after
  for (const char* name :
       {"send_recv", "broadcast", "local_allgather", "global_allgather", "signal"}) {
    INFO(name);
    const TransferPlan answer = planned(name, problem);
    CHECK(answer.ops.size() == 4);
    for (const Copy& copy : ops_of<Copy>(answer)) CHECK(copy.from == copy.to);
  }
}

TEST_CASE("a signal is the messages of send_recv, of one element each") {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    const ReshardProblem problem = random_problem(seed);
    INFO(conformance::describe(problem));
    const TransferPlan signal = planned("signal", problem);
    CHECK(signal.incomplete);
    CHECK(conformance::delivery_fault(problem, signal) == "");
    const std::vector<Copy> whole = ops_of<Copy>(planned("send_recv", problem));
    const std::vector<Copy> parts = ops_of<Copy>(signal);
    REQUIRE(parts.size() == whole.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      CHECK(num_elements(parts[i].box) == 1);
      CHECK(parts[i].from == whole[i].from);
      CHECK(parts[i].to == whole[i].to);
    }
  }
}
