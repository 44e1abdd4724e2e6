// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/message_box.hpp"

#include <cstddef>

#include "ir/strided.hpp"

namespace rhino::runtime {

std::int64_t box_offset(const std::vector<std::int64_t>& dims, const Box& box,
                        std::int64_t element_bytes) {
  const std::vector<std::int64_t> strides = ir::row_major_strides(dims);
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
  const std::vector<std::int64_t> source = ir::row_major_strides(source_dims);
  const std::vector<std::int64_t> target = ir::row_major_strides(target_dims);
  return BoxCopy(size, source, target, element_bytes);
}

}  // namespace rhino::runtime
