// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/kernel_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "ir/element.hpp"
#include "ir/op_info.hpp"
#include "rhino/error.hpp"
#include "rhino/index.hpp"

namespace rhino::runtime::cuda {
namespace {

/// An index, and a stride of the grid beyond, fit 32 bits.
constexpr std::int64_t kMaxInt = std::int64_t{1} << 30;
/// More blocks gain nothing: their threads take several elements.
constexpr std::int64_t kMaxBlocks = 4096;
constexpr int kMaxThreads = 256, kWarp = 32;

std::string suffix(DType dtype) { return dtype == DType::bf16 ? "bf16" : "f16"; }

std::string call(std::string function, const std::vector<std::string>& operands) {
  std::string text = std::move(function) + "(";
  for (std::size_t i = 0; i < operands.size(); ++i) text += (i ? ", " : "") + operands[i];
  return text + ")";
}

std::string converted(DType to, DType from, const std::string& value) {
  if (to == DType::pred) return "(u8)(" + value + " != 0)";
  return "convert<" + computed_type(to) + ", " + computed_type(from) + ">(" + value + ")";
}

std::string as_same_bits(DType to, DType from, const std::string& value) {
  if (is_narrow(to)) return "from_" + suffix(to) + "(to_" + suffix(from) + "(" + value + "))";
  return "same_bits<" + computed_type(to) + ", " + computed_type(from) + ">(" + value + ")";
}

std::string compared(Comparison comparison, const std::string& x, const std::string& y) {
  static constexpr std::array kSigns{"==", "!=", "<", "<=", ">", ">="};
  return "(u8)(" + x + " " + kSigns[at(static_cast<std::int64_t>(comparison))] + " " + y + ")";
}

/// Name of the prelude's function: "op_" and the op's own name, where there is one.
const char* function_of(OpKind kind) {
  switch (kind) {
    case OpKind::negate: return "op_negate";
    case OpKind::absolute: return "op_absolute";
    case OpKind::sign: return "op_sign";
    case OpKind::exponential: return "op_exponential";
    case OpKind::exponential_minus_one: return "op_exponential_minus_one";
    case OpKind::log: return "op_log";
    case OpKind::log_plus_one: return "op_log_plus_one";
    case OpKind::sqrt: return "op_sqrt";
    case OpKind::rsqrt: return "op_rsqrt";
    case OpKind::cbrt: return "op_cbrt";
    case OpKind::tanh: return "op_tanh";
    case OpKind::logistic: return "op_logistic";
    case OpKind::sine: return "op_sine";
    case OpKind::cosine: return "op_cosine";
    case OpKind::erf: return "op_erf";
    case OpKind::floor: return "op_floor";
    case OpKind::ceil: return "op_ceil";
    case OpKind::round: return "op_round";
    case OpKind::logical_not: return "op_logical_not";
    case OpKind::is_finite: return "op_is_finite";
    case OpKind::add: return "op_add";
    case OpKind::subtract: return "op_subtract";
    case OpKind::multiply: return "op_multiply";
    case OpKind::divide: return "op_divide";
    case OpKind::maximum: return "op_maximum";
    case OpKind::minimum: return "op_minimum";
    case OpKind::power: return "op_power";
    case OpKind::remainder: return "op_remainder";
    case OpKind::logical_and: return "op_logical_and";
    case OpKind::logical_or: return "op_logical_or";
    case OpKind::logical_xor: return "op_logical_xor";
    case OpKind::shift_left: return "op_shift_left";
    case OpKind::shift_right_logical: return "op_shift_right_logical";
    case OpKind::shift_right_arithmetic: return "op_shift_right_arithmetic";
    case OpKind::clamp: return "op_clamp";
    default: return nullptr;
  }
}

}  // namespace

std::string unrounded(const Program& program, const Op& op,
                      const std::vector<std::string>& values) {
  const DType from = program.shape(op.operands[0]).dtype;
  switch (op.kind) {
    case OpKind::convert: return converted(op.shape.dtype, from, values[0]);
    case OpKind::bitcast_convert: return as_same_bits(op.shape.dtype, from, values[0]);
    case OpKind::compare:
      return compared(op.attributes.get<CompareAttr>().comparison, values[0], values[1]);
    case OpKind::select: return "(" + values[0] + " ? " + values[1] + " : " + values[2] + ")";
    case OpKind::logical_not:
      if (from == DType::pred) return call("not_pred", values);
      break;
    default: break;
  }
  if (const char* function = function_of(op.kind)) return call(function, values);
  throw Error("the cuda device has no kernel for '" + std::string(ir::op_name(op.kind)) + "'");
}

std::string computed_type(DType dtype) {
  switch (dtype) {
    case DType::f64: return "double";
    case DType::f32:
    case DType::bf16:
    case DType::f16: return "float";
    case DType::s64: return "s64";
    case DType::s32: return "s32";
    case DType::u32: return "u32";
    case DType::s8: return "s8";
    case DType::u8:
    case DType::pred: return "u8";
  }
  return "u8";
}

std::string stored_type(DType dtype) { return is_narrow(dtype) ? "u16" : computed_type(dtype); }

std::string from_stored(DType dtype, const std::string& element) {
  return is_narrow(dtype) ? "from_" + suffix(dtype) + "(" + element + ")" : element;
}

std::string to_stored(DType dtype, const std::string& value) {
  return is_narrow(dtype) ? "to_" + suffix(dtype) + "(" + value + ")" : value;
}

std::string rounded(DType dtype, const std::string& value) {
  return is_narrow(dtype) ? "round_" + suffix(dtype) + "(" + value + ")" : value;
}

std::string literal(DType dtype, double value) {
  std::uint64_t bits = 0;
  ir::write_elements(dtype, {&value, 1}, &bits);
  const std::string text = std::to_string(bits);
  switch (dtype) {
    case DType::f64: return "__longlong_as_double((s64)" + text + "ull)";
    case DType::f32: return "__uint_as_float(" + text + "u)";
    case DType::bf16:
    case DType::f16: return "from_" + suffix(dtype) + "(" + text + ")";
    default: return "(" + computed_type(dtype) + ")" + text + "ull";
  }
}

std::string functor(Reduction reduction) {
  static constexpr std::array kNames{"Sum{}", "Product{}", "Max{}", "Min{}", "And{}", "Or{}"};
  return kNames[at(static_cast<std::int64_t>(reduction))];
}

std::string elementwise(const Program& program, const Op& op,
                        const std::vector<std::string>& operands) {
  return rounded(op.shape.dtype, unrounded(program, op, operands));
}

std::string offset_of(const lower::Dims& dims, const lower::View& view, const std::string& index) {
  const std::vector<lower::StridedDim> runs = lower::collapsed(dims, view.strides);
  std::string text = std::to_string(view.offset);
  std::int64_t inner = 1;
  for (std::size_t d = runs.size(); d-- > 0;) {
    const auto [extent, stride] = runs[d];
    std::string along = index;
    if (inner > 1) along += " / " + std::to_string(inner);
    if (d > 0) along += " % " + std::to_string(extent);
    if (stride != 0) text += " + (" + along + ") * " + std::to_string(stride);
    inner *= extent;
  }
  return text;
}

std::string coordinate(const lower::Dims& dims, std::size_t dim, const std::string& index) {
  const std::int64_t inner = lower::dense_strides(dims)[dim];
  return "(" + index + " / " + std::to_string(inner) + " % " + std::to_string(dims[dim]) + ")";
}

std::string with_index(const std::string& name, const std::string& value, const std::string& body) {
  const auto is_part = [&](std::size_t place) {
    return place < body.size() && (std::isalnum(body[place]) || body[place] == '_');
  };
  for (std::size_t found = body.find(name); found != std::string::npos;
       found = body.find(name, found + 1)) {
    const bool begins = found == 0 || !is_part(found - 1);
    if (begins && !is_part(found + name.size()))
      return "const Index " + name + " = " + value + ";\n" + body;
  }
  return body;
}

std::string KernelWriter::pointer(ValueId base) {
  const auto found = std::ranges::find(bases_, base);
  const auto index = found - bases_.begin();
  if (found == bases_.end()) bases_.push_back(base);
  return "p" + std::to_string(index);
}

std::string KernelWriter::load(DType dtype, ValueId base, const std::string& index) {
  return from_stored(dtype,
                     "((const " + stored_type(dtype) + "*)" + pointer(base) + ")[" + index + "]");
}

std::string KernelWriter::store(DType dtype, ValueId base, const std::string& index,
                                const std::string& value) {
  return "((" + stored_type(dtype) + "*)" + pointer(base) + ")[" + index +
         "] = " + to_stored(dtype, value) + ";\n";
}

std::string KernelWriter::for_each(const std::string& name, std::int64_t count,
                                   const std::string& body) {
  return "for (Index " + name + " = blockIdx.x * (Index)blockDim.x + threadIdx.x; " + name + " < " +
         std::to_string(count) + "; " + name + " += gridDim.x * (Index)blockDim.x) {\n" + body +
         "}\n";
}

KernelText KernelWriter::finish(const std::string& body, std::int64_t largest) const {
  KernelText kernel{.text = "(", .bases = bases_};
  for (std::size_t i = 0; i < bases_.size(); ++i)
    kernel.text += (i ? ", void* p" : "void* p") + std::to_string(i);
  kernel.text += largest > kMaxInt ? ") {\ntypedef s64 Index;\n" : ") {\ntypedef int Index;\n";
  kernel.text += body + "}\n";
  return kernel;
}

void spread(KernelText& kernel, std::int64_t count) {
  kernel.threads = block_threads(count);
  kernel.blocks =
      std::clamp<std::int64_t>((count + kernel.threads - 1) / kernel.threads, 1, kMaxBlocks);
}

int block_threads(std::int64_t count) {
  return static_cast<int>(std::min<std::int64_t>(kMaxThreads, (count + kWarp - 1) / kWarp * kWarp));
}

}  // namespace rhino::runtime::cuda
