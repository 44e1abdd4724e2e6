// SPDX-License-Identifier: Apache-2.0
#include "plan/shares.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "plan/assemble.hpp"
#include "plan/reshard_shares.hpp"
#include "plan/validate.hpp"
#include "plan_harness.hpp"
#include "plan_interpreter.hpp"
#include "refusals.hpp"
#include "rhino/error.hpp"
#include "sharding/complete.hpp"

namespace rhino::test {
namespace {

Cluster hosts_of(std::int32_t per_host, std::int32_t num_devices) {
  Cluster cluster = cluster_of(num_devices);
  cluster.hosts.clear();
  for (DeviceId device = 0; device < num_devices; ++device) {
    if (device % per_host == 0) cluster.hosts.push_back({"host", {}});
    cluster.hosts.back().devices.push_back(device);
    cluster.host_of[static_cast<std::size_t>(device)] = device / per_host;
  }
  return cluster;
}

/// [24, 6] from data x tensor to data x tensor, rows over data; columns over tensor at the target.
ReshardProblem rows_over_data(std::int64_t source, std::int64_t target, std::int32_t per_host) {
  const Mesh from = make_mesh({source, 2}, 0);
  const Mesh to = make_mesh({target, 2}, static_cast<DeviceId>(2 * source));
  const ShardingSpec rows{{{{{0, 24}}}, {}}, {}}, both{{{{{0, 24}}}, {{{1, 6}}}}, {}};
  return {{{{DType::f32, {24, 6}}, from, rows, {{to, both}}}},
          hosts_of(per_host, static_cast<std::int32_t>(2 * (source + target)))};
}

std::int64_t num_shares(const ReshardProblem& problem) {
  return plan::find_shares(problem).num_shares;
}

/// Three stages of four data x two tensor ranks, a replica on a host.
plan::ExecutionPlan shared_plan(Resharding& resharding, const std::vector<Chunk>& chunks) {
  StrategyDraft draft;
  draft.num_micro_batches = 2;
  draft.chunks = chunks;
  draft.batch_axis = 0;
  const Strategy strategy = sharding::complete(tiny_gpt_step(), draft);
  std::int32_t num_devices = 0;
  for (const Chunk& chunk : chunks)
    num_devices += static_cast<std::int32_t>(chunk.mesh.devices.size());
  return plan_of({tiny_gpt_step(), strategy, resharding, hosts_of(2, num_devices)},
                 [](const PipelineProblem& problem) { return schedule_of("1f1b", problem); });
}

/// What validate() says of a plan with shares once its first shared communication, and another that
/// is like it, are changed so.
using Change = std::function<void(plan::Communication& first, plan::Communication& like)>;
std::string refusal(const Change& change) {
  Chain resharding;
  plan::ExecutionPlan plan = shared_plan(resharding, chunks_on({{4, 4}, {4, 4}, {4, 4}}));
  const auto like = std::find_if(plan.communications.begin(), plan.communications.end(),
                                 [](const auto& c) { return c.like >= 0 && c.num_shares == 4; });
  REQUIRE(like != plan.communications.end());
  change(plan.communications[static_cast<std::size_t>(like->like)], *like);
  return refusal_of(plan);
}

}  // namespace

TEST_CASE("a problem falls into as many equal ones as have hosts of their own") {
  CHECK(num_shares(rows_over_data(4, 4, 1)) == 4);
  CHECK(num_shares(rows_over_data(4, 4, 2)) == 4);
  CHECK(num_shares(rows_over_data(4, 4, 4)) == 2);  // two replicas on a host
  CHECK(num_shares(rows_over_data(4, 4, 16)) == 1);
  CHECK(num_shares(rows_over_data(2, 4, 2)) == 2);  // of one and two target rows of devices
  CHECK(num_shares(rows_over_data(2, 3, 1)) == 1);
  CHECK(num_shares(rows_over_data(3, 6, 1)) == 3);
}

TEST_CASE("a problem whose parts are not alike stays whole") {
  ReshardProblem shuffled = rows_over_data(4, 4, 2);
  std::swap(shuffled.tensors[0].source_mesh.devices[1], shuffled.tensors[0].source_mesh.devices[2]);
  CHECK(num_shares(shuffled) == 1);  // a replica of two hosts, the others of one
  ReshardProblem strided = rows_over_data(4, 4, 2);
  strided.tensors[0].source_spec.dims[0].splits[0].period = 8;
  CHECK(num_shares(strided) == 1);
  ReshardProblem gathered = rows_over_data(4, 4, 2);
  gathered.tensors[0].targets[0].spec.dims[0].splits.clear();
  CHECK(num_shares(gathered) == 1);
  ReshardProblem turned = rows_over_data(4, 4, 2);
  std::swap(turned.tensors[0].targets[0].spec.dims[0], turned.tensors[0].targets[0].spec.dims[1]);
  CHECK(num_shares(turned) == 1);
  ReshardProblem other_name = rows_over_data(4, 4, 2);
  other_name.tensors[0].targets[0].mesh.axes[0].name = "rows";
  CHECK(num_shares(other_name) == 1);
}

TEST_CASE(
    "hosts that are not alike, uplinks that are shared and links of their own keep it whole") {
  ReshardProblem faster = rows_over_data(4, 4, 2);
  faster.cluster.hosts[3].interface = {1e12, 0, 0};
  CHECK(num_shares(faster) == 1);
  ReshardProblem leaves = rows_over_data(4, 4, 2);  // replica k: hosts k and 4 + k
  leaves.cluster.uplinks.assign(4, {1e9, 0, 0});
  for (std::size_t host = 0; host < 8; ++host)
    leaves.cluster.hosts[host].leaf = static_cast<std::int32_t>(host % 4);
  CHECK(num_shares(leaves) == 4);
  for (std::size_t host = 0; host < 8; ++host)
    leaves.cluster.hosts[host].leaf = static_cast<std::int32_t>(host / 4);
  CHECK(num_shares(leaves) == 1);
  for (std::size_t host = 0; host < 8; ++host)
    leaves.cluster.hosts[host].leaf = static_cast<std::int32_t>(host % 4 / 2 + 2 * (host / 4));
  CHECK(num_shares(leaves) == 2);
  ReshardProblem linked = rows_over_data(4, 4, 2);
  linked.cluster.own_links = {{true, 0, 4, {1e12, 0, 0}}};
  CHECK(num_shares(linked) == 1);
  linked.cluster.own_links = {{false, 1, 9, {1e12, 0, 0}}};
  CHECK(num_shares(linked) == 1);
}

TEST_CASE("devices that each host joins by a link of their own leave shares as they are") {
  ReshardProblem pairs = rows_over_data(4, 4, 2);
  for (DeviceId device = 0; device < 16; device += 2)
    pairs.cluster.own_links.push_back({false, device + 1, device, {1e12, 0, 0}});
  CHECK(num_shares(pairs) == 4);
  pairs.cluster.own_links[5].link.latency_s = 1e-6;
  CHECK(num_shares(pairs) == 1);
  pairs.cluster.own_links[5].link.latency_s = 0;
  pairs.cluster.own_links.erase(pairs.cluster.own_links.begin() + 3);
  CHECK(num_shares(pairs) == 1);
  const auto question = [&] { return plan::question_of(plan::share_of(pairs, {4, "data"}, 1)); };
  const plan::ReshardQuestion joined = question();
  CHECK(joined.joined.size() == 2);
  pairs.cluster.own_links.clear();
  CHECK(!(question() == joined));
}

TEST_CASE("what is whole along an axis at both ends falls apart along it, too") {
  ReshardProblem problem = rows_over_data(4, 4, 2);
  problem.tensors[0].source_spec.dims[0].splits.clear();
  problem.tensors[0].targets[0].spec.dims[0].splits.clear();
  CHECK(num_shares(problem) == 4);
  const ReshardProblem share = plan::share_of(problem, plan::find_shares(problem), 1);
  CHECK(share.tensors[0].shape == problem.tensors[0].shape);
  CHECK(share.tensors[0].source_mesh.devices == std::vector<DeviceId>{2, 3});
}

TEST_CASE("a share is the problem of its part of the tensor") {
  const ReshardProblem problem = rows_over_data(2, 4, 2);
  const ReshardProblem share = plan::share_of(problem, plan::find_shares(problem), 1);
  const ReshardTensor& tensor = share.tensors[0];
  CHECK(tensor.shape.dims == std::vector<std::int64_t>{12, 6});
  CHECK(tensor.source_mesh.devices == std::vector<DeviceId>{2, 3});
  CHECK(tensor.source_spec.dims[0].splits.empty());
  CHECK(tensor.targets[0].mesh.devices == std::vector<DeviceId>{8, 9, 10, 11});
  CHECK(tensor.targets[0].spec.dims[0].splits == std::vector<AxisSplit>{{0, 12}});
}

TEST_CASE("a plan states equal shares and equal boundaries once, and brings the same numbers") {
  const std::vector<std::vector<std::vector<std::int64_t>>> all_meshes = {
      {{4, 2}, {4, 2}, {4, 2}}, {{4, 2}, {2, 2}}, {{2, 4}, {4, 2}}};
  const auto meshes = GENERATE_COPY(from_range(all_meshes));
  CAPTURE(meshes);
  SendRecv send_recv;
  Chain chain;
  ScatterGather scatter_gather;
  for (Resharding* resharding :
       std::initializer_list<Resharding*>{&send_recv, &chain, &scatter_gather}) {
    const plan::ExecutionPlan plan = shared_plan(*resharding, chunks_on(meshes));
    plan::validate(plan);
    std::int64_t most_shares = 0;
    for (const plan::Communication& communication : plan.communications)
      most_shares = std::max(most_shares, communication.num_shares);
    CHECK(most_shares == std::min(meshes[0][0], meshes[1][0]));
    const std::vector<ir::Tensor> inputs = random_inputs(tiny_gpt_step(), 5);
    PlanInterpreter interpreter(plan, inputs, Eagerness::early);
    interpreter.run_step();
    const std::vector<ir::Tensor> expected = ir::evaluate(tiny_gpt_step(), inputs);
    for (std::size_t o = 0; o < expected.size(); ++o) {
      CAPTURE(o);
      for (const auto& tile : interpreter.tiles(static_cast<std::int32_t>(o), expected[o]))
        CHECK(relative_error(tile.actual, tile.expected) < 1e-8);
    }
  }
}

TEST_CASE("what a plan states does not grow with the data-parallel degree") {
  const auto num_stated = [](std::int64_t data) {
    SendRecv resharding;
    std::size_t count = 0;
    const plan::ExecutionPlan plan =
        shared_plan(resharding, chunks_on({{data, 2}, {data, 2}, {data, 2}}));
    for (const plan::Communication& communication : plan.communications)
      count += communication.steps.size();
    return std::pair(count, resharding.num_calls);
  };
  CHECK(num_stated(4) == num_stated(2));
  CHECK(num_stated(2) == num_stated(1));
}

TEST_CASE("shares that are not alike are refused") {
  using plan::Communication;
  CHECK(refusal([](Communication&, Communication&) {}) == "accepted");
  CHECK_THAT(refusal([](Communication&, Communication& like) { like.num_shares = 3; }),
             Catch::Contains("has 3 shares along an axis of 4"));
  CHECK_THAT(refusal([](Communication&, Communication& like) { like.num_shares = 2; }),
             Catch::Contains("is not like communication"));
  CHECK_THAT(refusal([](Communication&, Communication& like) {
               like.layouts[0].targets[0].share_axis = 1;
             }),
             Catch::Contains("has no like among those whose steps it takes"));
  CHECK_THAT(refusal([](Communication& first, Communication& like) {
               first.num_shares = like.num_shares = 2;
             }),
             Catch::Contains("arrives at device"));
  CHECK_THAT(refusal([](Communication&, Communication& like) { like.like = 1 << 20; }),
             Catch::Contains("which is none to be like"));
  CHECK_THAT(refusal([](Communication& first, Communication&) { first.steps.pop_back(); }),
             Catch::Contains("arrives at device"));
}

}  // namespace rhino::test
