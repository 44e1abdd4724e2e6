// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>

#include "conformance/conformance.hpp"
#include "conformance/deliveries.hpp"
#include "conformance/grid.hpp"

namespace rhino::conformance {
namespace {

constexpr int kNumProblems = 400;

/// A problem of `seed`: the same for everyone.
class ProblemMaker {
 public:
  explicit ProblemMaker(std::uint32_t seed) : random_(seed) {}

  ReshardProblem make() {
    make_cluster();
    std::vector<Mesh> meshes = disjoint_meshes();
    if (pick(0, 3) == 0) meshes.front() = overlapping_mesh(meshes);
    const auto num_tensors = pick(1, 3);
    for (std::int64_t t = 0; t < num_tensors; ++t) add_tensor(meshes);
    return std::move(problem_);
  }

 private:
  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint32_t>(high - low + 1));
  }

  void make_cluster() {
    Cluster& cluster = problem_.cluster;
    const std::int64_t num_hosts = pick(1, 4), per_host = pick(num_hosts == 1 ? 2 : 1, 8);
    cluster.name = "random";
    cluster.models = {{.name = "device",
                       .memory_bytes = 16e9,
                       .memory_bytes_per_s = 900e9,
                       .peak_flops = {{DType::f32, 15e12}}}};
    cluster.intra_host = {150e9, 5e-6};
    cluster.inter_host = {1.25e9, 30e-6};
    for (std::int64_t h = 0; h < num_hosts; ++h) {
      cluster.hosts.push_back({"host " + std::to_string(h), {}});
      for (std::int64_t d = 0; d < per_host; ++d) {
        cluster.hosts.back().devices.push_back(cluster.num_devices());
        cluster.host_of.push_back(static_cast<std::int32_t>(h));
        cluster.model_of.push_back(0);
      }
    }
  }

  /// A source and one or two targets, of any numbers of hosts; consecutive devices two times in
  /// three, else scattered ones.
  std::vector<Mesh> disjoint_meshes() {
    std::vector<DeviceId> devices;
    for (DeviceId d = 0; d < problem_.cluster.num_devices(); ++d) devices.push_back(d);
    if (pick(0, 2) == 0) std::shuffle(devices.begin(), devices.end(), random_);
    const std::size_t wanted = devices.size() >= 3 && pick(0, 2) == 0 ? 3 : 2;
    std::vector<Mesh> meshes;
    std::size_t begin = 0;
    for (std::size_t m = 0; m < wanted; ++m) {
      const std::size_t room = devices.size() - begin - (wanted - m - 1);
      const Mesh mesh = mesh_of(devices, begin, static_cast<std::int64_t>(room));
      begin += mesh.devices.size();
      meshes.push_back(mesh);
    }
    return meshes;
  }

  /// Some devices of the targets, and at times others.
  Mesh overlapping_mesh(const std::vector<Mesh>& meshes) {
    std::vector<DeviceId> devices;
    for (std::size_t m = 1; m < meshes.size(); ++m)
      devices.insert(devices.end(), meshes[m].devices.begin(), meshes[m].devices.end());
    if (pick(0, 1) == 0)
      devices.insert(devices.begin(), meshes[0].devices.begin(), meshes[0].devices.end());
    if (pick(0, 1) == 0) std::shuffle(devices.begin(), devices.end(), random_);
    return mesh_of(devices, 0, static_cast<std::int64_t>(devices.size()));
  }

  Mesh mesh_of(const std::vector<DeviceId>& devices, std::size_t begin, std::int64_t room) {
    const std::int64_t rows = pick(1, std::min<std::int64_t>(4, room));
    const std::int64_t columns = pick(1, std::min<std::int64_t>(4, room / rows));
    const auto first = devices.begin() + static_cast<std::ptrdiff_t>(begin);
    return {{{"x", rows}, {"y", columns}}, {first, first + rows * columns}};
  }

  void add_tensor(const std::vector<Mesh>& meshes) {
    constexpr std::int64_t kExtents[] = {6, 8, 12, 16, 24, 1, 3, 5, 7, 10};
    ReshardTensor tensor;
    const std::int64_t last_extent = pick(0, 1) == 0 ? 9 : 4;  // uneven ones among them, or not
    tensor.shape.dtype = pick(0, 1) == 0 ? DType::f32 : DType::f16;
    const auto rank = pick(0, 9) == 0 ? 0 : pick(1, 3);
    for (std::int64_t d = 0; d < rank; ++d)
      tensor.shape.dims.push_back(kExtents[pick(0, last_extent)]);
    tensor.source_mesh = meshes.front();
    tensor.source_spec = spec(tensor.shape, meshes.front());
    for (std::size_t m = 1; m < meshes.size(); ++m) {
      tensor.targets.push_back({meshes[m], spec(tensor.shape, meshes[m])});
    }
    problem_.tensors.push_back(std::move(tensor));
  }

  /// Every axis is left out, or cuts a dim into contiguous parts, which may be uneven or empty, or
  /// into strided ones.
  ShardingSpec spec(const Shape& shape, const Mesh& mesh) {
    ShardingSpec spec;
    spec.dims.resize(shape.dims.size());
    std::vector<std::int64_t> part = shape.dims;
    std::vector<bool> strided(part.size()), uneven(part.size());
    std::vector<AxisId> axes{0, 1};
    std::shuffle(axes.begin(), axes.end(), random_);
    for (const AxisId axis : axes) {
      const std::int64_t size = mesh.axes[static_cast<std::size_t>(axis)].size;
      if (size == 1 || shape.dims.empty() || pick(0, 3) == 0) continue;
      const auto dim =
          static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(part.size()) - 1));
      const std::int64_t num_stripes = pick(0, 2) == 0 ? pick(2, 4) : 1;
      const std::int64_t period = part[dim] / num_stripes;
      strided[dim] = strided[dim] || num_stripes > 1;
      uneven[dim] = uneven[dim] || part[dim] % num_stripes != 0 || period % size != 0;
      if (strided[dim] && uneven[dim]) return spec;
      spec.dims[dim].splits.push_back({axis, period});
      part[dim] = (period + size - 1) / size;
    }
    return spec;
  }

  std::mt19937 random_;
  ReshardProblem problem_;
};

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
  return std::to_string(mesh.axes[0].size) + "x" + std::to_string(mesh.axes[1].size);
}

std::string describe(std::uint32_t seed, const ReshardProblem& problem) {
  std::string all = "problem " + std::to_string(seed) + " (";
  for (const ReshardTensor& tensor : problem.tensors) {
    if (&tensor != &problem.tensors.front()) all += "; ";
    all += to_string(tensor.shape) + " " + text(tensor.source_spec) + " on " +
           text(tensor.source_mesh);
    for (const ReshardTarget& target : tensor.targets)
      all += " to " + text(target.spec) + " on " + text(target.mesh);
  }
  return all + ")";
}

}  // namespace

ConformanceReport check_resharding(Resharding& plugin, const OnProblem& on_problem) {
  Grid grid(on_problem);
  for (std::uint32_t seed = 0; seed < kNumProblems; ++seed) {
    const ReshardProblem problem = ProblemMaker(seed).make();
    grid.put(
        describe(seed, problem), [&] { return plugin.plan(problem); },
        [&](const TransferPlan& plan) { return delivery_fault(problem, plan); });
  }
  return grid.take();
}

}  // namespace rhino::conformance
