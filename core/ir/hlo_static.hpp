// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rhino/program.hpp"

/// What is known while a loop is unrolled.
namespace rhino::ir::hlo {

/// The one element that an op on single elements yields, integers or pred; none of other ops.
/// `op.shape` is its result's; Error without a place where operands do not fit.
std::optional<double> fold_scalar(const Op& op, const std::vector<Shape>& shapes,
                                  const std::vector<double>& operands);

/// A part of a tensor.
struct Range {
  std::vector<std::int64_t> starts, sizes;
  bool operator==(const Range&) const = default;
};

/// Updates of parts at places that are known, so that what a loop stored and another one reads is
/// read without the tensor in between.
class Updates {
 public:
  void add(ValueId result, ValueId base, ValueId update, Range range);

  struct Source {
    ValueId value = kNoValue;
    bool is_whole = false;  ///< it is the range itself, else the range is a part of it
  };
  /// Where `range` of `value` comes from.
  Source find(ValueId value, const Range& range) const;

 private:
  struct Update {
    ValueId base, update;
    Range range;
  };
  std::unordered_map<ValueId, Update> updates_;
};

}  // namespace rhino::ir::hlo
