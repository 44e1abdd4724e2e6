// SPDX-License-Identifier: Apache-2.0
#include "evaluate/tables.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

#include "evaluate/bound.hpp"
#include "ir/builder.hpp"
#include "ir/flops.hpp"
#include "ir/op_traits.hpp"
#include "lower/lower.hpp"
#include "lower/storage.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"
#include "sharding/local_op.hpp"
#include "sharding/partition.hpp"

namespace rhino::evaluate {
namespace {

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

/// Devices of a mesh that have a link of their own, by their places in it; to some other device:
/// the place behind all.
struct Joined {
  std::size_t low = 0, high = 0;
  Link link;
  bool operator==(const Joined&) const = default;
};

std::vector<Joined> joined_in(const Cluster& cluster, const Mesh& mesh) {
  std::vector<Joined> all;
  if (cluster.own_links.empty()) return all;
  std::unordered_map<DeviceId, std::size_t> places;
  for (std::size_t i = 0; i < mesh.devices.size(); ++i) places[mesh.devices[i]] = i;
  for (const OwnLink& own : cluster.own_links) {
    const auto place = [&](DeviceId device) {
      const auto found = places.find(device);
      return found == places.end() ? mesh.devices.size() : found->second;
    };
    const std::size_t a = place(own.a), b = place(own.b);
    if (std::min(a, b) < mesh.devices.size())
      all.push_back({std::min(a, b), std::max(a, b), own.link});
  }
  std::ranges::sort(all, {}, [](const Joined& one) {
    return std::tuple(one.low, one.high, one.link.bytes_per_s, one.link.latency_s);
  });
  return all;
}

/// Whether devices of two meshes, one by one, are alike and have alike links.
bool are_alike(const cost::CostModel& cost, const Mesh& a, const Mesh& b) {
  const Cluster& cluster = cost.cluster();
  if (a.axes.size() != b.axes.size() || a.devices.size() != b.devices.size()) return false;
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    if (a.axes[i].size != b.axes[i].size) return false;
  }
  if (a.devices == b.devices) return true;
  if (cost.links().has_own_between_hosts() || !cluster.uplinks.empty()) return false;
  std::map<std::int32_t, std::int32_t> host_in_b;  // which host of b stands for one of a
  for (std::size_t i = 0; i < a.devices.size(); ++i) {
    const DeviceId x = a.devices[i], y = b.devices[i];
    const std::int32_t host_x = cluster.host_of[at(x)], host_y = cluster.host_of[at(y)];
    const auto [found, is_new] = host_in_b.try_emplace(host_x, host_y);
    if (found->second != host_y || cluster.model_of[at(x)] != cluster.model_of[at(y)]) return false;
    if (cluster.inside(host_x) != cluster.inside(host_y) ||
        cluster.host_link(host_x) != cluster.host_link(host_y) ||
        cluster.interface(host_x) != cluster.interface(host_y))
      return false;
    // The same interface of its host, counted from that of the host's first device here.
    if (cluster.interface_of(x) != cluster.interface_of(y)) return false;
  }
  std::set<std::int32_t> used;
  for (const auto& [host_x, host_y] : host_in_b) used.insert(host_y);
  return used.size() == host_in_b.size() && joined_in(cluster, a) == joined_in(cluster, b);
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
    : graph_(graph), cost_(cost), recent_forms_(at(graph.size())) {
  for (auto& recent : recent_forms_) recent.fill(-1);
}

std::int32_t Tables::kind_of(const Mesh& mesh) {
  const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                  [&](const Mesh& other) { return are_alike(cost_, mesh, other); });
  const auto kind = static_cast<std::int32_t>(found - kinds_.begin());
  if (found != kinds_.end()) return kind;
  kinds_.push_back(mesh);
  models_.push_back(models_of(mesh));
  return kind;
}

/// By all of the program's dots and convolutions, and a pass over all else.
Tables::Models Tables::models_of(const Mesh& mesh) const {
  std::set<std::int32_t> models;
  for (const DeviceId device : mesh.devices) models.insert(cost_.cluster().model_of[at(device)]);
  if (models.size() == 1) return {*models.begin()};
  std::map<DType, double> flops;
  double bytes = 0;
  for (ValueId id = 0; id < graph_.size(); ++id) {
    const Op& op = graph_.op(id);
    if (ir::traits(op.kind).heavy && !op.operands.empty())
      flops[graph_.shape(op.operands[0]).dtype] += ir::op_flops(graph_.program(), id);
    else if (work_of(graph_.program(), id) != OpWork::none)
      bytes += static_cast<double>(num_bytes(op.shape));
  }
  const auto seconds = [&](std::int32_t model) {
    double sum_s = cost_.stream_s(bytes, model);
    for (const auto& [dtype, count] : flops)
      sum_s += count / peak_flops(cost_.cluster().models[at(model)], dtype);
    return std::pair(sum_s, cost_.kernel_latency_s(model));
  };
  Models made{*std::ranges::max_element(models, {}, seconds)};
  models.erase(made.slowest);
  made.others.assign(models.begin(), models.end());
  for (const std::int32_t other : made.others) {
    const auto share = [&](double other_s, double own_s) {
      if (own_s > 0) made.least_share = std::min(made.least_share, other_s / own_s);
    };
    share(cost_.stream_s(1, other), cost_.stream_s(1, made.slowest));
    share(cost_.loop_latency_s(other), cost_.loop_latency_s(made.slowest));
  }
  return made;
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
  facts_.push_back({.kind = kind,
                    .is_partial = made.is_partial(),
                    .has_halos = !halos.empty(),
                    .count = static_cast<double>(num_micro_batches),
                    .tile_bytes = made.tile_bytes,
                    .memory_bytes = memory_bytes(made.tile_bytes),
                    .stream_s = loop_stream_s(made.tile_bytes, kind),
                    .least_stream_s = least_loop_stream_s(made.tile_bytes, kind)});
  forms_.push_back(std::move(made));
  form_index_.emplace(hash, static_cast<FormId>(forms_.size()) - 1);
  return static_cast<FormId>(forms_.size()) - 1;
}

FormId Tables::form_of(ValueId value, const ShardingSpec& spec, std::int32_t kind,
                       std::int64_t num_micro_batches) {
  std::array<FormId, kNumRecent>& recent = recent_forms_[at(value)];
  const auto known = std::ranges::find_if(recent, [&](FormId id) {
    return id >= 0 && form(id).kind == kind && form(id).num_micro_batches == num_micro_batches &&
           form(id).spec == spec;
  });
  if (known != recent.end()) {
    std::rotate(recent.begin(), known, known + 1);
    return recent.front();
  }
  std::shift_right(recent.begin(), recent.end(), 1);
  return recent.front() = form(graph_.shape(value), spec, kind, num_micro_batches);
}

FormId Tables::resolved(FormId id) {
  if (!facts(id).is_partial) return id;
  const Form& made = form(id);
  ShardingSpec spec = made.spec;
  std::erase_if(spec.partial, [](const Partial& partial) { return partial.axis != kMicroAxis; });
  const Shape shape = made.shape;
  return form(shape, spec, made.kind, made.num_micro_batches);
}

FormId Tables::tile(FormId id) {
  if (!facts(id).has_halos) return id;
  const Form with_halos = form(id);
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
  price.least_share = work.least_share;
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
  const bool is_alike = models_[at(kind)].others.empty();
  std::vector<std::int64_t> key{graph_.class_of(id), is_alike ? model_of(kind) : -1 - kind};
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
  const lower::LoweredProgram lowered = lower::lower(
      std::move(builder).finish(), {.longest_row = lower::kernels_of(cost_.cluster()).longest_row});
  WorkPrice work = work_price(id, lowered, model_of(kind));
  for (const std::int32_t other : models_[at(kind)].others) {
    const WorkPrice there = work_price(id, lowered, other);
    for (double WorkPrice::*const part :
         {&WorkPrice::kernel_s, &WorkPrice::own_s, &WorkPrice::arithmetic_s}) {
      if (work.*part > 0) work.least_share = std::min(work.least_share, there.*part / work.*part);
    }
  }
  return work;
}

Tables::WorkPrice Tables::work_price(ValueId id, const lower::LoweredProgram& lowered,
                                     std::int32_t model) const {
  WorkPrice work{cost_.kernel_times(lowered, model).run_s};
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
