// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "communication_case.hpp"
#include "rhino/tile.hpp"

namespace rhino {
namespace {

std::int64_t pick(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

Mesh random_mesh(std::mt19937_64& random, std::int32_t num_ranks) {
  std::vector<DeviceId> devices(static_cast<std::size_t>(num_ranks));
  std::iota(devices.begin(), devices.end(), RankContext::kFirstDevice);
  std::shuffle(devices.begin(), devices.end(), random);
  const std::int64_t a = pick(random, 1, num_ranks), b = pick(random, 1, num_ranks / a);
  devices.resize(static_cast<std::size_t>(a * b));
  return {{{"a", a}, {"b", b}}, devices};
}

// Splits some dims over the mesh's axes, contiguously or strided; `dims` grow so that they divide.
ShardingSpec random_spec(std::mt19937_64& random, const Mesh& mesh,
                         const std::vector<std::int64_t>& dims) {
  ShardingSpec spec{std::vector<DimSharding>(dims.size()), {}};
  for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    if (dims.empty() || pick(random, 0, 3) == 0) continue;
    const auto d =
        static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(dims.size()) - 1));
    std::vector<AxisSplit>& splits = spec.dims[d].splits;
    const std::int64_t size = mesh.axes[axis].size;
    std::int64_t extent = dims[d];  // of one range held so far
    for (const AxisSplit& split : splits)
      extent = split.period / mesh.axes[static_cast<std::size_t>(split.axis)].size;
    if (extent % size) continue;
    std::int64_t period = extent;
    const std::int64_t blocks = pick(random, 1, 3);
    if (extent % (size * blocks) == 0) period = extent / blocks;
    splits.push_back({static_cast<AxisId>(axis), period});
  }
  return spec;
}

struct Holder {
  DeviceId device;
  TileBox box;
};

std::vector<Holder> tiles_of(const Mesh& mesh, const ShardingSpec& spec,
                             const std::vector<std::int64_t>& dims) {
  std::vector<Holder> holders;
  for (std::size_t r = 0; r < mesh.devices.size(); ++r) {
    for (TileBox& box : tile_boxes(dims, spec, mesh, static_cast<std::int64_t>(r)))
      holders.push_back({mesh.devices[r], std::move(box)});
  }
  return holders;
}

Box local_box(const Box& global, const TileBox& tile) {
  Box local = global;
  for (std::size_t d = 0; d < local.start.size(); ++d)
    local.start[d] += tile.local.start[d] - tile.global.start[d];
  return local;
}

void add_transfer_steps(std::mt19937_64& random, CommunicationCase& test, std::size_t part) {
  std::vector<plan::TransferStep>& steps = test.communication.steps;
  const std::vector<std::int64_t>& dims = test.communication.parts[part].dims;
  std::vector<Holder> sources = tiles_of(test.source_meshes[part], test.source_specs[part], dims);
  const std::size_t first = steps.size();
  for (const Holder& target : tiles_of(test.target_meshes[part], test.target_specs[part], dims)) {
    std::shuffle(sources.begin(), sources.end(), random);
    std::vector<Box> covered;
    for (const Holder& source : sources) {
      const Box common = intersect(source.box.global, target.box.global);
      if (num_elements(common) == 0 ||
          std::find(covered.begin(), covered.end(), common) != covered.end())
        continue;
      covered.push_back(common);
      plan::TransferStep step{static_cast<std::int32_t>(part),
                              source.device,
                              target.device,
                              common,
                              local_box(common, source.box),
                              local_box(common, target.box),
                              false,
                              {}};
      // Another target that has the box by then may pass it on.
      for (std::size_t i = first; i < steps.size() && pick(random, 0, 1); ++i) {
        if (steps[i].global != common || steps[i].to == target.device ||
            steps[i].to == source.device)
          continue;
        step.from = steps[i].to;
        step.source = steps[i].target;
        step.relayed = true;
        step.after = {static_cast<std::int32_t>(i)};
        break;
      }
      for (int i = 0; i < 2 && !steps.empty() && pick(random, 0, 3) == 0; ++i) {
        step.after.push_back(static_cast<std::int32_t>(
            pick(random, 0, static_cast<std::int64_t>(steps.size()) - 1)));
      }
      steps.push_back(std::move(step));
    }
  }
}

}  // namespace

CommunicationCase random_transfer(std::mt19937_64& random, std::int32_t num_ranks) {
  constexpr DType kTypes[] = {DType::f64, DType::f32, DType::bf16, DType::u8};
  CommunicationCase test;
  test.communication.kind = plan::CommunicationKind::transfer;
  test.communication.name = "transfer";
  test.seed = random();
  const std::int64_t num_parts = pick(random, 1, 3);
  test.inputs.assign(static_cast<std::size_t>(num_ranks),
                     std::vector<std::optional<Shape>>(static_cast<std::size_t>(num_parts)));
  test.outputs = test.inputs;
  for (std::size_t p = 0; p < static_cast<std::size_t>(num_parts); ++p) {
    Shape shape{kTypes[pick(random, 0, 3)], {}};
    for (std::int64_t d = pick(random, 0, 4); d > 0; --d) {
      constexpr std::int64_t kExtents[] = {1, 2, 5, 12, 24, 48};
      shape.dims.push_back(kExtents[pick(random, 0, 5)]);
    }
    test.communication.parts.push_back(shape);
    test.source_meshes.push_back(random_mesh(random, num_ranks));
    test.target_meshes.push_back(random_mesh(random, num_ranks));
    test.source_specs.push_back(random_spec(random, test.source_meshes[p], shape.dims));
    test.target_specs.push_back(random_spec(random, test.target_meshes[p], shape.dims));
    for (DeviceId device : test.source_meshes[p].devices) {
      test.inputs[static_cast<std::size_t>(device - RankContext::kFirstDevice)][p] =
          Shape{shape.dtype, tile_dims(shape.dims, test.source_specs[p], test.source_meshes[p])};
    }
    for (DeviceId device : test.target_meshes[p].devices) {
      test.outputs[static_cast<std::size_t>(device - RankContext::kFirstDevice)][p] =
          Shape{shape.dtype, tile_dims(shape.dims, test.target_specs[p], test.target_meshes[p])};
    }
    add_transfer_steps(random, test, p);
  }
  return test;
}

}  // namespace rhino
