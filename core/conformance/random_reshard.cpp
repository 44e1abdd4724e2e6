// SPDX-License-Identifier: Apache-2.0
#include "conformance/random_reshard.hpp"

#include <algorithm>
#include <numeric>

#include "rhino/index.hpp"

namespace rhino::conformance {
namespace {

class Maker {
 public:
  Maker(const RandomReshard& limits, std::mt19937& random) : limits_(limits), random_(random) {}

  ReshardProblem make() {
    const std::int64_t num_hosts = pick(limits_.hosts);
    const std::int64_t per_host = pick(limits_.devices_per_host);
    const bool lonely = num_hosts * per_host == 1 && limits_.devices_per_host.high > 1;
    ReshardProblem problem{{}, alike_hosts(num_hosts, lonely ? 2 : per_host)};
    devices_.resize(at(problem.cluster.num_devices()));
    std::iota(devices_.begin(), devices_.end(), 0);
    const bool same_meshes = chance(2);
    for (std::int64_t left = pick(limits_.tensors); left > 0; --left) {
      if (!same_meshes || problem.tensors.empty()) choose_meshes();
      problem.tensors.push_back(tensor());
    }
    return problem;
  }

 private:
  std::int64_t pick(Range range) {
    return range.low + static_cast<std::int64_t>(
                           random_() % static_cast<std::uint32_t>(range.high - range.low + 1));
  }
  bool chance(std::int64_t one_in) { return pick({1, one_in}) == 1; }

  /// A source, and one or more targets.
  void choose_meshes() {
    std::vector<DeviceId> left = in_some_order();
    meshes_ = {take_mesh(left)};
    if (left.empty() || chance(2)) left = in_some_order();
    for (std::int64_t targets = pick(limits_.targets); targets > 0 && !left.empty(); --targets)
      meshes_.push_back(take_mesh(left));
  }

  std::vector<DeviceId> in_some_order() {
    std::vector<DeviceId> devices = devices_;
    if (chance(3)) std::shuffle(devices.begin(), devices.end(), random_);
    else
      std::rotate(devices.begin(), devices.begin() + pick({0, std::ssize(devices) - 1}),
                  devices.end());
    return devices;
  }

  /// Of the first devices of the list, which it removes, on three axes.
  Mesh take_mesh(std::vector<DeviceId>& devices) {
    std::int64_t rest = pick({1, std::ssize(devices)});
    const auto end = devices.begin() + rest;
    Mesh mesh{{}, {devices.begin(), end}};
    devices.erase(devices.begin(), end);
    for (const char* name : {"x", "y"}) {
      std::int64_t size = pick({1, rest});
      while (rest % size != 0) --size;
      mesh.axes.push_back({name, size});
      rest /= size;
    }
    mesh.axes.push_back({"z", rest});
    return mesh;
  }

  ReshardTensor tensor() {
    ReshardTensor tensor;
    tensor.shape.dtype = limits_.dtypes[at(pick({0, std::ssize(limits_.dtypes) - 1}))];
    for (std::int64_t left = chance(10) ? 0 : pick({1, 3}); left > 0; --left)
      tensor.shape.dims.push_back(pick(limits_.extent));
    tensor.source_mesh = meshes_.front();
    tensor.source_spec = spec(tensor.shape.dims, meshes_.front());
    for (std::size_t m = 1; m < meshes_.size(); ++m)
      tensor.targets.push_back({meshes_[m], spec(tensor.shape.dims, meshes_[m])});
    return tensor;
  }

  /// Each axis is left out, or cuts some dim.
  ShardingSpec spec(const std::vector<std::int64_t>& dims, const Mesh& mesh) {
    ShardingSpec spec{std::vector<DimSharding>(dims.size()), {}};
    std::vector<AxisId> axes{0, 1, 2};
    std::shuffle(axes.begin(), axes.end(), random_);
    for (const AxisId axis : axes) {
      const std::int64_t parts = mesh.axes[at(axis)].size;
      if (dims.empty() || parts == 1 || chance(4)) continue;
      const std::size_t dim = at(pick({0, std::ssize(dims) - 1}));
      add_split(spec.dims[dim], dims[dim], axis, mesh);
    }
    return spec;
  }

  /// Contiguous, evenly or not, or in stripes; what is strided already is cut evenly or not at all.
  void add_split(DimSharding& dim, std::int64_t extent, AxisId axis, const Mesh& mesh) {
    const std::int64_t parts = mesh.axes[at(axis)].size;
    std::int64_t length = extent;
    bool contiguous = true;
    for (const AxisSplit& split : dim.splits) {
      const std::int64_t others = mesh.axes[at(split.axis)].size;
      contiguous = contiguous && split.period == length;
      length = (split.period + others - 1) / others;
    }
    std::vector<std::int64_t> periods;
    if (contiguous || length % parts == 0) periods.push_back(length);
    for (std::int64_t period = parts; period < length; period += parts) {
      if (length % period == 0) periods.push_back(period);
    }
    if (!periods.empty())
      dim.splits.push_back({axis, periods[at(pick({0, std::ssize(periods) - 1}))]});
  }

  const RandomReshard& limits_;
  std::mt19937& random_;
  std::vector<DeviceId> devices_;
  std::vector<Mesh> meshes_;
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
  std::string all;
  for (const MeshAxis& axis : mesh.axes)
    all += (all.empty() ? "" : "x") + std::to_string(axis.size);
  all += " (";
  for (const DeviceId device : mesh.devices)
    all += (all.back() == '(' ? "" : " ") + std::to_string(device);
  return all + ")";
}

}  // namespace

Cluster alike_hosts(std::int64_t num_hosts, std::int64_t devices_per_host) {
  Cluster cluster;
  cluster.name = "hosts at 10 Gbit/s";
  cluster.models = {{.name = "device",
                     .memory_bytes = 16e9,
                     .memory_bytes_per_s = 900e9,
                     .peak_flops = {{DType::f32, 15e12}}}};
  cluster.intra_host = {150e9, 5e-6};
  cluster.inter_host = {1.25e9, 30e-6};
  for (std::int64_t h = 0; h < num_hosts; ++h) {
    cluster.hosts.push_back({"host " + std::to_string(h), {}});
    for (std::int64_t d = 0; d < devices_per_host; ++d) {
      cluster.hosts.back().devices.push_back(cluster.num_devices());
      cluster.host_of.push_back(static_cast<std::int32_t>(h));
      cluster.model_of.push_back(0);
    }
  }
  return cluster;
}

ReshardProblem random_reshard(const RandomReshard& limits, std::mt19937& random) {
  return Maker(limits, random).make();
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

}  // namespace rhino::conformance
