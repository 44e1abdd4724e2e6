// SPDX-License-Identifier: Apache-2.0
#include "reshard_cases.hpp"

#include <algorithm>
#include <utility>

namespace rhino {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

using Words = std::vector<std::string>;

struct End {
  std::int64_t hosts, per_host;
  Words spec;
};

ReshardProblem crossing(const std::vector<std::int64_t>& dims, const End& source,
                        const End& target) {
  const auto per_host = static_cast<std::int32_t>(std::max(source.per_host, target.per_host));
  ReshardProblem problem;
  problem.cluster =
      reshard_cluster(static_cast<std::int32_t>(source.hosts + target.hosts), per_host);
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

std::string text(const ShardingSpec& spec) {
  std::string all = "[";
  for (const DimSharding& dim : spec.dims) {
    if (all.size() > 1) all += ", ";
    if (dim.splits.empty()) all += "R";
    for (const AxisSplit& split : dim.splits)
      all += "S" + std::to_string(split.axis) + "/" + std::to_string(split.period);
  }
  return all + "]";
}

std::string text(const Mesh& mesh) {
  std::string all = std::to_string(mesh.axes[0].size) + "x" + std::to_string(mesh.axes[1].size);
  for (const DeviceId device : mesh.devices) all += " " + std::to_string(device);
  return "(" + all + ")";
}

/// Makes one random problem.
class Maker {
 public:
  Maker(std::mt19937& random, const RandomLimits& limits) : random_(random), limits_(limits) {}

  ReshardProblem make() {
    const std::int64_t num_hosts = pick(1, limits_.max_hosts);
    const std::int64_t per_host = pick(num_hosts == 1 ? 2 : 1, limits_.max_per_host);
    problem_.cluster =
        reshard_cluster(static_cast<std::int32_t>(num_hosts), static_cast<std::int32_t>(per_host));
    const std::int64_t num_tensors = pick(1, limits_.max_tensors);
    for (std::int64_t t = 0; t < num_tensors; ++t) add_tensor();
    return std::move(problem_);
  }

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint32_t>(high - low + 1));
  }

  std::vector<DeviceId> some_devices() {
    std::vector<DeviceId> devices;
    for (DeviceId d = 0; d < problem_.cluster.num_devices(); ++d) devices.push_back(d);
    if (pick(0, 2) == 0) std::shuffle(devices.begin(), devices.end(), random_);
    else
      std::rotate(devices.begin(), devices.begin() + pick(0, std::ssize(devices) - 1),
                  devices.end());
    return devices;
  }

  /// Of the first devices of the list, which it removes.
  Mesh take_mesh(std::vector<DeviceId>& devices) {
    const std::int64_t rows = pick(1, std::min<std::int64_t>(4, std::ssize(devices)));
    const std::int64_t columns = pick(1, std::min<std::int64_t>(4, std::ssize(devices) / rows));
    const auto end = devices.begin() + rows * columns;
    Mesh mesh{{{"x", rows}, {"y", columns}}, {devices.begin(), end}};
    devices.erase(devices.begin(), end);
    return mesh;
  }

  void add_tensor() {
    ReshardTensor tensor;
    tensor.shape.dtype = pick(0, 1) == 0 ? DType::f32 : DType::f16;
    const std::int64_t rank = pick(0, 9) == 0 ? 0 : pick(1, 3);
    for (std::int64_t d = 0; d < rank; ++d)
      tensor.shape.dims.push_back(pick(1, limits_.max_extent));
    std::vector<DeviceId> devices = some_devices();
    const bool overlapping = pick(0, 1) == 0 || devices.size() == 1;
    tensor.source_mesh = take_mesh(devices);
    tensor.source_spec = spec(tensor.shape.dims, tensor.source_mesh);
    if (overlapping || devices.empty()) devices = some_devices();
    for (std::int64_t left = pick(1, 2); left > 0 && !devices.empty(); --left) {
      const Mesh mesh = take_mesh(devices);
      tensor.targets.push_back({mesh, spec(tensor.shape.dims, mesh)});
    }
    problem_.tensors.push_back(std::move(tensor));
  }

  /// Every axis is left out, or cuts a dim into contiguous parts, even or not, or strided ones.
  ShardingSpec spec(const std::vector<std::int64_t>& dims, const Mesh& mesh) {
    ShardingSpec spec;
    spec.dims.resize(dims.size());
    std::vector<std::int64_t> part = dims;
    std::vector<AxisId> axes{0, 1};
    std::shuffle(axes.begin(), axes.end(), random_);
    for (const AxisId axis : axes) {
      const std::int64_t size = mesh.axes[at(axis)].size;
      if (size == 1 || dims.empty() || pick(0, 3) == 0) continue;
      const std::size_t dim = at(pick(0, std::ssize(part) - 1));
      std::int64_t period = part[dim] / (pick(0, 2) == 0 ? pick(1, 4) : 1);
      const bool strided_fits =
          period > 0 && dims[dim] % period == 0 && part[dim] % period == 0 && period % size == 0;
      if (!strided_fits) period = part[dim];
      spec.dims[dim].splits.push_back({axis, period});
      part[dim] = (period + size - 1) / size;
    }
    return spec;
  }

  std::mt19937& random_;
  const RandomLimits& limits_;
  ReshardProblem problem_;
};

}  // namespace

Cluster reshard_cluster(std::int32_t num_hosts, std::int32_t devices_per_host) {
  Cluster cluster;
  cluster.name = "hosts at 10 Gbit/s";
  cluster.models = {{.name = "device",
                     .memory_bytes = 16e9,
                     .memory_bytes_per_s = 900e9,
                     .peak_flops = {{DType::f32, 15e12}}}};
  cluster.intra_host = {150e9, 5e-6};
  cluster.inter_host = {1.25e9, 30e-6};
  for (std::int32_t h = 0; h < num_hosts; ++h) {
    cluster.hosts.push_back({"host " + std::to_string(h), {}});
    for (std::int32_t d = 0; d < devices_per_host; ++d) {
      cluster.hosts.back().devices.push_back(cluster.num_devices());
      cluster.host_of.push_back(h);
      cluster.model_of.push_back(0);
    }
  }
  return cluster;
}

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
  overlap.problem.cluster = reshard_cluster(3, 4);
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
  targets.problem.cluster = reshard_cluster(4, 4);
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
  inside.problem.cluster = reshard_cluster(1, 8);
  const Mesh front = host_mesh(1, 4, 0), back = host_mesh(1, 4, 4);
  inside.problem.tensors.push_back(
      reshard_tensor(shape, {front, {"S1", "R", "R"}}, {{back, {"R", "R", "R"}}}));
  cases.push_back(inside);
  return cases;
}

ReshardProblem random_problem(std::mt19937& random, const RandomLimits& limits) {
  return Maker(random, limits).make();
}

std::string describe(const ReshardProblem& problem) {
  std::string all = std::to_string(problem.cluster.hosts.size()) + " hosts of " +
                    std::to_string(problem.cluster.hosts.front().devices.size());
  for (const ReshardTensor& tensor : problem.tensors) {
    all += "; " + to_string(tensor.shape) + " " + text(tensor.source_spec) + " on " +
           text(tensor.source_mesh);
    for (const ReshardTarget& target : tensor.targets)
      all += " to " + text(target.spec) + " on " + text(target.mesh);
  }
  return all;
}

}  // namespace rhino
