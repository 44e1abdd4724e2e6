// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace fake {

/// The source with each `asm(text : outputs : inputs : clobbers)` as a call of what host_ptx.hpp
/// declares; as it was where there is none.
std::string with_inline_ptx(const std::string& source);

}  // namespace fake
