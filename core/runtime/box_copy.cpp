// SPDX-License-Identifier: Apache-2.0
#include "runtime/box_copy.hpp"

#include <cstring>

namespace rhino::runtime {
namespace {

void copy_run(const std::byte* from, std::byte* to, const BoxCopy::Dim& dim, std::int64_t size) {
  const auto bytes = static_cast<std::size_t>(size);
  if (dim.extent == 1 || (dim.from == 1 && dim.to == 1)) {
    std::memcpy(to, from, static_cast<std::size_t>(dim.extent) * bytes);
    return;
  }
  for (std::int64_t i = 0; i < dim.extent; ++i) {
    std::memcpy(to + i * dim.to * size, from + i * dim.from * size, bytes);
  }
}

}  // namespace

BoxCopy::BoxCopy(const std::vector<std::int64_t>& extents,
                 const std::vector<std::int64_t>& from_strides,
                 const std::vector<std::int64_t>& to_strides, std::int64_t element_bytes)
    : element_bytes_(element_bytes) {
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] == 1) continue;
    const Dim dim{extents[i], from_strides[i], to_strides[i]};
    const bool joins = !dims_.empty() && dims_.back().from == dim.from * dim.extent &&
                       dims_.back().to == dim.to * dim.extent;
    if (joins) {
      dims_.back() = {dims_.back().extent * dim.extent, dim.from, dim.to};
    } else {
      dims_.push_back(dim);
    }
  }
}

std::int64_t BoxCopy::num_elements() const {
  std::int64_t count = 1;
  for (const Dim& dim : dims_) count *= dim.extent;
  return count;
}

bool BoxCopy::is_contiguous() const {
  return dims_.empty() || (dims_.size() == 1 && dims_[0].from == 1 && dims_[0].to == 1);
}

void BoxCopy::run(const std::byte* from, std::byte* to) const {
  for_each_run([&](std::int64_t f, std::int64_t t, const Dim& dim) {
    copy_run(from + f * element_bytes_, to + t * element_bytes_, dim, element_bytes_);
  });
}

void BoxCopy::run_threaded(const std::byte* from, std::byte* to, int num_threads) const {
  constexpr std::int64_t kWorthIt = 1 << 14;
  if (num_threads == 1 || dims_.empty() || num_elements() < kWorthIt) return run(from, to);
#pragma omp parallel for schedule(static) num_threads(num_threads)
  for (int part = 0; part < num_threads; ++part) {
    const Dim& outer = dims_[0];
    const std::int64_t begin = outer.extent * part / num_threads;
    BoxCopy share = *this;
    share.dims_[0].extent = outer.extent * (part + 1) / num_threads - begin;
    if (share.dims_[0].extent == 0) continue;
    share.run(from + begin * outer.from * element_bytes_, to + begin * outer.to * element_bytes_);
  }
}

}  // namespace rhino::runtime
