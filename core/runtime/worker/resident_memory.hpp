// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace rhino::runtime {

/// Of this process; 0 where the system does not say. What it has mapped of other ranks' shared
/// memory by now does not count.
struct ResidentMemory {
  std::int64_t bytes = 0;             ///< that it holds now
  std::int64_t peak_bytes = 0;        ///< the most that it ever held
  std::int64_t small_page_bytes = 0;  ///< of its own shared memory, what lies in small pages now
};

ResidentMemory resident_memory();

}  // namespace rhino::runtime
