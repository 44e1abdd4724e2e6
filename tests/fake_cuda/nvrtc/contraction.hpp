// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace fake {

/// Where two products are added either may be rounded with the sum alone. Which one NVRTC takes
/// depends on what else the kernel has; g++ takes the first one everywhere. So one of such two,
/// drawn by the kernel's name and their place in it, is hidden from g++ (hc_hidden of
/// host_math.hpp). Products and sums are found where they stand as the cuda device writes them:
///
///     const float v1 = op_multiply(x, y);
///     const float v3 = op_add(v1, v2);
std::string with_drawn_contractions(const std::string& source);

}  // namespace fake
