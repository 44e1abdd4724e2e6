// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "rhino/error.hpp"
#include "rhino/index.hpp"
#include "sharding/complete.hpp"

namespace rhino::sharding {
namespace {

bool has_same_sizes(const Mesh& a, const Mesh& b) {
  return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                    [](const MeshAxis& x, const MeshAxis& y) { return x.size == y.size; });
}

// Reads the factors that axes cut out of the specs of an op's result and operands.
class ShardingFinder {
 public:
  ShardingFinder(const Program& program, const OpRule& rule, const PlacedStrategy& placed,
                 ValueId id, std::int32_t chunk)
      : program_(program),
        rule_(rule),
        strategy_(placed.strategy),
        chunk_of_(placed.chunk_of),
        id_(id),
        mesh_(strategy_.chunks[at(chunk)].mesh),
        parts_(axis_parts(mesh_, strategy_.num_micro_batches)) {}

  OpSharding run() {
    const ShardingSpec spec = spec_here(id_);
    for (std::size_t d = 0; d < spec.dims.size(); ++d) {
      for (const AxisSplit& split : spec.dims[d].splits) add_result_split(d, split);
    }
    for (ValueId operand : program_.op(id_).operands) operands_.push_back(spec_here(operand));
    std::vector<Partial> open = spec.partial;
    std::erase_if(open, [&](const Partial& partial) { return add_pass(partial); });
    // A minor split of an indexed factor fits only after the major one, whatever the axes' order.
    for (std::size_t round = open.size(); round > 0; --round) {
      std::erase_if(open, [&](const Partial& partial) { return add_matching(partial); });
    }
    for (const Partial& partial : open) {
      if (!add_any(partial)) fail(spec);
    }
    std::sort(sharding_.splits.begin(), sharding_.splits.end(),
              [](const FactorSplit& a, const FactorSplit& b) { return a.axis < b.axis; });
    return std::move(sharding_);
  }

 private:
  ShardingSpec spec_here(ValueId id) const {
    const std::int32_t chunk = std::max(chunk_of_[at(id)], 0);
    return carry_spec(program_.shape(id), strategy_.specs[at(id)], strategy_.chunks[at(chunk)].mesh,
                      mesh_, strategy_.num_micro_batches);
  }

  void add_result_split(std::size_t d, const AxisSplit& split) {
    const auto found = find_factor(rule_, rule_.result[d], split, parts_[at(split.axis + 1)]);
    if (!found || !try_add(*found)) fail(spec_here(id_));
  }

  bool try_add(const FactorSplit& split) {
    if (!may_add(rule_, sharding_.splits, split, parts_)) return false;
    sharding_.splits.push_back(split);
    return true;
  }

  static bool is_partial(const ShardingSpec& spec, const Partial& partial) {
    return std::find(spec.partial.begin(), spec.partial.end(), partial) != spec.partial.end();
  }

  // Operands that are partial as they come pass their sums on.
  bool add_pass(const Partial& partial) {
    if (partial.axis == kMicroAxis || partial.reduction != Reduction::sum) return false;
    std::int32_t first = -1;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const bool is_sum = is_partial(operands_[i], partial);
      if (rule_.passes_sum[i] && rule_.sum_together && !is_sum) return false;
      if (rule_.passes_sum[i] && is_sum && first < 0) first = static_cast<std::int32_t>(i);
    }
    if (first >= 0) sharding_.linear.push_back({partial.axis, first});
    return first >= 0;
  }

  bool yields(const Partial& partial, std::int32_t factor) const {
    const Factor& loop = rule_.factors[at(factor)];
    for (const auto& dim : rule_.result) {
      if (std::find(dim.begin(), dim.end(), factor) != dim.end()) return false;
    }
    return loop.kind != Factor::Kind::blocked && loop.kind != Factor::Kind::parallel &&
           loop.reduction == partial.reduction;
  }

  // A reduced factor along which some operand is cut as it comes.
  bool add_matching(const Partial& partial) {
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      for (std::size_t d = 0; d < operands_[i].dims.size(); ++d) {
        for (const AxisSplit& split : operands_[i].dims[d].splits) {
          if (split.axis != partial.axis) continue;
          const auto found =
              find_factor(rule_, rule_.operands[i][d], split, parts_[at(split.axis + 1)]);
          if (found && yields(partial, found->factor) && try_add(*found)) return true;
        }
      }
    }
    return false;
  }

  // The first reduced factor that the axis can cut, in blocks: within the parts of other axes, or
  // where strides leave no room there, around them.
  bool add_any(const Partial& partial) {
    for (const bool is_within : {true, false}) {
      for (std::size_t f = 0; f < rule_.factors.size(); ++f) {
        const auto factor = static_cast<std::int32_t>(f);
        if (!yields(partial, factor)) continue;
        const std::int64_t block = is_within ? least_part(factor) : rule_.factors[f].size;
        if (try_add({partial.axis, factor, block})) return true;
      }
    }
    return false;
  }

  std::int64_t least_part(std::int32_t factor) const {
    std::int64_t part = rule_.factors[at(factor)].size;
    for (const FactorSplit& split : sharding_.splits) {
      if (split.factor == factor) part = std::min(part, split.period / parts_[at(split.axis + 1)]);
    }
    return part;
  }

  [[noreturn]] void fail(const ShardingSpec& spec) const {
    throw Error("op " + std::to_string(id_) + " '" + program_.op(id_).name + "' yields " +
                to_string(program_.shape(id_)) + " under no sharding as " + to_string(spec, mesh_));
  }

  const Program& program_;
  const OpRule& rule_;
  const Strategy& strategy_;
  const std::vector<std::int32_t>& chunk_of_;
  ValueId id_;
  const Mesh& mesh_;
  std::vector<std::int64_t> parts_;
  std::vector<ShardingSpec> operands_;
  OpSharding sharding_;
};

}  // namespace

ShardingSpec carry_spec(const Shape& shape, const ShardingSpec& spec, const Mesh& from,
                        const Mesh& to, std::int64_t num_micro_batches) {
  if (has_same_sizes(from, to)) return spec;
  const auto from_parts = axis_parts(from, num_micro_batches);
  const auto to_parts = axis_parts(to, num_micro_batches);
  ShardingSpec carried = replicated(spec.dims.size());
  const auto exists = [&](AxisId axis) { return at(axis + 1) < to_parts.size(); };
  std::copy_if(spec.partial.begin(), spec.partial.end(), std::back_inserter(carried.partial),
               [&](const Partial& partial) { return exists(partial.axis); });
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    std::int64_t from_block = shape.dims[d], to_block = from_block;
    for (AxisSplit split : spec.dims[d].splits) {
      const bool contiguous = split.period == from_block;
      from_block = split.period / from_parts[at(split.axis + 1)];
      if (contiguous) split.period = to_block;
      if (!exists(split.axis)) continue;
      const std::int64_t parts = to_parts[at(split.axis + 1)];
      if (to_block % split.period != 0 || split.period % parts != 0) continue;
      if (parts == 1 && split.axis != kMicroAxis) continue;
      carried.dims[d].splits.push_back(split);
      to_block = split.period / parts;
    }
  }
  return carried;
}

OpSharding op_sharding(const Program& program, const OpRule& rule, const PlacedStrategy& placed,
                       ValueId id, std::int32_t chunk) {
  const std::int32_t own = placed.chunk_of[at(id)];
  return ShardingFinder(program, rule, placed, id, own < 0 ? chunk : own).run();
}

OpSharding op_sharding(const Program& program, const OpRule& rule, const Strategy& strategy,
                       ValueId id, std::int32_t chunk) {
  return op_sharding(program, rule, {strategy, strategy.chunk_of}, id, chunk);
}

OpSharding op_sharding(const Program& program, const Strategy& strategy, ValueId id,
                       std::int32_t chunk) {
  return op_sharding(program, op_rule(program, id), strategy, id, chunk);
}

}  // namespace rhino::sharding
