// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/message_box.hpp"

#include <algorithm>
#include <cstddef>

namespace rhino::runtime {
namespace {

std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> strides(dims.size());
  std::int64_t stride = 1;
  for (std::size_t d = dims.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= dims[d];
  }
  return strides;
}

}  // namespace

std::int64_t box_offset(const std::vector<std::int64_t>& dims, const Box& box,
                        std::int64_t element_bytes) {
  const std::vector<std::int64_t> strides = strides_of(dims);
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) offset += strides[d] * box.start[d];
  return offset * element_bytes;
}

bool is_contiguous(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& size) {
  return make_box_copy(size, dims, size, 1).is_contiguous();
}

BoxCopy make_box_copy(const std::vector<std::int64_t>& size,
                      const std::vector<std::int64_t>& source_dims,
                      const std::vector<std::int64_t>& target_dims, std::int64_t element_bytes) {
  const std::vector<std::int64_t> source = strides_of(source_dims);
  const std::vector<std::int64_t> target = strides_of(target_dims);
  return BoxCopy(size, source, target, element_bytes);
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

}  // namespace rhino::runtime
