// SPDX-License-Identifier: Apache-2.0
#include "evaluate/tables.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "ir/builder.hpp"
#include "ir/op_info.hpp"
#include "ir/op_traits.hpp"
#include "lower/lower.hpp"
#include "lower/storage.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "sharding/local_op.hpp"
#include "sharding/partition.hpp"
#include "sharding/reshard_path.hpp"

namespace rhino::evaluate {
namespace {

using sharding::layout_of;

void mix(std::size_t& hash, std::int64_t value) {
  hash = (hash ^ static_cast<std::size_t>(value)) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
}

std::size_t hash_of(const Shape& shape, const ShardingSpec& spec, std::int32_t kind,
                    std::int64_t num_micro_batches, const std::vector<sharding::Halo>& halos) {
  std::size_t hash = at(kind) + 256 * at(num_micro_batches);
  mix(hash, static_cast<std::int64_t>(shape.dtype));
  for (const std::int64_t extent : shape.dims) mix(hash, extent);
  mix(hash, static_cast<std::int64_t>(sharding::hash_of(spec)));
  for (const sharding::Halo& halo : halos) mix(hash, 64 * halo.before + halo.behind);
  return hash;
}

/// Whether devices of two meshes, one by one, are alike and have alike links.
bool are_alike(const Cluster& cluster, const Mesh& a, const Mesh& b) {
  if (a.axes.size() != b.axes.size() || a.devices.size() != b.devices.size()) return false;
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    if (a.axes[i].size != b.axes[i].size) return false;
  }
  if (a.devices == b.devices) return true;
  if (!cluster.own_links.empty() || !cluster.uplinks.empty()) return false;
  std::map<std::int32_t, std::int32_t> host_in_b;  // which host of b stands for one of a
  for (std::size_t i = 0; i < a.devices.size(); ++i) {
    const DeviceId x = a.devices[i], y = b.devices[i];
    const std::int32_t host_x = cluster.host_of[at(x)], host_y = cluster.host_of[at(y)];
    const auto [found, is_new] = host_in_b.try_emplace(host_x, host_y);
    if (found->second != host_y || cluster.model_of[at(x)] != cluster.model_of[at(y)]) return false;
    if (cluster.inside(host_x) != cluster.inside(host_y) ||
        cluster.host_link(host_x) != cluster.host_link(host_y))
      return false;
    // The same interface of its host, counted from that of the host's first device here.
    if (cluster.interface_of(x) != cluster.interface_of(y)) return false;
  }
  std::set<std::int32_t> used;
  for (const auto& [host_x, host_y] : host_in_b) used.insert(host_y);
  return used.size() == host_in_b.size();
}

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

}  // namespace

OpWork work_of(const Program& program, ValueId id) {
  const OpKind kind = program.op(id).kind;
  const ir::OpTraits& traits = ir::traits(kind);
  if (kind == OpKind::parameter || traits.view || traits.free) return OpWork::none;
  return lower::is_loop_op(program, id) ? OpWork::loop : OpWork::kernel;
}

template <class T>
std::size_t Tables::Hash::operator()(const std::vector<T>& key) const {
  std::size_t hash = key.size();
  for (const T value : key) mix(hash, value);
  return hash;
}

Tables::Tables(const sharding::OpGraph& graph, const cost::CostModel& cost)
    : graph_(graph), cost_(cost) {}

std::int32_t Tables::kind_of(const Mesh& mesh) {
  const auto found = std::find_if(kinds_.begin(), kinds_.end(), [&](const Mesh& other) {
    return are_alike(cost_.cluster(), mesh, other);
  });
  if (found == kinds_.end()) return kinds_.push_back(mesh), static_cast<int>(kinds_.size()) - 1;
  return static_cast<std::int32_t>(found - kinds_.begin());
}

std::int32_t Tables::model_of(std::int32_t kind) const {
  return cost_.cluster().model_of[at(kinds_[at(kind)].devices.front())];
}

FormId Tables::form(const Shape& shape, const ShardingSpec& spec, std::int32_t kind,
                    std::int64_t num_micro_batches, const std::vector<sharding::Halo>& halos) {
  const std::size_t hash = hash_of(shape, spec, kind, num_micro_batches, halos);
  const auto [first, last] = form_index_.equal_range(hash);
  for (auto found = first; found != last; ++found) {
    const Form& known = form(found->second);
    if (known.kind == kind && known.num_micro_batches == num_micro_batches &&
        known.shape == shape && known.spec == spec && known.view.halos == halos)
      return found->second;
  }
  const Mesh& mesh = kinds_[at(kind)];
  sharding::check_spec(shape, spec, mesh, num_micro_batches);
  Form made{shape, spec, kind, num_micro_batches,
            sharding::micro_view(shape, spec, num_micro_batches)};
  made.view.halos = halos;
  made.tile_bytes = static_cast<double>(dtype_bytes(shape.dtype)) *
                    static_cast<double>(num_elements(held_dims(made.view, mesh)));
  forms_.push_back(std::move(made));
  form_index_.emplace(hash, static_cast<FormId>(forms_.size()) - 1);
  return static_cast<FormId>(forms_.size()) - 1;
}

FormId Tables::resolved(FormId id) {
  const Form& made = form(id);
  if (!made.is_partial()) return id;
  ShardingSpec spec = made.spec;
  std::erase_if(spec.partial, [](const Partial& partial) { return partial.axis != kMicroAxis; });
  const Shape shape = made.shape;
  return form(shape, spec, made.kind, made.num_micro_batches);
}

FormId Tables::tile(FormId id) {
  const Form with_halos = form(id);
  if (with_halos.view.halos.empty()) return id;
  return form(with_halos.shape, with_halos.spec, with_halos.kind, with_halos.num_micro_batches);
}

const Reshard& Tables::reshard(FormId from, FormId to) {
  const std::uint64_t key = static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  const auto [found, is_new] = reshards_.try_emplace(key);
  if (is_new) found->second = price_reshard(form(from), form(to));
  return found->second;
}

/// Divides extents and periods of each dim by what divides all blocks there: what is left decides
/// about the path, which large and small tensors, and micro-batches of any size, so share.
static void reduce(std::vector<std::int64_t>& dims, sharding::Layout& from, sharding::Layout& to,
                   const Mesh& mesh) {
  std::vector<std::int64_t> units = dims;
  const auto for_each_split = [&](auto visit) {
    for (sharding::Layout* layout : {&from, &to}) {
      for (std::size_t axis = 0; axis < layout->size(); ++axis) {
        sharding::Placement& place = (*layout)[axis];
        if (place.kind == sharding::Placement::Kind::split) visit(place, mesh.axes[axis].size);
      }
    }
  };
  for_each_split([&](const sharding::Placement& place, std::int64_t parts) {
    std::int64_t& unit = units[at(place.dim)];
    unit = std::gcd(unit, place.period / parts);
  });
  for_each_split(
      [&](sharding::Placement& place, std::int64_t) { place.period /= units[at(place.dim)]; });
  for (std::size_t d = 0; d < dims.size(); ++d) dims[d] /= std::max<std::int64_t>(1, units[d]);
}

const std::vector<Tables::PathMove>& Tables::path(const std::vector<std::int64_t>& dims,
                                                  const sharding::Layout& from,
                                                  const sharding::Layout& to, std::int32_t kind) {
  const Mesh& mesh = kinds_[at(kind)];
  std::vector<std::int64_t> least = dims;
  sharding::Layout start = from, goal = to;
  reduce(least, start, goal, mesh);
  std::vector<std::int64_t> key{kind};
  key.insert(key.end(), least.begin(), least.end());
  for (const sharding::Layout* layout : {&start, &goal}) {
    for (const sharding::Placement& place : *layout) {
      key.push_back(static_cast<std::int64_t>(place.kind) +
                    4 * static_cast<std::int64_t>(place.reduction));
      key.push_back(place.dim);
      key.push_back(place.period);
    }
  }
  const auto [found, is_new] = paths_.try_emplace(std::move(key));
  if (!is_new) return found->second;
  for (const sharding::Move& move : reshard_path(least, start, goal, mesh)) {
    PathMove& made = found->second.emplace_back(PathMove{move.kind, 0, true});
    for (const std::int32_t axis : move.axes) {
      made.axes |= 1u << axis;
      made.is_last &= move.after[at(axis)] == goal[at(axis)];
    }
  }
  return found->second;
}

/// Whether the first op of a reshard that begins with a gather is a reshape.
static bool gathers_view(const Form& from, const Form& to, const Mesh& mesh) {
  const sharding::MicroView& view = from.view;
  const Shape tile{view.shape.dtype, tile_dims(view.shape.dims, view.spec, mesh)};
  ir::Builder builder("reshard");
  const ValueId value = builder.input(InputKind::batch, tile, {}, "tile");
  sharding::append_reshard(builder, value, view.shape, view.spec, to.view.spec, mesh);
  return !ir::is_collective(builder.program().op(value + 1).kind);
}

/// Into which the parts of an axis cut a tile: one where axes that cut its dim before it have it
/// adjacent. Of axes that move together the parts come in the order of their numbers.
static std::int64_t num_blocks(const sharding::Layout& layout, std::size_t axis,
                               std::uint32_t moving, const std::vector<std::int64_t>& dims,
                               const Mesh& mesh) {
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

Reshard Tables::price_reshard(const Form& from, const Form& to) {
  const Mesh& mesh = kinds_[at(from.kind)];
  const std::vector<std::int64_t>& dims = from.view.shape.dims;
  const auto bytes_of = [&](const std::vector<std::int64_t>& tile) {
    return static_cast<double>(num_elements(tile) * dtype_bytes(from.shape.dtype));
  };
  const std::int32_t model = model_of(from.kind);
  sharding::Layout layout = layout_of(from.view.spec, mesh);
  const sharding::Layout goal = layout_of(to.view.spec, mesh);
  Reshard price;
  for (const PathMove& move : path(dims, layout, goal, from.kind)) {
    sharding::Layout next = layout;
    for (std::size_t axis = 0; axis < next.size(); ++axis) {
      if (move.axes >> axis & 1) next[axis] = move.is_last ? goal[axis] : sharding::Placement{};
    }
    const std::vector<std::int64_t> tile = tile_dims(dims, layout, mesh);
    const double before = bytes_of(tile), after = bytes_of(tile_dims(dims, next, mesh));
    const auto lie_apart = [&](const sharding::Layout& split, bool is_behind) {
      for (std::size_t axis = 0; axis < split.size(); ++axis) {
        const sharding::Placement& place = split[axis];
        if (!(move.axes >> axis & 1) || place.kind != sharding::Placement::Kind::split) continue;
        const bool is_cut = is_behind ? num_blocks(split, axis, move.axes, dims, mesh) > 1
                                      : place.period < dims[at(place.dim)];
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
      if (lie_apart(next, false)) price.gathered_bytes += before;
      if (lie_apart(layout, true)) price.scattered_bytes += after;
      if (splits_rows(layout)) surely = after;
    }
    price.surely_scattered_bytes = surely;
    layout = std::move(next);
  }
  if (price.num_kernels == 0 && !price.collectives.empty() &&
      price.collectives.front().kind == OpKind::all_gather)
    price.gathers_view = gathers_view(from, to, mesh);
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
                 larger = static_cast<double>(std::max(halo.before, halo.behind)) /
                          static_cast<double>(halo.before + halo.behind);
    tile = sharding::with_halos(std::move(tile), {halo});
    price.collectives.push_back({OpKind::halo_exchange, 1u << halo.axis, 2 * larger * borders,
                                 Reduction::sum, halo.before});
    price.kernels_s += cost_.stream_s(2 * (borders + bytes_of(tile)), model);
    price.num_kernels += 2;
  }
}

const OpPrice& Tables::op(const OpPlace& place, const Strategy& strategy,
                          const std::vector<FormId>& forms) {
  key_.assign({graph_.class_of(place.id), place.kind});
  key_.insert(key_.end(), forms.begin(), forms.end());
  const auto found = ops_.find(key_);
  if (found != ops_.end()) return found->second;
  const sharding::OpSharding sharding =
      op_sharding(graph_.program(), graph_.rule(place.id), strategy, place.id, place.chunk);
  OpPrice price = priced(place, sharding, strategy.num_micro_batches);
  return ops_.emplace(key_, std::move(price)).first->second;
}

OpPrice Tables::priced(const OpPlace& place, const sharding::OpSharding& sharding,
                       std::int64_t num_micro_batches) {
  const auto& [id, chunk, kind] = place;
  const Program& program = graph_.program();
  const sharding::OpRule& rule = graph_.rule(id);
  const Mesh& mesh = kinds_[at(kind)];
  const std::int64_t count = num_micro_batches;
  OpPrice price;
  const std::vector<ValueId>& operands = program.op(id).operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Shape& shape = program.shape(operands[i]);
    const ShardingSpec spec = operand_spec(program, id, rule, sharding, i, mesh, count);
    price.needs.push_back(form(shape, spec, kind, count));
    if (!rule.halos.empty())
      price.needs.back() =
          form(shape, spec, kind, count,
               operand_halos(rule, sharding, i, sharding::axis_parts(mesh, count)));
  }
  price.result =
      form(program.shape(id), result_spec(program, id, rule, sharding, mesh, count), kind, count);
  const WorkPrice work = work_price(id, price, kind);
  price.kernel_s = work.kernel_s;
  price.own_s = work.own_s;
  price.arithmetic_s = work.arithmetic_s;
  return price;
}

std::vector<std::int64_t> Tables::local_dims(FormId id) const {
  const Form& form = this->form(id);
  const Mesh& mesh = kinds_[at(form.kind)];
  return held_dims(form.view, mesh);
}

/// Once for equal tiles, however they are cut out; some ops count the positions of their tiles.
Tables::WorkPrice Tables::work_price(ValueId id, const OpPrice& price, std::int32_t kind) {
  const OpKind op = graph_.op(id).kind;
  if (work_of(graph_.program(), id) == OpWork::none) return {};
  const bool counts = op == OpKind::constant || op == OpKind::rng || op == OpKind::iota ||
                      op == OpKind::gather || op == OpKind::scatter;
  if (counts) return lowered_price(id, price, kind);
  std::vector<std::int64_t> key{graph_.class_of(id), model_of(kind)};
  const auto add = [&](FormId form) {
    const std::vector<std::int64_t> dims = local_dims(form);
    key.insert(key.end(), dims.begin(), dims.end());
  };
  add(price.result);
  std::ranges::for_each(price.needs, add);
  const auto [found, is_new] = works_.try_emplace(std::move(key));
  if (is_new) found->second = lowered_price(id, price, kind);
  return found->second;
}

/// By lowering a program of this op alone.
Tables::WorkPrice Tables::lowered_price(ValueId id, const OpPrice& price, std::int32_t kind) const {
  ir::Builder builder("op");
  const bool fills =
      graph_.op(id).kind == OpKind::scatter && sharding::is_on_zeros(graph_.program(), id);
  sharding::OpForm form{{}, this->form(price.result).view};
  std::vector<ValueId> operands;
  for (const FormId need : price.needs) {
    form.needs.push_back(this->form(need).view);
    const Shape shape{form.needs.back().shape.dtype, local_dims(need)};
    operands.push_back(fills && operands.empty() ? builder.fill(shape, 0)
                                                 : builder.input(InputKind::batch, shape, {}, ""));
  }
  builder.output(append_local_op(builder, graph_.program(), id, form, operands, kinds_[at(kind)]),
                 OutputKind::value);
  const lower::LoweredProgram lowered = lower::lower(std::move(builder).finish());
  const std::int32_t model = model_of(kind);
  WorkPrice work{cost_.kernel_times(lowered, model).run_s, 0, 0};
  for (const lower::KernelGroup& group : lowered.groups) {
    if (group.kind != lower::KernelGroup::Kind::loop)
      work.own_s += cost_.group_s(lowered, group, model);
  }
  if (work_of(graph_.program(), id) == OpWork::kernel) return work;
  for (lower::KernelGroup group : lowered.groups) {
    group.bytes = 0;
    work.arithmetic_s += cost_.group_s(lowered, group, model) - cost_.loop_latency_s(model);
  }
  return work;
}

}  // namespace rhino::evaluate
