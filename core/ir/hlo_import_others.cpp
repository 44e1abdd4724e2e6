// SPDX-License-Identifier: Apache-2.0
// Tuples, and ops that are made of others or have several results.
#include <algorithm>
#include <utility>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_expand.hpp"
#include "ir/hlo_expand_indexing.hpp"
#include "ir/hlo_importer.hpp"
#include "ir/op_info.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::hlo {
namespace {

double read_number(std::string_view text) {
  const std::vector<double> numbers = read_literal(text);
  if (numbers.size() != 1) throw Error("'" + std::string(text) + "' is no number");
  return numbers[0];
}

/// Whether elements are their own indices along `dim`.
bool counts_along(const Program& program, ValueId value, std::int64_t dim) {
  const Op* op = &program.op(value);
  if (dim < 0 || dim >= std::ssize(op->shape.dims) || op->shape.dims[at(dim)] == 0) return false;
  if (op->kind == OpKind::broadcast) {
    const auto& dims = op->attributes.get<DimsAttr>().dims;
    const auto from = std::ranges::find(dims, dim);
    if (from == dims.end()) return false;
    dim = from - dims.begin();
    op = &program.op(op->operands[0]);
  }
  return op->kind == OpKind::iota && op->attributes.get<DimAttr>().dim == dim;
}

/// Of exponent and mantissa.
std::pair<std::int64_t, std::int64_t> bits_of(DType dtype) {
  switch (dtype) {
    case DType::bf16: return {8, 7};
    case DType::f16: return {5, 10};
    case DType::f32: return {8, 23};
    case DType::f64: return {11, 52};
    default: throw Error("rounds floating-point numbers");
  }
}

/// Whether each group has one device, `{{0},{1}}` or `[8,1]<=[8]`.
bool is_alone(std::string_view groups) {
  if (groups.starts_with('[')) return groups.find(",1]<=") != std::string_view::npos;
  return groups.size() > 2 && groups.find(',', groups.find("{{")) == std::string_view::npos;
}

}  // namespace

Item Importer::make_same(Frame& frame, std::size_t i) {
  const std::size_t count = frame.body.num_operands(i);
  if (count == 1) return item(frame, i, 0);
  return make_tuple(frame, i);
}

Item Importer::make_tuple(Frame& frame, std::size_t i) {
  std::vector<Item> elements;
  elements.reserve(frame.body.num_operands(i));
  for (std::size_t k = 0; k < frame.body.num_operands(i); ++k) {
    elements.push_back(item(frame, i, k));
  }
  return items_.tuple(std::move(elements));
}

Item Importer::take_element(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const Item tuple = item(frame, i, 0);
  if (tuple.kind != Item::Kind::tuple) {
    const Instruction& operand = frame.body.instruction(frame.body.operand(i, 0));
    throw Error("'" + std::string(operand.name) + "' is no tuple");
  }
  const std::vector<Item>& elements = items_.elements(tuple);
  const std::int64_t index = read_integer(instruction.attribute("index"));
  if (index < 0 || at(index) >= elements.size()) {
    throw Error("a tuple of " + std::to_string(elements.size()) + " has no element " +
                std::to_string(index));
  }
  const Item element = elements[at(index)];
  if (element.kind != Item::Kind::pending) return element;
  return Items::array(items_.value(element, &instruction));
}

// Element k is operand k in the order of the keys, an op of its own.
Item Importer::make_sort(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const Order order = reader_.order(instruction.attribute("to_apply"));
  const std::vector<ValueId> operands = values(frame, i);
  if (order.key >= operands.size()) throw Error("sorts by an operand that it does not have");
  const Attributes attributes = reader_.read(OpKind::sort, instruction);
  const ValueId keys = operands[order.key];
  std::vector<Item> elements;
  for (ValueId operand : operands) {
    elements.push_back(items_.pending(
        [this, &instruction, order, keys, operand, attributes](const Instruction* taker) {
          const Instruction& at = taker ? *taker : instruction;
          if (!order.descending && !at.shape.starts_with('(')) {
            std::vector<ValueId> sorted{keys};
            if (operand != keys) sorted.push_back(operand);
            return append(at, OpKind::sort, std::move(sorted), attributes);
          }
          return named(
              at, sorted(builder_, keys, operand, attributes.get<DimAttr>().dim, order.descending));
        }));
  }
  const bool is_tuple = instruction.shape.starts_with('(');
  return is_tuple ? items_.tuple(std::move(elements)) : Items::array(items_.value(elements[0]));
}

Item Importer::make_reduce(Frame& frame, std::size_t i) {
  const std::size_t count = frame.body.num_operands(i);
  if (count <= 2) return make_op(frame, i);
  const Instruction& instruction = frame.body.instruction(i);
  const Computation& computation = reader_.computation(instruction.attribute("to_apply"));
  const std::vector<std::int64_t> dims = read_integers(instruction.attribute("dimensions"));
  const std::vector<ValueId> operands = values(frame, i);
  const std::size_t half = count / 2;
  const auto starts_with = [&](std::size_t k, double number) {
    const Op& start = builder_.program().op(operands[half + k]);
    return start.kind == OpKind::constant &&
           start.attributes.get<ConstantAttr>().elements == std::vector{number};
  };
  std::vector<ValueId> results;
  for (std::size_t k = 0; k < half && count % 2 == 0; ++k) {
    const auto reduction = pair_reduction(computation, k, half + k, k);
    if (!reduction) break;
    const ValueId one = builder_.reduce(operands[k], dims, *reduction);
    const ValueId start =
        builder_.broadcast_in_dim(operands[half + k], Shape(builder_.shape(one)).dims, {});
    results.push_back(builder_.binary(combining_op(*reduction), one, start));
  }
  if (results.size() == half) return tuple_of(results);
  const std::optional<Reduction> extreme = count == 4 ? arg_extremum(computation) : std::nullopt;
  if (!extreme || dims.size() != 1) {
    throw Error("computation '" + std::string(computation.name) +
                "' is no reduction of several operands that is supported: argmax, argmin along one "
                "dim, or one reduction for each");
  }
  const DType dtype = builder_.shape(operands[0]).dtype;
  if (!counts_along(builder_.program(), operands[1], dims[0]) || !starts_with(1, 0) ||
      !starts_with(0, neutral_element(*extreme, dtype))) {
    throw Error("argmax and argmin count along the reduced dim, from 0 and from the lowest value");
  }
  const Extremum found = extremum(builder_, operands[0], operands[1], dims[0], *extreme);
  return tuple_of({found.value, named(instruction, found.index)});
}

Item Importer::make_batch_norm(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const BatchNorm dims{read_integer(instruction.attribute("feature_index")),
                       read_number(instruction.attribute("epsilon"))};
  const std::vector<ValueId> operands = values(frame, i);
  if (instruction.opcode == "batch-norm-training") {
    return tuple_of(batch_norm_training(builder_, operands, dims));
  }
  if (instruction.opcode == "batch-norm-grad") {
    return tuple_of(batch_norm_gradient(builder_, operands, dims));
  }
  return Items::array(named(instruction, batch_norm_inference(builder_, operands, dims)));
}

void Importer::require_same_shape(Frame& frame, std::size_t i) {
  const std::string_view all = frame.body.instruction(i).shape;
  const auto shapes = all.starts_with('(') ? element_shapes(all) : std::vector{all};
  if (shapes.size() != frame.body.num_operands(i)) return;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const Item operand = item(frame, i, k);
    if (operand.kind == Item::Kind::tuple || shapes[k].starts_with('(') || is_wide(shapes[k])) {
      continue;
    }
    if (items_.shape(operand) != read_shape(shapes[k])) throw Error(std::string(kPartOfMesh));
  }
}

Item Importer::make_custom_call(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const std::string target = read_string(instruction.attribute("custom_call_target"));
  const std::string& meaning = custom_calls_.meaning(target);
  if (meaning == "identity") {
    require_same_shape(frame, i);
    return make_same(frame, i);
  }
  CustomCall call{values(frame, i)};
  const std::string_view config = instruction.attribute("backend_config");
  const bool is_number =
      config.size() > 2 && config.find_first_not_of("0123456789\"") == std::string_view::npos;
  if (is_number) call.dim = read_integer(read_string(config));
  if (meaning == "top_k" && instruction.shape.starts_with('(')) {
    const auto pieces = element_shapes(instruction.shape);
    const Shape first = pieces.empty() ? Shape{} : read_shape(pieces[0]);
    if (!first.dims.empty()) call.count = first.dims.back();
  }
  const std::vector<ValueId> results = hlo::make_custom_call(builder_, meaning, call);
  if (results.size() == 1) check_result(instruction, results[0]);
  for (ValueId result : results) named(instruction, result);
  return tuple_of(results);
}

// To fewer bits and back; what is within them already stays.
Item Importer::make_reduce_precision(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const std::pair bits{read_integer(instruction.attribute("exponent_bits")),
                       read_integer(instruction.attribute("mantissa_bits"))};
  const ValueId operand = value(frame, i, 0);
  const auto own = bits_of(builder_.shape(operand).dtype);
  if (bits.first >= own.first && bits.second >= own.second) return Items::array(operand);
  for (const DType narrow : {DType::bf16, DType::f16, DType::f32}) {
    if (bits != bits_of(narrow)) continue;
    const ValueId rounded = builder_.convert(operand, narrow);
    return Items::array(
        named(instruction, builder_.convert(rounded, builder_.shape(operand).dtype)));
  }
  throw Error("to " + std::to_string(bits.first) + " bits of exponent and " +
              std::to_string(bits.second) +
              " of mantissa: only what bf16, f16 or f32 have is supported");
}

Item Importer::make_top_k(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const std::int64_t count = read_integer(instruction.attribute("k"));
  const bool largest = instruction.attribute("largest") != "false";
  return tuple_of(top_k(builder_, value(frame, i, 0), count, largest));
}

// Of programs for one device of many nothing can be made but what one device alone does.
Item Importer::make_collective(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  if (!instruction.attribute("mesh_axes").empty()) return make_op(frame, i);
  const std::string_view groups = instruction.attribute("replica_groups");
  if (!is_alone(groups)) {
    throw Error(
        "collectives need mesh_axes={...}, or groups of one device: the program is one "
        "device's part of a step already");
  }
  if (!instruction.shape.starts_with('(')) check_result(instruction, value(frame, i, 0));
  return make_same(frame, i);
}

namespace {
bool are_dims_of(const Shape& shape, const std::vector<std::int64_t>& dims) {
  return std::ranges::all_of(
      dims, [&](std::int64_t dim) { return dim >= 0 && dim < std::ssize(shape.dims); });
}
}  // namespace

Item Importer::make_gather(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  BatchedGather dims;
  dims.table_batch = read_integers(instruction.attribute("operand_batching_dims"));
  dims.index_batch = read_integers(instruction.attribute("start_indices_batching_dims"));
  dims.attributes = reader_.read(OpKind::gather, instruction).get<GatherAttr>();
  const ValueId table = value(frame, i, 0);
  ValueId indices = value(frame, i, 1);
  const GatherAttr& gather = dims.attributes;
  const Shape shape = builder_.shape(table);
  if (gather.slice_sizes.size() != shape.dims.size() || !are_dims_of(shape, gather.start_index_map))
    return make_op(frame, i);  // says what is wrong
  if (!take_counted(builder_, table, indices, dims) && dims.table_batch.empty())
    return make_op(frame, i);
  const ValueId result = expanded_gather(builder_, table, indices, std::move(dims));
  check_result(instruction, result);
  return Items::array(named(instruction, result));
}

Item Importer::make_scatter(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const std::string_view combiner = instruction.attribute("to_apply");
  BatchedScatter dims;
  dims.table_batch = read_integers(instruction.attribute("input_batching_dims"));
  dims.index_batch = read_integers(instruction.attribute("scatter_indices_batching_dims"));
  dims.overwrites = takes_second(reader_.computation(combiner));
  if (frame.body.num_operands(i) != 3) return make_op(frame, i);
  dims.attributes = reader_.scatter_dims(instruction);
  const ValueId table = value(frame, i, 0);
  ValueId indices = value(frame, i, 1);
  const ScatterOperands operands{table, indices, value(frame, i, 2)};
  if (!are_dims_of(builder_.shape(table), dims.attributes.scatter_dims_to_operand_dims))
    return make_op(frame, i);
  if (!dims.overwrites) dims.attributes.reduction = reader_.reduction(combiner);
  const bool sums = !dims.overwrites && dims.attributes.reduction == Reduction::sum;
  const bool counts = sums && take_counted(builder_, operands, indices, dims);
  if (!counts && dims.table_batch.empty() && !dims.overwrites) return make_op(frame, i);
  const ValueId result =
      expanded_scatter(builder_, {table, indices, operands.updates}, std::move(dims));
  check_result(instruction, result);
  return Items::array(named(instruction, result));
}

std::optional<std::vector<std::int64_t>> Importer::known_starts(const Frame& frame, std::size_t i,
                                                                std::size_t first) const {
  if (unrolling_ == 0) return std::nullopt;
  std::vector<std::int64_t> starts;
  for (std::size_t k = first; k < frame.body.num_operands(i); ++k) {
    const std::optional<double> start = items_.known(item(frame, i, k));
    if (!start) return std::nullopt;
    starts.push_back(static_cast<std::int64_t>(*start));
  }
  return starts;
}

namespace {

/// Where a slice of `sizes` that should begin at `starts` begins; none if ranks differ.
std::optional<Range> range_in(const Shape& tensor, const std::vector<std::int64_t>& starts,
                              const std::vector<std::int64_t>& sizes) {
  if (starts.size() != tensor.dims.size() || sizes.size() != starts.size()) return std::nullopt;
  Range range{starts, sizes};
  for (std::size_t d = 0; d < starts.size(); ++d) {
    if (sizes[d] > tensor.dims[d]) return std::nullopt;
    range.starts[d] = std::clamp<std::int64_t>(starts[d], 0, tensor.dims[d] - sizes[d]);
  }
  return range;
}

}  // namespace

Item Importer::make_dynamic_slice(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const auto starts = known_starts(frame, i, 1);
  if (!starts) return make_op(frame, i);
  const ValueId tensor = value(frame, i, 0);
  const auto range = range_in(builder_.shape(tensor), *starts,
                              read_integers(instruction.attribute("dynamic_slice_sizes")));
  if (!range) return make_op(frame, i);
  const Updates::Source source = updates_.find(tensor, *range);
  if (source.is_whole) return Items::array(source.value);
  SliceAttr slice{range->starts, range->starts, std::vector<std::int64_t>(starts->size(), 1)};
  for (std::size_t d = 0; d < starts->size(); ++d) slice.limits[d] += range->sizes[d];
  return Items::array(append(instruction, OpKind::slice, {source.value}, std::move(slice)));
}

Item Importer::make_dynamic_update_slice(Frame& frame, std::size_t i) {
  const Item made = make_op(frame, i);
  const auto starts = known_starts(frame, i, 2);
  if (!starts) return made;
  const ValueId base = value(frame, i, 0), update = value(frame, i, 1);
  const auto range = range_in(builder_.shape(base), *starts, Shape(builder_.shape(update)).dims);
  if (range) updates_.add(made.index, base, update, *range);
  return made;
}

}  // namespace rhino::ir::hlo
