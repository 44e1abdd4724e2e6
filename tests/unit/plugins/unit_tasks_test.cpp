// SPDX-License-Identifier: Apache-2.0
#include "common/unit_tasks.hpp"

#include <catch2/catch.hpp>

#include "common/crossings.hpp"
#include "reshard_cases.hpp"

using namespace rhino;
using namespace rhino::common;

namespace {

bool contains(const Box& box, const std::vector<std::int64_t>& element) {
  for (std::size_t d = 0; d < element.size(); ++d) {
    if (element[d] < box.start[d] || element[d] >= box.start[d] + box.size[d]) return false;
  }
  return true;
}

/// Calls visit(element) for all elements of a tensor.
template <class Visit>
void for_each_element(const std::vector<std::int64_t>& dims, Visit&& visit) {
  std::vector<std::int64_t> element(dims.size(), 0);
  while (true) {
    visit(element);
    std::size_t d = dims.size();
    while (d > 0 && ++element[d - 1] == dims[d - 1]) element[--d] = 0;
    if (d == 0) return;
  }
}

/// The devices whose tiles hold the element, in mesh order.
std::vector<DeviceId> holders(const std::vector<std::int64_t>& dims, const ShardingSpec& spec,
                              const Mesh& mesh, const std::vector<std::int64_t>& element) {
  std::vector<DeviceId> devices;
  for (std::size_t rank = 0; rank < mesh.devices.size(); ++rank) {
    for (const TileBox& tile : tile_boxes(dims, spec, mesh, static_cast<std::int64_t>(rank))) {
      if (contains(tile.global, element)) devices.push_back(mesh.devices[rank]);
    }
  }
  return devices;
}

std::set<DeviceId> as_set(const std::vector<DeviceId>& devices) {
  return {devices.begin(), devices.end()};
}

/// Every element of the tensor is in one task per set of targets that want it in different boxes;
/// its senders are those that hold it, and the receivers of all these tasks those that want it.
void check_elements(const ReshardTensor& tensor, const std::vector<UnitTask>& tasks) {
  for_each_element(tensor.shape.dims, [&](const std::vector<std::int64_t>& element) {
    const std::vector<DeviceId> senders =
        holders(tensor.shape.dims, tensor.source_spec, tensor.source_mesh, element);
    std::multiset<DeviceId> wanted, found;
    for (const ReshardTarget& target : tensor.targets) {
      const auto devices = holders(tensor.shape.dims, target.spec, target.mesh, element);
      wanted.insert(devices.begin(), devices.end());
    }
    for (const UnitTask& task : tasks) {
      if (!contains(task.box, element)) continue;
      CHECK(task.senders == senders);
      found.insert(task.receivers.begin(), task.receivers.end());
    }
    CHECK(found == wanted);
  });
}

std::vector<UnitTask> tasks_of(const std::vector<UnitTask>& tasks, std::size_t tensor) {
  std::vector<UnitTask> some;
  for (const UnitTask& task : tasks) {
    if (task.tensor == static_cast<std::int32_t>(tensor)) some.push_back(task);
  }
  return some;
}

}  // namespace

TEST_CASE("unit tasks bring each element from all that hold it to all that want it") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const ReshardProblem problem = conformance::random_reshard({.extent = {1, 6}}, random);
    INFO(conformance::describe(problem));
    const std::vector<UnitTask> tasks = unit_tasks(problem);
    for (std::size_t t = 0; t < problem.tensors.size(); ++t) {
      const std::vector<UnitTask> some = tasks_of(tasks, t);
      check_elements(problem.tensors[t], some);
      for (const UnitTask& task : some) {
        CHECK(num_elements(task.box) > 0);
        CHECK(as_set(task.receivers).size() == task.receivers.size());
        CHECK(std::count_if(some.begin(), some.end(),
                            [&](const UnitTask& other) { return other.box == task.box; }) == 1);
      }
    }
  }
}

TEST_CASE("a dim without elements makes no unit task, a scalar makes one") {
  ReshardProblem problem;
  problem.cluster = conformance::alike_hosts(2, 1);
  const Mesh first = host_mesh(1, 1, 0), second = host_mesh(1, 1, 1);
  const ShardingSpec whole{{{}, {}}, {}};
  problem.tensors.push_back({{DType::f32, {4, 0}}, first, whole, {{second, whole}}});
  problem.tensors.push_back({{DType::f32, {}}, first, {}, {{second, {}}}});
  const std::vector<UnitTask> tasks = unit_tasks(problem);
  REQUIRE(tasks.size() == 1);
  CHECK(tasks[0].tensor == 1);
  CHECK(num_bytes(problem, tasks[0]) == 4);
}

TEST_CASE("crossings part the receivers: in place, on a holder's host, across the network") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const ReshardProblem problem = conformance::random_reshard({}, random);
    INFO(conformance::describe(problem));
    std::multiset<std::pair<std::int64_t, DeviceId>> wanted, found;  // (bytes, receiver)
    for (const UnitTask& task : unit_tasks(problem)) {
      for (const DeviceId device : task.receivers) wanted.emplace(num_bytes(problem, task), device);
    }
    const Crossings all = crossings(problem);
    const auto hosts = [&](const std::vector<DeviceId>& devices) {
      std::set<std::int32_t> set;
      for (const DeviceId device : devices) set.insert(host_of(problem.cluster, device));
      return set;
    };
    for (const auto* kind : {&all.in_place, &all.on_host, &all.across}) {
      for (const Delivery& delivery : *kind) {
        for (const DeviceId device : delivery.receivers) found.emplace(delivery.bytes, device);
      }
    }
    CHECK(found == wanted);
    for (const Delivery& delivery : all.in_place) {
      CHECK(delivery.senders == delivery.receivers);
      CHECK(delivery.receivers.size() == 1);
    }
    for (const Delivery& delivery : all.on_host) {
      CHECK(hosts(delivery.senders).size() == 1);
      CHECK(hosts(delivery.senders) == hosts(delivery.receivers));
      for (const DeviceId device : delivery.receivers)
        CHECK_FALSE(as_set(delivery.senders).contains(device));
    }
    REQUIRE(all.tasks.size() == all.across.size());
    for (const Delivery& delivery : all.across) {
      for (const std::int32_t host : hosts(delivery.receivers))
        CHECK_FALSE(hosts(delivery.senders).contains(host));
    }
  }
}
