// SPDX-License-Identifier: Apache-2.0
#include "ir/op_traits.hpp"

#include <algorithm>
#include <string>

#include "ir/ops/rows.hpp"
#include "rhino/error.hpp"

namespace rhino::ir {
namespace {

std::vector<OpTraits> make_table() {
  std::vector<OpTraits> table;
  for (const auto rows :
       {source_ops(), function_ops(), arithmetic_ops(), elementwise_ops(), movement_ops(),
        pad_ops(), reduce_ops(), window_ops(), dot_ops(), convolution_ops(), gather_ops(),
        dynamic_slice_ops(), sort_ops(), collective_ops()}) {
    table.insert(table.end(), rows.begin(), rows.end());
  }
  std::ranges::sort(table, {}, &OpTraits::kind);
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].kind) == i) continue;
    throw Error("op kind " + std::to_string(i) + " has no row of its own in core/ir/ops");
  }
  return table;
}

const std::vector<OpTraits>& table() {
  static const std::vector<OpTraits> kTable = make_table();
  return kTable;
}

}  // namespace

const OpTraits& traits(OpKind kind) { return table()[static_cast<std::size_t>(kind)]; }

std::span<const OpTraits> all_traits() { return table(); }

}  // namespace rhino::ir
