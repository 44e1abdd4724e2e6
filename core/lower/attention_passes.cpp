// SPDX-License-Identifier: Apache-2.0
#include "lower/attention_passes.hpp"

#include <algorithm>

#include "ir/flops.hpp"
#include "lower/score_axes.hpp"
#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

using Part = Attention::Part;

std::vector<ValueId> ops_of(const Attention& attention, Part part) {
  std::vector<ValueId> ops;
  for (const Attention::Member& member : attention.members) {
    if (member.part == part) ops.push_back(member.op);
  }
  return ops;
}

bool is_sum_over_rows(Part part) {
  return part == Part::maximum || part == Part::sum || part == Part::later_sum;
}

std::vector<ValueId> scores_of(const Program& program, const Attention& attention,
                               const std::vector<ValueId>& results) {
  std::vector<ValueId> scores;
  for (ValueId result : results) {
    scores.push_back(program.op(result).operands[scores_operand(program, attention, result)]);
  }
  return scores;
}

double flops_of(const Program& program, const Attention& attention,
                const std::vector<ValueId>& from) {
  double flops = 0;
  for (ValueId op : computed_for(program, attention, from)) flops += ir::op_flops(program, op);
  return flops;
}

/// Neither the maximum of a row nor a sum is in the value.
bool knows_no_row(const Program& program, const Attention& attention, ValueId value) {
  const Attention::Member* member = attention.member(value);
  if (!member || member->part == Part::product) return true;
  if (is_sum_over_rows(member->part)) return false;
  return std::ranges::all_of(program.op(value).operands, [&](ValueId operand) {
    return knows_no_row(program, attention, operand);
  });
}

}  // namespace

double seen_share(const Attention& attention) {
  if (attention.causal.empty()) return 1;
  const Attention::Causal& causal = attention.causal[0];
  const std::int64_t rows = attention.extents[at(causal.row_axis)];
  const std::int64_t columns = attention.extents[at(attention.column)];
  double seen = 0;
  for (std::int64_t row = 0; row < rows; ++row)
    seen += static_cast<double>(std::min(columns, row + causal.ahead + 1));
  return seen / (static_cast<double>(rows) * static_cast<double>(columns));
}

bool is_result(const Attention& attention, ValueId op) {
  const Attention::Member* member = attention.member(op);
  return member && (member->part == Part::row_result || member->part == Part::column_result);
}

std::vector<ValueId> results_of(const Attention& attention, bool by_rows) {
  return ops_of(attention, by_rows ? Part::row_result : Part::column_result);
}

std::vector<ValueId> later_sums_of(const Attention& attention) {
  return ops_of(attention, Part::later_sum);
}

std::size_t scores_operand(const Program& program, const Attention& attention, ValueId result) {
  return attention.member(program.op(result).operands[0]) ? 0 : 1;
}

std::set<ValueId> computed_for(const Program& program, const Attention& attention,
                               const std::vector<ValueId>& from) {
  std::set<ValueId> computed;
  std::vector<ValueId> open = from;
  while (!open.empty()) {
    const ValueId next = open.back();
    open.pop_back();
    const Attention::Member* member = attention.member(next);
    if (!member || is_sum_over_rows(member->part) || !computed.insert(next).second) continue;
    if (member->part == Part::product) continue;
    for (ValueId operand : program.op(next).operands) open.push_back(operand);
  }
  return computed;
}

bool is_of_row(const Attention& attention, const Attention::Member& member) {
  return !contains(member.axes, attention.column);
}

std::optional<Scaled> scaled_exponential(const Program& program, const Attention& attention,
                                         ValueId scores) {
  const auto below_conversions = [&](ValueId value) {
    while (value != attention.exponential && attention.member(value) &&
           program.op(value).kind == OpKind::convert)
      value = program.op(value).operands[0];
    return value;
  };
  const auto is_per_row = [&](ValueId value) {
    const Attention::Member* member = attention.member(value);
    while (member && !is_of_row(attention, *member) &&
           program.op(value).kind == OpKind::broadcast) {
      value = program.op(value).operands[0];
      member = attention.member(value);
    }
    return member ? is_of_row(attention, *member) : splat_of(program, value).has_value();
  };
  const ValueId scaled = below_conversions(scores);
  if (scaled == attention.exponential) return Scaled{};
  const Op& op = program.op(scaled);
  if (op.kind != OpKind::multiply && op.kind != OpKind::divide) return std::nullopt;
  for (std::size_t scale : {1U, 0U}) {
    if (scale == 0 && op.kind == OpKind::divide) continue;
    if (below_conversions(op.operands[1 - scale]) == attention.exponential &&
        is_per_row(op.operands[scale]))
      return Scaled{scaled, scale};
  }
  return std::nullopt;
}

bool grows_as_exponential(const Program& program, const Attention& attention, ValueId scores) {
  const Op& op = program.op(scores);
  const auto operand = [&](std::size_t i) { return op.operands[i]; };
  const auto grows = [&](std::size_t i) {
    return grows_as_exponential(program, attention, operand(i));
  };
  const auto stays = [&](std::size_t i) { return knows_no_row(program, attention, operand(i)); };
  if (scores == attention.exponential) return true;
  if (!attention.member(scores)) return false;
  switch (op.kind) {
    case OpKind::convert:
    case OpKind::negate: return grows(0);
    case OpKind::divide: return grows(0) && stays(1);
    case OpKind::multiply: return (grows(0) && stays(1)) || (stays(0) && grows(1));
    default: return false;
  }
}

bool is_one_pass(const Program& program, const Attention& attention) {
  const std::vector<ValueId> results = results_of(attention, true);
  if (results.empty() || !later_sums_of(attention).empty()) return false;
  return std::ranges::all_of(scores_of(program, attention, results), [&](ValueId scores) {
    return scaled_exponential(program, attention, scores).has_value();
  });
}

double attention_flops(const Program& program, const Attention& attention) {
  const auto flops = [&](const std::vector<ValueId>& from) {
    return flops_of(program, attention, from);
  };
  const auto below = [&](ValueId op) { return program.op(op).operands[0]; };
  const auto own = [&](const std::vector<ValueId>& ops) {
    double sum = 0;
    for (ValueId op : ops) sum += ir::op_flops(program, op);
    return sum;
  };
  double all = flops({below(attention.sum)}) + own({attention.maximum, attention.sum});
  std::vector<ValueId> later = later_sums_of(attention);
  all += own(later);
  for (ValueId& op : later) op = below(op);
  all += flops(later);
  for (const bool by_rows : {true, false}) {
    const std::vector<ValueId> results = results_of(attention, by_rows);
    all += own(results);
    if (by_rows && is_one_pass(program, attention)) continue;
    for (ValueId scores : scores_of(program, attention, results)) all += flops({scores});
  }
  return all * seen_share(attention);
}

}  // namespace rhino::lower
