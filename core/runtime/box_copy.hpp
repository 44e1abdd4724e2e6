// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rhino::runtime {

/// A box of elements from one strided place to another.
class BoxCopy {
 public:
  /// One dim of the box, strides in elements.
  struct Dim {
    std::int64_t extent = 1, from = 0, to = 0;
  };

  BoxCopy() = default;
  BoxCopy(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& from_strides,
          const std::vector<std::int64_t>& to_strides, std::int64_t element_bytes);

  /// Dims that are adjacent on both sides are one; the last is the innermost.
  const std::vector<Dim>& dims() const { return dims_; }
  std::int64_t num_elements() const;
  /// The elements lie one after the other on both sides.
  bool is_contiguous() const;
  std::int64_t num_bytes() const { return num_elements() * element_bytes_; }

  void run(const std::byte* from, std::byte* to) const;
  /// The outermost dim is shared among threads.
  void run_threaded(const std::byte* from, std::byte* to, int num_threads) const;

  /// Calls `visit(from, to, inner)` with offsets in elements of every innermost run.
  template <typename Visit>
  void for_each_run(Visit visit) const {
    visit_dim(0, 0, 0, visit);
  }

 private:
  template <typename Visit>
  void visit_dim(std::size_t d, std::int64_t from, std::int64_t to, Visit& visit) const {
    if (d + 1 >= dims_.size()) {
      visit(from, to, dims_.empty() ? Dim{} : dims_.back());
      return;
    }
    for (std::int64_t i = 0; i < dims_[d].extent; ++i) {
      visit_dim(d + 1, from + i * dims_[d].from, to + i * dims_[d].to, visit);
    }
  }

  std::vector<Dim> dims_;
  std::int64_t element_bytes_ = 1;
};

}  // namespace rhino::runtime
