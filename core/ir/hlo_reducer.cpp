// SPDX-License-Identifier: Apache-2.0
#include "ir/hlo_reducer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <unordered_map>

#include "ir/hlo_attributes.hpp"
#include "ir/op_info.hpp"

namespace rhino::ir::hlo {
namespace {

const Instruction* find(const Computation& computation, std::string_view name) {
  const auto found = std::ranges::find(computation.instructions, name, &Instruction::name);
  return found == computation.instructions.end() ? nullptr : &*found;
}

const Instruction* root_of(const Computation& computation) {
  const auto root = std::ranges::find(computation.instructions, true, &Instruction::is_root);
  if (root != computation.instructions.end()) return &*root;
  return computation.instructions.empty() ? nullptr : &computation.instructions.back();
}

/// Operand `k` of an instruction; null without one.
const Instruction* operand(const Computation& computation, const Instruction* of, std::size_t k) {
  if (!of) return nullptr;
  const OperandNames names = operand_names(of->arguments);
  return k < names.size() ? find(computation, names[k]) : nullptr;
}

/// The number of a parameter; none of anything else.
std::optional<std::size_t> parameter(const Instruction* instruction) {
  if (!instruction || instruction->opcode != "parameter") return std::nullopt;
  std::size_t number = 0;
  const std::string_view text = instruction->arguments;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_constant(const Instruction* instruction, double number) {
  if (!instruction || instruction->opcode != "constant") return false;
  const std::vector<double> held = read_literal(instruction->arguments);
  return held.size() == 1 && (held[0] == number || (std::isnan(held[0]) && std::isnan(number)));
}

bool is_compare(const Instruction* instruction, std::string_view direction) {
  return instruction && instruction->opcode == "compare" &&
         instruction->attribute("direction") == direction;
}

/// What is behind selects that make all zeros, or all NaNs, the same one. Each may test what it
/// chooses, or what lies behind that.
const Instruction* canonical(const Computation& computation, const Instruction* value,
                             int depth = 0) {
  if (!value || value->opcode != "select" || depth == 4) return value;
  const Instruction* test = operand(computation, value, 0);
  const Instruction* replacement = operand(computation, value, 1);
  const Instruction* inner = operand(computation, value, 2);
  const Instruction* source = canonical(computation, inner, depth + 1);
  const auto is_tested = [&](std::size_t k) {
    const Instruction* tested = operand(computation, test, k);
    return tested && (tested == inner || tested == source);
  };
  const bool zeros = is_compare(test, "EQ") && is_tested(0) &&
                     is_constant(operand(computation, test, 1), 0) && is_constant(replacement, 0);
  const bool nans =
      is_compare(test, "NE") && is_tested(0) && is_tested(1) && is_constant(replacement, NAN);
  return zeros || nans ? source : nullptr;
}

/// Runs a computation on numbers as far as it has only comparisons, choices and logic.
class Trial {
 public:
  explicit Trial(const Computation& computation) : computation_(computation) {}

  /// Elements of the root tuple; none where an op is of another kind.
  std::optional<std::array<double, 2>> run(const std::array<double, 4>& parameters) {
    numbers_.clear();
    for (const Instruction& instruction : computation_.instructions) {
      if (instruction.opcode == "tuple") continue;
      const std::optional<double> result = evaluate(instruction, parameters);
      if (!result) return std::nullopt;
      numbers_[instruction.name] = *result;
    }
    const Instruction* root = root_of(computation_);
    if (!root || root->opcode != "tuple") return std::nullopt;
    const std::optional<double> value = number(*root, 0), index = number(*root, 1);
    if (!value || !index || number(*root, 2)) return std::nullopt;
    return std::array{*value, *index};
  }

 private:
  std::optional<double> number(const Instruction& of, std::size_t k) const {
    const OperandNames names = operand_names(of.arguments);
    if (k >= names.size()) return std::nullopt;
    const auto found = numbers_.find(names[k]);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<double> evaluate(const Instruction& instruction,
                                 const std::array<double, 4>& parameters) const {
    const std::string_view opcode = instruction.opcode;
    if (opcode == "parameter") {
      const std::optional<std::size_t> k = parameter(&instruction);
      return k && *k < 4 ? std::optional(parameters[*k]) : std::nullopt;
    }
    const std::optional<double> x = number(instruction, 0), y = number(instruction, 1);
    if (opcode == "not" && x) return *x == 0;
    if (opcode == "copy" && x) return x;
    if (!x || !y) return std::nullopt;
    if (opcode == "select") return *x != 0 ? y : number(instruction, 2);
    if (opcode == "compare") return compare(instruction.attribute("direction"), *x, *y);
    if (opcode == "maximum") return std::max(*x, *y);
    if (opcode == "minimum") return std::min(*x, *y);
    const bool is_logic = instruction.shape.starts_with("pred");
    if (opcode == "and" && is_logic) return *x != 0 && *y != 0;
    if (opcode == "or" && is_logic) return *x != 0 || *y != 0;
    return std::nullopt;
  }

  static std::optional<double> compare(std::string_view direction, double x, double y) {
    if (direction == "EQ") return x == y;
    if (direction == "NE") return x != y;
    if (direction == "LT") return x < y;
    if (direction == "LE") return x <= y;
    if (direction == "GT") return x > y;
    if (direction == "GE") return x >= y;
    return std::nullopt;
  }

  const Computation& computation_;
  std::unordered_map<std::string_view, double> numbers_;
};

/// Whether the computation takes the larger (or smaller) value and its index wherever values
/// differ, and of equal ones what `tie` says of the indices.
template <typename Tie>
bool takes(Trial& trial, bool larger, Tie tie) {
  // Values are apart from indices, so that a comparison across them does not go unnoticed.
  for (int number = 0; number < 32; ++number) {
    const double offset = number & 16 ? 10 : -10;
    const double a = 1 + (number & 1), b = 1 + (number >> 1 & 1);
    const double i = offset + (number >> 2 & 1), j = offset + (number >> 3 & 1);
    const bool first = a == b ? tie(i, j) == i : larger == (a > b);
    const auto result = trial.run({a, i, b, j});
    if (!result || (*result)[0] != (first ? a : b) || (*result)[1] != (first ? i : j)) return false;
  }
  return true;
}

}  // namespace

OpKind combining_op(Reduction reduction) {
  constexpr std::array<OpKind, 6> kOps = {OpKind::add,     OpKind::multiply,    OpKind::maximum,
                                          OpKind::minimum, OpKind::logical_and, OpKind::logical_or};
  return kOps[static_cast<std::size_t>(reduction)];
}

std::optional<Reduction> pair_reduction(const Computation& computation, std::size_t first,
                                        std::size_t second, std::optional<std::size_t> element) {
  const Instruction* root = root_of(computation);
  if (element) {
    if (!root || root->opcode != "tuple") return std::nullopt;
    root = operand(computation, root, *element);
  }
  const auto left = parameter(operand(computation, root, 0)),
             right = parameter(operand(computation, root, 1));
  const bool on_pair = (left == first && right == second) || (left == second && right == first);
  if (!on_pair || operand_names(root->arguments).size() != 2) return std::nullopt;
  for (int i = 0; i <= static_cast<int>(Reduction::logical_or); ++i) {
    const auto candidate = static_cast<Reduction>(i);
    if (op_name(combining_op(candidate)) == root->opcode) return candidate;
  }
  return std::nullopt;
}

const Instruction* pair_op(const Computation& computation) {
  const Instruction* root = root_of(computation);
  if (!root || operand_names(root->arguments).size() != 2) return nullptr;
  const bool on_pair = parameter(operand(computation, root, 0)) == std::size_t{0} &&
                       parameter(operand(computation, root, 1)) == std::size_t{1};
  return on_pair ? root : nullptr;
}

bool takes_second(const Computation& computation) {
  const Instruction* root = root_of(computation);
  while (root && root->opcode == "copy") root = operand(computation, root, 0);
  return parameter(root) == std::size_t{1};
}

std::optional<Order> sort_order(const Computation& computation) {
  const Instruction* root = root_of(computation);
  if (!root || root->opcode != "compare") return std::nullopt;
  const auto left = parameter(canonical(computation, operand(computation, root, 0))),
             right = parameter(canonical(computation, operand(computation, root, 1)));
  if (!left || !right || *left / 2 != *right / 2 || *left == *right) return std::nullopt;
  const std::string_view direction = root->attribute("direction");
  const bool ascends = direction == "LT" || direction == "LE";
  if (!ascends && direction != "GT" && direction != "GE") return std::nullopt;
  return Order{*left / 2, ascends != (*left < *right)};
}

std::optional<Reduction> arg_extremum(const Computation& computation) {
  Trial trial(computation);
  const auto lesser = [](double i, double j) { return std::min(i, j); };
  const auto first = [](double i, double) { return i; };
  for (const bool larger : {true, false}) {
    if (takes(trial, larger, lesser) || takes(trial, larger, first)) {
      return larger ? Reduction::max : Reduction::min;
    }
  }
  return std::nullopt;
}

}  // namespace rhino::ir::hlo
