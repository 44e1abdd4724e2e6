// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "rhino/error.hpp"
#include "rhino/tile.hpp"
#include "sharding/reshard_path.hpp"
#include "spmd_harness.hpp"

namespace rhino::test {
namespace {

/// Calls `visit(global index, tile index)` for every element of the tile at `rank`, as flat
/// row-major indices.
template <class Visit>
void for_each_element(const std::vector<std::int64_t>& dims, const ShardingSpec& spec,
                      const Mesh& mesh, std::int64_t rank, Visit visit) {
  const std::vector<std::int64_t> position = coordinates(mesh, rank);
  std::vector<std::int64_t> global{0};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    std::vector<std::int64_t> finer;
    for (std::int64_t base : global) {
      for (const Interval& held : held_intervals(spec.dims[d], dims[d], mesh, position)) {
        for (std::int64_t i = held.begin; i < held.end; ++i) finer.push_back(base * dims[d] + i);
      }
    }
    global = std::move(finer);
  }
  for (std::size_t i = 0; i < global.size(); ++i) visit(static_cast<std::size_t>(global[i]), i);
}

double combine(Reduction reduction, double a, double b) {
  switch (reduction) {
    case Reduction::sum: return a + b;
    case Reduction::product: return a * b;
    case Reduction::max: return std::max(a, b);
    case Reduction::min: return std::min(a, b);
    case Reduction::logical_and: return a != 0 && b != 0;
    case Reduction::logical_or: return a != 0 || b != 0;
  }
  return a;
}

/// A term that `combine` with the others absorbs without changing `value`.
double harmless_term(Random& random, Reduction reduction, double value) {
  switch (reduction) {
    case Reduction::sum: return static_cast<double>(draw(random, 9) - 4);
    case Reduction::product: return draw(random, 2) ? 1 : -1;
    case Reduction::max: return value - static_cast<double>(draw(random, 3));
    case Reduction::min: return value + static_cast<double>(draw(random, 3));
    case Reduction::logical_and: return value != 0 ? 1 : static_cast<double>(draw(random, 2));
    case Reduction::logical_or: return value == 0 ? 0 : static_cast<double>(draw(random, 2));
  }
  return value;
}

/// The rank that stands for all that differ from `rank` in partial coordinates only.
std::int64_t group_of(const ShardingSpec& spec, const Mesh& mesh, std::int64_t rank) {
  std::vector<std::int64_t> position = coordinates(mesh, rank);
  for (const Partial& partial : spec.partial) position[static_cast<std::size_t>(partial.axis)] = 0;
  std::int64_t group = 0;
  for (std::size_t a = 0; a < position.size(); ++a) group = group * mesh.axes[a].size + position[a];
  return group;
}

ir::Tensor empty_tile(const ir::Tensor& whole, const ShardingSpec& spec, const Mesh& mesh) {
  const Shape shape{whole.shape.dtype, tile_dims(whole.shape.dims, spec, mesh)};
  return {shape, std::vector<double>(static_cast<std::size_t>(num_elements(shape)))};
}

std::int64_t num_devices(const Mesh& mesh) {
  return static_cast<std::int64_t>(mesh.devices.size());
}

}  // namespace

std::int64_t draw(Random& random, std::int64_t bound) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
}

Mesh make_mesh(const std::vector<std::int64_t>& axis_sizes, DeviceId first_device) {
  Mesh mesh;
  std::int64_t count = 1;
  for (std::size_t a = 0; a < axis_sizes.size(); ++a) {
    mesh.axes.push_back({"axis" + std::to_string(a), axis_sizes[a]});
    count *= axis_sizes[a];
  }
  mesh.devices.resize(static_cast<std::size_t>(count));
  std::iota(mesh.devices.begin(), mesh.devices.end(), first_device);
  return mesh;
}

ir::Tensor random_tensor(Random& random, const Shape& shape) {
  ir::Tensor tensor{shape, std::vector<double>(static_cast<std::size_t>(num_elements(shape)))};
  for (double& element : tensor.elements) {
    element =
        static_cast<double>(shape.dtype == DType::pred ? draw(random, 2) : draw(random, 19) - 9);
  }
  return tensor;
}

ShardingSpec random_spec(Random& random, const std::vector<std::int64_t>& dims, const Mesh& mesh,
                         bool partial) {
  ShardingSpec spec;
  spec.dims.resize(dims.size());
  const auto reduction = partial ? Reduction(draw(random, 6)) : Reduction::sum;
  std::vector<std::int32_t> axes(mesh.axes.size());
  std::iota(axes.begin(), axes.end(), 0);
  std::shuffle(axes.begin(), axes.end(), random);
  std::vector<std::vector<sharding::Digit>> digits(dims.size());
  for (std::int32_t axis : axes) {
    const std::int64_t parts = mesh.axes[static_cast<std::size_t>(axis)].size;
    const std::int64_t choice = draw(random, 4);
    if (choice == 0 && partial) spec.partial.push_back({axis, reduction});
    if (choice <= 1 || dims.empty()) continue;
    const auto d = static_cast<std::size_t>(draw(random, static_cast<std::int64_t>(dims.size())));
    std::vector<std::vector<sharding::Digit>> legal;
    for (std::int64_t period = parts; period <= dims[d]; period += parts) {
      std::vector<sharding::Digit> candidate = digits[d];
      candidate.push_back({axis, period, parts});
      const bool fits = parts > 1 && sharding::nest(candidate, dims[d]);
      if (fits) legal.push_back(candidate);
    }
    if (legal.empty()) continue;
    const bool contiguous = draw(random, 2) != 0;
    digits[d] = contiguous ? legal.back()
                           : legal[static_cast<std::size_t>(
                                 draw(random, static_cast<std::int64_t>(legal.size())))];
  }
  for (std::size_t d = 0; d < dims.size(); ++d) {
    for (const sharding::Digit& digit : digits[d])
      spec.dims[d].splits.push_back({digit.axis, digit.period});
  }
  std::sort(spec.partial.begin(), spec.partial.end(),
            [](const Partial& a, const Partial& b) { return a.axis < b.axis; });
  return spec;
}

ir::Tensor tile_of(const ir::Tensor& whole, const ShardingSpec& spec, const Mesh& mesh,
                   std::int64_t rank) {
  ir::Tensor tile = empty_tile(whole, spec, mesh);
  for_each_element(whole.shape.dims, spec, mesh, rank, [&](std::size_t global, std::size_t local) {
    tile.elements[local] = whole.elements[global];
  });
  return tile;
}

std::vector<ir::Tensor> scatter_tiles(Random& random, const ir::Tensor& whole,
                                      const ShardingSpec& spec, const Mesh& mesh) {
  std::vector<ir::Tensor> tiles;
  for (std::int64_t rank = 0; rank < num_devices(mesh); ++rank) {
    tiles.push_back(tile_of(whole, spec, mesh, rank));
  }
  if (spec.partial.empty()) return tiles;
  const Reduction reduction = spec.partial[0].reduction;
  // Of every group one device, the first, makes up for the terms of the others. What others hold
  // must not depend on coordinates that the value is replicated along, so terms are drawn once per
  // element and member.
  std::map<std::pair<std::size_t, std::int64_t>, double> terms;
  for (std::int64_t rank = 0; rank < num_devices(mesh); ++rank) {
    if (group_of(spec, mesh, rank) == rank) continue;
    std::int64_t member = 0;
    const std::vector<std::int64_t> position = coordinates(mesh, rank);
    for (const Partial& partial : spec.partial) {
      const auto axis = static_cast<std::size_t>(partial.axis);
      member = member * mesh.axes[axis].size + position[axis];
    }
    const auto group = static_cast<std::size_t>(group_of(spec, mesh, rank));
    for_each_element(whole.shape.dims, spec, mesh, rank,
                     [&](std::size_t global, std::size_t local) {
                       const double value = whole.elements[global];
                       const auto [entry, fresh] = terms.try_emplace({global, member}, 0);
                       if (fresh) entry->second = harmless_term(random, reduction, value);
                       const double term = entry->second;
                       double& mine = tiles[static_cast<std::size_t>(rank)].elements[local];
                       double& first = tiles[group].elements[local];
                       mine = term;
                       if (reduction == Reduction::sum) first -= term;
                       if (reduction == Reduction::product) first *= term;
                     });
  }
  return tiles;
}

ir::Tensor join_tiles(const std::vector<ir::Tensor>& tiles, const Shape& global,
                      const ShardingSpec& spec, const Mesh& mesh) {
  ir::Tensor whole{global, std::vector<double>(static_cast<std::size_t>(num_elements(global)))};
  const ir::Tensor expected = empty_tile(whole, spec, mesh);
  std::map<std::int64_t, ir::Tensor> reduced;
  for (std::int64_t rank = 0; rank < num_devices(mesh); ++rank) {
    const ir::Tensor& tile = tiles[static_cast<std::size_t>(rank)];
    if (tile.shape != expected.shape) {
      throw Error("a tile is " + to_string(tile.shape) + ", not " + to_string(expected.shape));
    }
    const auto [entry, first] = reduced.try_emplace(group_of(spec, mesh, rank), tile);
    if (first) continue;
    for (std::size_t i = 0; i < tile.elements.size(); ++i) {
      double& sum = entry->second.elements[i];
      sum = combine(spec.partial[0].reduction, sum, tile.elements[i]);
    }
  }
  std::vector<bool> written(whole.elements.size());
  for (const auto& [rank, tile] : reduced) {
    for_each_element(global.dims, spec, mesh, rank,
                     [&, &tile = tile](std::size_t at, std::size_t local) {
                       const double element = tile.elements[local];
                       const bool same = !written[at] || whole.elements[at] == element ||
                                         (std::isnan(whole.elements[at]) && std::isnan(element));
                       if (!same)
                         throw Error("devices hold different elements at " + std::to_string(at));
                       whole.elements[at] = element;
                       written[at] = true;
                     });
  }
  return whole;
}

std::vector<ir::Tensor> random_inputs(Random& random, const Program& program) {
  std::vector<ir::Tensor> inputs;
  for (const Input& input : program.inputs) {
    const Shape& shape = program.shape(input.value);
    ir::Tensor tensor{shape, std::vector<double>(static_cast<std::size_t>(num_elements(shape)))};
    const bool positive = input.kind == InputKind::optimizer_state;
    for (double& element : tensor.elements) {
      const double unit = static_cast<double>(draw(random, 4096)) / 4096;
      element = positive ? unit : unit - 0.5;
      if (is_floating(shape.dtype) && input.kind != InputKind::scalar) continue;
      const auto low = static_cast<std::int64_t>(input.initializer.a);
      const auto high = static_cast<std::int64_t>(input.initializer.b);
      element = static_cast<double>(high > low ? low + draw(random, high - low) : 1 + low);
    }
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

double relative_error(const ir::Tensor& a, const ir::Tensor& b) {
  if (a.shape != b.shape) return std::numeric_limits<double>::infinity();
  double error = 0, scale = 1;
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    scale = std::max(scale, std::abs(b.elements[i]));
    if (a.elements[i] == b.elements[i]) continue;
    const double difference = std::abs(a.elements[i] - b.elements[i]);
    error = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                   : std::max(error, difference);
  }
  return error / scale;
}

}  // namespace rhino::test
