// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "lower/attention.hpp"
#include "rhino/program.hpp"

/// How often kernels go over the scores of an attention, and what they compute each time: for
/// maximum and sum of each row; then for the later sums; then for each result, by blocks of rows or
/// of columns.
namespace rhino::lower {

/// Of all scores, those that are seen.
double seen_share(const Attention& attention);

bool is_result(const Attention& attention, ValueId op);

/// Results over columns where `by_rows`, else over rows; ops.
std::vector<ValueId> results_of(const Attention& attention, bool by_rows);
std::vector<ValueId> later_sums_of(const Attention& attention);
/// The operand of a result that is made of scores, and the other one.
std::size_t scores_operand(const Program& program, const Attention& attention, ValueId result);

/// Members that are computed per score for the values of `from`: back to products and to what is
/// known of a row.
std::set<ValueId> computed_for(const Program& program, const Attention& attention,
                               const std::vector<ValueId>& from);

/// The member holds one value per row.
bool is_of_row(const Attention& attention, const Attention::Member& member);

/// Scores that are the softmax's exponential times, or over, a value per row, and rounded: what is
/// summed over columns may be scaled once it is a whole.
struct Scaled {
  ValueId op = kNoValue;  ///< a multiplication or division; kNoValue: the exponential itself
  std::size_t scale = 1;  ///< the operand that is per row
};
std::optional<Scaled> scaled_exponential(const Program& program, const Attention& attention,
                                         ValueId scores);

/// Scores that are a product with the softmax's exponential, and of what no maximum or sum is in:
/// a running maximum scales their sums.
bool grows_as_exponential(const Program& program, const Attention& attention, ValueId scores);

/// Maximum, sum and each row result go together: a running maximum scales what was summed.
bool is_one_pass(const Program& program, const Attention& attention);

/// What kernels compute, each time that they do: less than all scores where those that are not
/// seen are left out.
double attention_flops(const Program& program, const Attention& attention);

/// Per op of a program: of its result, the least part that kernels of attention compute, which
/// leave out what a mask hides; 1 of all others.
std::vector<double> least_shares(const Program& program);

}  // namespace rhino::lower
