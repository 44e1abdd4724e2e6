// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "evaluate/tables.hpp"
#include "ir/builder.hpp"
#include "ir/op_info.hpp"
#include "rhino/index.hpp"
#include "rhino/tile.hpp"
#include "sharding/partition.hpp"
#include "sharding/reshard_path.hpp"

namespace rhino::evaluate {
namespace {

OpKind collective_kind(sharding::Move::Kind kind) {
  switch (kind) {
    case sharding::Move::Kind::all_gather: return OpKind::all_gather;
    case sharding::Move::Kind::reduce_scatter: return OpKind::reduce_scatter;
    case sharding::Move::Kind::all_to_all: return OpKind::all_to_all;
    default: return OpKind::all_reduce;
  }
}

bool is_local(sharding::Move::Kind kind) {
  return kind == sharding::Move::Kind::slice || kind == sharding::Move::Kind::mask ||
         kind == sharding::Move::Kind::spread;
}

/// Whether the first op of a reshard that begins with a gather is a reshape.
bool gathers_view(const Form& from, const Form& to, const Mesh& mesh) {
  const sharding::MicroView& view = from.view;
  const Shape tile{view.shape.dtype, tile_dims(view.shape.dims, view.spec, mesh)};
  ir::Builder builder("reshard");
  const ValueId value = builder.input(InputKind::batch, tile, {}, "tile");
  sharding::append_reshard(builder, value, view.shape, view.spec, to.view.spec, mesh);
  return !ir::is_collective(builder.program().op(value + 1).kind);
}

/// Into which the parts of an axis cut a tile: one where axes that cut its dim before it have it
/// adjacent. Of axes that move together the parts come in the order of their numbers.
std::int64_t num_blocks(const sharding::Layout& layout, std::size_t axis, std::uint32_t moving,
                        const std::vector<std::int64_t>& dims, const Mesh& mesh) {
  const sharding::Placement& own = layout[axis];
  std::int64_t count = dims[at(own.dim)] / own.period;
  for (std::size_t other = 0; other < layout.size(); ++other) {
    const sharding::Placement& place = layout[other];
    const bool is_coarser = place.kind == sharding::Placement::Kind::split &&
                            place.dim == own.dim && place.period > own.period;
    const bool comes_behind = (moving >> other & 1) != 0 && other > axis;
    if (is_coarser && !comes_behind)
      count = std::max<std::int64_t>(1, count / mesh.axes[other].size);
  }
  return count;
}

}  // namespace

Reshard Tables::price_reshard(const Form& from, const Form& to) {
  const Mesh& mesh = kinds_[at(from.kind)];
  const std::vector<std::int64_t>& dims = from.view.shape.dims;
  const auto bytes_of = [&](const std::vector<std::int64_t>& tile) {
    return static_cast<double>(num_elements(tile) * dtype_bytes(from.shape.dtype));
  };
  const std::int32_t model = model_of(from.kind);
  sharding::Layout layout = sharding::layout_of(from.view.spec, mesh);
  const sharding::Layout goal = sharding::layout_of(to.view.spec, mesh);
  Reshard price;
  for (const PathMove& move : path(dims, layout, goal, from.kind)) {
    sharding::Layout next = layout;
    for (std::size_t axis = 0; axis < next.size(); ++axis) {
      if (move.axes >> axis & 1) next[axis] = move.is_last ? goal[axis] : sharding::Placement{};
    }
    const std::vector<std::int64_t> tile = tile_dims(dims, layout, mesh);
    const double before = bytes_of(tile), after = bytes_of(tile_dims(dims, next, mesh));
    const auto lie_apart = [&](const sharding::Layout& split) {
      for (std::size_t axis = 0; axis < split.size(); ++axis) {
        const sharding::Placement& place = split[axis];
        if (!(move.axes >> axis & 1) || place.kind != sharding::Placement::Kind::split) continue;
        const bool is_cut = num_blocks(split, axis, move.axes, dims, mesh) > 1;
        if (is_cut || std::any_of(tile.begin(), tile.begin() + place.dim,
                                  [](std::int64_t extent) { return extent > 1; }))
          return true;
      }
      return false;
    };
    // Parts of several elements each, in each of several rows.
    const auto splits_rows = [&](const sharding::Layout& split) {
      const auto splits = [&](std::size_t axis) {
        const sharding::Placement& place = split[axis];
        return (move.axes >> axis & 1) && place.kind == sharding::Placement::Kind::split &&
               place.period == dims[at(place.dim)] && tile[at(place.dim)] > 1 &&
               std::any_of(tile.begin(), tile.begin() + place.dim,
                           [](std::int64_t extent) { return extent > 1; });
      };
      bool is_one = false;
      for (std::size_t axis = 0; axis < split.size(); ++axis) is_one |= splits(axis);
      return is_one && move.kind == sharding::Move::Kind::all_gather &&
             std::has_single_bit(move.axes);
    };
    double surely = 0;
    if (is_local(move.kind)) {
      price.kernels_s += cost_.stream_s(2 * std::min(before, after), model);
      price.num_kernels += move.kind != sharding::Move::Kind::mask;
    } else {
      const sharding::Placement& first = layout[at(std::countr_zero(move.axes))];
      const bool reduces = first.kind == sharding::Placement::Kind::partial;
      price.collectives.push_back({collective_kind(move.kind), move.axes, before,
                                   reduces ? first.reduction : Reduction::sum});
      const bool is_gathered = lie_apart(next);
      if (is_gathered) price.gathered_bytes += before;
      const bool adds_dim = collective_kind(move.kind) == OpKind::all_to_all ||
                            collective_kind(move.kind) == OpKind::reduce_scatter;
      if (adds_dim && !is_gathered) price.views |= 1u << (price.collectives.size() - 1);
      if (lie_apart(layout)) price.scattered_bytes += after;
      if (splits_rows(layout)) surely = after;
    }
    price.surely_scattered_bytes = surely;
    layout = std::move(next);
  }
  if (price.num_kernels == 0 && !price.collectives.empty() &&
      price.collectives.front().kind == OpKind::all_gather)
    price.gathers_view = gathers_view(from, to, mesh);
  if (price.gathers_view) price.views |= 1;
  price_halos(to, price);
  return price;
}

/// One exchange per dim: the borders are brought together, and the tile between what comes.
void Tables::price_halos(const Form& to, Reshard& price) const {
  const Mesh& mesh = kinds_[at(to.kind)];
  std::vector<std::int64_t> tile = tile_dims(to.view.shape.dims, to.view.spec, mesh);
  const auto bytes_of = [&](const std::vector<std::int64_t>& dims) {
    return static_cast<double>(num_elements(dims) * dtype_bytes(to.shape.dtype));
  };
  const std::int32_t model = model_of(to.kind);
  for (const sharding::Halo& halo : to.view.halos) {
    const double borders = bytes_of(exchanged_dims(tile, halo)),
                 forward = borders * static_cast<double>(halo.before) /
                           static_cast<double>(halo.before + halo.behind);
    tile = sharding::with_halos(std::move(tile), {halo});
    price.collectives.push_back(
        {OpKind::halo_exchange, 1u << halo.axis, borders, Reduction::sum, halo.before, forward});
    price.kernels_s += cost_.stream_s(2 * (borders + bytes_of(tile)), model);
    price.num_kernels += 2;
  }
}

}  // namespace rhino::evaluate
