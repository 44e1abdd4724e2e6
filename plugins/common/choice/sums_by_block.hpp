// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/choice/rows.hpp"
#include "rhino/index.hpp"

namespace rhino::common::choice::detail {

/// Sums of tables, over all labels of a node that goes and of those around it, and the least of all
/// labels of its own. In blocks over these and the labels of the last node around; the others'
/// labels turn like the digits of a clock. What depends on none that has just turned is summed up
/// still.
class SumsByBlock {
 public:
  /// A table, and how far its entries lie apart by node around, the node's own last; those of the
  /// last node around lie beside each other, or the table does not depend on it.
  struct Reader {
    const double* values;
    std::vector<std::size_t> strides;
    std::size_t entry = 0;
  };

  /// `counts`: labels of the nodes around. One reader at least.
  SumsByBlock(std::size_t num_own, const std::vector<std::size_t>& counts,
              std::vector<Reader> readers)
      : num_own_(num_own),
        num_outer_(counts.empty() ? 0 : counts.size() - 1),
        width_(counts.empty() ? 1 : counts.back()),
        counts_(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(num_outer_)),
        labels_(num_outer_),
        readers_(num_outer_ + 1),
        sums_(num_outer_ + 1) {
    for (Reader& reader : readers) {
      const std::size_t level = level_of(reader);
      readers_[level].push_back(std::move(reader));
    }
    zeros_.resize(num_own_ * width_);
    for (std::size_t level = 0; level <= num_outer_; ++level) {
      // The last one of the innermost level is added as the least is found.
      const std::size_t num_added = readers_[level].size() - (is_innermost(level) ? 1 : 0);
      if (!readers_[level].empty() && num_added > 0) sums_[level].resize(num_own_ * width_);
    }
    add_up(0);
  }

  std::size_t width() const { return width_; }

  /// Per label of the last node around the least of all own ones.
  void find_least(double* least) const {
    const std::size_t level = innermost();
    find_least_of_rows(sums_until(level), rows_of(readers_[level].back()), num_own_, width_, least);
  }

  /// False: there were no more.
  bool advance() {
    for (std::size_t place = num_outer_; place-- > 0;) {
      const bool turns = ++labels_[place] == counts_[place];
      for (std::size_t level = place + 1; level <= num_outer_; ++level) {
        for (Reader& reader : readers_[level])
          reader.entry += turns ? reader.strides[place] - counts_[place] * reader.strides[place]
                                : reader.strides[place];
      }
      if (!turns) return add_up(place + 1), true;
      labels_[place] = 0;
    }
    return false;
  }

 private:
  /// The outer nodes of which it depends on the last; 0: on none.
  std::size_t level_of(const Reader& reader) const {
    std::size_t level = 0;
    for (std::size_t place = 0; place < num_outer_; ++place)
      level = reader.strides[place] > 0 ? place + 1 : level;
    return level;
  }

  /// The last level of which there is a reader.
  std::size_t innermost() const {
    std::size_t level = num_outer_;
    while (readers_[level].empty()) --level;
    return level;
  }
  bool is_innermost(std::size_t level) const { return level == innermost(); }

  /// Of all levels up to one.
  const double* sums_until(std::size_t level) const {
    while (level > 0 && sums_[level].empty()) --level;
    return sums_[level].empty() ? zeros_.data() : sums_[level].data();
  }

  Rows rows_of(const Reader& reader) const {
    const std::size_t num_strides = reader.strides.size();
    return {reader.values + reader.entry, reader.strides.back(),
            num_strides < 2 || reader.strides[num_strides - 2] == 0};
  }

  /// From a level on.
  void add_up(std::size_t first) {
    for (std::size_t level = first; level <= num_outer_; ++level) {
      if (sums_[level].empty()) continue;
      const double* so_far = level == 0 ? zeros_.data() : sums_until(level - 1);
      const std::size_t num_added = readers_[level].size() - (is_innermost(level) ? 1 : 0);
      for (std::size_t i = 0; i < num_added; ++i, so_far = sums_[level].data())
        sum_rows(so_far, rows_of(readers_[level][i]), num_own_, width_, sums_[level].data());
    }
  }

  std::size_t num_own_, num_outer_, width_;
  std::vector<std::size_t> counts_, labels_;  ///< of the outer nodes
  std::vector<std::vector<Reader>> readers_;  ///< by level
  /// Of levels up to each, by own labels; empty: as before.
  std::vector<std::vector<double>> sums_;
  std::vector<double> zeros_;
};

}  // namespace rhino::common::choice::detail
