// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "../unit/plan/random_transfers.hpp"
#include "conformance/random_reshard.hpp"
#include "plan/plan_file.hpp"
#include "plan/single_communication.hpp"
#include "plan/validate.hpp"
#include "session_fixture.hpp"
#include "topology/discover.hpp"

/// Plans of one communication through worker processes: every element of every device is compared
/// with what the inputs say, and what is wrong is found.
namespace rhino {
namespace {

using test::random_transfers;

/// Two steps, each verified: the second must not live on what the first has left.
void check_arrives(const plan::ExecutionPlan& plan) {
  plan::validate(plan);
  const RunDir dir;
  const auto session = runtime::start_session(plan, quick_options(dir));
  std::int64_t num_elements = 0;
  for (int step = 0; step < 2; ++step) {
    session->run_steps(1, false);
    const runtime::Verification result = session->verify();
    INFO(result.message);
    CHECK(result.num_wrong == 0);
    CHECK(result.num_elements > 0);
    num_elements += result.num_elements;
  }
}

std::int64_t num_wrong(const plan::ExecutionPlan& plan) {
  const RunDir dir;
  const auto session = runtime::start_session(plan, quick_options(dir));
  session->run_steps(1, false);
  session->verify();
  session->run_steps(1, false);
  return session->verify().num_wrong;
}

const std::vector<DType> kTypes{DType::s32, DType::f32, DType::u8, DType::f64};

/// [rows, columns] of s32, rows over devices 0 and 1, columns over `targets`.
ReshardProblem rows_to_columns(const std::vector<DeviceId>& targets) {
  ReshardProblem problem{{}, conformance::alike_hosts(2, 2)};
  const Mesh source{{{"0", 2}}, {0, 1}}, target{{{"0", std::ssize(targets)}}, targets};
  problem.tensors = {
      {{DType::s32, {6, 8}}, source, {{{{{0, 6}}}, {}}, {}}, {{target, {{{}, {{{0, 8}}}}, {}}}}}};
  return problem;
}

/// A copy of each part, one after the other, without conditions.
TransferPlan copies(const ReshardProblem& problem) {
  TransferPlan transfers;
  const std::vector<DeviceId>& targets = problem.tensors[0].targets[0].mesh.devices;
  for (DeviceId from = 0; from < 2; ++from) {
    for (std::size_t t = 0; t < targets.size(); ++t)
      transfers.ops.push_back(
          {0, Copy{from, targets[t], {{3 * from, 4 * std::int64_t(t)}, {3, 4}}}, {}});
  }
  return transfers;
}

}  // namespace

TEST_CASE("random tensors arrive on every device of random meshes, there and back") {
  const auto seed = GENERATE(11u, 22u, 33u, 44u, 55u);
  CAPTURE(seed);
  std::mt19937 random(seed);
  const ReshardProblem there = conformance::random_reshard({.hosts = {1, 3},
                                                            .devices_per_host = {2, 2},
                                                            .tensors = {1, 6},
                                                            .targets = {1, 1},
                                                            .extent = {1, 40},
                                                            .dtypes = kTypes},
                                                           random);
  check_arrives(plan::reshard_plan(there, random_transfers(there, random)));
  const ReshardProblem back = test::reversed(there);
  check_arrives(plan::reshard_plan(back, random_transfers(back, random)));
}

TEST_CASE("random tensors arrive on several targets at once") {
  const auto seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  std::mt19937 random(seed);
  const ReshardProblem problem = conformance::random_reshard({.hosts = {2, 2},
                                                              .devices_per_host = {3, 3},
                                                              .tensors = {1, 5},
                                                              .targets = {1, 3},
                                                              .dtypes = kTypes},
                                                             random);
  check_arrives(plan::reshard_plan(problem, random_transfers(problem, random)));
}

TEST_CASE("collectives give the sums and pieces that all inputs say") {
  const plan::CommunicationKind kind =
      GENERATE(plan::CommunicationKind::all_reduce, plan::CommunicationKind::all_gather,
               plan::CommunicationKind::reduce_scatter, plan::CommunicationKind::all_to_all);
  const DType dtype = GENERATE(DType::s32, DType::f32);
  CAPTURE(static_cast<int>(kind), dtype_name(dtype));
  const Cluster cluster = conformance::alike_hosts(1, 3);
  plan::ExecutionPlan plan = plan::collective_plan({kind, 4 * 3 * 1000, dtype, {2, 0, 1}, cluster});
  check_arrives(plan);
  if (kind != plan::CommunicationKind::all_reduce) return;
  plan.communications[0].reduction = Reduction::max;
  CHECK(num_wrong(plan) > 2900);
}

TEST_CASE("what a plan leaves out, sends twice or misplaces is counted element by element") {
  const ReshardProblem problem = rows_to_columns({2, 3});
  const plan::ExecutionPlan good = plan::reshard_plan(problem, copies(problem));
  check_arrives(good);
  SECTION("a message that is left out") {
    plan::ExecutionPlan plan = good;
    plan.communications[0].steps.pop_back();
    CHECK(num_wrong(plan) == 3 * 4);
  }
  SECTION("a message of other rows") {
    plan::ExecutionPlan plan = good;
    plan::TransferStep& step = plan.communications[0].steps.front();
    step.source.start = {1, 0};
    step.source.size = step.target.size = step.global.size = {1, 4};
    CHECK(num_wrong(plan) == 3 * 4);  // one row wrong, two never written
  }
  SECTION("two rows exchanged") {
    plan::ExecutionPlan plan = good;
    std::vector<plan::TransferStep>& steps = plan.communications[0].steps;
    std::swap(steps[0].target, steps[2].target);  // both to device 2
    CHECK(num_wrong(plan) == 2 * 3 * 4);
  }
  SECTION("one element from elsewhere") {
    plan::ExecutionPlan plan = good;
    plan::TransferStep wrong = plan.communications[0].steps[0];
    wrong.source = {{2, 3}, {1, 1}};
    wrong.target = {{0, 0}, {1, 1}};
    wrong.global = {{0, 0}, {1, 1}};
    wrong.after = {0};
    plan.communications[0].steps.push_back(wrong);
    CHECK(num_wrong(plan) == 1);
  }
}

TEST_CASE("a plan file that brings wrong elements ends as wrong with exit code 7") {
  const char* bench = std::getenv("RHINO_BENCH");
  REQUIRE(bench != nullptr);
  const ReshardProblem problem = rows_to_columns({2, 3});
  plan::ExecutionPlan plan = plan::reshard_plan(problem, copies(problem));
  // Valid, but the outputs are said to lie the other way round.
  for (plan::Role& role : plan.roles) {
    for (plan::PlanOutput& output : role.outputs) output.mesh = {{{"0", 2}}, {3, 2}};
  }
  REQUIRE_NOTHROW(plan::validate(plan));
  plan.cluster = topology::discover_local(4);
  plan.program = "s32[6,8]: S0 R @ 2 to R S0 @ 2";
  plan.resharding = "resharding/send_recv";
  const RunDir dir;
  std::ofstream(dir.path() + "/wrong.json") << plan::encode(plan);
  std::ofstream(dir.path() + "/small.yaml")
      << "name: small\ncases:\n  - {topology: {local: {devices: 4}}, reshard: {tensor: [6, 8], "
         "source: {mesh: [2], spec: [S0, R]}, target: {mesh: [2], spec: [R, S0]}}}\n";
  const int status = std::system(("cd " + dir.path() + " && " + bench +
                                  " small.yaml --plan wrong.json --out run > output 2>&1")
                                     .c_str());
  std::ifstream output(dir.path() + "/output"), records(dir.path() + "/run/records.jsonl");
  INFO(std::string(std::istreambuf_iterator<char>(output), {}));
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  const std::string record{std::istreambuf_iterator<char>(records), {}};
  CHECK_THAT(record, Catch::Contains("\"status\":\"wrong\"") &&
                         Catch::Contains("48 of 48 elements are wrong") &&
                         Catch::Contains("\"num_wrong\":48"));
}

}  // namespace rhino
