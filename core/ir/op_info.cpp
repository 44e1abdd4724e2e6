// SPDX-License-Identifier: Apache-2.0
#include "ir/op_info.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

namespace rhino::ir {
namespace {

constexpr std::size_t kNumOps = static_cast<std::size_t>(OpKind::all_to_all) + 1;

// In the order of OpKind.
constexpr std::array<std::string_view, kNumOps> kOpNames = {"parameter",
                                                            "constant",
                                                            "iota",
                                                            "rng",
                                                            "axis-index",

                                                            "negate",
                                                            "abs",
                                                            "sign",
                                                            "exponential",
                                                            "exponential-minus-one",
                                                            "log",
                                                            "log-plus-one",
                                                            "sqrt",
                                                            "rsqrt",
                                                            "cbrt",
                                                            "tanh",
                                                            "logistic",
                                                            "sine",
                                                            "cosine",
                                                            "erf",
                                                            "floor",
                                                            "ceil",
                                                            "round-nearest-even",
                                                            "not",
                                                            "is-finite",
                                                            "convert",

                                                            "add",
                                                            "subtract",
                                                            "multiply",
                                                            "divide",
                                                            "maximum",
                                                            "minimum",
                                                            "power",
                                                            "remainder",
                                                            "and",
                                                            "or",
                                                            "xor",
                                                            "compare",

                                                            "select",
                                                            "clamp",

                                                            "broadcast",
                                                            "reshape",
                                                            "transpose",
                                                            "slice",
                                                            "pad",
                                                            "concatenate",
                                                            "reverse",

                                                            "reduce",
                                                            "dot",
                                                            "convolution",
                                                            "gather",
                                                            "scatter",
                                                            "dynamic-slice",
                                                            "dynamic-update-slice",
                                                            "reduce-window",
                                                            "select-and-scatter",
                                                            "sort",

                                                            "all-reduce",
                                                            "all-gather",
                                                            "reduce-scatter",
                                                            "all-to-all"};
static_assert(kOpNames[static_cast<std::size_t>(OpKind::clamp)] == "clamp");
static_assert(kOpNames.back() == "all-to-all");

constexpr std::string_view kReductionNames[] = {"sum", "product", "max", "min", "and", "or"};
constexpr std::string_view kComparisonNames[] = {"eq", "ne", "lt", "le", "gt", "ge"};

// The largest value a double tells apart from overflow when it is converted back.
double highest(DType dtype) {
  switch (dtype) {
    case DType::s64: return 9223372036854774784.0;
    case DType::s32: return std::numeric_limits<std::int32_t>::max();
    case DType::u32: return std::numeric_limits<std::uint32_t>::max();
    case DType::s8: return 127;
    case DType::u8: return 255;
    case DType::pred: return 1;
    default: return std::numeric_limits<double>::infinity();
  }
}

double lowest(DType dtype) {
  switch (dtype) {
    case DType::s64: return -9223372036854775808.0;
    case DType::s32: return std::numeric_limits<std::int32_t>::min();
    case DType::s8: return -128;
    case DType::u32:
    case DType::u8:
    case DType::pred: return 0;
    default: return -std::numeric_limits<double>::infinity();
  }
}

double all_bits(DType dtype) {
  const bool is_signed = dtype == DType::s64 || dtype == DType::s32 || dtype == DType::s8;
  return is_signed ? -1 : highest(dtype);
}

}  // namespace

std::string_view op_name(OpKind kind) { return kOpNames[static_cast<std::size_t>(kind)]; }

std::optional<OpKind> op_from_name(std::string_view name) {
  static const auto kKinds = [] {
    std::unordered_map<std::string_view, OpKind> kinds;
    for (std::size_t i = 0; i < kNumOps; ++i) kinds.emplace(kOpNames[i], static_cast<OpKind>(i));
    return kinds;
  }();
  const auto found = kKinds.find(name);
  if (found == kKinds.end()) return std::nullopt;
  return found->second;
}

bool is_elementwise(OpKind kind) { return kind >= OpKind::negate && kind <= OpKind::clamp; }

bool is_collective(OpKind kind) { return kind >= OpKind::all_reduce; }

std::string_view reduction_name(Reduction reduction) {
  return kReductionNames[static_cast<std::size_t>(reduction)];
}

std::string_view comparison_name(Comparison comparison) {
  return kComparisonNames[static_cast<std::size_t>(comparison)];
}

double neutral_element(Reduction reduction, DType dtype) {
  switch (reduction) {
    case Reduction::sum:
    case Reduction::logical_or: return 0;
    case Reduction::product: return 1;
    case Reduction::max: return lowest(dtype);
    case Reduction::min: return highest(dtype);
    case Reduction::logical_and: return all_bits(dtype);
  }
  return 0;
}

std::vector<std::vector<ValueId>> users_of(const Program& program) {
  std::vector<std::vector<ValueId>> users(program.ops.size());
  for (ValueId id = 0; id < program.size(); ++id) {
    for (ValueId operand : program.op(id).operands) {
      std::vector<ValueId>& list = users[static_cast<std::size_t>(operand)];
      if (list.empty() || list.back() != id) list.push_back(id);
    }
  }
  return users;
}

}  // namespace rhino::ir
