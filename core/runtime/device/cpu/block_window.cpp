// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/cpu/block_window.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace rhino::runtime {
namespace {

/// Calls `visit(offset, count, stride)` for runs of evenly spaced elements that make up elements
/// `first` to `first + count` of `dims`.
template <typename Visit>
void for_each_run(const std::vector<lower::StridedDim>& dims, std::int64_t first,
                  std::int64_t count, Visit visit) {
  if (dims.empty()) {
    visit(std::int64_t{0}, count, std::int64_t{0});
    return;
  }
  const lower::StridedDim& inner = dims.back();
  while (count > 0) {
    const std::int64_t at = first % inner.extent;
    const std::int64_t length = std::min(count, inner.extent - at);
    visit(offset_at(dims, first), length, inner.stride);
    first += length;
    count -= length;
  }
}

/// Rows that lie next to each other in memory, columns apart: walked so that memory is read along
/// cache lines.
bool is_transposed(const BlockWindow& window) {
  return window.rows.size() == 1 && window.rows[0].stride == 1 && window.columns.size() == 1 &&
         window.columns[0].stride != 1;
}

template <typename T, typename Move>
void move_block(const BlockWindow& window, const BlockRange& range, Move move) {
  if (is_transposed(window)) {
    const std::int64_t stride = window.columns[0].stride;
    for (std::int64_t j = 0; j < range.num_columns; ++j) {
      const std::int64_t memory = (range.first_column + j) * stride + range.first_row;
      for (std::int64_t i = 0; i < range.num_rows; ++i) {
        move(memory + i, i * range.num_columns + j);
      }
    }
    return;
  }
  std::int64_t block = 0;
  for (std::int64_t i = 0; i < range.num_rows; ++i) {
    const std::int64_t row = offset_at(window.rows, range.first_row + i);
    for_each_run(window.columns, range.first_column, range.num_columns,
                 [&](std::int64_t offset, std::int64_t count, std::int64_t stride) {
                   const std::int64_t from = row + offset;
                   for (std::int64_t j = 0; j < count; ++j) move(from + j * stride, block++);
                 });
  }
}

template <typename T>
void load(const BlockWindow& window, const BlockRange& range, const std::byte* memory,
          std::byte* block) {
  const T* from = reinterpret_cast<const T*>(memory);
  T* to = reinterpret_cast<T*>(block);
  move_block<T>(window, range, [=](std::int64_t m, std::int64_t b) { to[b] = from[m]; });
}

template <typename T>
void store(const BlockWindow& window, const BlockRange& range, const std::byte* block,
           std::byte* memory) {
  const T* from = reinterpret_cast<const T*>(block);
  T* to = reinterpret_cast<T*>(memory);
  move_block<T>(window, range, [=](std::int64_t m, std::int64_t b) { to[m] = from[b]; });
}

/// Calls `visit` with a value of a type of so many bytes.
template <typename Visit>
void with_type(std::int64_t element_bytes, Visit visit) {
  switch (element_bytes) {
    case 1: return visit(std::uint8_t{});
    case 2: return visit(std::uint16_t{});
    case 4: return visit(float{});
    case 8: return visit(double{});
    default: assert(false);
  }
}

}  // namespace

std::optional<BlockWindow> split_window(const lower::Dims& dims, const lower::Dims& strides,
                                        std::int64_t columns) {
  const std::vector<lower::StridedDim> all = lower::collapsed(dims, strides);
  BlockWindow window;
  std::size_t i = all.size();
  for (std::int64_t left = columns; left > 1;) {
    if (i == 0) return std::nullopt;
    const lower::StridedDim& dim = all[--i];
    if (left % dim.extent == 0) {
      window.columns.push_back(dim);
      left /= dim.extent;
    } else if (dim.extent % left == 0) {
      window.columns.push_back({left, dim.stride});
      window.rows.push_back({dim.extent / left, dim.stride * left});
      left = 1;
    } else {
      return std::nullopt;
    }
  }
  while (i > 0) window.rows.push_back(all[--i]);
  std::ranges::reverse(window.columns);
  std::ranges::reverse(window.rows);
  return window;
}

std::int64_t offset_at(const std::vector<lower::StridedDim>& dims, std::int64_t index) {
  std::int64_t offset = 0;
  for (std::size_t i = dims.size(); i-- > 1;) {
    offset += index % dims[i].extent * dims[i].stride;
    index /= dims[i].extent;
  }
  return dims.empty() ? 0 : offset + index * dims[0].stride;
}

void load_block(const BlockWindow& window, const BlockRange& range, const std::byte* memory,
                std::byte* block, std::int64_t element_bytes) {
  with_type(element_bytes, [&]<typename T>(T) { load<T>(window, range, memory, block); });
}

void store_block(const BlockWindow& window, const BlockRange& range, const std::byte* block,
                 std::byte* memory, std::int64_t element_bytes) {
  with_type(element_bytes, [&]<typename T>(T) { store<T>(window, range, block, memory); });
}

}  // namespace rhino::runtime
