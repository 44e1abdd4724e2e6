// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

/// Sums and least sums over rows of doubles, in which a solver spends its time: compiled once for
/// any processor, and once more for those with vectors of four.
namespace rhino::common::choice {

/// Rows of a block: each begins so far behind the one before it.
struct Rows {
  const double* first;
  std::size_t stride;
  bool is_single = false;  ///< one entry a row, that stands for all
};

namespace detail {

#if defined(__x86_64__) && defined(__GNUC__)
#define RHINO_WIDE [[gnu::target("avx2")]]
inline const bool kIsWide = __builtin_cpu_supports("avx2") != 0;
#else
#define RHINO_WIDE
inline constexpr bool kIsWide = false;
#endif
#define RHINO_INTO_EACH [[gnu::always_inline]] inline

RHINO_INTO_EACH double less(double a, double b) { return a < b ? a : b; }

/// Four rows at a time: what is least so far is loaded and stored a fourth as often.
RHINO_INTO_EACH void plain_least_sums(const double* cost, std::size_t count, const double* rows,
                                      double* __restrict result, std::size_t width) {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4, rows += 4 * width) {
    for (std::size_t j = 0; j < width; ++j) {
      const double first = less(cost[i] + rows[j], cost[i + 1] + rows[width + j]);
      const double last =
          less(cost[i + 2] + rows[2 * width + j], cost[i + 3] + rows[3 * width + j]);
      result[j] = less(less(first, last), result[j]);
    }
  }
  for (; i < count; ++i, rows += width) {
    for (std::size_t j = 0; j < width; ++j) result[j] = less(cost[i] + rows[j], result[j]);
  }
}
RHINO_WIDE inline void wide_least_sums(const double* cost, std::size_t count, const double* rows,
                                       double* result, std::size_t width) {
  plain_least_sums(cost, count, rows, result, width);
}

RHINO_INTO_EACH void plain_sums(const double* base, const Rows& more, std::size_t count,
                                std::size_t width, double* sum) {
  const double* row = more.first;
  for (std::size_t i = 0; i < count; ++i, base += width, sum += width, row += more.stride) {
    if (more.is_single) {
      for (std::size_t j = 0; j < width; ++j) sum[j] = base[j] + *row;
    } else {
      for (std::size_t j = 0; j < width; ++j) sum[j] = base[j] + row[j];
    }
  }
}
RHINO_WIDE inline void wide_sums(const double* base, const Rows& more, std::size_t count,
                                 std::size_t width, double* sum) {
  plain_sums(base, more, count, width, sum);
}

/// What is least so far of so many columns stays in registers.
template <std::size_t kWidth>
RHINO_INTO_EACH void least_of_columns(const double* base, const Rows& more, std::size_t column,
                                      std::size_t count, std::size_t width, double* least) {
  double so_far[kWidth];
  for (double& one : so_far) one = std::numeric_limits<double>::infinity();
  const double* row = more.first + (more.is_single ? 0 : column);
  base += column;
  for (std::size_t i = 0; i < count; ++i, base += width, row += more.stride) {
    if (more.is_single) {
      for (std::size_t j = 0; j < kWidth; ++j) so_far[j] = less(base[j] + *row, so_far[j]);
    } else {
      for (std::size_t j = 0; j < kWidth; ++j) so_far[j] = less(base[j] + row[j], so_far[j]);
    }
  }
  for (std::size_t j = 0; j < kWidth; ++j) least[column + j] = so_far[j];
}

RHINO_INTO_EACH void plain_least(const double* base, const Rows& more, std::size_t count,
                                 std::size_t width, double* least) {
  std::size_t column = 0;
  for (; column + 8 <= width; column += 8)
    least_of_columns<8>(base, more, column, count, width, least);
  for (; column + 4 <= width; column += 4)
    least_of_columns<4>(base, more, column, count, width, least);
  for (; column < width; ++column) least_of_columns<1>(base, more, column, count, width, least);
}
RHINO_WIDE inline void wide_least(const double* base, const Rows& more, std::size_t count,
                                  std::size_t width, double* least) {
  plain_least(base, more, count, width, least);
}

/// Eight at a time: one after the other they would wait for each other.
RHINO_INTO_EACH double plain_subtract_least(std::span<double> values) {
  double least[8];
  std::ranges::fill(least, std::numeric_limits<double>::infinity());
  std::size_t i = 0;
  for (; i + 8 <= values.size(); i += 8) {
    for (std::size_t j = 0; j < 8; ++j) least[j] = less(values[i + j], least[j]);
  }
  for (; i < values.size(); ++i) least[0] = less(values[i], least[0]);
  for (const double one : least) least[0] = less(one, least[0]);
  const double found = least[0];
  for (double& value : values) value -= found;
  return found;
}
RHINO_WIDE inline double wide_subtract_least(std::span<double> values) {
  return plain_subtract_least(values);
}

#undef RHINO_WIDE
#undef RHINO_INTO_EACH

}  // namespace detail

/// Per entry of a row the least of costs[i] + rows[i][entry], `least.size()` entries a row.
inline void find_least_sums(const std::vector<double>& costs, const double* rows,
                            std::span<double> least) {
  std::ranges::fill(least, std::numeric_limits<double>::infinity());
  if (detail::kIsWide)
    detail::wide_least_sums(costs.data(), costs.size(), rows, least.data(), least.size());
  else detail::plain_least_sums(costs.data(), costs.size(), rows, least.data(), least.size());
}

/// `base` and `more` added up, row by row; `sum` may be `base`.
inline void sum_rows(const double* base, const Rows& more, std::size_t count, std::size_t width,
                     double* sum) {
  if (detail::kIsWide) detail::wide_sums(base, more, count, width, sum);
  else detail::plain_sums(base, more, count, width, sum);
}

/// Per column the least of such sums of all rows.
inline void find_least_of_rows(const double* base, const Rows& more, std::size_t count,
                               std::size_t width, double* least) {
  if (detail::kIsWide) detail::wide_least(base, more, count, width, least);
  else detail::plain_least(base, more, count, width, least);
}

/// What is left above the least of them, which is returned.
inline double subtract_least(std::span<double> values) {
  return detail::kIsWide ? detail::wide_subtract_least(values)
                         : detail::plain_subtract_least(values);
}

}  // namespace rhino::common::choice
