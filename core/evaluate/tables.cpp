// SPDX-License-Identifier: Apache-2.0
#include "evaluate/tables.hpp"

#include <algorithm>
#include <set>

#include "ir/builder.hpp"
#include "ir/mesh_groups.hpp"
#include "ir/op_traits.hpp"
#include "lower/lower.hpp"
#include "lower/storage.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "sharding/local_op.hpp"
#include "sharding/reshard_path.hpp"

namespace rhino::evaluate {
namespace {

using sharding::layout_of;

void mix(std::size_t& hash, std::int64_t value) {
  hash = (hash ^ static_cast<std::size_t>(value)) * 0x9e3779b97f4a7c15u;
  hash ^= hash >> 32;
}

std::size_t hash_of(const Shape& shape, const ShardingSpec& spec, std::int32_t kind,
                    std::int64_t num_micro_batches) {
  std::size_t hash = at(kind) + 256 * at(num_micro_batches);
  mix(hash, static_cast<std::int64_t>(shape.dtype));
  for (const std::int64_t extent : shape.dims) mix(hash, extent);
  for (const DimSharding& dim : spec.dims) {
    mix(hash, static_cast<std::int64_t>(dim.splits.size()));
    for (const AxisSplit& split : dim.splits) mix(hash, 8 * split.period + split.axis);
  }
  for (const Partial& partial : spec.partial)
    mix(hash, 64 * (partial.axis + 2) + static_cast<std::int64_t>(partial.reduction));
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

std::size_t Tables::Hash::operator()(const std::vector<std::int32_t>& key) const {
  std::size_t hash = key.size();
  for (const std::int32_t value : key) mix(hash, value);
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
                    std::int64_t num_micro_batches) {
  const std::size_t hash = hash_of(shape, spec, kind, num_micro_batches);
  const auto [first, last] = form_index_.equal_range(hash);
  for (auto found = first; found != last; ++found) {
    const Form& known = form(found->second);
    if (known.kind == kind && known.num_micro_batches == num_micro_batches &&
        known.shape == shape && known.spec == spec)
      return found->second;
  }
  const Mesh& mesh = kinds_[at(kind)];
  sharding::check_spec(shape, spec, mesh, num_micro_batches);
  Form made{shape, spec, kind, num_micro_batches,
            sharding::micro_view(shape, spec, num_micro_batches)};
  made.tile_bytes = static_cast<double>(dtype_bytes(shape.dtype)) *
                    static_cast<double>(num_elements(
                        tile_dims(made.view.shape.dims, layout_of(made.view.spec, mesh), mesh)));
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

const Tables::Groups& Tables::groups(std::int32_t kind, std::uint32_t axes) {
  const auto [found, is_new] = groups_.try_emplace(std::uint64_t{axes} << 32 | at(kind));
  if (!is_new) return found->second;
  const Mesh& mesh = kinds_[at(kind)];
  std::vector<std::int32_t> list;
  for (std::int32_t axis = 0; at(axis) < mesh.axes.size(); ++axis) {
    if (axes >> axis & 1) list.push_back(axis);
  }
  const auto all = ir::devices_along(mesh, list);
  const Cluster& cluster = cost_.cluster();
  std::set<std::size_t> num_hosts;
  for (const auto& group : all) {
    std::set<std::int32_t> hosts;
    for (const DeviceId device : group) hosts.insert(cluster.host_of[at(device)]);
    num_hosts.insert(hosts.size());
  }
  found->second = {all.front(), cost::groups_per_host(all, cluster), num_hosts.size() == 1};
  return found->second;
}

double Tables::seconds(const Collective& collective, std::int32_t kind) {
  const Groups& group = groups(kind, collective.axes);
  return cost_.collective_s(collective.kind, collective.bytes, group.first, group.num_sharing);
}

Tables::Bound Tables::bound(const Collective& collective, std::int32_t kind) {
  const Groups& group = groups(kind, collective.axes);
  const std::int32_t num_sharing = group.are_alike ? group.num_sharing : 1;
  constexpr double kManyBytes = 1e13;  // latencies do not lower that rate
  return {cost_.collective_s(collective.kind, collective.bytes, group.first, num_sharing),
          collective.bytes / kManyBytes *
              cost_.collective_s(collective.kind, kManyBytes, group.first, num_sharing)};
}

const Reshard& Tables::reshard(FormId from, FormId to) {
  const std::uint64_t key = static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to);
  const auto [found, is_new] = reshards_.try_emplace(key);
  if (is_new) found->second = price_reshard(form(from), form(to));
  return found->second;
}

Reshard Tables::price_reshard(const Form& from, const Form& to) {
  const Mesh& mesh = kinds_[at(from.kind)];
  const std::vector<std::int64_t>& dims = from.view.shape.dims;
  const auto bytes_of = [&](const sharding::Layout& layout) {
    return static_cast<double>(num_elements(tile_dims(dims, layout, mesh)) *
                               dtype_bytes(from.shape.dtype));
  };
  const std::int32_t model = model_of(from.kind);
  sharding::Layout layout = layout_of(from.view.spec, mesh);
  Reshard price;
  for (const sharding::Move& move :
       reshard_path(dims, layout, layout_of(to.view.spec, mesh), mesh)) {
    const double before = bytes_of(layout), after = bytes_of(move.after);
    if (is_local(move.kind)) {
      price.kernels_s += cost_.stream_s(2 * std::min(before, after), model);
    } else {
      std::uint32_t axes = 0;
      for (const std::int32_t axis : move.axes) axes |= 1u << axis;
      price.collectives.push_back({collective_kind(move.kind), axes, before});
    }
    layout = move.after;
  }
  return price;
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
    price.needs.push_back(form(program.shape(operands[i]),
                               operand_spec(program, id, rule, sharding, i, mesh, count), kind,
                               count));
  }
  price.result =
      form(program.shape(id), result_spec(program, id, rule, sharding, mesh, count), kind, count);
  price_work(id, price.needs, mesh, price);
  return price;
}

/// By lowering a program of this op alone.
void Tables::price_work(ValueId id, const std::vector<FormId>& needs, const Mesh& mesh,
                        OpPrice& price) {
  const OpWork work = work_of(graph_.program(), id);
  if (work == OpWork::none) return;
  ir::Builder builder("op");
  sharding::OpForm form{{}, this->form(price.result).view};
  std::vector<ValueId> operands;
  for (const FormId need : needs) {
    const sharding::MicroView& view = this->form(need).view;
    form.needs.push_back(view);
    operands.push_back(builder.input(
        InputKind::batch,
        {view.shape.dtype, tile_dims(view.shape.dims, layout_of(view.spec, mesh), mesh)}, {}, ""));
  }
  builder.output(append_local_op(builder, graph_.program(), id, form, operands, mesh),
                 OutputKind::value);
  const lower::LoweredProgram lowered = lower::lower(std::move(builder).finish());
  const std::int32_t model = cost_.cluster().model_of[at(mesh.devices.front())];
  price.kernel_s = cost_.kernel_times(lowered, model).run_s;
  if (work == OpWork::kernel) return;
  for (lower::KernelGroup group : lowered.groups) {
    group.bytes = 0;
    price.arithmetic_s += cost_.group_s(lowered, group, model) - cost_.loop_latency_s(model);
  }
}

}  // namespace rhino::evaluate
