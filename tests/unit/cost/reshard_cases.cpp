// SPDX-License-Identifier: Apache-2.0
#include "reshard_cases.hpp"

#include <algorithm>
#include <utility>

#include "rhino/index.hpp"

namespace rhino {
namespace {

using Words = std::vector<std::string>;

struct End {
  std::int64_t hosts, per_host;
  Words spec;
};

ReshardProblem crossing(const std::vector<std::int64_t>& dims, const End& source,
                        const End& target) {
  const std::int64_t per_host = std::max(source.per_host, target.per_host);
  ReshardProblem problem;
  problem.cluster = conformance::alike_hosts(source.hosts + target.hosts, per_host);
  const Mesh from = host_mesh(source.hosts, source.per_host, 0);
  Mesh to = host_mesh(target.hosts, target.per_host, 0);
  for (std::size_t i = 0; i < to.devices.size(); ++i) {
    const auto rank = static_cast<std::int64_t>(i);
    to.devices[i] = static_cast<DeviceId>((source.hosts + rank / target.per_host) * per_host +
                                          rank % target.per_host);
  }
  problem.tensors.push_back(
      reshard_tensor({DType::s32, dims}, {from, source.spec}, {{to, target.spec}}));
  return problem;
}

}  // namespace

Mesh host_mesh(std::int64_t hosts, std::int64_t per_host, DeviceId first) {
  Mesh mesh{{{"hosts", hosts}, {"devices", per_host}}, {}};
  for (std::int64_t rank = 0; rank < hosts * per_host; ++rank)
    mesh.devices.push_back(first + static_cast<DeviceId>(rank));
  return mesh;
}

ShardingSpec spec_of(const Words& words, const std::vector<std::int64_t>& dims, const Mesh& mesh) {
  ShardingSpec spec;
  spec.dims.resize(dims.size());
  for (std::size_t d = 0; d < words.size(); ++d) {
    std::int64_t part = dims[d];
    for (const char letter : words[d]) {
      if (letter != '0' && letter != '1') continue;
      const AxisId axis = letter - '0';
      const std::int64_t size = mesh.axes[at(axis)].size;
      spec.dims[d].splits.push_back({axis, part});
      part = (part + size - 1) / size;
    }
  }
  return spec;
}

ReshardTensor reshard_tensor(const Shape& shape, const Lie& source,
                             const std::vector<Lie>& targets) {
  ReshardTensor tensor;
  tensor.shape = shape;
  tensor.source_mesh = source.mesh;
  tensor.source_spec = spec_of(source.spec, shape.dims, source.mesh);
  for (const Lie& target : targets)
    tensor.targets.push_back({target.mesh, spec_of(target.spec, shape.dims, target.mesh)});
  return tensor;
}

std::vector<NamedProblem> many_to_many_cases() {
  const std::vector<std::int64_t> even{1024, 1024, 512}, thirds{3072, 1024, 170};
  const double gigabyte_s = 1073741824.0 / 1.25e9, half_s = 3072.0 * 1024 * 170 * 4 / 2 / 1.25e9;
  const Words rrr{"R", "R", "R"}, s0{"S0", "R", "R"}, s1{"S1", "R", "R"}, r0{"R", "S0", "R"};
  const Words s01{"S01", "R", "R"}, r01{"R", "S01", "R"}, rr0{"R", "R", "S0"};
  return {{"case 1", crossing(even, {2, 4, s0}, {2, 4, s0}), gigabyte_s},
          {"case 2", crossing(even, {2, 4, rrr}, {2, 4, s0}), gigabyte_s},
          {"case 3", crossing(even, {2, 4, r0}, {2, 4, s0}), gigabyte_s},
          {"case 4", crossing(even, {2, 4, r01}, {2, 4, s01}), gigabyte_s},
          {"case 5", crossing(even, {2, 4, s1}, {2, 4, s0}), gigabyte_s},
          {"case 6", crossing(thirds, {2, 4, s0}, {3, 4, s0}), half_s},
          {"case 7", crossing(even, {1, 4, s1}, {2, 4, rrr}), 2 * gigabyte_s},
          {"case 8", crossing(even, {1, 4, r01}, {2, 4, rrr}), 2 * gigabyte_s},
          {"case 9", crossing(even, {2, 4, r0}, {2, 4, rr0}), gigabyte_s},
          {"thirds", crossing(thirds, {2, 4, rrr}, {3, 4, s0}), half_s}};
}

std::vector<NamedProblem> one_to_many_cases(std::int64_t bytes) {
  std::vector<NamedProblem> cases;
  for (const auto& [hosts, per_host] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1, 1}, {1, 2}, {1, 3}, {1, 4}, {2, 2}, {3, 2}, {4, 2}}) {
    cases.push_back({"1 to " + std::to_string(hosts) + "x" + std::to_string(per_host),
                     crossing({bytes / 4}, {1, 1, {"R"}}, {hosts, per_host, {"R"}}),
                     static_cast<double>(bytes) / 1.25e9});
  }
  return cases;
}

std::vector<NamedProblem> further_cases() {
  std::vector<NamedProblem> cases;
  const std::vector<std::int64_t> uneven{1001, 1023, 257};
  cases.push_back(
      {"uneven dims", crossing(uneven, {2, 4, {"S0", "R", "S1"}}, {3, 4, {"R", "S01", "R"}})});
  cases.push_back(
      {"uneven replicas", crossing(uneven, {3, 2, {"S1", "R", "R"}}, {2, 4, {"R", "S0", "R"}})});
  cases.push_back({"one host, three, replicas",
                   crossing(uneven, {1, 4, {"S1", "R", "R"}}, {3, 4, {"R", "S1", "R"}})});
  NamedProblem overlap{"overlapping meshes", {}};
  overlap.problem.cluster = conformance::alike_hosts(3, 4);
  const std::vector<std::int64_t> dims{512, 512, 256};
  const Mesh low = host_mesh(2, 4, 0), high = host_mesh(2, 4, 4);
  const Shape shape{DType::f32, dims};
  overlap.problem.tensors.push_back(
      reshard_tensor(shape, {low, {"S0", "R", "R"}}, {{high, {"R", "S1", "R"}}}));
  cases.push_back(overlap);
  overlap.name = "overlapping meshes, one host idles half the time";
  overlap.problem.tensors.front() =
      reshard_tensor(shape, {low, {"S0", "S1", "R"}}, {{high, {"R", "S0", "R"}}});
  cases.push_back(overlap);
  NamedProblem two = cases.front();
  two.name = "two tensors";
  const Mesh from = two.problem.tensors[0].source_mesh;
  const Mesh to = two.problem.tensors[0].targets[0].mesh;
  two.problem.tensors.push_back(
      reshard_tensor({DType::f16, dims}, {from, {"R", "S0", "R"}}, {{to, {"S1", "R", "R"}}}));
  cases.push_back(two);
  NamedProblem targets{"two targets", {}};
  targets.problem.cluster = conformance::alike_hosts(4, 4);
  const Mesh first = host_mesh(2, 4, 0), second = host_mesh(1, 4, 8), third = host_mesh(1, 4, 12);
  targets.problem.tensors.push_back(reshard_tensor(
      shape, {first, {"S0", "R", "R"}}, {{second, {"R", "S1", "R"}}, {third, {"S1", "R", "R"}}}));
  cases.push_back(targets);
  for (const std::int64_t per_host : {1, 4}) {
    cases.push_back(
        {"quarters of four hosts to all of four others, " + std::to_string(per_host) + " devices",
         crossing(dims, {4, per_host, {"S0", "R", "R"}}, {4, per_host, {"R", "R", "R"}})});
  }
  NamedProblem inside{"inside one host", {}};
  inside.problem.cluster = conformance::alike_hosts(1, 8);
  const Mesh front = host_mesh(1, 4, 0), back = host_mesh(1, 4, 4);
  inside.problem.tensors.push_back(
      reshard_tensor(shape, {front, {"S1", "R", "R"}}, {{back, {"R", "R", "R"}}}));
  cases.push_back(inside);
  return cases;
}

}  // namespace rhino
