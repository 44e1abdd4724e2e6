// SPDX-License-Identifier: Apache-2.0
#include "lower/short_rows.hpp"

#include <vector>

#include "rhino/index.hpp"

namespace rhino::lower {
namespace {

/// A loop takes about as long for a row as for so many of its elements.
constexpr std::int64_t kShortRow = 64;

/// What lies between, and the rows, are written and read once more: that is to be little of it all.
constexpr std::int64_t kLeastOutside = 4;

/// Where the innermost dims begin that `taken` holds for, if they are more than one element and
/// few, and if others outside of what lies before them are some; dims of extent 1 are either.
std::optional<std::size_t> innermost_of_several(const Dims& dims, const std::vector<bool>& taken) {
  std::size_t begin = dims.size();
  std::int64_t row = 1;
  while (begin > 0 && (taken[begin - 1] || dims[begin - 1] == 1)) row *= dims[--begin];
  if (row == 1 || row > kShortRow) return std::nullopt;
  std::int64_t outside = 1;
  for (std::size_t d = 0; d < begin; ++d) {
    if (taken[d]) outside *= dims[d];
  }
  return outside < kLeastOutside ? std::nullopt : std::optional(begin);
}

}  // namespace

std::optional<ReducedInTwo> reduced_in_two(const Dims& operand, const Dims& reduced) {
  std::vector<bool> taken(operand.size());
  for (const std::int64_t dim : reduced) taken[at(dim)] = true;
  const std::optional<std::size_t> begin = innermost_of_several(operand, taken);
  if (!begin) return std::nullopt;
  ReducedInTwo result;
  std::int64_t number = 0;  // of dims that the first one leaves
  for (std::size_t d = 0; d < operand.size(); ++d) {
    if (taken[d] && d < *begin) {
      result.first.push_back(static_cast<std::int64_t>(d));
      continue;
    }
    if (taken[d]) result.second.push_back(number);
    ++number;
  }
  return result;
}

std::optional<RepeatedInTwo> repeated_in_two(const Dims& operand, const Dims& to,
                                             const Dims& result) {
  std::vector<bool> taken(result.size(), true);
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (operand[i] != result[at(to[i])]) return std::nullopt;
    taken[at(to[i])] = false;
  }
  const std::optional<std::size_t> begin = innermost_of_several(result, taken);
  if (!begin) return std::nullopt;
  RepeatedInTwo repeated;
  for (std::size_t d = 0; d < result.size(); ++d) {
    if (taken[d] && d < *begin) continue;
    if (!taken[d]) repeated.first.push_back(static_cast<std::int64_t>(repeated.dims.size()));
    repeated.dims.push_back(result[d]);
    repeated.second.push_back(static_cast<std::int64_t>(d));
  }
  return repeated;
}

}  // namespace rhino::lower
