// SPDX-License-Identifier: Apache-2.0
// Ops on u64, and random bits, whose state is u64.
#include <algorithm>
#include <utility>

#include "ir/hlo_attributes.hpp"
#include "ir/hlo_importer.hpp"
#include "ir/hlo_random.hpp"
#include "ir/op_info.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::ir::hlo {

bool Importer::is_wide_operand(const Frame& frame, std::size_t i, std::size_t k) const {
  return is_wide(frame.body.instruction(frame.body.operand(i, k)).shape);
}

bool Importer::touches_wide(const Frame& frame, std::size_t i) const {
  if (is_wide(frame.body.instruction(i).shape)) return true;
  for (std::size_t k = 0; k < frame.body.num_operands(i); ++k) {
    if (is_wide_operand(frame, i, k)) return true;
  }
  return false;
}

Item Importer::make_random(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const std::vector<std::string_view> shapes = element_shapes(instruction.shape);
  if (shapes.size() != 2 || frame.body.num_operands(i) != 1 || !is_wide_operand(frame, i, 0)) {
    throw Error("takes a state of u64, and yields the next one and bits");
  }
  const RandomBits random = random_bits(builder_, value(frame, i, 0), read_shape(shapes[1]),
                                        instruction.attribute("algorithm"));
  return tuple_of({random.state, named(instruction, random.bits)});
}

Item Importer::make_wide(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const std::optional<OpKind> kind = op_from_name(instruction.opcode);
  if (!kind) throw Error("opcode '" + std::string(instruction.opcode) + "' is not supported");
  ValueId result = kNoValue;
  switch (*kind) {
    case OpKind::constant: result = wide_constant(instruction); break;
    case OpKind::iota: {
      const DimAttr along = reader_.read(*kind, instruction).get<DimAttr>();
      const Shape words{DType::u32, read_dims(instruction.shape)};
      result = wide_.join(wide_.of(builder_.iota(words, along.dim)));
      break;
    }
    case OpKind::convert:
    case OpKind::bitcast_convert: result = wide_conversion(frame, i); break;
    case OpKind::reshape:
    case OpKind::transpose:
    case OpKind::broadcast:
    case OpKind::slice:
    case OpKind::concatenate:
    case OpKind::select: result = wide_movement(instruction, *kind, values(frame, i)); break;
    default: result = wide_arithmetic(instruction, *kind, values(frame, i));
  }
  const Shape declared = read_shape(is_wide(instruction.shape) ? words_shape(instruction.shape)
                                                               : std::string(instruction.shape));
  if (builder_.shape(result) != declared) {
    throw Error(std::string(instruction.opcode) + " does not yield " +
                std::string(instruction.shape));
  }
  return Items::array(named(instruction, result));
}

ValueId Importer::wide_constant(const Instruction& instruction) {
  const Shape shape = read_shape(words_shape(instruction.shape));
  const std::vector<std::uint64_t> numbers = read_wide_literal(instruction.arguments);
  ConstantAttr words;
  for (const std::uint64_t number : numbers) {
    words.elements.push_back(static_cast<double>(number & 0xffffffff));
    words.elements.push_back(static_cast<double>(number >> 32));
  }
  const bool is_splat = numbers.size() == 1;
  if (!is_splat) {
    return builder_.add(
        Op{.kind = OpKind::constant, .shape = shape, .attributes = std::move(words)});
  }
  return wide_.join(wide_.fill({shape.dims.begin(), shape.dims.end() - 1}, numbers[0]));
}

ValueId Importer::wide_conversion(Frame& frame, std::size_t i) {
  const Instruction& instruction = frame.body.instruction(i);
  const ValueId operand = value(frame, i, 0);
  const bool from_wide = is_wide_operand(frame, i, 0), to_wide = is_wide(instruction.shape);
  if (from_wide && to_wide) return operand;
  const bool is_bitcast = instruction.opcode == "bitcast-convert";
  const DType other = to_wide ? builder_.shape(operand).dtype : read_shape(instruction.shape).dtype;
  if (is_bitcast && other == DType::u32) return operand;
  if (is_floating(other) || other == DType::pred || (is_bitcast && other != DType::s64)) {
    throw Error("between u64 and " + std::string(dtype_name(other)) + " is not supported");
  }
  if (to_wide) return wide_.join(wide_.of(operand));
  const Words words = wide_.split(operand);
  if (other == DType::s64) return wide_.as_signed(words);
  return builder_.convert(words.low, other);
}

ValueId Importer::wide_movement(const Instruction& instruction, OpKind kind,
                                std::vector<ValueId> operands) {
  if (!is_wide(instruction.shape))
    throw Error(std::string(instruction.opcode) + " of u64 yields u64, not " +
                std::string(instruction.shape));
  const Shape shape = read_shape(words_shape(instruction.shape));
  if (const Words* parts = operands.size() == 1 ? wide_.parts(operands[0]) : nullptr) {
    const auto moved = [&](ValueId word) {
      Op op{.kind = kind, .shape = {DType::u32, {}}, .operands = {word}};
      op.shape.dims.assign(shape.dims.begin(), shape.dims.end() - 1);
      op.attributes = reader_.read(kind, instruction);
      return builder_.add(std::move(op));
    };
    const Words words = *parts;
    const ValueId low = moved(words.low);
    return wide_.join({low, moved(words.high)});
  }
  const std::int64_t last = std::ssize(shape.dims) - 1;
  Attributes attributes = reader_.read(kind, instruction);
  if (kind == OpKind::transpose || kind == OpKind::broadcast) {
    DimsAttr dims = attributes.get<DimsAttr>();
    dims.dims.push_back(last);
    attributes = std::move(dims);
  } else if (kind == OpKind::slice) {
    SliceAttr slice = attributes.get<SliceAttr>();
    slice.starts.push_back(0), slice.limits.push_back(2), slice.strides.push_back(1);
    attributes = std::move(slice);
  } else if (kind == OpKind::select && operands.size() == 3) {
    std::vector<std::int64_t> dims;
    for (std::int64_t d = 0; d < std::ssize(builder_.shape(operands[0]).dims); ++d)
      dims.push_back(d);
    operands[0] = builder_.broadcast_in_dim(operands[0], shape.dims, dims);
  }
  return builder_.add(Op{.kind = kind,
                         .shape = shape,
                         .operands = std::move(operands),
                         .attributes = std::move(attributes)});
}

ValueId Importer::wide_arithmetic(const Instruction& instruction, OpKind kind,
                                  const std::vector<ValueId>& operands) {
  const auto refuse = [&] {
    throw Error(std::string(instruction.opcode) + " of u64 is not supported");
  };
  if (operands.size() != 2 || builder_.shape(operands[0]) != builder_.shape(operands[1])) refuse();
  if (kind == OpKind::logical_and || kind == OpKind::logical_or || kind == OpKind::logical_xor) {
    return builder_.binary(kind, operands[0], operands[1]);
  }
  const Words a = wide_.split(operands[0]), b = wide_.split(operands[1]);
  if (kind == OpKind::add) return wide_.join(wide_.add(a, b));
  if (kind == OpKind::subtract) return wide_.join(wide_.subtract(a, b));
  if (kind == OpKind::multiply) return wide_.join(wide_.multiply(a, b));
  if (kind == OpKind::shift_left) return wide_.join(wide_.shift_left(a, b));
  if (kind == OpKind::shift_right_logical) return wide_.join(wide_.shift_right(a, b));
  if (kind != OpKind::compare) refuse();
  const auto negated = [&](ValueId holds) { return builder_.unary(OpKind::logical_not, holds); };
  switch (reader_.read(kind, instruction).get<CompareAttr>().comparison) {
    case Comparison::eq: return wide_.equal(a, b);
    case Comparison::ne: return negated(wide_.equal(a, b));
    case Comparison::lt: return wide_.less(a, b);
    case Comparison::le: return negated(wide_.less(b, a));
    case Comparison::gt: return wide_.less(b, a);
    case Comparison::ge: break;
  }
  return negated(wide_.less(a, b));
}

}  // namespace rhino::ir::hlo
