// SPDX-License-Identifier: Apache-2.0
#include "sharding/local_op.hpp"

#include <algorithm>

#include "rhino/index.hpp"
#include "rhino/tile.hpp"
#include "sharding/windows.hpp"

namespace rhino::sharding {
namespace {

using Dims = std::vector<std::int64_t>;

class LocalOp {
 public:
  LocalOp(ir::Builder& builder, const Program& program, ValueId id, const OpForm& form,
          const std::vector<ValueId>& operands, const Mesh& mesh)
      : builder_(builder),
        program_(program),
        op_(program.op(id)),
        form_(form),
        operands_(operands),
        mesh_(mesh),
        local_{op_.shape.dtype, tile_dims(form.result.shape.dims, form.result.spec, mesh)} {}

  ValueId append() {
    switch (op_.kind) {
      case OpKind::constant: return constant();
      case OpKind::rng: return whole_then_cut();
      case OpKind::iota: return iota();
      case OpKind::slice: return slice();
      case OpKind::dynamic_slice: return dynamic_slice();
      case OpKind::gather: return gather();
      case OpKind::scatter: return scatter();
      case OpKind::convolution: return convolution();
      case OpKind::reduce_window: return reduce_window();
      case OpKind::select_and_scatter: return select_and_scatter();
      default: return same_op(op_.attributes, operands_);
    }
  }

 private:
  ValueId same_op(Attributes attributes, std::vector<ValueId> operands) {
    Op op;
    op.kind = op_.kind;
    op.shape = local_;
    op.operands = std::move(operands);
    op.attributes = std::move(attributes);
    op.name = op_.name;
    return builder_.add(std::move(op));
  }

  const Dims& global_dims(std::size_t i) const { return program_.shape(op_.operands[i]).dims; }
  const Dims& local_dims(std::size_t i) const { return builder_.shape(operands_[i]).dims; }
  bool is_cut(std::size_t i, std::size_t d) const { return global_dims(i)[d] != local_dims(i)[d]; }

  ValueId constant() {
    const bool splat = op_.attributes.get<ConstantAttr>().elements.size() == 1;
    return splat ? same_op(op_.attributes, {}) : whole_then_cut();
  }

  /// What is a function of the position in the whole tensor is made whole and cut.
  ValueId whole_then_cut() {
    Op op = op_;
    op.operands = operands_;
    const ValueId whole = builder_.add(std::move(op));
    return append_reshard(builder_, whole, op_.shape, replicated(op_.shape.dims.size()),
                          form_.result.spec, mesh_);
  }

  ValueId iota() {
    const auto dim = static_cast<std::size_t>(op_.attributes.get<DimAttr>().dim);
    const ValueId local = same_op(op_.attributes, {});
    ValueId offset = block_offset(form_.result.spec.dims[dim]);
    if (offset == kNoValue) return local;
    if (op_.shape.dtype != DType::s32) offset = builder_.convert(offset, op_.shape.dtype);
    return builder_.add(local, builder_.broadcast_in_dim(offset, local_.dims, {}));
  }

  /// Index in the whole dim of the first element of this device's contiguous block (s32); kNoValue
  /// where the dim is not cut.
  ValueId block_offset(const DimSharding& dim) {
    ValueId offset = kNoValue;
    for (const AxisSplit& split : dim.splits) {
      const std::int64_t parts = mesh_.axes[static_cast<std::size_t>(split.axis)].size;
      if (parts == 1) continue;
      const ValueId index = builder_.axis_index({split.axis});
      const ValueId term = builder_.scale(index, static_cast<double>(split.period / parts));
      offset = offset == kNoValue ? term : builder_.add(offset, term);
    }
    return offset;
  }

  /// A dim that is cut is taken whole.
  ValueId slice() {
    auto attributes = op_.attributes.get<SliceAttr>();
    for (std::size_t d = 0; d < local_.dims.size(); ++d) {
      if (is_cut(0, d)) attributes.limits[d] = local_.dims[d];
    }
    return same_op(std::move(attributes), operands_);
  }

  ValueId dynamic_slice() { return same_op(DynamicSliceAttr{local_.dims}, operands_); }

  /// Of as many groups as its part of the kernel has.
  ValueId convolution() {
    auto attributes = op_.attributes.get<ConvolutionAttr>();
    const auto extent = [](const Dims& dims, std::int64_t d) {
      return dims[static_cast<std::size_t>(d)];
    };
    if (attributes.feature_groups > 1)
      attributes.feature_groups = extent(local_dims(0), attributes.input_feature) /
                                  extent(local_dims(1), attributes.kernel_input);
    if (attributes.batch_groups > 1)
      attributes.batch_groups = extent(local_dims(0), attributes.input_batch) /
                                extent(local_.dims, attributes.output_batch);
    std::vector<Drifting> drifting;
    for (std::size_t i = 0; i < attributes.strides.size(); ++i) {
      const Windows windows = convolution_windows(attributes, program_.shape(op_.operands[0]),
                                                  program_.shape(op_.operands[1]), op_.shape, i)
                                  .windows;
      pad({at(attributes.input_spatial[i]), windows}, attributes.low[i], attributes.high[i],
          drifting);
    }
    return same_op(std::move(attributes), {what_is_read(drifting), operands_[1]});
  }

  /// A dim of an image whose windows drift over its parts.
  struct Drifting {
    std::size_t dim = 0;
    Windows windows;
  };

  /// Sets the padding of a dim that is cut.
  void pad(Drifting own, std::int64_t& low, std::int64_t& high, std::vector<Drifting>& drifting) {
    const std::int64_t parts = num_parts(0, own.dim);
    if (parts == 1) return;
    const bool drifts = !own.windows.are_aligned();
    low = drifts ? 0 : own.windows.local_low();
    high = drifts ? 0 : own.windows.local_high(parts);
    if (drifts) drifting.push_back(own);
  }

  /// Of the tile with its halos the part that this device's windows read.
  ValueId what_is_read(const std::vector<Drifting>& dims) {
    if (dims.empty()) return operands_[0];
    Dims sizes = local_dims(0);
    std::vector<ValueId> starts(sizes.size(), builder_.constant(DType::s32, 0));
    for (const Drifting& own : dims) {
      sizes[own.dim] = own.windows.read(num_parts(0, own.dim));
      starts[own.dim] = start_of(own);
    }
    return builder_.dynamic_slice(operands_[0], starts, sizes);
  }

  ValueId start_of(const Drifting& own) {
    const std::int64_t parts = num_parts(0, own.dim), first = own.windows.before(parts);
    const auto& splits = form_.needs[0].spec.dims[own.dim].splits;
    const auto split = std::ranges::find_if(
        splits, [&](const AxisSplit& one) { return mesh_.axes[at(one.axis)].size > 1; });
    const auto drift = static_cast<double>(own.windows.drift() / parts);
    return builder_.shift(builder_.scale(builder_.axis_index({split->axis}), -drift),
                          static_cast<double>(first - own.windows.low_elements()));
  }

  std::int64_t num_parts(std::size_t i, std::size_t d) const {
    std::int64_t parts = 1;
    for (const AxisSplit& split : form_.needs[i].spec.dims[d].splits)
      parts *= mesh_.axes[at(split.axis)].size;
    return parts;
  }

  ValueId reduce_window() {
    auto attributes = op_.attributes.get<WindowAttr>();
    std::vector<Drifting> drifting;
    for (std::size_t d = 0; d < local_.dims.size(); ++d) {
      const Windows windows =
          reduction_windows(attributes, program_.shape(op_.operands[0]), op_.shape, d);
      pad({d, windows}, attributes.low[d], attributes.high[d], drifting);
    }
    return same_op(std::move(attributes), {what_is_read(drifting)});
  }

  /// Of the tile with its halos, in which all windows lie that reach into the tile; of the result
  /// the tile.
  ValueId select_and_scatter() {
    auto attributes = op_.attributes.get<WindowAttr>();
    Dims starts(local_.dims.size(), 0), limits = local_dims(0);
    for (std::size_t d = 0; d < local_.dims.size(); ++d) {
      if (num_parts(0, d) == 1) continue;
      starts[d] = selection_halos(attributes, d).before;
      limits[d] = starts[d] + local_.dims[d];
      attributes.low[d] = attributes.high[d] = 0;
    }
    if (limits == local_dims(0)) return same_op(std::move(attributes), operands_);
    const ValueId whole = builder_.add(Op{.kind = op_.kind,
                                          .operands = operands_,
                                          .attributes = std::move(attributes),
                                          .name = op_.name});
    return builder_.slice(whole, std::move(starts), std::move(limits));
  }

  // Gather and scatter into a table that is cut along dims that indices look up.

  ValueId gather() {
    auto attributes = op_.attributes.get<GatherAttr>();
    for (std::size_t d = 0; d < attributes.slice_sizes.size(); ++d) {
      const bool whole = attributes.slice_sizes[d] == global_dims(0)[d];
      if (is_cut(0, d) && whole) attributes.slice_sizes[d] = local_dims(0)[d];
    }
    if (!looks_up_cut(attributes.start_index_map)) return same_op(attributes, operands_);
    const std::vector<std::int64_t>& map = attributes.start_index_map;
    const std::int64_t vector_dim = attributes.index_vector_dim;
    Dims last;
    for (std::int64_t d : map) {
      const auto dim = static_cast<std::size_t>(d);
      last.push_back(global_dims(0)[dim] - op_.attributes.get<GatherAttr>().slice_sizes[dim]);
    }
    const ValueId zero = builder_.fill(index_shape(), 0);
    const ValueId in_table =
        builder_.clamp(zero, signed_indices(), spread(constants(last), vector_dim));
    const ValueId shifted = builder_.sub(in_table, spread(offsets(map), vector_dim));
    const ValueId result = same_op(attributes, {operands_[0], shifted});
    return mask(result, in_block(shifted, map, vector_dim), attributes.offset_dims);
  }

  /// Updates that miss the block are dropped as those that miss the table are.
  ValueId scatter() {
    const auto& attributes = op_.attributes.get<ScatterAttr>();
    const std::vector<std::int64_t>& map = attributes.scatter_dims_to_operand_dims;
    if (!looks_up_cut(map)) return same_op(op_.attributes, operands_);
    const ValueId shifted =
        builder_.sub(signed_indices(), spread(offsets(map), attributes.index_vector_dim));
    return same_op(op_.attributes, {operands_[0], shifted, operands_[2]});
  }

  bool looks_up_cut(const Dims& map) const {
    return std::any_of(map.begin(), map.end(), [&](std::int64_t d) {
      const auto dim = static_cast<std::size_t>(d);
      return is_cut(0, dim) && !taken_whole(dim);
    });
  }

  /// The slice or window covers the whole table dim.
  bool taken_whole(std::size_t dim) const {
    if (const auto* gather = op_.attributes.get_if<GatherAttr>()) {
      return gather->slice_sizes[dim] == global_dims(0)[dim];
    }
    const auto& inserted = op_.attributes.get<ScatterAttr>().inserted_window_dims;
    if (std::find(inserted.begin(), inserted.end(), static_cast<std::int64_t>(dim)) !=
        inserted.end()) {
      return false;
    }
    std::size_t window = dim;
    for (std::int64_t d : inserted) window -= d < static_cast<std::int64_t>(dim);
    const auto& window_dims = op_.attributes.get<ScatterAttr>().update_window_dims;
    return global_dims(2)[static_cast<std::size_t>(window_dims[window])] == global_dims(0)[dim];
  }

  ValueId signed_indices() {
    const DType dtype = builder_.shape(operands_[1]).dtype;
    const bool wide = dtype == DType::s32 || dtype == DType::s64;
    return wide ? operands_[1] : builder_.convert(operands_[1], DType::s32);
  }

  Shape index_shape() const {
    const Shape& shape = builder_.shape(operands_[1]);
    return {shape.dtype == DType::s64 ? DType::s64 : DType::s32, shape.dims};
  }

  std::vector<ValueId> constants(const Dims& values) {
    std::vector<ValueId> scalars;
    for (std::int64_t value : values) {
      scalars.push_back(builder_.constant(index_shape().dtype, static_cast<double>(value)));
    }
    return scalars;
  }

  /// Per index component, where this device's block of the table begins.
  std::vector<ValueId> offsets(const Dims& map) {
    std::vector<ValueId> scalars;
    for (std::int64_t d : map) {
      const auto dim = static_cast<std::size_t>(d);
      ValueId offset = taken_whole(dim) ? kNoValue : block_offset(form_.needs[0].spec.dims[dim]);
      if (offset == kNoValue) offset = builder_.constant(DType::s32, 0);
      if (index_shape().dtype != DType::s32) offset = builder_.convert(offset, DType::s64);
      scalars.push_back(offset);
    }
    return scalars;
  }

  /// One scalar per index component, over all index vectors.
  ValueId spread(const std::vector<ValueId>& components, std::int64_t vector_dim) {
    const Dims dims = index_shape().dims;
    if (components.size() == 1) return builder_.broadcast_in_dim(components[0], dims, {});
    std::vector<ValueId> parts;
    for (ValueId component : components) parts.push_back(builder_.reshape(component, {1}));
    return builder_.broadcast_in_dim(builder_.concatenate(parts, 0), dims, {vector_dim});
  }

  /// Per index vector, whether all components fall into this device's block.
  ValueId in_block(ValueId shifted, const Dims& map, std::int64_t vector_dim) {
    Dims extents;
    for (std::int64_t d : map) extents.push_back(local_dims(0)[static_cast<std::size_t>(d)]);
    const ValueId zero = builder_.fill(index_shape(), 0);
    const ValueId above = builder_.compare(Comparison::ge, shifted, zero);
    const ValueId below =
        builder_.compare(Comparison::lt, shifted, spread(constants(extents), vector_dim));
    const ValueId inside = builder_.binary(OpKind::logical_and, above, below);
    const bool implied = vector_dim == static_cast<std::int64_t>(index_shape().dims.size());
    return implied ? inside : builder_.reduce(inside, {vector_dim}, Reduction::logical_and);
  }

  /// Zero where `inside` does not hold; it runs along the dims of `value` that are not in
  /// `offset_dims`.
  ValueId mask(ValueId value, ValueId inside, const Dims& offset_dims) {
    const Shape shape = builder_.shape(value);
    Dims batch;
    for (std::int64_t d = 0; d < static_cast<std::int64_t>(shape.dims.size()); ++d) {
      if (std::find(offset_dims.begin(), offset_dims.end(), d) == offset_dims.end()) {
        batch.push_back(d);
      }
    }
    const ValueId keep = builder_.broadcast_in_dim(inside, shape.dims, std::move(batch));
    return builder_.select(keep, value, builder_.fill(shape, 0));
  }

  ir::Builder& builder_;
  const Program& program_;
  const Op& op_;
  const OpForm& form_;
  const std::vector<ValueId>& operands_;
  const Mesh& mesh_;
  const Shape local_;
};

}  // namespace

ValueId append_local_op(ir::Builder& builder, const Program& program, ValueId id,
                        const OpForm& form, const std::vector<ValueId>& operands,
                        const Mesh& mesh) {
  return LocalOp(builder, program, id, form, operands, mesh).append();
}

}  // namespace rhino::sharding
