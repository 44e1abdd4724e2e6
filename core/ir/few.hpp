// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace rhino::ir {

/// A list that is rarely longer than `N`: then it allocates. `T` is cheap to copy.
template <typename T, std::size_t N>
class Few {
 public:
  Few() = default;
  Few(std::initializer_list<T> elements) {
    for (const T& element : elements) push_back(element);
  }
  void push_back(T element) {
    if (size_ == N && more_.empty()) more_.assign(few_.begin(), few_.end());
    if (size_ >= N) more_.push_back(std::move(element));
    else few_[size_] = std::move(element);
    ++size_;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* begin() const { return size_ > N ? more_.data() : few_.data(); }
  const T* end() const { return begin() + size_; }
  const T& back() const { return begin()[size_ - 1]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }

 private:
  std::array<T, N> few_ = {};
  std::size_t size_ = 0;
  std::vector<T> more_;  ///< all of them, where they are more
};

}  // namespace rhino::ir
