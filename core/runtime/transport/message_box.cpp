// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/message_box.hpp"

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

}  // namespace rhino::runtime
