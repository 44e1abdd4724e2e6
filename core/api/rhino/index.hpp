// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace rhino {

/// Ids, dims and extents are signed, containers count in std::size_t: `values[at(id)]`.
constexpr std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

}  // namespace rhino
