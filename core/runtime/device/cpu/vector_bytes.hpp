// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace rhino::runtime {

/// Of the processor's own vectors. GCC takes wider ones apart element by element.
#if defined(__AVX512F__)
inline constexpr std::size_t kVectorBytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t kVectorBytes = 32;
#else
inline constexpr std::size_t kVectorBytes = 16;
#endif

}  // namespace rhino::runtime
