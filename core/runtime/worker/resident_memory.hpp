// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace rhino::runtime {

/// Memory that this process holds now, and the most that it ever held, without what it has mapped
/// of other ranks' shared memory by now; 0 where the system does not say.
std::int64_t resident_bytes();
std::int64_t peak_resident_bytes();

}  // namespace rhino::runtime
