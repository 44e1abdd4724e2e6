// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace rhino {

/// Ids, dims and extents are signed, containers count in std::size_t: `values[at(id)]`.
constexpr std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

template <class T>
bool contains(const std::vector<T>& list, const std::type_identity_t<T>& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace rhino
