// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rhino::runtime {

/// Asks the kernel to run this thread soon after it wakes, for a short time, where another one
/// computes on its core: slices of 0.1 ms rather than of milliseconds (Linux 6.12; elsewhere
/// nothing changes). It gets no more of the core than before.
void ask_for_short_slices() noexcept;

}  // namespace rhino::runtime
