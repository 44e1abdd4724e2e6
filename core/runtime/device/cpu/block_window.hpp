// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lower/view.hpp"

namespace rhino::runtime {

/// A window that no single pair of strides describes: its dims in the order of a nest's elements,
/// those inside of a row apart.
struct BlockWindow {
  std::vector<lower::StridedDim> rows, columns;
};

/// Rows and columns `first_*` to `first_* + num_*` of a nest.
struct BlockRange {
  std::int64_t first_row = 0, num_rows = 1, first_column = 0, num_columns = 1;
};

/// The window of elements at `strides`, whose rows are the last `columns` elements of `dims`;
/// nullopt where rows begin inside of a dim that they do not divide.
std::optional<BlockWindow> split_window(const lower::Dims& dims, const lower::Dims& strides,
                                        std::int64_t columns);

/// Where element `index`, row-major over `dims`, lies.
std::int64_t offset_at(const std::vector<lower::StridedDim>& dims, std::int64_t index);

/// Copies the elements of `range` between `memory` and the dense `block`; a window without columns
/// (or rows) counts as one column (row).
void load_block(const BlockWindow& window, const BlockRange& range, const std::byte* memory,
                std::byte* block, std::int64_t element_bytes);
void store_block(const BlockWindow& window, const BlockRange& range, const std::byte* block,
                 std::byte* memory, std::int64_t element_bytes);

}  // namespace rhino::runtime
