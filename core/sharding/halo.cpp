// SPDX-License-Identifier: Apache-2.0
#include "sharding/halo.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ir/op_info.hpp"
#include "rhino/index.hpp"
#include "sharding/rule.hpp"
#include "sharding/windows.hpp"

namespace rhino::sharding {
namespace {

using Dims = std::vector<std::int64_t>;

class HaloWriter {
 public:
  HaloWriter(ir::Builder& builder, ValueId tile, const Halo& halo, const Mesh& mesh)
      : builder_(builder),
        tile_(tile),
        dims_(builder.shape(tile).dims),
        halo_(halo),
        num_parts_(mesh.axes[at(halo.axis)].size) {}

  ValueId append() {
    const std::int64_t extent = dims_[at(halo_.dim)];
    std::vector<ValueId> sent;  // to the device behind, and to the one before
    if (halo_.before > 0) sent.push_back(cut(tile_, extent - halo_.before, extent));
    if (halo_.behind > 0) sent.push_back(cut(tile_, 0, halo_.behind));
    const ValueId received = exchange(sent.size() == 1 ? sent[0] : join(sent));
    std::vector<ValueId> parts;
    if (halo_.before > 0) parts.push_back(padded(cut(received, 0, halo_.before), 0));
    parts.push_back(tile_);
    if (halo_.behind > 0)
      parts.push_back(
          padded(cut(received, halo_.before, halo_.before + halo_.behind), num_parts_ - 1));
    return join(parts);
  }

 private:
  ValueId cut(ValueId value, std::int64_t begin, std::int64_t end) {
    Dims starts(dims_.size(), 0), limits = builder_.shape(value).dims;
    if (begin == 0 && end == limits[at(halo_.dim)]) return value;
    starts[at(halo_.dim)] = begin;
    limits[at(halo_.dim)] = end;
    return builder_.slice(value, std::move(starts), std::move(limits));
  }

  ValueId join(const std::vector<ValueId>& parts) { return builder_.concatenate(parts, halo_.dim); }

  /// In front and back.
  ValueId exchange(ValueId value) {
    const Dims dims = builder_.shape(value).dims;
    Dims order(dims.size()), back(dims.size());
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + halo_.dim, order.begin() + halo_.dim + 1);
    for (std::size_t d = 0; d < order.size(); ++d)
      back[at(order[d])] = static_cast<std::int64_t>(d);
    const bool is_reshape =
        std::all_of(dims.begin(), dims.begin() + halo_.dim, [](std::int64_t e) { return e == 1; });
    const auto front = exchanged_dims(dims_, halo_);
    if (halo_.dim != 0)
      value = is_reshape ? builder_.reshape(value, front) : builder_.transpose(value, order);
    Op op{.kind = OpKind::halo_exchange,
          .operands = {value},
          .attributes = CollectiveAttr{{halo_.axis}, Reduction::sum, halo_.before}};
    value = builder_.add(std::move(op), num_parts_);
    if (halo_.dim == 0) return value;
    return is_reshape ? builder_.reshape(value, dims) : builder_.transpose(value, back);
  }

  /// Neutral elements on the device at that end of the axis.
  ValueId padded(ValueId received, std::int64_t end) {
    const Shape shape = builder_.shape(received);
    const ValueId is_end =
        builder_.compare(Comparison::eq, builder_.axis_index({halo_.axis}),
                         builder_.constant(DType::s32, static_cast<double>(end)));
    const ValueId neutral = builder_.fill(shape, ir::neutral_element(halo_.fill, shape.dtype));
    return builder_.select(builder_.broadcast_in_dim(is_end, shape.dims, {}), neutral, received);
  }

  ir::Builder& builder_;
  ValueId tile_;
  const Dims dims_;
  const Halo& halo_;
  std::int64_t num_parts_;
};

}  // namespace

std::vector<Halo> operand_halos(const OpRule& rule, const OpSharding& sharding, std::size_t i,
                                const std::vector<std::int64_t>& parts) {
  std::vector<Halo> halos;
  for (const FactorHalo& halo : rule.halos) {
    if (at(halo.operand) != i) continue;
    for (const FactorSplit& split : sharding.splits) {
      const std::int64_t n = parts[at(split.axis + 1)];
      if (split.factor != halo.factor || n == 1) continue;
      const std::int64_t before = widest_before(halo.before, halo.drift, n),
                         behind = widest_behind(halo.behind, halo.drift, n);
      if (before + behind > 0) halos.push_back({halo.dim, split.axis, before, behind, halo.fill});
    }
  }
  return halos;
}

std::vector<std::int64_t> with_halos(std::vector<std::int64_t> dims,
                                     const std::vector<Halo>& halos) {
  for (const Halo& halo : halos) dims[at(halo.dim)] += halo.before + halo.behind;
  return dims;
}

std::vector<std::int64_t> exchanged_dims(std::vector<std::int64_t> dims, const Halo& halo) {
  dims.erase(dims.begin() + halo.dim);
  dims.insert(dims.begin(), halo.before + halo.behind);
  return dims;
}

ValueId append_halo(ir::Builder& builder, ValueId tile, const Halo& halo, const Mesh& mesh) {
  return HaloWriter(builder, tile, halo, mesh).append();
}

}  // namespace rhino::sharding
