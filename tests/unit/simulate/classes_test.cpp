// SPDX-License-Identifier: Apache-2.0
#include "simulate/classes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "config/strategy_file.hpp"
#include "evaluate/planner.hpp"
#include "models/models.hpp"
#include "plugin/registry.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "simulate/simulate.hpp"

using namespace rhino;

namespace {

using Sizes = std::vector<std::int64_t>;  ///< data, tensor

const plugin::Registry& plugins() {
  static const plugin::Registry registry({RHINO_TEST_PLUGINS});
  return registry;
}

/// Of two layers; f32 activations of 1 MiB per 8 rows. In bf16 with master weights, f32 gradients
/// and a loss that is scaled.
const Program& step_of_gpt(std::int64_t batch, DType dtype) {
  static std::map<std::pair<std::int64_t, DType>, Program> steps;
  Program& step = steps[{batch, dtype}];
  const models::GptConfig gpt{.num_layers = 2,
                              .hidden = 256,
                              .num_heads = 4,
                              .vocabulary = 64,
                              .sequence = 128,
                              .dtype = dtype};
  ir::Optimizer optimizer;
  if (dtype != DType::f32) {
    optimizer.master_weights = optimizer.wide_gradients = true;
    optimizer.loss_scale = {1024, 100};
  }
  if (step.ops.empty()) step = ir::training_step(models::gpt_forward(gpt, batch), optimizer);
  return step;
}

Cluster cluster_of(const std::vector<std::int32_t>& host_sizes) {
  Cluster cluster;
  cluster.models = {{DeviceKind::modelled, "fast", 1e12, 1e11, 1e-6, {{DType::f32, 1e12}}},
                    {DeviceKind::modelled, "slow", 1e12, 1e11, 1e-6, {{DType::f32, 6e11}}}};
  cluster.intra_host = {2e10, 3e-6};
  cluster.inter_host = {1.25e9, 3e-5};
  for (std::size_t host = 0; host < host_sizes.size(); ++host) {
    cluster.hosts.push_back({"h", {}});
    for (std::int32_t i = 0; i < host_sizes[host]; ++i) {
      cluster.hosts.back().devices.push_back(cluster.num_devices());
      cluster.host_of.push_back(static_cast<std::int32_t>(host));
      cluster.model_of.push_back(0);
    }
  }
  return cluster;
}

struct Layout {
  std::vector<Chunk> chunks;
  std::int64_t num_micro_batches = 4;
  std::string schedule = "schedule/1f1b", resharding = "resharding/broadcast";
  DType dtype = DType::f32;
  std::int32_t zero_stage = 0;
  GradientSums gradient_sums = {};
};

/// Meshes of these sizes on `devices` one after the other.
std::vector<Chunk> chunks_on(const std::vector<DeviceId>& devices,
                             const std::vector<Sizes>& meshes) {
  std::vector<Chunk> chunks;
  auto next = devices.begin();
  for (const Sizes& sizes : meshes) {
    Mesh mesh{{{"data", sizes[0]}, {"tensor", sizes[1]}}, {}};
    mesh.devices.assign(next, next + sizes[0] * sizes[1]);
    next += sizes[0] * sizes[1];
    chunks.push_back({mesh, false});
  }
  return chunks;
}

plan::ExecutionPlan plan_of(const Cluster& cluster, const Layout& layout) {
  config::StrategyFile file =
      config::read_strategy_file(std::string(RHINO_TEST_STRATEGIES) + "/gpt_megatron.yaml", {}, 2);
  file.num_stages = static_cast<std::int32_t>(layout.chunks.size());
  file.axes = layout.chunks.front().mesh.axes;
  const Program& step =
      step_of_gpt(8 * std::max<std::int64_t>(layout.num_micro_batches, 4), layout.dtype);
  StrategyDraft draft = config::draft_of(file, step, layout.chunks, layout.num_micro_batches);
  draft.zero_stage = layout.zero_stage;
  draft.gradient_sums = layout.gradient_sums;
  const Strategy strategy = sharding::complete(step, draft);
  const cost::CostModel cost(cluster);
  const auto resharding = plugin::make_resharding(plugins().find(layout.resharding), Options());
  const auto schedule = plugin::make_schedule(plugins().find(layout.schedule), Options());
  return evaluate::make_plan({step, cost, *resharding, *schedule}, strategy);
}

std::vector<DeviceId> all_devices(const Cluster& cluster) {
  std::vector<DeviceId> devices;
  for (DeviceId device = 0; device < cluster.num_devices(); ++device) devices.push_back(device);
  return devices;
}

/// Of one pair of devices or hosts; of the first two devices of each host, or of every second host
/// and the next; of all devices of a host, or hosts, in a ring, or each with each.
std::vector<OwnLink> own_links(const Cluster& cluster, std::uint32_t drawn) {
  const std::uint32_t kind = drawn % 4;
  const bool between_hosts = drawn / 4 % 2 == 0;
  std::vector<OwnLink> links;
  const auto add = [&](std::int32_t a, std::int32_t b) {
    links.push_back({between_hosts, a, b, {between_hosts ? 5e9 : 6e10, 1e-6, 0}});
  };
  const auto join = [&](std::int32_t first, std::int32_t count) {
    for (std::int32_t a = 0; a < count; ++a) {
      for (std::int32_t b = a + 1; b < count; ++b) {
        const bool is_pair = b == a + 1 && a % 2 == 0, is_next = b == a + 1 || b == a + count - 1;
        if (kind == 3 || (kind == 2 ? is_next : is_pair)) add(first + a, first + b);
        if (kind == 0) return;
      }
    }
  };
  if (between_hosts) {
    join(0, static_cast<std::int32_t>(cluster.hosts.size()));
    return links;
  }
  for (const Host& host : cluster.hosts) {
    join(host.devices.front(), static_cast<std::int32_t>(host.devices.size()));
    if (kind == 0) break;
  }
  return links;
}

/// Of up to 32 devices: equal or unequal meshes, devices in any order or in order, hosts alike or
/// not, two device models or one; hosts that issue kernels, ZeRO, recomputation, f32 or bf16.
plan::ExecutionPlan random_plan(std::uint32_t seed, const Sizes& micro_batches = {1, 2, 4}) {
  std::mt19937 random(seed);
  const auto one_of = [&](const auto& list) { return list[random() % std::size(list)]; };
  const auto chance = [&](std::uint32_t percent) { return random() % 100 < percent; };
  const bool is_equal = chance(60);
  std::vector<Sizes> meshes;
  std::int64_t left = 32;
  for (std::uint32_t stages = 1 + random() % 4; stages > 0; --stages) {
    Sizes sizes{std::int64_t{1} << random() % 4, std::int64_t{1} << random() % 3};
    if (is_equal && !meshes.empty()) sizes = meshes.front();
    if (sizes[0] * sizes[1] > left) break;
    left -= sizes[0] * sizes[1];
    meshes.push_back(sizes);
  }
  std::vector<std::int32_t> hosts;
  const std::int32_t host_size = one_of(std::vector<std::int32_t>{1, 2, 4, 8});
  const bool hosts_alike = chance(80);
  for (std::int64_t devices = 0; devices < 32; devices += hosts.back())
    hosts.push_back(hosts_alike ? host_size : 1 + static_cast<std::int32_t>(random() % 5));
  Cluster cluster = cluster_of(hosts);
  if (chance(20)) {
    for (std::int32_t& model : cluster.model_of) model = chance(80) ? 0 : 1;
  }
  if (chance(20)) cluster.intra_host.latency_s = cluster.inter_host.latency_s = 0;
  if (chance(40)) cluster.collectives = CollectiveLibrary::nccl;
  const std::int32_t num_interfaces = chance(40) ? 2 : 1;
  const bool has_switches = chance(30);
  for (std::size_t host = 0; host < cluster.hosts.size(); ++host) {
    Host& own = cluster.hosts[host];
    own.num_interfaces = std::min(num_interfaces, static_cast<std::int32_t>(own.devices.size()));
    if (has_switches) own.leaf = static_cast<std::int32_t>(host / 2);
  }
  if (has_switches) cluster.uplinks.assign((cluster.hosts.size() + 1) / 2, {1e9, 1e-6, 0});
  if (chance(25)) cluster.own_links = own_links(cluster, random());
  std::vector<DeviceId> devices = all_devices(cluster);
  if (chance(25)) std::shuffle(devices.begin(), devices.end(), random);
  Layout layout{
      chunks_on(devices, meshes), one_of(micro_batches),
      one_of(std::vector<std::string>{"schedule/1f1b", "schedule/eager_1f1b", "schedule/gpipe"}),
      one_of(std::vector<std::string>{"resharding/broadcast", "resharding/global_allgather",
                                      "resharding/local_allgather", "resharding/send_recv",
                                      "resharding/striped"})};
  if (chance(30))
    layout.schedule = one_of(std::vector<std::string>{"schedule/zb_h1", "schedule/zero_bubble"});
  if (chance(40)) layout.zero_stage = 1 + static_cast<std::int32_t>(random() % 3);
  if (chance(30)) layout.gradient_sums.overlap = false;
  if (chance(50)) layout.gradient_sums.bucket_bytes = one_of(std::vector<std::int64_t>{0, 1 << 18});
  for (Chunk& chunk : layout.chunks) chunk.recompute = chance(25);
  if (chance(40)) layout.dtype = DType::bf16;
  if (chance(40)) {
    cluster.software.kernel_issue_s = 1e-5;
    cluster.software.attention = chance(50);
    if (chance(50)) cluster.software.collective_issue_s = {{OpKind::all_reduce, 9e-5}};
  }
  if (cluster.collectives == CollectiveLibrary::nccl && chance(30))
    cluster.collectives = CollectiveLibrary::nccl_nvls;
  return plan_of(cluster, layout);
}

std::size_t num_devices(const plan::ExecutionPlan& plan) {
  std::size_t count = 0;
  for (const plan::Role& role : plan.roles) count += role.mesh.devices.size();
  return count;
}

/// Of a plan of a gpt, how many devices are walked.
std::size_t num_walked(const Cluster& cluster, const Layout& layout) {
  const plan::ExecutionPlan plan = plan_of(cluster, layout);
  return simulate::simulate(plan, cost::CostModel(cluster)).devices.size();
}

bool is_same(const plan::DeviceTrace& a, const plan::DeviceTrace& b) {
  return a.role == b.role && a.step_end_s == b.step_end_s && a.compute_s == b.compute_s &&
         a.communication_s == b.communication_s &&
         a.exposed_communication_s == b.exposed_communication_s && a.bubble_s == b.bubble_s &&
         a.events == b.events;
}

}  // namespace

TEST_CASE("one device of each class has the times of all of them, to the last bit") {
  const char* given = std::getenv("RHINO_PLANS");
  const std::uint32_t num_plans =
      given != nullptr ? static_cast<std::uint32_t>(std::atoi(given)) : 200;
  std::size_t walked = 0, devices = 0;
  for (std::uint32_t seed = 0; seed < num_plans; ++seed) {
    CAPTURE(seed);
    const plan::ExecutionPlan plan = random_plan(seed);
    const cost::CostModel cost(plan.cluster);
    const plan::StepTrace classes = simulate::simulate(plan, cost, {.num_steps = 2});
    const plan::StepTrace all = simulate::simulate(plan, cost, {.num_steps = 2, .walk_all = true});
    REQUIRE(all.devices.size() == num_devices(plan));
    CHECK(classes.step_s == all.step_s);
    CHECK(classes.makespan_s == all.makespan_s);
    std::map<DeviceId, const plan::DeviceTrace*> of_device;
    for (const plan::DeviceTrace& trace : classes.devices) {
      for (const DeviceId device : trace.alike) of_device[device] = &trace;
    }
    for (const plan::DeviceTrace& trace : all.devices) {
      CAPTURE(trace.device, of_device.at(trace.device)->device);
      REQUIRE(is_same(trace, *of_device.at(trace.device)));
    }
    walked += classes.devices.size();
    devices += all.devices.size();
  }
  WARN(walked << " of " << devices << " devices walked");
  CHECK(walked < devices * 3 / 4);
}

TEST_CASE("a steady state is walked for one period, and all times are the same to the last bit") {
  int num_repeated = 0;
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    const plan::ExecutionPlan plan = random_plan(seed, {20, 32, 48});
    const cost::CostModel cost(plan.cluster);
    const plan::StepTrace trace = simulate::simulate(plan, cost, {.num_steps = 2});
    const plan::StepTrace all = simulate::simulate(plan, cost, {.num_steps = 2, .walk_all = true});
    REQUIRE(trace.step_s == all.step_s);
    for (const plan::DeviceTrace& device : trace.devices)
      REQUIRE(is_same(device,
                      *std::ranges::find(all.devices, device.device, &plan::DeviceTrace::device)));
    CHECK(all.repeated_s == 0);
    CHECK(trace.repeated_s < trace.devices.front().step_end_s.back());
    num_repeated += trace.repeated_s > 0;
  }
  WARN(num_repeated << " of 24 have a steady state");
  CHECK(num_repeated > 12);
}

TEST_CASE("data-parallel replicas on hosts of their own are walked once") {
  const Cluster cluster = cluster_of({4, 4, 4, 4, 4, 4, 4, 4});
  const std::vector<DeviceId> devices = all_devices(cluster);
  // Tensor ranks stay apart where the transfer tells them apart, replicas never.
  CHECK(num_walked(cluster, {.chunks = chunks_on(devices, {{4, 4}, {4, 4}}),
                             .resharding = "resharding/send_recv"}) <= 8);
  // A ring enters each of two hosts at its first device and leaves it at the last.
  CHECK(num_walked(cluster, {.chunks = chunks_on(devices, {{8, 1}})}) == 3);
}

TEST_CASE("pairs of devices that each host joins by a link are walked once, one odd pair apart") {
  Cluster cluster = cluster_of({4, 4, 4, 4, 4, 4, 4, 4});
  const Layout layout{.chunks = chunks_on(all_devices(cluster), {{4, 4}, {4, 4}})},
      alone{.chunks = chunks_on(all_devices(cluster), {{8, 4}})};
  const std::size_t without = num_walked(cluster, layout);
  for (const Host& host : cluster.hosts) {
    for (const std::size_t first : {0, 2})
      cluster.own_links.push_back(
          {false, host.devices[first], host.devices[first + 1], {6e10, 1e-6}});
  }
  const std::size_t joined = num_walked(cluster, layout);
  CHECK(joined <= 8);
  CHECK(joined >= without);
  const std::size_t even = num_walked(cluster, alone);
  cluster.own_links.back().link.bytes_per_s = 1e9;
  const std::size_t odd = num_walked(cluster, alone);
  CAPTURE(even, odd);
  CHECK(odd > even);
  CHECK(odd <= 8);  // of 32
}

TEST_CASE("a device of another model is walked, and so are those that meet it") {
  Cluster cluster = cluster_of({1, 1, 1, 1, 1, 1, 1, 1});
  cluster.model_of[3] = 1;
  const std::vector<DeviceId> devices = all_devices(cluster);
  CHECK(num_walked(cluster, {.chunks = chunks_on(devices, {{8, 1}})}) == 2);
  CHECK(num_walked(cluster, {.chunks = chunks_on(devices, {{4, 2}})}) > 2);
}
