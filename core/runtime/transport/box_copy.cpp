// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/box_copy.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>

namespace rhino {
namespace {

constexpr std::size_t kMaxDims = 16;

std::vector<std::int64_t> byte_strides(const std::vector<std::int64_t>& dims,
                                       std::int64_t element_bytes) {
  std::vector<std::int64_t> strides(dims.size());
  std::int64_t stride = element_bytes;
  for (std::size_t d = dims.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= dims[d];
  }
  return strides;
}

}  // namespace

std::int64_t box_offset(const std::vector<std::int64_t>& dims, const Box& box,
                        std::int64_t element_bytes) {
  const std::vector<std::int64_t> strides = byte_strides(dims, element_bytes);
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) offset += strides[d] * box.start[d];
  return offset;
}

bool is_contiguous(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& size) {
  return make_box_copy(size, dims, size, 1).counts.empty();
}

BoxCopy make_box_copy(const std::vector<std::int64_t>& size,
                      const std::vector<std::int64_t>& source_dims,
                      const std::vector<std::int64_t>& target_dims, std::int64_t element_bytes) {
  const std::vector<std::int64_t> source = byte_strides(source_dims, element_bytes);
  const std::vector<std::int64_t> target = byte_strides(target_dims, element_bytes);
  BoxCopy copy;
  copy.row_bytes = element_bytes;
  for (std::size_t d = size.size(); d-- > 0;) {
    if (size[d] == 1) continue;
    const bool merges =
        copy.counts.empty() && source[d] == copy.row_bytes && target[d] == copy.row_bytes;
    if (merges) {
      copy.row_bytes *= size[d];
      continue;
    }
    copy.counts.insert(copy.counts.begin(), size[d]);
    copy.source_strides.insert(copy.source_strides.begin(), source[d]);
    copy.target_strides.insert(copy.target_strides.begin(), target[d]);
  }
  assert(copy.counts.size() <= kMaxDims);
  return copy;
}

void copy_box(const BoxCopy& copy, const void* source, void* target) {
  const auto* from = static_cast<const std::byte*>(source);
  auto* to = static_cast<std::byte*>(target);
  std::array<std::int64_t, kMaxDims> index{};
  const auto row_bytes = static_cast<std::size_t>(copy.row_bytes);
  while (true) {
    std::memcpy(to, from, row_bytes);
    std::size_t d = copy.counts.size();
    while (d-- > 0) {
      from += copy.source_strides[d];
      to += copy.target_strides[d];
      if (++index[d] < copy.counts[d]) break;
      from -= copy.source_strides[d] * copy.counts[d];
      to -= copy.target_strides[d] * copy.counts[d];
      index[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

std::vector<Box> cut_box(const std::vector<std::int64_t>& size, std::int64_t element_bytes,
                         std::int64_t max_bytes) {
  std::vector<Box> boxes;
  if (num_elements(size) == 0) return boxes;
  // The outermost dim whose single rows fit is cut; dims before it are walked one index at a time.
  std::size_t cut = 0;
  std::int64_t row_bytes = element_bytes * num_elements(size);
  while (cut < size.size() && row_bytes > max_bytes) row_bytes /= size[cut++];
  if (cut == 0) return {Box{std::vector<std::int64_t>(size.size(), 0), size}};
  --cut;
  const std::int64_t rows = std::max<std::int64_t>(1, max_bytes / row_bytes);
  Box box{std::vector<std::int64_t>(size.size(), 0), size};
  for (std::size_t d = 0; d < cut; ++d) box.size[d] = 1;
  while (true) {
    for (std::int64_t row = 0; row < size[cut]; row += rows) {
      box.start[cut] = row;
      box.size[cut] = std::min(rows, size[cut] - row);
      boxes.push_back(box);
    }
    std::size_t d = cut;
    while (d-- > 0) {
      if (++box.start[d] < size[d]) break;
      box.start[d] = 0;
    }
    if (d == static_cast<std::size_t>(-1)) return boxes;
  }
}

}  // namespace rhino
