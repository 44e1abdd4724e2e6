// SPDX-License-Identifier: Apache-2.0
#include "ir/op_info.hpp"

#include <limits>
#include <unordered_map>

#include "ir/op_traits.hpp"

namespace rhino::ir {
namespace {

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

std::string_view op_name(OpKind kind) { return traits(kind).name; }

std::optional<OpKind> op_from_name(std::string_view name) {
  static const auto kKinds = [] {
    std::unordered_map<std::string_view, OpKind> kinds;
    for (const OpTraits& row : all_traits()) kinds.emplace(row.name, row.kind);
    return kinds;
  }();
  const auto found = kKinds.find(name);
  if (found == kKinds.end()) return std::nullopt;
  return found->second;
}

bool is_elementwise(OpKind kind) { return traits(kind).op_class == OpClass::elementwise; }

bool is_collective(OpKind kind) { return traits(kind).op_class == OpClass::collective; }

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
